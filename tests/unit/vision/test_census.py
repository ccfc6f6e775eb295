"""The census notices a card that is read twice and never names one by elimination."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deals.cards import CARDS, Card
from vision.census import Census
from vision.reading import CardReading, Kind

UNSURE = CardReading(Kind.UNSURE, proposal=CARDS[3], confidence=0.6)


def read(card: Card, sureness: float = 0.99, **scores: float) -> CardReading:
    """A reading of *card*; other cards' likeness by name."""
    return CardReading(
        Kind.CARD, card, card, sureness, evidence={"scores": {str(card): 0.9, **scores}}
    )


@given(st.permutations(CARDS))
def test_a_whole_pack_in_any_order_is_complete(order: list[Card]) -> None:
    census = Census()
    for number, card in enumerate(order, start=1):
        assert not census.complete
        assert census.add(number, read(card)) is None
    assert census.complete and census.missing == frozenset()


@given(st.permutations(CARDS), st.integers(1, 51), st.data())
def test_any_card_read_twice_is_noticed(order: list[Card], place: int, data: st.DataObject) -> None:
    before = data.draw(st.integers(0, place - 1))
    census = Census()
    told = []
    for number, card in enumerate(order):
        found = census.add(number, read(order[before] if number == place else card))
        told += [found] if found else []
    assert [(one.card, one.earlier, one.later) for one in told] == [(order[before], before, place)]
    assert not census.complete
    assert census.missing == {order[place]}


def test_the_last_missing_card_is_given_to_nobody() -> None:
    census = Census()
    for number, card in enumerate(CARDS[:-1]):
        census.add(number, read(card))
    assert census.add(51, UNSURE) is None
    assert census.missing == {CARDS[-1]}
    assert not census.complete


def test_the_reading_that_looks_like_a_missing_card_is_suspected() -> None:
    eight, nine = Card.parse("S8"), Card.parse("S9")
    first = Census()
    first.add(1, read(eight, S9=0.7))
    told = first.add(2, read(eight, S9=0.2))
    assert told is not None and told.suspect == 1
    second = Census()
    second.add(1, read(eight, S9=0.2))
    told = second.add(2, read(eight, S9=0.7))
    assert told is not None and told.suspect == 2
    third = Census()
    third.add(0, read(nine))  # no longer missing: likeness to it speaks against nobody
    third.add(1, read(eight, S9=0.7))
    told = third.add(2, read(eight, S9=0.2))
    assert told is not None and told.suspect is None


def test_without_evidence_both_are_doubted() -> None:
    census = Census()
    census.add(1, read(CARDS[0]))
    told = census.add(2, read(CARDS[0]))
    assert told is not None and told.suspect is None


def test_a_number_counts_once() -> None:
    census = Census()
    census.add(7, UNSURE)
    with pytest.raises(ValueError, match="reading 7 came twice"):
        census.add(7, read(CARDS[0]))
