"""The bijection between numbers and deals: every deal of small packs, ends and round trips."""

from __future__ import annotations

import itertools
from math import comb, factorial

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from deals.cards import Seat
from deals.deal import Deal
from deals.errors import DealError
from deals.generate.numbering import DEALS, deal_of, number_of, rank, unrank
from tests.unit.deals.strategies import deals

RANKS = "AKQJT98765432"


def test_d_is_the_number_of_deals() -> None:
    assert factorial(52) // factorial(13) ** 4 == DEALS
    assert comb(52, 13) * comb(39, 13) * comb(26, 13) == DEALS


@pytest.mark.parametrize("sizes", [(2, 2, 2, 2), (1, 1, 1, 1), (3, 2, 1), (1, 3, 2, 2), (4, 4)])
def test_every_deal_of_a_small_pack_has_one_number(sizes: tuple[int, ...]) -> None:
    cards = [seat for seat, size in enumerate(sizes) for _ in range(size)]
    everything = {bytes(p) for p in itertools.permutations(cards)}
    by_number = [unrank(n, sizes) for n in range(len(everything))]
    assert set(by_number) == everything
    assert [rank(owners, sizes) for owners in by_number] == list(range(len(everything)))

    # The documented order, told another way: compare the lists of places seat by seat.
    def key(owners: bytes) -> list[list[int]]:
        return [[i for i, o in enumerate(owners) if o == s] for s in range(len(sizes))]

    assert sorted(everything, key=key) == by_number


def test_the_ends() -> None:
    assert deal_of(0).pbn() == f"N:{RANKS}... .{RANKS}.. ..{RANKS}. ...{RANKS}"
    assert deal_of(DEALS - 1).pbn() == f"N:...{RANKS} ..{RANKS}. .{RANKS}.. {RANKS}..."
    for number in (-1, DEALS):
        with pytest.raises(DealError, match=f"Deals have numbers from 0 to .* {number} is none"):
            deal_of(number)


@given(st.integers(0, DEALS - 1))
@example(0)
@example(DEALS - 1)
@example(comb(39, 13) * comb(26, 13))
def test_numbers_are_read_back(number: int) -> None:
    assert number_of(deal_of(number)) == number


@given(deals)
def test_deals_are_read_back(deal: Deal) -> None:
    assert deal_of(number_of(deal)) == deal


def test_first_steps_change_the_end_of_the_pack() -> None:
    # Number 1: South's last diamond and West's first club change places.
    second = deal_of(1)
    assert second.hand_pbn(Seat.S) == "..AKQJT9876543.A"
    assert second.hand_pbn(Seat.W) == "..2.KQJT98765432"
