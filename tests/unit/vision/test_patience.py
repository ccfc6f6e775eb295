"""How much a window may cost, whatever it shows: counted in places looked at, never in time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from deals.cards import CARDS
from tests.unit.vision.cards import LOOK_2_ROW, reader, window
from vision import locate, stopcard
from vision.patch import Corner
from vision.reading import Kind
from vision.recognise import Reader
from vision.synthetic import art
from vision.synthetic.optics import HARSH, Piece, render_window

MOST_LOOKS = 6


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[Corner]:
    """Every place that any reader looks at."""
    seen: list[Corner] = []
    look = Reader._look

    def counted(self: Reader, image: Any, corner: Corner) -> Any:
        seen.append(corner)
        return look(self, image, corner)

    monkeypatch.setattr(Reader, "_look", counted)
    return seen


def unread() -> dict[str, Any]:
    """Windows that give a reader much to think about."""
    rng = np.random.default_rng(8)
    faint = window(art.face("standard", CARDS[7]), 3, HARSH, tilt_deg=5.5)
    over = [Piece(art.face("standard", CARDS[3]), 40.0), Piece(art.face("standard", CARDS[9]), 150)]
    return {
        "joker": window(art.joker(), 1),
        "back": window(art.back("blue"), 1),
        "blank": window(art.blank(), 1),
        "another design": window(art.face("jumbo", CARDS[20]), 1),
        "look 2 of a tilted card": window(
            art.face("standard", CARDS[5]), 4, HARSH, LOOK_2_ROW, tilt_deg=7.0
        ),
        "half in sun": np.where(np.arange(640)[None, :, None] > 500, 255, faint).astype(np.uint8),
        "two cards": render_window(over, HARSH, 1.0, rng),
        "smeared index": np.repeat(faint[:, ::16], 16, axis=1),
    }


@pytest.mark.parametrize("name", sorted(unread()))
def test_a_window_costs_a_few_looks_at_most(name: str, looks: list[Corner]) -> None:
    reader().read(unread()[name])
    assert len(looks) <= MOST_LOOKS


def test_what_is_nearly_a_card_ends_within_patience_too(looks: list[Corner]) -> None:
    smeared = replace(HARSH, motion_blur_mm=1.0, defocus_mm=0.35)
    most = 0
    for number, card in enumerate(CARDS[::3]):
        looks.clear()
        reader().read(window(art.face("standard", card), number, smeared))
        most = max(most, len(looks))
    assert most == MOST_LOOKS


@pytest.mark.parametrize("name", ["joker", "back", "blank"])
def test_where_nothing_is_like_an_index_one_look_is_enough(name: str, looks: list[Corner]) -> None:
    image = unread()[name]
    reader().read(image)
    assert len(looks) == len(locate.look(image).corners)


def test_noise_has_no_edges(looks: list[Corner]) -> None:
    rng = np.random.default_rng(1)
    for spread in (6, 40, 120):
        image = np.clip(rng.normal(120, spread, (400, 640, 3)), 0, 255).astype(np.uint8)
        assert reader().read(image).kind is Kind.UNSURE
    assert looks == []


def test_a_window_is_never_searched_by_a_design_that_knows_its_scale(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    again = Reader(reader().design)

    def searched(*_: object) -> list[Any]:
        raise AssertionError("searched everywhere in a window")

    monkeypatch.setattr(Reader, "_searched", searched)
    card = np.full((400, 640, 3), 40, np.uint8)
    card[60:340, 120:550] = 230  # a whole blank card in a picture of a window's size
    assert len(locate.look(card).corners) == 4
    assert again.read(card).kind is Kind.UNSURE


def test_a_stop_card_askew_is_known() -> None:
    for seed in range(12):
        image = window(
            art.stop_card(), seed, HARSH, turned=seed % 3 == 0, tilt_deg=(-2.0, 2.0)[seed % 2]
        )
        assert reader().read(image).kind is Kind.STOP_CARD, seed


def test_marks_are_sought_only_where_there_is_a_ring(monkeypatch: pytest.MonkeyPatch) -> None:
    sought = []
    monkeypatch.setattr(stopcard, "has_stop_mark", lambda image: sought.append(1) or False)
    faces = [art.joker(), art.back("red"), art.back("blue"), art.blank()]
    for face in [*faces, *(art.face("jumbo", card) for card in CARDS[::6])]:
        reader().read(window(face, 1))
    assert sought == []
    reader().read(window(art.stop_card(), 1))
    assert sought


def test_an_index_far_from_its_place_on_the_card_is_a_proposal_at_most() -> None:
    """It is that of a second card, that lies over the one whose edges were found."""
    image = window(art.face("jumbo", CARDS[7]), 3)
    (place,) = (corner for corner in locate.look(image).corners)
    one = reader("jumbo")
    place = place.changed(one._habit("window"))
    look = one._look(image, place)
    assert look.strain <= 1
    for away, strain in ((0.0, look.strain), (2.0, look.strain), (4.0, 1.5), (-6.0, 1.5)):
        assert one._in_place(place.moved(away, 0), look).strain == strain
        assert one._in_place(replace(place.moved(away, 0), source="outline"), look) is look
