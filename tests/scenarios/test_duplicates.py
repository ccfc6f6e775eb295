"""Like readings, short packs, cards left over: what peers find out in play stops here."""

from __future__ import annotations

from typing import Any

import pytest
from misreads import ErringReader, Misreads
from room import Evening, deal, seeds

from controller.devices.happenings import CardSeen
from controller.engine.stops import Stop
from controller.jobs.people import Done
from controller.twin import room as twin_room
from controller.twin.operator import Operator
from controller.twin.world.things import PhysicalCard, PrintShop
from deals.cards import Card

QUIET = {"operator": "none"}
X, Y = "S9", "S6"


def erring(misreads: Misreads, seed: int = 1, operator: str = "auto") -> Evening:
    return deal(reader=ErringReader(misreads), seed=seed, operator=operator)


def fed(evening: Evening) -> int:
    return sum(isinstance(happening, CardSeen) for happening in evening.happenings)


def first_of(seed: int) -> str:
    """Which of X and Y comes first in the pack that this seed shuffles."""
    seen = Misreads()
    erring(seen, seed)
    return next(name for name in seen.read if name in (X, Y))


@pytest.mark.parametrize("seed", seeds(3))
def test_of_two_like_cards_only_the_one_in_doubt_is_fed_again(seed: int) -> None:
    later = {X: Y, Y: X}[first_of(seed)]
    earlier = first_of(seed)
    evening = erring(Misreads({later: earlier}), seed)
    assert evening.true == [True]
    assert [(stop.fault, stop.remedy) for stop in evening.stops] == [
        ("duplicate_card", "refeed_set_aside")
    ]
    assert (evening.results[0].attempts, fed(evening)) == (1, 52 + 1 + 1 + 1)  # and two stop cards


@pytest.mark.parametrize("seed", seeds(3))
def test_evidence_against_the_earlier_card_feeds_the_hands_again(seed: int) -> None:
    earlier = first_of(seed)
    later = {X: Y, Y: X}[earlier]
    evening = erring(Misreads({earlier: later}, rival=0.95), seed)
    assert evening.true == [True]
    assert [stop.remedy for stop in evening.stops] == ["turn_pack"]
    assert evening.results[0].attempts == 2


@pytest.mark.parametrize("operator", ["none", "auto", "careless"])
@pytest.mark.parametrize("times", [1, 2, 3, 99])
@pytest.mark.parametrize("seed", seeds(2))
def test_the_elimination_trap_never_becomes_a_proven_board(
    seed: int, times: int, operator: str
) -> None:
    """X is read as Y, the real Y is not read at all: what is left over is X and must not be named."""
    evening = erring(Misreads({X: Y}, frozenset({Y}), times), seed, operator)
    assert evening.proven_means_true()
    if times == 1:
        assert evening.stops[0].fault in ("unreadable_card", "duplicate_card")
    if operator == "auto":
        assert evening.true == [times < 99] or not evening.results[0].proven


def test_a_name_that_nobody_asked_for_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    class Talkative(Operator):
        def act(self, stop: Stop, board: int) -> Done | None:
            super().act(stop, board)
            return Done((Card.parse("C2"),))

    monkeypatch.setitem(twin_room.OPERATORS, "auto", Talkative)
    evening = deal("dirty_corner")
    assert evening.true == [True]
    assert evening.results[0].named == 0


def test_a_short_pack_without_stop_card_is_asked_for_before_a_misread() -> None:
    told = set()
    for seed in seeds(4):
        evening = deal("missing_card@1.20", "stop_card_missing@1", numbers=(1, 2), seed=seed)
        assert evening.true == [True, True]
        told.add(evening.stops[0].fault.value)
    assert "short_pack" in told
    assert told <= {"short_pack", "surplus_card"}  # or the 52nd happened to be the missing card


@pytest.mark.parametrize(
    "faults",
    [
        ("extra_card@1.52",),
        ("extra_card@1.52", "stop_card_missing@1"),
        ("stop_card_missing@1",),
        ("stop_card_in_pack@1.52",),
        ("stop_card_in_pack@1.30",),
        ("stop_card_doubled@1",),
        ("joker@1.52",),
    ],
    ids="+".join,
)
def test_no_card_of_one_pack_ends_in_the_next_board(faults: tuple[str, ...]) -> None:
    """A card left over stops before the next board; peers find it at the third table."""
    for seed in seeds(2):
        evening = deal(*faults, numbers=(1, 2, 3), seed=seed)
        assert evening.true == [True, True, True]
        world = evening.session.world
        for board in [*world.finished, world.slot.board]:
            assert board is not None
            assert len({card.pack for held in board.pockets.values() for card in held}) == 1
        assert len(evening.stops) <= 3


def test_a_pack_in_known_order_is_shuffled_by_hand() -> None:
    evening = deal("pack_in_order")
    assert evening.true == [True]
    assert [stop.remedy for stop in evening.stops] == ["shuffle_pack"]


@pytest.mark.parametrize("profile", ["standard", "fast"])  # "stress": test_departure.py
@pytest.mark.parametrize("card", [1, 2, 30, 51, 52])
def test_a_lost_image_costs_that_card_and_the_one_behind_it_at_most(
    profile: str, card: int
) -> None:
    for seed in seeds(2):
        evening = deal(f"image_lost@1.{card}", profile=profile, seed=seed)
        assert evening.true == [True]
        (stop,) = evening.stops
        assert (stop.fault, stop.remedy) == ("image_lost", "refeed_set_aside")
        assert stop.set_aside <= 2
        assert evening.results[0].attempts == 1


@pytest.mark.parametrize("card", [1, 17, 50, 51, 52])
@pytest.mark.parametrize("more", [(), ("stop_card_missing@1",)], ids=["", "no stop card"])
def test_a_full_overlap_that_no_sensor_feels_is_never_proven_by_itself(
    card: int, more: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cards so thin that two weigh as one: only the census and the end of the pack can tell."""
    make = PrintShop._make

    def thin(*arguments: Any, **named: Any) -> PhysicalCard:
        made = make(*arguments, **named)
        made.thickness_um = 150
        return made

    monkeypatch.setattr(PrintShop, "_make", thin)
    fault = f"double_feed_exact@1.{card}"
    for seed in seeds(3):
        evening = deal(fault, *more, numbers=(1, 2), seed=seed, **QUIET)
        assert not evening.results[0].proven
        assert deal(fault, *more, numbers=(1, 2), seed=seed).true == [True, True]


@pytest.mark.parametrize(
    "fault", ["camera_silent@1.52", "image_black@1.51", "image_lost@1.53", "double_feed_exact@1.52"]
)
@pytest.mark.parametrize("profile", ["standard", "fast"])
def test_a_stop_card_that_was_not_read_is_known_by_its_back(fault: str, profile: str) -> None:
    """Nothing of the next pack is drawn in; the stop card is fed again with what was set aside."""
    evening = deal(fault, numbers=(1, 2), profile=profile, seed=3)
    assert evening.true == [True, True]
    assert [stop.remedy for stop in evening.stops] == ["refeed_set_aside"]
    assert [held["hopper_next"] for held in evening.session.report.contents] == [53, 0]
