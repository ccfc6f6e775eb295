"""Strips are learned from a sorted pass and read for certain or not at all."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deals.cards import CARDS, Card
from tests.unit.vision.cards import taught, window
from tests.unit.vision.strips import (
    AT,
    SEED,
    coded,
    learned,
    learned_from,
    placed,
    strips_of,
)
from vision import locate
from vision.design import load, save
from vision.lineup import Placed
from vision.sources import VisionError
from vision.strip import AHEAD, MOST_BLUR_MM, Fit, Place, Strips, read_fits, see
from vision.striplearn import learn_strips, other_names
from vision.synthetic import art
from vision.synthetic.optics import CLEAN, HARSH, Conditions
from vision.synthetic.strips import KINDS, Print, table

ACE, KING = Card.parse("SA"), Card.parse("HK")
DOWN = Print(x=1.5, y=25.0, down=True)


def read(strips: Strips, image: Any, asked: Card | None = None) -> Any:
    return see(strips, image, locate.look(image).corners[0], asked)


@pytest.mark.parametrize("kind", KINDS)
def test_every_card_is_read_by_its_strip_whichever_way_up(kind: str) -> None:
    codes, strips = table(kind, SEED), strips_of(kind)
    for card in CARDS:
        image = window(coded(card, codes[card]), card.index, turned=card.index % 2 == 0)
        assert read(strips, image).card is card


def test_a_strip_down_the_long_edge_is_read_too() -> None:
    codes, strips = table("modules", SEED), strips_of("modules", DOWN)
    assert strips.strips[0].place.down
    for card in CARDS[::3]:
        assert read(strips, window(coded(card, codes[card], DOWN), card.index)).card is card


@pytest.mark.parametrize("kind", KINDS)
def test_a_strip_in_dirt_and_poor_light_is_read_right_or_not(kind: str) -> None:
    codes, strips = table(kind, SEED), strips_of(kind)
    found = {
        card: read(strips, window(coded(card, codes[card]), 300 + card.index, HARSH)).card
        for card in CARDS[::2]
    }
    right = sum(one is card for card, one in found.items())
    assert set(found.items()) <= {(card, one) for card in CARDS for one in (card, None)}
    assert right > 13


@pytest.mark.parametrize("motion_mm", [0.9, 1.2, 1.6, 2.4])
def test_above_the_blur_nothing_is_read(motion_mm: float) -> None:
    assert motion_mm / np.sqrt(12) > MOST_BLUR_MM
    codes, strips = table("modules", SEED), strips_of()
    smeared = replace(CLEAN, motion_blur_mm=motion_mm)
    for card in CARDS[::2]:
        sight = read(strips, window(coded(card, codes[card]), card.index, smeared), KING)
        assert sight.there and sight.card is None and not sight.contradicts


def test_blur_along_the_bars_does_no_harm() -> None:
    codes, strips = table("modules", SEED), strips_of("modules", DOWN)
    smeared = Conditions(motion_blur_mm=0.9)
    for card in CARDS[::6]:
        assert read(strips, window(coded(card, codes[card], DOWN), 5, smeared)).card is card


def test_a_card_is_read_only_if_every_other_card_fits_worse_by_far() -> None:
    strip = strips_of().strips[0]
    (ace, *_), (king, *_) = strip.codes_of(ACE), strip.codes_of(KING)
    best = Fit(ace, 0.1, blur_mm=0.06, contrast=0.8)
    for apart, card in ((AHEAD - 0.01, None), (AHEAD + 0.01, ACE)):
        assert read_fits(strip, [best, replace(best, code=king, misfit=0.1 + apart)]) is card


@pytest.mark.parametrize("share", [0.3, 0.5, 0.7])
def test_a_bar_that_is_half_gone_or_half_there_is_never_another_card(share: float) -> None:
    """Tables with one bar between two cards: a defect along the whole bar is just short of another code."""
    codes, strips = table("modules", SEED), strips_of()
    rng = np.random.default_rng(4)
    for card in CARDS:
        face = coded(card, codes[card])
        module = int(rng.integers(1, 12))
        at = round((AT.x + 0.7 * module) * 10)
        grown = slice(at, at + round(7 * share))
        tone = 20 if int(face[30, at + 3, 0]) > 128 else 250
        for part in (face, face[::-1, ::-1]):
            part[8:62, grown] = tone
        assert read(strips, window(face, card.index)).card in (card, None)


def test_a_card_of_one_end_shows_nothing_when_it_lies_the_other_way() -> None:
    where = Print(ends="one")
    codes, strips = table("modules", SEED), strips_of("modules", where)
    assert not strips.always
    for card in CARDS[::5]:
        face = coded(card, codes[card], where)
        assert read(strips, window(face, card.index)).card is card
        other = read(strips, window(face, card.index, turned=True))
        assert (other.card, other.there) == (None, False)


def test_a_strip_that_reads_as_another_card_from_the_other_end_is_refused_by_name() -> None:
    """In the middle of both short edges and printed alike on both, so that half a turn reads it backwards."""
    where = Print(x=28.5 - 4.55, ends="mirrored")
    codes = dict(table("modules", SEED, apart=3))
    codes[KING] = tuple((9.1 - end, 9.1 - start) for start, end in reversed(codes[ACE]))
    found = learned_from(codes, where)
    assert found.strips is None
    told = [values for code, values in found.wrong if code == "teach.strip_same"]
    assert {"one": ACE, "other": KING} in told


def test_codes_that_read_backwards_as_others_are_told_apart_by_the_end_they_are_printed_at() -> (
    None
):
    codes = dict(table("modules", SEED, apart=3))
    codes[KING] = tuple((9.1 - end, 9.1 - start) for start, end in reversed(codes[ACE]))
    strips = learned_from(codes).strips
    assert strips is not None
    for card in (ACE, KING):
        for turned in (False, True):
            image = window(coded(card, codes[card]), 3, turned=turned)
            assert read(strips, image).card is card


def test_two_codes_that_hardly_differ_are_refused_and_named() -> None:
    codes = dict(table("modules", SEED, apart=2))
    (start, end), *others = codes[ACE]
    codes[KING] = ((start, end + 0.3), *others)
    found = learned_from(codes)
    assert found.strips is None and not found.wrong
    assert found.refused == (("teach.strip_too_alike", {"pairs": ["SA HK"]}),)


def test_bars_that_are_the_same_on_all_cards_are_no_strip() -> None:
    codes = dict.fromkeys(CARDS, table("modules", SEED)[ACE])
    assert learned_from(codes).strips is None


def test_cards_without_bars_have_no_strip() -> None:
    found = learn_strips(
        [placed(c, art.face("standard", c)) for c in CARDS], np.random.default_rng(1)
    )
    assert (found.strips, found.wrong, found.refused) == (None, (), ())


def test_a_place_where_no_picture_has_bars_is_no_strip(monkeypatch: pytest.MonkeyPatch) -> None:
    """What changes like bars about a place may be none within it."""
    monkeypatch.setattr(
        "vision.striplearn.find_places", lambda frames: [Place(10.0, 2.0, 40.0, 6.0, False)]
    )
    found = learn_strips([placed(ACE, art.blank())], np.random.default_rng(1))
    assert (found.strips, found.wrong, found.refused) == (None, (), ())


def test_a_card_that_is_there_twice_or_of_another_pack_is_caught_at_teaching() -> None:
    codes = table("modules", SEED)
    twice = learned_from(codes, SA=coded(KING, codes[KING]))
    assert twice.wrong == (("teach.strip_same", {"one": ACE, "other": KING}),)
    foreign = learned_from(codes, SA=art.face("standard", ACE))
    assert foreign.wrong == (("teach.strip_absent", {"card": ACE, "file": "SA.png"}),)


def test_what_a_machine_sees_of_a_pack_teaches_a_strip_though_look_2_does_not_reach_it() -> None:
    codes = table("modules", SEED)
    pictures = []
    for card in CARDS:
        for row in (40.0, 225.0):
            image = window(coded(card, codes[card]), card.index, lead_row=row)
            corner = locate.look(image).corners[0]
            pictures.append(Placed(card, f"{card}-{row:.0f}.png", image, (corner,)))
    found = learn_strips(pictures, np.random.default_rng(1), alone=True)
    assert found.wrong == () and found.strips is not None
    assert not found.strips.always and not found.strips.alone
    for card in CARDS[::4]:
        image = window(coded(card, codes[card]), 500 + card.index)
        assert read(found.strips, image).card is card


def test_two_pictures_of_a_card_with_different_strips_are_caught() -> None:
    codes = table("modules", SEED)
    pictures = [placed(card, coded(card, codes[card])) for card in CARDS]
    pictures.append(placed(ACE, coded(ACE, codes[KING]), "SA-2.png"))
    found = learn_strips(pictures, np.random.default_rng(1))
    assert ("teach.strip_differs", {"card": ACE}) in found.wrong


def test_two_cards_exchanged_are_caught_by_the_same_codes_on_a_design_taught_before() -> None:
    codes = dict(table("modules", SEED))
    codes[ACE], codes[KING] = codes[KING], codes[ACE]
    swapped = learned_from(codes).strips
    assert swapped is not None
    assert other_names(swapped, strips_of()) == {ACE: KING, KING: ACE}
    assert other_names(strips_of(), strips_of("modules", DOWN)) == {}
    assert other_names(strips_of(), strips_of("widths")) == {}


def test_a_strip_names_a_card_alone_only_if_two_bars_lie_between_any_two() -> None:
    assert strips_of(apart=2).alone
    one_bar = learned_from(table("modules", SEED), alone=True)
    assert one_bar.strips is not None and not one_bar.strips.alone
    assert ("teach.strip_not_alone", {}) in one_bar.refused


def test_reserve_lies_between_the_worst_reading_and_the_best_wrong_one() -> None:
    for kind in KINDS:
        strip = strips_of(kind).strips[0]
        assert strip.limit < 0.26 and strip.reserve >= 0.19
        assert learned(kind).refused == ()


def test_a_design_keeps_its_strips_in_its_file(tmp_path: Path) -> None:
    design = taught().design
    assert design is not None
    path = save(replace(design, strips=strips_of()), tmp_path)
    kept = load(path).strips
    assert kept is not None and kept.always
    face = coded(KING, table("modules", SEED)[KING])
    assert read(kept, window(face, 9)).card is KING
    for change in (
        {"limit": float("nan")},
        {"limit": 0.9},
        {"codes": strips_of().strips[0].codes[:, :-1]},
        {"cards": np.zeros(52, np.int64)},
    ):
        broken = Strips((replace(strips_of().strips[0], **change),), True, False)
        path = save(replace(design, strips=broken), tmp_path)
        with pytest.raises(VisionError, match="damaged"):
            load(path)
