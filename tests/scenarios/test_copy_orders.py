"""Copies, their boxes, and the orders in which boards may come."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from room import deal

from controller.errors import StoreError
from controller.jobs.errors import JobError
from controller.jobs.order import Copies, Order
from controller.store.boxes import BoxState
from controller.store.clock import DatedClock
from controller.store.store import Store
from controller.twin.world.hands import Hands


class Clock:
    def now_us(self) -> int:
        return 0


def store_of(state: Path) -> Store:
    return Store.open(state, DatedClock(Clock(), 0), lambda count: bytes(count), twin=True)


def dealt(evening) -> list[tuple[int, int]]:
    assert all(evening.true)
    return [(result.board, result.copy) for result in evening.results]


def test_copies_come_board_by_board_or_set_by_set():
    by_board = deal(numbers=(1, 2), copies=2)
    assert dealt(by_board) == [(1, 1), (1, 2), (2, 1), (2, 2)]
    by_set = deal(numbers=(1, 2), copies=2, plan=Copies(order=Order.SET))
    assert dealt(by_set) == [(1, 1), (2, 1), (1, 2), (2, 2)]


def test_boards_may_come_in_any_order_and_the_label_says_which():
    # The simulated staff brings the last of those that are left.
    evening = deal(numbers=(1, 2, 5), plan=Copies(order=Order.LABEL))
    assert dealt(evening) == [(5, 1), (2, 1), (1, 1)]
    evening = deal(numbers=(1, 2), copies=2, plan=Copies(order=Order.LABEL))
    assert dealt(evening) == [(2, 1), (2, 2), (1, 1), (1, 2)]


def test_a_wrong_board_in_any_order_is_not_dealt():
    evening = deal("wrong_board@1", numbers=(1,), operator="none", plan=Copies(order=Order.LABEL))
    assert (evening.faults, evening.results[0].proven) == (["wrong_board"], False)


@pytest.mark.parametrize("order", list(Order))
def test_a_board_of_another_box_is_never_dealt_into(order: Order, monkeypatch: pytest.MonkeyPatch):
    """Its label names a box that has no copy in this job, or not this copy."""
    put = Hands.put_board
    brought: list[str] = []

    def of_other_boxes(hands: Hands, number: int, box: str = "", backwards: bool = False):
        brought.append(box or "C")
        return put(hands, number, brought[-1] if len(brought) == 1 else box, backwards)

    monkeypatch.setattr(Hands, "put_board", of_other_boxes)
    plan = Copies(order=order, boxes=("A", "B"))
    evening = deal(numbers=(1, 2), copies=2, plan=plan, operator="none")
    assert (evening.faults, evening.results[0].proven) == (["wrong_box"], False)
    assert [stop.remedy for stop in evening.stops] == ["right_board"]
    brought.clear()
    mended = deal(numbers=(1, 2), copies=2, plan=plan)
    assert mended.true == [True] * 4
    assert mended.faults == ["wrong_box"]


def test_each_copy_has_its_box_and_a_box_is_not_dealt_over(tmp_path: Path):
    boxes = Copies(boxes=("A", "B"), section="2")
    deal(numbers=(1, 2), copies=2, plan=boxes, state_dir=tmp_path)
    with store_of(tmp_path) as store:
        found = [(one.box, one.board, one.copy) for one in store.boxes.contents()]
        assert found == [("A", 1, 1), ("A", 2, 1), ("B", 1, 2), ("B", 2, 2)]
        store.boxes.move("A", BoxState.PLAYED, [1])
    again = Copies(boxes=("A",))
    with pytest.raises(StoreError, match=r"Box A holds boards .*: 2, of set TEST.*--over"):
        deal(numbers=(1, 2), plan=again, again=True, state_dir=tmp_path)
    assert dealt(deal(numbers=(1,), plan=again, again=True, state_dir=tmp_path)) == [(1, 3)]
    over = deal(numbers=(1, 2), plan=again, again=True, over=True, state_dir=tmp_path)
    assert dealt(over) == [(1, 4), (2, 4)]
    with store_of(tmp_path) as store:
        entries = [(entry.what, json.loads(entry.details)) for entry in store.logbook.entries()]
    proven = [details for what, details in entries if what == "copy proven"]
    assert {"set": "TEST", "board": 2, "copy": 2, "box": "B"} in proven
    assert len(proven) == 7
    (overridden,) = [details for what, details in entries if what.startswith("dealt over")]
    assert overridden == {"box": "A", "boards": [1, 2]}


def test_a_board_that_was_not_proven_loads_no_box(tmp_path: Path):
    evening = deal(
        "foreign_back@1.20", operator="none", plan=Copies(boxes=("A",)), state_dir=tmp_path
    )
    assert not evening.results[0].proven
    with store_of(tmp_path) as store:
        assert store.boxes.contents() == []


def test_each_copy_needs_a_box_of_its_own():
    with pytest.raises(JobError, match="2 boxes were named for 1 copies"):
        deal(plan=Copies(boxes=("A", "B")))
    with pytest.raises(JobError, match="named twice"):
        deal(copies=2, plan=Copies(boxes=("A", "A")))


def test_copies_one_by_one():
    evening = deal(numbers=(1, 2), plan=Copies(only={2: (3, 5)}))
    assert dealt(evening) == [(2, 3), (2, 5)]


def test_a_retired_set_is_not_dealt(tmp_path: Path):
    deal(numbers=(1,), state_dir=tmp_path)
    with store_of(tmp_path) as store:
        store.states.retire(store.sets.find("TEST").id)
    with pytest.raises(StoreError, match="Set TEST is retired"):
        deal(numbers=(2,), state_dir=tmp_path)
