"""Deals: always 52 different cards, 13 a hand."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deals.cards import CARDS, Seat
from deals.deal import Deal
from deals.errors import DealError
from tests.unit.deals.strategies import deals

DEAL = "N:AJ9.K9542.Q.AK93 K.QJ76.K98763.75 QT6543.AT.JT.T62 872.83.A542.QJ84"


@given(deals, st.sampled_from(Seat))
def test_every_form_gives_the_same_deal(deal: Deal, first: Seat) -> None:
    assert Deal.from_pbn(deal.pbn(first)) == deal
    assert Deal.from_owners(deal.owners) == deal
    assert Deal.from_hands([deal.hand(seat) for seat in Seat]) == deal
    assert pickle.loads(pickle.dumps(deal)) == deal
    assert all(card in deal.hand(deal.seat_of(card)) for card in CARDS)
    assert hash(Deal(deal.owners)) == hash(deal)


@given(deals)
def test_hands_are_13_cards_high_to_low(deal: Deal) -> None:
    for seat in Seat:
        hand = deal.hand(seat)
        assert len(hand) == 13
        assert list(hand) == sorted(hand)


@given(st.binary(min_size=52, max_size=52).map(lambda b: bytes(x % 5 for x in b)))
def test_illegal_owners_are_refused(owners: bytes) -> None:
    legal = all(owners.count(seat) == 13 for seat in range(4))
    try:
        Deal.from_owners(owners)
    except DealError:
        assert not legal
    else:
        assert legal


def test_pbn_begins_anywhere() -> None:
    deal = Deal.from_pbn(DEAL)
    assert deal.pbn(Seat.E) == (
        "E:K.QJ76.K98763.75 QT6543.AT.JT.T62 872.83.A542.QJ84 AJ9.K9542.Q.AK93"
    )
    assert deal.hand_pbn(Seat.N) == "AJ9.K9542.Q.AK93"
    assert str(deal.seat_of(CARDS[0]).letter) == "N"
    assert repr(deal) == f"Deal('{DEAL}')"
    assert deal != DEAL


def test_a_void_is_empty() -> None:
    suits = Deal(bytes(i // 13 for i in range(52)))
    ranks = "AKQJT98765432"
    assert suits.pbn() == f"N:{ranks}... .{ranks}.. ..{ranks}. ...{ranks}"


def change(old: str, new: str) -> Callable[[], Deal]:
    assert old in DEAL
    return lambda: Deal.from_pbn(DEAL.replace(old, new, 1))


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (change("QJ84", "QJ8"), "C4 missing: too few cards in the hand of West."),
        (change("872", "A72"), "SA is in two hands: North and West."),
        (change("AJ9", "AJJ"), "SJ is twice in the hand of North."),
        (
            change("872", "872Q"),
            "SQ is in two hands: South and West.",
        ),
        (change("AJ9.", "AJ9"), "The hand of North needs four suits with three dots between them."),
        (change("AJ9", "AJX"), "The hand of North has “X”, which is no rank."),
        (change("N:", ""), "A deal begins with its first seat, such as “N:”."),
        (change("N:", "X:"), "“X” is no seat: N, E, S or W."),
        (change(" 872.83.A542.QJ84", ""), "A deal has four hands, this one 3."),
        (
            lambda: Deal.from_pbn(DEAL.replace("75 Q", "752 Q").replace("T62", "T6")),
            "The hand of East has 14 cards instead of 13.",
        ),
        (lambda: Deal(bytes(51)), "A deal has 52 cards, this one 51."),
        (lambda: Deal.from_owners([9] * 52), "SA belongs to “9”, which is no seat."),
        (lambda: Deal.from_hands([]), "A deal has four hands, this one 0."),
        (
            lambda: Deal.from_hands([CARDS[:14], CARDS[14:26], CARDS[26:39], CARDS[39:51]]),
            "The hand of North has 14 cards instead of 13; missing in the deal: C2.",
        ),
    ],
)
def test_refusals_name_hand_and_card(make: Callable[[], Deal], text: str) -> None:
    with pytest.raises(DealError) as refused:
        make()
    assert str(refused.value).startswith(text)
