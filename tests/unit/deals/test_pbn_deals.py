"""The Deal tag as people and programs write it, illegal deals, and parts of deals."""

from __future__ import annotations

import pytest

from deals.cards import Seat
from deals.deal import Deal
from tests.unit.deals.reading import DEAL, NORTH, OTHER, game, read, rows, told

ONE = (1, "N", "None", DEAL)
TWO = (2, "E", "NS", OTHER)


@pytest.mark.parametrize(
    "deal",
    [
        DEAL.lower().replace("n:", "N:"),
        DEAL.lower(),
        DEAL.replace("T", "10"),
        " " + DEAL.replace(" ", "  ") + " ",
        DEAL.replace("N:", "N: "),
        DEAL.replace(NORTH, "SAJ9.HK9542.DQ.CAK93"),
        DEAL.replace(NORTH, "SAJ9HK9542DQCAK93"),
        DEAL.replace(NORTH, "♠AJ9.♥K9542.♦Q.♣AK93"),
        DEAL.replace(NORTH, "9JA.2459K.Q.39KA"),
        DEAL.replace("N:", "North:"),
        DEAL.replace("T62", "T62.").replace("Q.AK93", "Q.AK93."),
    ],
)
def test_the_deal_in_liberal_spelling(deal: str) -> None:
    assert rows(read(game(1, deal))) == [ONE]


@pytest.mark.parametrize("first", "ESW")
def test_any_first_seat(first: str) -> None:
    rotated = Deal.from_pbn(DEAL).pbn(Seat[first])
    assert rows(read(game(1, rotated))) == [ONE]


@pytest.mark.parametrize("void", ["", "-", "---", "–"])
def test_voids(void: str) -> None:
    deal = OTHER.replace("KQT7..Q83", f"KQT7.{void}.Q83")
    assert rows(read(game(2, deal))) == [TWO]


def test_spade_void_at_the_start_of_a_hand() -> None:
    deal = "N:.KQ3.J84.T62A953 AKQJT98.2.A32.74 765.AJT4.KT76.K8 432.98765.Q95.QJ"
    found = read(game(1, deal))
    assert found.problems == ()
    assert found.boards[0].deal.pbn().startswith("N:.KQ3.J84.AT96532 ")


def test_a_deal_in_a_string_over_two_lines() -> None:
    assert rows(read(f'[Board "1"]\n[Deal "{DEAL}"]\n'.replace(" QT65", "\nQT65"))) == [ONE]


@pytest.mark.parametrize(
    ("deal", "message"),
    [
        (DEAL.replace("872", "A72"), "SA is in two hands: North and West."),
        (DEAL.replace("AJ9", "AAJ9"), "SA is twice in the hand of North."),
        (DEAL.replace("QJ84", "QJ8"), "C4 missing: too few cards in the hand of West."),
        (
            DEAL.replace("75 Q", "752 Q").replace("T62", "T6"),
            "The hand of East has 14 cards instead of 13.",
        ),
        (DEAL.replace("AJ9.", "AJ9"), "The hand of North needs four suits with three dots"),
        (DEAL.rpartition(" ")[0], "A deal has four hands, this one 3."),
        (DEAL.replace("N:", ""), "A deal begins with its first seat, such as “N:”."),
        (DEAL.replace("N:", "Q:"), "A deal begins with its first seat, such as “N:”."),
        ("W:- - - -", "The deal has no cards at all."),
        (DEAL.replace("K9542", "K954x"), "The hand of North has “X”, which is no rank."),
        (DEAL.replace(NORTH, "AJ9SK9542.Q.AK93"), "The hand of North needs four suits"),
    ],
)
def test_illegal_deals_are_refused(deal: str, message: str) -> None:
    found = read(game(7, deal) + game(2, OTHER))
    (problem,) = told(found.problems)
    assert problem.startswith(f"line 2, board 7: {message}")
    assert rows(found) == [TWO]


# ---- parts of deals: read, never dealt


@pytest.mark.parametrize(
    "deal",
    [
        f"N:{NORTH} - - -",
        DEAL.rpartition(" ")[0] + " -",
        "N:AK... .AK.. ..AK. ...A",
    ],
)
def test_partial_deals(deal: str) -> None:
    found = read(game(1, deal) + game(2, OTHER))
    assert rows(found) == [TWO]
    assert found.problems == ()
    assert [one.number for one in found.partial] == [1]
    assert told(found.warnings) == ["Not a whole deal, so never dealt: 1."]


def test_a_partial_deal_must_not_contradict_itself() -> None:
    found = read(game(1, f"N:{NORTH} {NORTH} - -"))
    assert told(found.problems) == [
        "line 2, board 1: SA is in two hands: North and East.",
    ]


def test_four_empty_hands_are_an_auction_without_a_deal() -> None:
    found = read(game(1, "N:... ... ... ...") + game(2, OTHER))
    assert rows(found) == [TWO]
    assert told(found.warnings) == ["line 2, board 1: A game without a deal was passed over."]
