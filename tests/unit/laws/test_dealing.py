"""Laws 1, 6, 16, 22, 86: packs, order, deals dealt before, new deals, what a record may say."""

from __future__ import annotations

import random

import pytest

from deals import words
from deals.boards import Board, Scheme, Vulnerability
from deals.cards import CARDS, Card, Seat
from deals.deal import Deal
from deals.errors import DealError
from deals.generate import Source, bulk
from deals.laws import (
    Auction,
    BoxCopy,
    Contest,
    Dealing,
    Earlier,
    Edition,
    Origin,
    Reason,
    after_passes,
    copies_needed,
    face_seen,
    fingerprint,
    law1,
    law6d2,
    new_deal,
    runs_in_order,
    shows_pack_order,
    with_new_deal,
)
from deals.setcode import QUICK_COST, set_code
from tests.unit.deals.strategies import shuffled

OLD, MIDDLE, NEW = Edition
COPIES = [BoxCopy("A", "section 1"), BoxCopy("B", "section 2"), BoxCopy("C")]


def told(findings) -> list[str]:
    return [words.text(code, values) for code, values in findings]


# ---- Law 1


def test_a_pack() -> None:
    assert law1(reversed(CARDS)).right
    cards: list[Card | None] = [*CARDS[1:], CARDS[3], None, None]
    found = law1(cards)
    assert (found.missing, found.double, found.foreign) == ((CARDS[0],), (CARDS[3],), 2)
    assert told(found.findings()) == [
        "Missing in this pack: SA (Laws 1 and 14).",
        "In this pack more than once: SJ (Law 1).",
        "Cards that are of no such pack: 2 (Law 1).",
    ]


@pytest.mark.parametrize(("edition", "law"), [(OLD, "1"), (MIDDLE, "1"), (NEW, "1C")])
def test_another_back(edition: Edition, law: str) -> None:
    found = law1(CARDS, backs=1, edition=edition)
    assert not found.right
    assert told(found.findings()) == [f"Cards with another back than the rest: 1 (Law {law})."]


# ---- Law 6A and 6D2: known order


