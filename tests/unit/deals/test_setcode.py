"""The set code: same set same code, slow, and no slip of hand or ear goes unnoticed."""

from __future__ import annotations

import dataclasses
import hashlib
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deals.boards import Board, Vulnerability
from deals.cards import Seat
from deals.deal import Deal
from deals.errors import DealError, SetCodeError
from deals.setcode import (
    ALPHABET,
    NO_CODE,
    QUICK_COST,
    REAL_COST,
    canonical,
    check_set_code,
    code_of,
    set_code,
)
from tests.unit.deals.strategies import sets, shuffled

BOARDS = [Board.standard(n, shuffled(n)) for n in (1, 2, 3)]


@given(sets())
def test_order_of_boards_means_nothing(boards: list[Board]) -> None:
    code = set_code(boards, QUICK_COST)
    assert set_code(reversed(boards), QUICK_COST) == code
    assert check_set_code(code.lower().replace("-", " ")) == code


def test_anything_else_changes_it() -> None:
    last = BOARDS[-1]
    others = [
        BOARDS[:-1],
        [*BOARDS[:-1], Board.standard(4, last.deal)],
        [*BOARDS[:-1], dataclasses.replace(last, dealer=Seat.N)],
        [*BOARDS[:-1], dataclasses.replace(last, vulnerable=Vulnerability.ALL)],
        [*BOARDS[:-1], dataclasses.replace(last, deal=shuffled(99))],
    ]
    codes = {set_code(boards, QUICK_COST) for boards in (BOARDS, *others)}
    assert len(codes) == 6


def test_the_canonical_form() -> None:
    deal = shuffled(1)
    assert canonical([Board.standard(7, deal)]) == f"7 S All {deal.pbn()}\n".encode()


def test_every_wrong_sign_and_every_swap_is_noticed() -> None:
    code = set_code(BOARDS, QUICK_COST).replace("-", "")
    for place, sign in itertools.product(range(9), ALPHABET):
        changed = code[:place] + sign + code[place + 1 :]
        if changed != code:
            with pytest.raises(SetCodeError, match="one sign is wrong or two are swapped"):
                check_set_code(changed)
    for place in range(8):
        swapped = code[:place] + code[place + 1] + code[place] + code[place + 2 :]
        if swapped != code:
            with pytest.raises(SetCodeError, match="one sign is wrong or two are swapped"):
                check_set_code(swapped)


@given(st.text(ALPHABET, min_size=8, max_size=8))
def test_exactly_one_check_sign_fits(start: str) -> None:
    fitting = 0
    for sign in ALPHABET:
        try:
            check_set_code(start + sign)
        except SetCodeError:
            continue
        fitting += 1
    assert fitting == 1


def test_the_alphabet_is_prime_and_has_no_look_alikes() -> None:
    assert len(ALPHABET) == len(set(ALPHABET)) == 23
    assert not set(ALPHABET) & set("0O1IL2Z5S8BGU")


def test_refusals() -> None:
    with pytest.raises(SetCodeError, match="A set code has no “O”; its signs are 34679ACD"):
        check_set_code("KO7")
    with pytest.raises(SetCodeError, match="A set code has 9 signs, this one 3"):
        check_set_code("KH7")
    with pytest.raises(DealError, match="An empty set has no code"):
        set_code([])


def test_the_real_cost_is_slow_and_fits_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    assert 128 * REAL_COST.n * REAL_COST.r <= 64 * 2**20
    asked: dict[str, object] = {}

    def scrypt(text: bytes, **values: object) -> bytes:
        asked.update(values)
        return bytes(16)

    monkeypatch.setattr(hashlib, "scrypt", scrypt)
    assert set_code(BOARDS) == "333-333-333"
    assert (asked["n"], asked["r"], asked["p"]) == (2**15, 8, 12)


def test_a_known_code() -> None:
    # Codes stand on paper: a change of the canonical form or the parameters must not go unseen.
    deal = Deal.from_pbn("N:AJ9.K9542.Q.AK93 K.QJ76.K98763.75 QT6543.AT.JT.T62 872.83.A542.QJ84")
    assert set_code([Board.standard(1, deal)]) == "Y4W-AM7-C4K"


def test_a_single_board_has_no_code() -> None:
    """Who sees the dummy and the code could try the ten million ways to deal the others."""
    deal = Deal.from_pbn("N:AJ9.K9542.Q.AK93 K.QJ76.K98763.75 QT6543.AT.JT.T62 872.83.A542.QJ84")
    two = [Board.standard(number, deal) for number in (1, 2)]
    assert code_of(two[:1]) == NO_CODE
    assert check_set_code(code_of(two))
