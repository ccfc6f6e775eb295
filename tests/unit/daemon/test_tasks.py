"""Jobs that read cards in the daemon, in lock-step: asked for, served by people, told without a card."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from controller.api.errors import ApiError
from controller.api.models import DaemonState, TaskView
from controller.api.tasks import read_task
from controller.daemon.parts import NoPanel
from controller.errors import DirectorError
from deals.cards import Seat
from deals.setcode import code_of
from tests.unit.cli.test_sets import PHRASE
from tests.unit.daemon.club import KilledError, Script, boards
from tests.unit.daemon.reading import Room, request
from tests.unit.store.support import quick_passphrases

A_CARD = re.compile(r"\b(?:S|H|D|C)[AKQJT2-9]\b")


known_code = cache(code_of)


@pytest.fixture(autouse=True)
def _one_slow_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    """The code of a set takes a second, which these tests have no use for more than once."""
    monkeypatch.setattr("controller.api.tasks.code_of", known_code)


def play(room: Room, kind: str, **more: Any) -> TaskView:
    """Runs one job from begin to end."""

    def script() -> Script:
        yield from room.begin(kind, **more)
        yield from room.serve()

    room.run(script())
    return room.task


def hands_in(room: Room) -> list[str]:
    contents = room.world.contents().as_json()
    return [contents[seat.name] for seat in Seat]


def test_a_check_asks_for_each_hand_and_says_the_same() -> None:
    room = Room()
    view = play(room, "check", board=5)
    assert (view.right, view.copies[0].conclusion) == (True, "same")
    assert view.copies[0].counts == dict.fromkeys("NESW", 13)
    assert hands_in(room) == [boards()[4].deal.hand_pbn(seat) for seat in Seat]
    assert [entry.what for entry in room.entries].count("task.hand") == 4


def test_copies_that_differ_are_the_directors_and_no_card_is_told() -> None:
    room = Room(played=("exchanged",))
    view = play(room, "check", board=5, copies=["A", "B"])
    assert view.right is False
    assert [copy.conclusion for copy in view.copies] == ["differs", "differs"]
    told = room.state.model_dump_json() + "".join(room.log)
    told += "".join(event.data for event in room.events.since("life-0") or [])
    told += "".join(entry.details for entry in room.entries)
    assert not A_CARD.search(told)
    assert boards()[4].deal.hand_pbn(Seat.N) not in told


class Lamps(NoPanel):
    """Notes what the stacklight shows."""

    def __init__(self) -> None:
        self.shown: list[str] = []

    def show(self, lamp: str) -> None:
        """One lamp, each change once."""
        if self.shown[-1:] != [lamp]:
            self.shown.append(lamp)


def test_the_lamp_is_red_for_a_remedy_and_green_for_the_next_hand() -> None:
    room = Room("jam_window")
    lamps = room.daemon._control._panel = Lamps()
    play(room, "check", board=5)
    assert lamps.shown.count("red") == 2
    assert lamps.shown.count("green") >= 4


def test_a_jam_in_the_middle_is_mended_and_the_hand_is_read_again() -> None:
    view = play(Room("jam_window"), "check", board=5)
    assert (view.right, [stop.fault for stop in view.stops]) == (True, ["jam"])


def test_stop_pauses_and_resume_goes_on() -> None:
    room = Room()

    def script() -> Script:
        yield from room.begin("check", board=5)
        reading = lambda: room.state.state is DaemonState.DEALING and room.state.fed >= 5  # noqa: E731
        yield from room.serve(until=reading)
        yield room.stop().done
        yield from room.serve()

    room.run(script())
    assert (room.task.right, [stop.steps for stop in room.task.stops]) == (True, [["collect_hand"]])


def test_a_job_that_is_given_up_concludes_nothing() -> None:
    room = Room()

    def script() -> Script:
        yield from room.begin("check", board=5)
        yield lambda: room.state.stop is not None
        yield room.stop(end=True).done
        yield room.over

    room.run(script())
    assert (room.task.right, room.task.copies[0].conclusion) == (None, "")
    assert room.entries[-1].what == "task.ended"


def test_what_is_recorded_or_adopted_becomes_a_set_of_the_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = Room(state_dir=tmp_path)
    view = play(room, "record", boards=[3])
    assert view.right and view.set_code
    again = room.again()
    found = again.store.sets.find(view.set_code)
    assert found.origin == "tables"
    (entry,) = again.store.sets.boards(found.id)
    assert entry.deal == boards()[2].deal.pbn()
    again.store.close()
    quick_passphrases(monkeypatch)
    room = Room(played=("exchanged",))
    room.store.directors.set("Ann", PHRASE)
    adopted = play(room, "adopt", board=5, passphrase=PHRASE, reason="played so")
    # No set of this file was kept, so none is replaced.
    assert adopted.right and adopted.set_code not in ("", view.set_code)
    assert adopted.replaces == ""
    (row,) = [one for one in room.entries if one.what == "set adopted"]
    assert (row.actor, row.role) == ("Ann", "director")


def test_the_loop_adopts_nothing_that_no_director_has_permitted() -> None:
    room = Room()

    def script() -> Script:
        yield room.is_in(DaemonState.IDLE)
        answer = room.ask(read_task(request("adopt", board=5, director="Ann", reason="so")))
        yield answer.done
        with pytest.raises(DirectorError) as refused:
            answer.result()
        assert refused.value.code == "adopt.wants_passphrase"

    room.run(script())
    assert room.state.job is None
    assert "task.begun" not in [entry.what for entry in room.entries]


def test_restore_deals_the_board_right_again() -> None:
    room = Room(played=("displaced",))

    def script() -> Script:
        yield from room.begin("restore", board=5)
        yield from room.serve()

    room.run(script())
    assert room.task.right
    assert hands_in(room) == [boards()[4].deal.hand_pbn(seat) for seat in Seat]


def test_packs_are_checked_sorted_and_scrambled() -> None:
    assert play(Room(), "deck check").right
    sort = Room()
    assert play(sort, "sort").right
    assert hands_in(sort)[0] == "AKQJT98765432..."
    scramble = Room()
    view = play(scramble, "scramble", boards=[3, 4])
    assert view.right and view.figures["done"] == 2
    assert [len(hand) - 3 for hand in hands_in(scramble)] == [13] * 4


def test_after_a_kill_the_hand_under_way_is_told_and_nothing_is_resumed(tmp_path: Path) -> None:
    room = Room(state_dir=tmp_path)

    def script() -> Script:
        yield from room.begin("check", board=5)
        yield from room.serve(until=lambda: room.task.hand == "E" and room.state.fed >= 3)
        room.die()

    with pytest.raises(KilledError):
        room.run(script())
    again = room.again()

    def after() -> Script:
        yield again.is_in(DaemonState.INTERRUPTED)
        assert "board 5 was interrupted while the hand of E was read" in again.state.words
        yield again.resume().done
        yield again.is_in(DaemonState.IDLE)

    again.run(after())
    assert again.state.job is None
    assert again.entries[-1].what == "task.ended"


@pytest.mark.parametrize(
    ("kind", "more", "code"),
    [
        ("record", {}, "api.task_wants_boards"),
        ("adopt", {"board": 5}, "api.task_wants_director"),
        ("check", {}, "api.task_wants_file"),
        ("check", {"board": 99}, "job.boards_not_there"),
    ],
)
def test_what_is_missing_is_said_before_anything_begins(
    kind: str, more: dict[str, Any], code: str
) -> None:
    with pytest.raises(ApiError) as refused:
        read_task(request(kind, **more))
    assert refused.value.code == code
    assert refused.value.text()
