"""Readers that are present agree, or the card is unsure; alone a reader counts as teaching has settled."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from deals.cards import CARDS, Card
from tests.unit.vision.cards import window
from tests.unit.vision.strips import SEED, coded, placed, reader, strips_of
from vision.answers import CONTRADICTS, Codes, Look, fused
from vision.census import likeness
from vision.corner import judge
from vision.features import look_at
from vision.patch import cut
from vision.reading import CardReading, Kind
from vision.strip import StripSight
from vision.synthetic import art
from vision.synthetic.photo import SCAN, photograph
from vision.synthetic.strips import table, with_strip

ACE, KING = Card.parse("SA"), Card.parse("HK")


def seen(face: Any, apart: int = 1, seed: int = 5) -> CardReading:
    return reader(apart).read(window(face, seed))


def own(card: Card, apart: int = 1) -> Any:
    return coded(card, table("modules", SEED, apart=apart)[card])


def without_index(face: Any) -> Any:
    bare = face.copy()
    bare[20:200, 10:110] = bare[-200:-20, -110:-10] = (110, 120, 120)
    return bare


def test_index_and_strip_agree_and_are_surer_than_one() -> None:
    from tests.unit.vision.cards import reader as plain

    image = window(own(ACE), 5)
    both, one = reader().read(image), plain().read(image)
    assert (both.card, both.method, both.evidence["readers"]) == (ACE, "corner", "corner+strip")
    assert one.evidence["readers"] == "corner"
    assert both.confidence >= one.confidence
    others = [card for card in CARDS if card is not ACE]
    rival, alone = likeness(both, others), likeness(one, others)
    assert rival is not None and alone is not None and rival < 0.2 * alone


@pytest.mark.parametrize("apart", [1, 2])
def test_index_and_strip_that_differ_make_it_unsure(apart: int) -> None:
    codes = table("modules", SEED, apart=apart)
    for card in CARDS[::4]:
        answer = seen(coded(card, codes[CARDS[(card.index + 17) % 52]]), apart)
        assert (answer.kind, answer.evidence["reason"]) == (Kind.UNSURE, "readers_differ")


def test_a_poor_index_still_contradicts_a_strip_that_may_stand_alone() -> None:
    model = reader().design.model  # type: ignore[union-attr]
    corner = placed(KING, art.face("standard", KING)).corners[0]
    patch = cut(art.face("standard", KING), corner)
    codes = Codes(strip=StripSight(ACE, there=True, inside=True), strips=strips_of(apart=2))
    for strain, named in ((CONTRADICTS - 0.1, None), (CONTRADICTS + 0.1, ACE)):
        answer = fused(Look(corner, patch, judge(model, look_at(patch)), strain), codes)
        assert answer.card is named
        assert answer.evidence.get("reason") == (None if named else "readers_differ")


def test_a_strip_alone_proposes_or_names_as_teaching_has_settled() -> None:
    proposed = seen(without_index(own(ACE)))
    assert (proposed.kind, proposed.proposal) == (Kind.UNSURE, ACE)
    assert proposed.evidence["reason"] == "strip_alone"
    named = seen(without_index(own(ACE, 2)), 2)
    assert (named.kind, named.card, named.method) == (Kind.CARD, ACE, "strip")


def test_a_card_without_the_strip_that_all_have_is_of_another_design() -> None:
    answer = seen(art.face("standard", KING))
    assert (answer.kind, answer.evidence["reason"]) == (Kind.UNSURE, "no_strip")


def test_cards_of_another_system_of_codes_are_refused() -> None:
    other = table("modules", SEED + 1, apart=3)
    answers = [seen(coded(card, other[card])) for card in CARDS[::3]]
    assert not any(answer.kind is Kind.CARD for answer in answers)


def test_stop_card_joker_and_back_stay_what_they_are() -> None:
    for apart in (1, 2):
        assert seen(art.stop_card(), apart).kind is Kind.STOP_CARD
        assert seen(art.joker(), apart).kind is Kind.UNSURE
        assert seen(art.back(), apart).kind is Kind.UNSURE
    assert seen(with_strip(art.joker(), table("modules", SEED)[KING])).kind is Kind.UNSURE


def test_a_scan_of_a_whole_card_is_read_by_both() -> None:
    rng = np.random.default_rng(6)
    for card in CARDS[::6]:
        answer = reader().read(photograph(own(card), SCAN, rng))
        assert answer.card is card


def test_noise_and_even_light_are_no_card() -> None:
    rng = np.random.default_rng(7)
    for apart in (1, 2):
        for _ in range(2):
            image = rng.integers(0, 255, (400, 640, 3), np.uint8)
            assert reader(apart).read(image).card is None
        for level in (0, 120):
            assert reader(apart).read(np.full((400, 640, 3), level, np.uint8)).card is None
