"""What a stop tells is true in the world; a face that was seen is kept, and a player's ends the board."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from room import Evening, deal

from controller.engine.stops import Fault, Stop
from controller.jobs.people import Done, FaceSeen
from controller.jobs.results import by_fault
from controller.store.clock import DatedClock
from controller.store.store import Store
from controller.twin import room as twin_room
from controller.twin.faults import KINDS
from controller.twin.operator import Operator


@pytest.mark.parametrize("fault", ["estop@1.30", "image_lost@1.30", "unreadable_card@1.30"])
def test_what_is_where_is_so_in_the_world(fault: str) -> None:
    evening = deal(fault, operator="none")
    (stop,) = evening.stops
    (held,) = evening.session.report.contents
    assert stop.places is not None
    lying = [len(held[seat]) - 3 for seat in "NESW"]  # a hand in PBN has three dots
    told = list(stop.places.pockets)
    # A card counts when it comes to its pocket's sensor, a moment before it lies there.
    assert all(abs(there - said) <= 1 for there, said in zip(lying, told, strict=True))
    assert sum(lying) + len(held["tray"]) + len(held["belt"]) + held["hopper"] >= 52
    assert abs(stop.places.tray - len(held["tray"]) - held["stop_cards_in_tray"]) <= 1


def test_nothing_lies_anywhere_before_the_first_card() -> None:
    (stop,) = deal("wrong_board", operator="none").stops
    assert stop.places is None


@pytest.mark.parametrize("name", sorted(KINDS))
def test_no_stop_tells_a_card_and_a_pocket(name: str) -> None:
    for stop in deal(name, operator="none").stops:
        assert stop.feed is None or stop.shown_pocket is None


def _seen(evening: Evening) -> list[tuple[str, bool]]:
    return [(face.who, face.plays) for face in evening.results[0].faces]


def test_whoever_names_a_card_has_seen_its_face_and_the_logbook_says_so(tmp_path: Path) -> None:
    evening = deal("unreadable_card", state_dir=tmp_path)
    assert evening.true == [True]
    assert _seen(evening) == [("operator", False)]
    with Store.open(tmp_path, DatedClock(_Stopped(), 0), os.urandom, twin=True) as store:
        rows = [row for row in store.logbook.entries() if row.what == "face_seen"]
    assert [row.actor for row in rows] == ["operator"]
    assert json.loads(rows[0].details) == {"board": 1, "copy": 1, "plays": False}


def test_a_face_that_a_player_saw_ends_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    class Player(Operator):
        def act(self, stop: Stop, board: int) -> Done | None:
            super().act(stop, board)
            return Done((), (FaceSeen("Kari", plays=True),))

    monkeypatch.setitem(twin_room.OPERATORS, "auto", Player)
    evening = deal("dirty_corner", numbers=(1, 2))
    assert [result.waiting for result in evening.results] == [True]
    assert not evening.results[0].proven
    assert evening.stops[-1].fault is Fault.FACE_SEEN
    assert evening.stops[-1].remedy == "new_deal"
    assert _seen(evening) == [("Kari", True)]


def test_a_run_counts_what_stopped_its_boards() -> None:
    evening = deal("estop@1.20", "dirty_corner@2.9", "dirty_corner@2.30", numbers=(1, 2, 3))
    counts = {fault: (n.mended, n.stopped) for fault, n in by_fault(evening.results).items()}
    assert counts == {"emergency_stop": (1, 0), "unreadable_card": (1, 0)}
    evening = deal("estop@1.20", operator="none")
    assert by_fault(evening.results)["emergency_stop"].stopped == 1


class _Stopped:
    def now_us(self) -> int:
        return 0
