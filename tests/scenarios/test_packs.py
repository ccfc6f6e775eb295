"""Jobs with packs, and hands that become a deal: what they say is what the world holds."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from reading import setup
from room import boards

from controller.bench.identity import IdentityReader
from controller.engine.ledger import FedCard
from controller.jobs.around import Around
from controller.jobs.decktest import DeckTest
from controller.jobs.packs import AtRandom, DeckCheck, Scramble, Sort
from controller.jobs.record import RecordJob
from controller.twin import played
from controller.twin.serving import Serving
from controller.twin.tasks import TaskReport, run_task
from deals.cards import CARDS, Card, Seat
from deals.laws import PackVerdict
from vision.reading import CardReading, Kind

FULL = [".".join("AKQJT98765432" if suit == seat else "" for suit in range(4)) for seat in range(4)]
"""A whole suit in each pocket, spades in North's."""
MENDED = [
    "board_removed",
    "card_face_up",
    "double_feed",
    "double_feed_exact",
    "estop",
    "gate_stuck",
    "image_black",
    "image_lost",
    "jam_pocket",
    "link_cut",
    "mcu_reset",
    "pocket_not_empty",
    "sensor_stuck",
    "stop_card_in_pack",
    "wrong_pocket",
]


def mended(first: int) -> list[Any]:
    """Every fault; each job takes another third of them into the quick run."""
    return [
        pytest.param(name, marks=() if place % 3 == first else pytest.mark.long)
        for place, name in enumerate(MENDED)
    ]


def run(
    job: Callable[..., Any], *first: object, faults: tuple[str, ...] = (), **more: Any
) -> TaskReport[Any]:
    happened = [played.parse(one) for one in more.pop("happened", ())]

    def make(around: Around) -> Any:
        return job(*first, around.machine, around.people, around.clock, progress=around.progress)

    return run_task(make, setup(*faults, **more), boards(), happened)


def hands(contents: dict[str, Any]) -> list[str]:
    return [contents[seat.name] for seat in Seat]


# --- record ---


def test_hands_dealt_by_players_become_the_deal_that_lies_there() -> None:
    report = run(RecordJob, [3, 4])
    assert report.result.right
    (third, fourth) = [recorded.deal for recorded in report.result.boards]
    assert third == next(board.deal for board in boards() if board.number == 3)
    assert [fourth.hand_pbn(seat) for seat in Seat] == hands(report.contents)


@pytest.mark.parametrize(
    "happened", ["displaced", "missing", "double", "surplus", "foreign", "worn"]
)
def test_what_is_no_deal_is_not_recorded(happened: str) -> None:
    report = run(RecordJob, [3], happened=[happened])
    (recorded,) = report.result.boards
    assert recorded.deal is None and not report.result.right
    assert recorded.findings()[0] == ("recorded.no_deal", {"board": 3})


@pytest.mark.parametrize("fault", ["jam_pocket", "image_lost", "estop", "dirty_corner", "link_cut"])
def test_a_fault_changes_no_recorded_deal(fault: str) -> None:
    report = run(RecordJob, [3], faults=(fault,))
    assert report.result.right
    assert [report.result.boards[0].deal.hand_pbn(seat) for seat in Seat] == hands(report.contents)


# --- deck check ---


def test_a_pack_is_a_pack_and_ends_in_the_tray_in_its_order() -> None:
    report = run(DeckCheck)
    assert report.result.right and report.result.readings == 1
    assert sorted(report.contents["tray"]) == sorted(map(str, CARDS))


@pytest.mark.parametrize("fault", mended(0))
def test_no_fault_of_the_machine_makes_a_pack_wrong(fault: str) -> None:
    assert run(DeckCheck, faults=(fault,)).result.right


def test_missing_double_foreign_and_other_backs_are_told() -> None:
    def verdict(fault: str) -> PackVerdict:
        result = run(DeckCheck, faults=(fault,)).result
        assert not result.right
        return result.verdict  # type: ignore[no-any-return]

    assert len(verdict("missing_card").missing) == 1
    assert len(verdict("duplicate_card").double) == len(verdict("duplicate_card").missing) == 1
    assert verdict("joker").foreign == 1
    assert verdict("foreign_back").backs == 1


