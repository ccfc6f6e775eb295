"""Without a design there are proposals, never a card."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from deals.cards import Card
from vision import propose
from vision.reading import CardReading, Kind

ACE, TWO = Card.parse("SA"), Card.parse("H2")


def whole_card() -> Any:
    """Paper with something dark about it."""
    image = np.full((700, 500, 3), 60, np.uint8)
    image[100:540, 100:385] = 240
    return image


def proposer(*readings: CardReading, monkeypatch: pytest.MonkeyPatch) -> propose.Proposer:
    """A proposer whose designs read like this."""

    class Scripted:
        def __init__(self, reading: CardReading) -> None:
            self.reading = reading

        def read(self, image: Any, *, search: bool) -> CardReading:
            return self.reading

    monkeypatch.setattr(propose, "Reader", Scripted)
    return propose.Proposer(readings)  # type: ignore[arg-type]


def test_the_surest_design_proposes_and_none_names(monkeypatch: pytest.MonkeyPatch) -> None:
    readings = (
        CardReading(Kind.UNSURE, proposal=TWO, confidence=0.99),
        CardReading(Kind.CARD, ACE, ACE, 0.93, TWO),
        CardReading(Kind.NO_CARD),
    )
    reading = proposer(*readings, monkeypatch=monkeypatch).read(None)
    assert (reading.kind, reading.card, reading.proposal) == (Kind.UNSURE, None, ACE)
    assert reading.runner_up == TWO


@pytest.mark.parametrize("kind", [Kind.STOP_CARD, Kind.NO_CARD])
def test_what_is_no_card_is_told_as_such(kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    assert proposer(CardReading(kind), monkeypatch=monkeypatch).read(None).kind is kind


def test_with_nothing_taught_there_is_no_proposal() -> None:
    image = np.full((400, 300, 3), 255, np.uint8)
    assert propose.Proposer([]).read(image).proposal is None


@pytest.mark.parametrize(("certainty", "searches"), [(0.8, [False]), (0.2, [False, True])])
def test_a_taught_index_is_searched_for_only_if_the_general_reader_is_in_doubt(
    certainty: float, searches: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []

    class Slow:
        def __init__(self, design: object) -> None:
            pass

        def read(self, image: Any, *, search: bool) -> CardReading:
            asked.append(search)
            return CardReading(Kind.CARD, ACE, ACE, 0.95) if search else CardReading(Kind.UNSURE)

    monkeypatch.setattr(propose, "Reader", Slow)
    guess = CardReading(Kind.UNSURE, proposal=TWO, confidence=certainty)
    one = propose.Proposer([object()])  # type: ignore[list-item]
    monkeypatch.setattr(one._general, "read", lambda image: guess)
    reading = one.read(np.full((300, 200, 3), 255, np.uint8))
    assert asked == searches
    assert reading.card is None
    assert reading.proposal is (ACE if searches[-1] else TWO)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each look at a taught design was to search, too; it never finds anything."""
    searches: list[bool] = []

    class Slow:
        def __init__(self, design: object) -> None:
            pass

        def read(self, image: Any, *, search: bool) -> CardReading:
            searches.append(search)
            return CardReading(Kind.UNSURE)

    monkeypatch.setattr(propose, "Reader", Slow)
    return searches


def test_no_index_is_searched_for_on_a_card_whose_outline_was_seen(asked: list[bool]) -> None:
    one = propose.Proposer([object()])  # type: ignore[list-item]
    assert one.read(whole_card()).proposal is None
    assert asked == [False]


def test_no_index_is_searched_for_in_a_window(asked: list[bool]) -> None:
    noise = np.random.default_rng(2).integers(0, 256, (400, 640, 3), np.uint8)
    propose.Proposer([object()]).read(noise)  # type: ignore[list-item]
    assert asked == [False]
