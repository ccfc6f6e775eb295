"""Dealer and vulnerability by number (Law 2), Chicago, markings of one's own, ranges."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deals.boards import (
    Board,
    Scheme,
    Vulnerability,
    dealer_of,
    parse_numbers,
    vulnerability_of,
)
from deals.cards import Seat
from deals.errors import DealError
from deals.files import ranges
from tests.unit.deals.strategies import shuffled

# Law 2, written out from the law's own table and not by a formula.
LAW_2 = {
    1: ("N", "None"), 2: ("E", "NS"), 3: ("S", "EW"), 4: ("W", "All"),
    5: ("N", "NS"), 6: ("E", "EW"), 7: ("S", "All"), 8: ("W", "None"),
    9: ("N", "EW"), 10: ("E", "All"), 11: ("S", "None"), 12: ("W", "NS"),
    13: ("N", "All"), 14: ("E", "None"), 15: ("S", "NS"), 16: ("W", "EW"),
}  # fmt: skip


@pytest.mark.parametrize("number", range(1, 17))
def test_law_2(number: int) -> None:
    for n in (number, number + 16, number + 160):
        assert (dealer_of(n).letter, vulnerability_of(n).value) == LAW_2[number]


def test_chicago_is_a_cycle_of_four() -> None:
    def cycle(scheme: Scheme) -> list[str]:
        return [vulnerability_of(n, scheme).value for n in range(1, 6)]

    assert cycle(Scheme.CHICAGO) == ["None", "EW", "NS", "All", "None"]
    assert cycle(Scheme.CHICAGO_OTHER_SIDE) == ["None", "NS", "EW", "All", "None"]
    for n in (2, 3):
        assert vulnerability_of(n, Scheme.CHICAGO).includes(dealer_of(n))
        assert not vulnerability_of(n, Scheme.CHICAGO_OTHER_SIDE).includes(dealer_of(n))


def test_own_markings_are_kept() -> None:
    deal = shuffled(1)
    assert Board.standard(7, deal).is_standard
    own = Board(7, Seat.N, Vulnerability.NONE, deal)
    assert not own.is_standard
    assert (own.dealer, own.vulnerable) == (Seat.N, Vulnerability.NONE)


def test_numbers_begin_at_1() -> None:
    for call in (dealer_of, vulnerability_of, lambda n: Board.standard(n, shuffled(1))):
        with pytest.raises(DealError, match="A board number is 1 or more, not 0"):
            call(0)


@pytest.mark.parametrize(
    ("who", "sides"),
    [("None", ""), ("NS", "NS"), ("EW", "EW"), ("All", "NESW")],
)
def test_vulnerable_seats(who: str, sides: str) -> None:
    vulnerable = Vulnerability(who)
    assert "".join(s.letter for s in Seat if vulnerable.includes(s)) == sides


@given(st.sets(st.integers(1, 200), min_size=1))
def test_ranges_are_read_back(numbers: set[int]) -> None:
    assert parse_numbers(ranges(numbers)) == tuple(sorted(numbers))


def test_ranges_as_written_by_people() -> None:
    assert ranges([18, 1, 2, 3, 3]) == "1-3, 18"
    assert parse_numbers(" 1 - 3, 7") == (1, 2, 3, 7)


@pytest.mark.parametrize(
    "text", ["", "a", "0", "0-3", "5-2", "1-", "-3", "1,,2", "1-999999", "9" * 13, "1-2-3", "²"]
)
def test_no_ranges(text: str) -> None:
    with pytest.raises(DealError) as refused:
        parse_numbers(text)
    assert str(refused.value) == f"“{text}” names no boards: write 1-16 or 1-4,7."
