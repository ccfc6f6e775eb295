"""Laws 15, 17D and 87: boards against record, other boards and copies."""

from __future__ import annotations

import random

import pytest

from deals import words
from deals.boards import Board, Vulnerability
from deals.cards import Card, Seat
from deals.laws import Copy, Edition, compare, compare_copies
from tests.unit.deals.strategies import shuffled

BOARDS = [Board.standard(n, shuffled(n)) for n in range(1, 9)]
THREE = BOARDS[2]


def pockets(board: Board, turned: int = 0) -> dict[Seat, list[Card | None]]:
    """As read: in any order within a pocket."""
    held = {}
    for seat in Seat:
        cards: list[Card | None] = list(board.deal.hand(seat))
        random.Random(board.number * 4 + seat).shuffle(cards)
        held[seat.next(turned)] = cards
    return held


def exchange(held: dict, one: Seat, two: Seat) -> tuple[Card, Card]:
    """The first cards of two pockets change places."""
    a, b = held[one][0], held[two][0]
    held[one][0], held[two][0] = b, a
    return a, b


def told(verdict) -> list[str]:
    return [words.text(code, values) for code, values in verdict.findings()]


def test_the_right_board() -> None:
    found = compare(pockets(THREE), THREE, BOARDS)
    assert found.right
    assert told(found) == ["Board 3: each hand of the record is in its pocket (Law 7)."]


def test_these_are_the_cards_of_board_7() -> None:
    found = compare(pockets(BOARDS[6]), THREE, BOARDS)
    assert (found.right, found.other, len(found.hands_of)) == (False, 7, 4)
    assert told(found) == [
        "Board 3 differs from its record (Law 7).",
        "These are the cards of board 7 (Law 15): put them into that board, or exchange the labels.",
    ]


@pytest.mark.parametrize("turned", [1, 2, 3])
def test_a_board_the_wrong_way_round(turned: int) -> None:
    found = compare(pockets(THREE, turned), THREE, BOARDS)
    assert (found.right, found.turned, found.other) == (False, turned, None)
    assert f"but {turned} pockets further on clockwise" in told(found)[1]


@pytest.mark.parametrize(
    ("edition", "law"),
    [(Edition.LAWS_1997, "17D"), (Edition.LAWS_2007, "17D"), (Edition.LAWS_2017, "15A")],
)
def test_a_hand_of_another_board(edition: Edition, law: str) -> None:
    held = pockets(THREE)
    held[Seat.E] = pockets(BOARDS[4])[Seat.W]
    found = compare(held, THREE, BOARDS, edition)
    assert found.hands_of == ((Seat.E, 5, Seat.W),)
    assert told(found)[1] == f"East holds the hand of West of board 5 (Law {law})."


def test_a_difference_from_the_record_is_no_fouled_board() -> None:
    held = pockets(THREE)
    exchange(held, Seat.N, Seat.S)
    found = compare(held, THREE, BOARDS)
    assert told(found)[0] == "Board 3 differs from its record (Law 7)."
    assert len(found.verdict.displaced) == 2


def test_copies_that_are_alike() -> None:
    found = compare_copies(3, [Copy(name, pockets(THREE)) for name in "ABC"])
    assert found.alike
    assert found.groups == (("A", "B", "C"),)
    assert told(found) == ["All copies of board 3 are alike (Law 6F)."]
    assert compare_copies(3, []).alike


def test_all_copies_may_differ_from_the_record_and_be_alike() -> None:
    held = pockets(THREE)
    exchange(held, Seat.N, Seat.S)
    assert compare_copies(3, [Copy("A", held), Copy("B", held)]).alike


def test_copies_that_differ_name_cards_pockets_and_since_when() -> None:
    held = pockets(THREE)
    north, south = exchange(held, Seat.N, Seat.S)
    copies = [Copy("A", pockets(THREE)), Copy("B", held), Copy("C", held)]
    found = compare_copies(3, copies)
    assert found.groups == (("A",), ("B", "C"))
    assert set(found.moved) == {
        (north, Seat.N, Seat.S, "B"),
        (south, Seat.S, Seat.N, "B"),
    }
    sentences = told(found)
    assert sentences[0] == "Copies of board 3 differ: Director, Law 87. Alike are: A / B, C."
    assert f"{north}: in copy A in North, since copy B in South." in sentences


def test_missing_double_and_foreign_cards_in_a_copy() -> None:
    held = pockets(THREE)
    gone, stranger = held[Seat.E][0], held[Seat.W][0]
    held[Seat.E][0] = stranger
    held[Seat.S][0] = None
    found = compare_copies(3, [Copy("A", pockets(THREE)), Copy("B", held)])
    assert (gone, Seat.E, None, "B") in found.moved
    assert (stranger, None, Seat.E, "B") in found.moved
    assert found.foreign == ((Seat.S, "B"),)
    sentences = told(found)
    assert f"{gone}: in copy A in East, since copy B in no pocket." in sentences
    assert "Copy B has a card that is of no such pack in South." in sentences
    assert not compare_copies(3, [Copy("B", held), Copy("A", pockets(THREE))]).alike


@pytest.mark.parametrize(
    ("edition", "alike"),
    [(Edition.LAWS_1997, True), (Edition.LAWS_2007, False), (Edition.LAWS_2017, False)],
)
def test_markings_count_from_2007_on(edition: Edition, alike: bool) -> None:
    copies = [
        Copy("A", pockets(THREE), Seat.S, Vulnerability.EW),
        Copy("B", pockets(THREE), Seat.S, Vulnerability.NS),
    ]
    found = compare_copies(3, copies, edition)
    assert found.alike is alike
    if not alike:
        assert told(found)[-1] == "Copy B has another dealer or vulnerability."


def test_any_exchange_of_two_cards_is_seen() -> None:
    chance = random.Random(87)
    for _ in range(200):
        held = pockets(THREE)
        one, two = chance.sample(list(Seat), 2)
        i, j = chance.randrange(13), chance.randrange(13)
        held[one][i], held[two][j] = held[two][j], held[one][i]
        assert not compare_copies(3, [Copy("A", pockets(THREE)), Copy("B", held)]).alike
        assert not compare(held, THREE).right
