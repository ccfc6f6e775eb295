"""Cards, suits, ranks, seats."""

from __future__ import annotations

import copy
import pickle

import pytest

from deals.cards import CARDS, Card, Rank, Seat, Suit
from deals.errors import DealError, PredealError


def test_index_order_is_that_of_the_machine_formats() -> None:
    assert [str(CARDS[i]) for i in (0, 1, 4, 12, 13, 25, 26, 39, 51)] == (
        "SA SK ST S2 HA H2 DA CA C2".split()
    )
    assert [card.index for card in CARDS] == list(range(52))


def test_each_card_is_one_shared_object() -> None:
    for card in CARDS:
        assert Card(card.suit, card.rank) is card
        assert Card.parse(str(card)) is card
        assert pickle.loads(pickle.dumps(card)) is card
        assert copy.copy(card) is card
        assert copy.deepcopy(card) is card
    assert len({*CARDS}) == 52


@pytest.mark.parametrize(("text", "card"), [("ht", "HT"), ("H10", "HT"), (" sa ", "SA")])
def test_parse_takes_what_people_type(text: str, card: str) -> None:
    assert str(Card.parse(text)) == card


@pytest.mark.parametrize("text", ["", "S", "S1", "XA", "SAA", "joker", "10H"])
def test_parse_says_what_is_no_card(text: str) -> None:
    with pytest.raises(DealError, match=r"is no card: suit S H D C, then rank"):
        Card.parse(text)


def test_a_card_does_not_change() -> None:
    with pytest.raises(AttributeError, match="SA: a card does not change"):
        CARDS[0].index = 1
    with pytest.raises(AttributeError, match="SA: a card does not change"):
        del CARDS[0].suit


def test_letters_symbols_and_order() -> None:
    assert "".join(suit.letter for suit in Suit) == "SHDC"
    assert "".join(suit.symbol for suit in Suit) == "♠♥♦♣"
    assert "".join(rank.letter for rank in Rank) == "AKQJT98765432"
    assert sorted(reversed(CARDS)) == list(CARDS)
    assert repr(CARDS[0]) == "Card(SA)"


def test_seats_go_clockwise() -> None:
    assert [Seat.W.next(), Seat.N.partner, Seat.E.next(2), Seat.N.next(-1)] == [
        Seat.N,
        Seat.S,
        Seat.W,
        Seat.W,
    ]
    assert Seat.parse(" north ") is Seat.N
    assert Seat.parse("w").letter == "W"
    with pytest.raises(PredealError, match="“Q” is no seat: N, E, S or W"):
        Seat.parse("Q")