@pytest.mark.parametrize(
    "indices",
    [
        range(52),
        range(51, -1, -1),
        [13 * (i % 4) + i // 4 for i in range(52)],
        [13 * (i % 4) + (i // 4 + 11) % 13 for i in range(1, 52)],
        [12, 0, 1, 2, 3, 4, 5, 6, 7, 8],
        [0, 1, 2, 40, 41, 42, 43, 44, 45, 46],
    ],
)
def test_a_hopper_in_order(indices) -> None:
    assert runs_in_order([CARDS[i] for i in indices])


def test_a_shuffled_hopper() -> None:
    chance = random.Random(6)
    for _ in range(20_000):
        assert not runs_in_order(chance.sample(CARDS, 10))
    assert not runs_in_order(CARDS[:9])
    # A cut pack that was riffled once has runs of two interleaved; it is not in sequence.
    riffled = [CARDS[i // 2 + 26 * (i % 2)] for i in range(10)]
    assert not runs_in_order(riffled)


def test_our_own_deals_are_never_flagged() -> None:
    for rows in bulk.boards(Source(bytes(20), "6D2").key(), range(1, 8001)):
        for row in rows:
            assert not shows_pack_order(Deal(row.tobytes()))


def test_odd_shapes_are_no_order() -> None:
    """Four players with a whole suit each but one card are strange, not illegal."""
    owners = bytearray(i // 13 for i in range(52))
    assert shows_pack_order(Deal(bytes(owners)))
    chance = random.Random(1)
    for suits in ((0, 1), (2, 3), (0, 1, 2)):
        mixed = bytearray(owners)
        places = [i for s in suits for i in range(13 * s, 13 * s + 13)]
        seats = [mixed[i] for i in places]
        chance.shuffle(seats)
        for place, seat in zip(places, seats, strict=True):
            mixed[place] = seat
        assert not shows_pack_order(Deal(bytes(mixed)))


# ---- Law 6D2: dealt before


def test_fingerprints() -> None:
    key, other = b"k" * 32, b"l" * 32
    deal = shuffled(1)
    assert fingerprint(key, deal) == fingerprint(key, Deal(deal.owners))
    assert (
        len({fingerprint(key, deal), fingerprint(other, deal), fingerprint(key, shuffled(2))}) == 3
    )


@pytest.mark.parametrize(
    ("edition", "played", "replay", "warned"),
    [
        (OLD, True, False, True),
        (OLD, False, False, False),
        (OLD, True, True, True),  # 1997 has no words on replaying
        (MIDDLE, True, False, True),
        (MIDDLE, False, False, False),
        (MIDDLE, True, True, False),
        (NEW, True, False, True),
        (NEW, False, False, True),  # Friday's leftovers: coming from another session is enough
        (NEW, False, True, False),
    ],
)
def test_dealt_before(edition: Edition, played: bool, replay: bool, warned: bool) -> None:
    uses = [Earlier("Friday", 12, played)]
    found = law6d2(5, uses, "Saturday", edition, replay=replay)
    assert bool(found) is warned
    if warned:
        assert "Board 5 is the deal of board 12 of “Friday”" in told(found)[0]
        assert f"(Law 6D2, {edition.value})" in told(found)[0]
    if edition is not NEW:
        (asked,) = law6d2(5, [Earlier("Friday", 12, None)], "Saturday", edition)
        assert "If it was played there" in words.text(*asked)
    # Boards exchanged between tables of one session.
    assert law6d2(5, [Earlier("Saturday", 5, True)], "Saturday", edition) == []


# ---- Laws 6D1, 6D3, 86, 22: new deals


BEGUN = {
    "nothing": (Auction(), (False, False, False)),
    "NS looked": (Auction(frozenset({"NS"})), (False, True, False)),
    "both looked": (Auction(frozenset({"NS", "EW"})), (True, True, False)),
    "a call": (Auction(frozenset({"NS"}), called=True), (True, True, True)),
}


@pytest.mark.parametrize("name", BEGUN)
def test_when_the_auction_has_begun(name: str) -> None:
    auction, expected = BEGUN[name]
    assert tuple(auction.begun(edition) for edition in Edition) == expected
    for edition, begun in zip(Edition, expected, strict=True):
        plan = new_deal(4, Reason.CARD_SEEN, COPIES, auction=auction, edition=edition)
        assert plan.allowed is not begun
        assert plan.law == ({OLD: "16B", MIDDLE: "16C", NEW: "16D"}[edition] if begun else "6D1")
        plan = new_deal(4, Reason.DEALT_WRONG, COPIES, auction=auction, edition=edition)
        # 2007: any illegally dealt board is cancelled.
        assert plan.allowed is (not begun or edition is MIDDLE)
        assert plan.confirm is (begun and edition is MIDDLE)


def test_every_copy_is_voided_and_everything_marked() -> None:
    plan = new_deal(4, Reason.DEALT_WRONG, COPIES)
    assert told(plan.findings()) == [
        "Board 4 is dealt anew with fresh random cards (Law 6D1); the old deal is kept as void.",
        "Take every copy of board 4 away and deal it again: A, section 1, B, section 2, C.",
        "The record of board 4 is replaced and marked “replaces”, the set gets a new code, and what "
        "was exported is out of date.",
    ]
    refused = new_deal(4, Reason.DEALT_WRONG, COPIES, auction=Auction(called=True))
    assert not any("Take every copy" in line for line in told(refused.findings()))


@pytest.mark.parametrize(
    ("edition", "teams", "passed"),
    [(OLD, "86C", "22A"), (MIDDLE, "86C", "22A"), (NEW, "86A", "22B")],
)
def test_teams_and_passed_out_boards(edition: Edition, teams: str, passed: str) -> None:
    def plan(reason: Reason = Reason.DIRECTOR, contest: Contest = Contest.TEAMS, **auction):
        return new_deal(9, reason, COPIES, contest, Auction(**auction), edition)

    asked = plan()
    assert (asked.allowed, asked.confirm, asked.law) == (True, True, "6D3")
    assert f"(Law {teams}). Director: confirm" in told(asked.findings())[0]
    known = plan(result_known=True)
    assert (known.allowed, known.law) == (False, teams)
    assert plan(contest=Contest.PAIRS, result_known=True).confirm is False
    out = plan(passed_out=True, contest=Contest.PAIRS)
    assert (out.allowed, out.law) == (False, passed)
    assert told(out.findings()) == [
        f"Board 9 was passed out: it scores 0 and is not dealt again (Law {passed})."
    ]
    assert plan(passed_out=True, contest=Contest.RUBBER).allowed
    # No result may stand from an unshuffled pack, whatever is known.
    assert plan(Reason.NOT_SHUFFLED, result_known=True).law == "6D2"


def test_passed_out_is_dealt_again_in_chicago_only() -> None:
    assert "score is 0" in words.text(*after_passes(Scheme.DUPLICATE))
    assert "(Law 22A)" in words.text(*after_passes(Scheme.DUPLICATE, OLD))
    assert "dealt again" in words.text(*after_passes(Scheme.CHICAGO))


def test_a_face_was_seen() -> None:
    before, after = Auction(), Auction(called=True)
    (idle,) = told(face_seen(2, "the caddy", False, before))
    assert "does not play this board: noted" in idle
    (early,) = told(face_seen(2, "Ann", True, before))
    assert "new deal before any call, if the contest allows it (Law 16D). Director." in early
    (late,) = told(face_seen(2, "Ann", True, after, OLD))
    assert "no new deal (Law 16B)" in late


def test_the_set_is_another_one_after_a_new_deal() -> None:
    source = Source(bytes(20), "Night")
    boards = [Board.standard(n, source.deal(n)) for n in (1, 2)]
    boards.append(Board(3, Seat.N, Vulnerability.NONE, source.deal(3)))
    fresh = with_new_deal(boards, 3, source.deal(3, 1))
    assert fresh[:2] == tuple(boards[:2])
    assert (fresh[2].dealer, fresh[2].vulnerable) == (Seat.N, Vulnerability.NONE)
    assert fresh[2].deal != boards[2].deal
    assert set_code(fresh, QUICK_COST) != set_code(boards, QUICK_COST)
    with pytest.raises(DealError, match="The set has no board 4"):
        with_new_deal(boards, 4, source.deal(4))


# ---- Laws 3 to 5 and 8: copies


def test_how_many_copies_a_movement_needs() -> None:
    def names(*arguments, **more) -> list[str]:
        return [copy.name for copy in copies_needed(*arguments, **more)]

    assert names(12) == ["A"]
    assert names(12, 2) == ["A, section 1", "B, section 2"]
    assert names(5, at_once=True, share=2) == ["A, tables 1-2", "B, tables 3-4", "C, table 5"]
    assert names(2, 2, at_once=True)[-1] == "D, section 2, table 2"
    assert [copy.box for copy in copies_needed(28, at_once=True)][-3:] == ["Z", "AA", "AB"]
    for wrong in ((0,), (1, 0), (1001,)):
        with pytest.raises(DealError, match="Laws 3 and 8"):
            copies_needed(*wrong)


# ---- Law 6C and 6E: what a record may say


def test_a_record_claims_no_more_than_is_known() -> None:
    assert told(Dealing(Origin.GENERATED, who="Eva").statement()) == [
        "Computer dealt, uniform: every deal was equally likely (Law 6E4).",
        "Dealt by Eva.",
    ]
    assert told(Dealing(Origin.IMPORTED, file="a.dup", witness="Bo").statement()) == [
        "From file a.dup, randomness not checked.",
        "Present at the dealing: Bo (Law 6C).",
    ]
    assert "uniform" not in str(told(Dealing(Origin.TABLES).statement()))
    assert told(Dealing(Origin.TEACHING).statement())[0].startswith("TEACHING")


def test_what_normal_play_allows() -> None:
    assert Dealing(Origin.GENERATED).normal_play() == []
    assert Dealing(Origin.TABLES).normal_play() == []
    for edition in Edition:
        assert "TEACHING" in told(Dealing(Origin.TEACHING).normal_play(edition))[0]
    # 1997 has no clause on randomness.
    imported = Dealing(Origin.IMPORTED, file="a.dup")
    assert [len(imported.normal_play(edition)) for edition in Edition] == [0, 1, 1]