# --- sort ---


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_three_passes_leave_a_suit_in_each_pocket_ace_first(seed: int) -> None:
    report = run(Sort, seed=seed)
    assert report.result.right and report.result.done == [1]
    assert report.result.lots == 3
    assert hands(report.contents) == FULL


@pytest.mark.parametrize("fault", mended(1))
def test_a_sorted_pack_is_sorted_whatever_happened(fault: str) -> None:
    report = run(Sort, faults=(fault,))
    assert report.result.done == [1]
    assert hands(report.contents) == FULL


def test_where_the_order_was_lost_on_the_way_the_passes_begin_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    feed, fed = Serving._with_stop_card, []

    def shuffled_once(self: Serving, held: list[Any], **more: bool) -> None:
        fed.append(len(held))
        if len(fed) == 2:
            random.Random(1).shuffle(held)
        feed(self, held, **more)

    monkeypatch.setattr(Serving, "_with_stop_card", shuffled_once)
    report = run(Sort)
    assert report.result.done == [1] and report.result.lots == 6
    assert hands(report.contents) == FULL


# --- scramble ---


def test_a_scrambled_board_has_thirteen_a_pocket_and_other_hands_each_time() -> None:
    dealt = set()
    for seed in (1, 2):
        report = run(Scramble, [3, 4], random.Random(seed))
        assert report.result.right and report.result.done == [3, 4]
        counts = [len(hand) - 3 for hand in hands(report.contents)]
        assert counts == [13] * 4
        dealt.add(tuple(hands(report.contents)))
    assert len(dealt) == 2


@pytest.mark.parametrize("fault", mended(2))
def test_a_fault_costs_a_scramble_neither_a_card_nor_its_shape(fault: str) -> None:
    report = run(Scramble, [3], random.Random(1), faults=(fault,))
    counts = [len(hand) - 3 for hand in hands(report.contents)]
    assert report.result.done == [3]
    # A stray card that lay in the board is one too many, and goes to the tray.
    assert counts == [13] * 4 and report.result.right is (fault != "pocket_not_empty")


def test_every_place_is_as_likely_for_every_card() -> None:
    """The first card of the hopper over many scrambles: each pocket a quarter of the time."""
    chance = random.Random(5)
    first = Counter(AtRandom([], chance, last=True).pocket(FedCard(1)) for _ in range(4000))
    assert all(abs(count - 1000) < 150 for count in first.values()) and len(first) == 4


# --- deck test ---


class Misreads:
    """Reads a king of hearts as the ten of hearts, and otherwise what there is."""

    def __init__(self) -> None:
        self._reader = IdentityReader()

    def read(self, image: object) -> CardReading:
        found = self._reader.read(image)
        if found.card is Card.parse("HK"):
            ten = Card.parse("HT")
            return CardReading(Kind.CARD, ten, ten, 1.0, None, "corner")
        return found


def test_every_misreading_is_caught_and_counted() -> None:
    def make(around: Around) -> DeckTest:
        return DeckTest(3, around.machine, around.people, around.clock)

    result = run_task(make, replace(setup(), reader=Misreads())).result
    assert not result.right
    assert result.document()["misread"] == [{"card": "HK", "read": "HT", "times": 3}]
    assert (result.rounds, result.readings) == (3, 156)


def test_a_good_design_has_none() -> None:
    result = run(DeckTest, 2).result
    assert result.right
    assert result.document()["misread"] == []


@pytest.mark.parametrize("fault", mended(0))
def test_no_fault_of_the_machine_is_called_a_misreading(fault: str) -> None:
    result = run(DeckTest, 2, faults=(fault,)).result
    assert result.right and result.rounds == 2


def test_a_missing_card_is_no_misreading() -> None:
    document = run(DeckTest, 2, faults=("missing_card",)).result.document()
    assert document["misread"] == []
    assert list(document["missing"].values()) == [2]  # type: ignore[attr-defined]


def test_of_an_unsorted_pack_nothing_is_said() -> None:
    def make(around: Around) -> DeckTest:
        order = list(CARDS)
        random.Random(3).shuffle(order)
        around.people.serving.order = order  # type: ignore[attr-defined]
        return DeckTest(2, around.machine, around.people, around.clock)

    result = run_task(make, setup()).result
    assert result.unsorted and not result.right and result.rounds == 0


def test_a_job_that_nobody_serves_waits() -> None:
    result = run(DeckCheck, faults=("estop",), operator="none").result
    assert result.waiting and result.verdict is None
