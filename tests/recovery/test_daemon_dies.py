"""The daemon is killed while the machine lives on: every card is named, nothing goes on by itself,
and no board is dealt twice unasked.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller.api.models import DaemonState
from controller.client.client import Told
from tests.recovery.host import ROOT
from tests.recovery.room import Room, board, card_event

Moment = Callable[[Told], bool]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    room = Room(tmp_path_factory.mktemp("room"))
    yield room
    room.close()


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    room = Room(tmp_path)
    yield room
    room.close()


def begins(told: Told) -> bool:
    """The board is in its place: the machine homes."""
    return told.kind == "state" and '"state":"dealing"' in told.data


def at_card(what: str, count: int) -> Moment:
    seen: Counter[str] = Counter()
    return lambda told: card_event(told, what, count, seen)


def proven(told: Told) -> bool:
    return told.kind == "board" and '"proven":true' in told.data


def deal_until(room: Room, moment: Moment) -> None:
    """Deals board 1 until that moment, and kills the daemon."""
    room.begin(1)
    room.wait_for_event(room.bring(), moment)
    room.kill()


def come_back(room: Room) -> None:
    """A new daemon: it names the cards as they are, and waits for a person."""
    time.sleep(1.2)  # the dead-man has stopped the machine
    fates = room.journal_fates()
    if fates:
        room.assert_true(fates)
    room.start()
    state = room.until(lambda state: state.state is DaemonState.INTERRUPTED)
    assert state.job is not None
    assert state.job.left[0][0] == 1
    if fates:
        room.assert_named(state.interrupted[0], fates)
        assert "collect its 52 cards and deal it again" in state.words
    else:
        assert state.interrupted == []
    room.until(lambda state: state.machine.connected)
    room.assert_nothing_moves()


def deal_again(room: Room) -> None:
    """People do what is asked for; the board is dealt again because they asked for it."""
    room.until(lambda state: state.job is not None and state.job.ended, act=True)
    job = room.client.state().job
    assert job is not None
    assert job.results[-1].proven
    room.assert_holds(board(1))


MOMENTS = {
    "homing": lambda: begins,
    "first card seen": lambda: at_card("seen", 1),
    "card 23 landed": lambda: at_card("landed", 23),
    "card 52 landed": lambda: at_card("landed", 52),
}


SAMPLED = ("card 23 landed",)  # all of them in the long run


def test_killed_at_sampled_moments_of_a_board(shared: Room):
    shared.start()
    for name in SAMPLED:
        deal_until(shared, MOMENTS[name]())
        come_back(shared)
        if name != SAMPLED[-1]:
            shared.crew.attend(shared.client.state())  # collects all, and resumes
            shared.until(lambda state: state.state is DaemonState.WANTS_BOARD)
            shared.client.stop(end=True)
    deal_again(shared)
    refuses_to_deal_twice(shared)


def refuses_to_deal_twice(room: Room) -> None:
    with pytest.raises(Exception, match="Boards 1 of set .* were dealt and proven before"):
        room.begin(1)
    room.kill()
    assert room.journal_fates() == ()


def test_a_second_daemon_refuses(shared: Room):
    shared.alive()
    shared.until(lambda state: state.machine.connected)
    second = shared.spawn()
    assert second.wait(30) == 1
    assert "is in use by another run of Predeal" in (shared.folder / "daemon.log").read_text()
    assert_refuses_the_port(shared)
    assert shared.client.state().machine.connected


def assert_refuses_the_port(room: Room) -> None:
    """Another daemon, with a store and a socket of its own, does not even open it: that restarts an MCU."""
    assert room.process is not None
    other = room.folder / "other.toml"
    other.write_text(
        room.config.read_text()
        .replace(str(room.state_dir), str(room.folder / "other"))
        .replace(str(room.client.path), str(room.folder / "other.socket"))
    )
    command = [sys.executable, "-m", "controller.cli.main", "daemon", "--config", str(other)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert f"belongs to another program: {sys.executable}" in done.stderr
    assert f"(process {room.process.pid})" in done.stderr
    assert not (room.folder / "other.socket").exists()


def test_a_frozen_machine_takes_the_proof_and_a_reset_too(shared: Room):
    shared.alive()
    shared.begin(2)
    shared.wait_for_event(shared.bring(), at_card("landed", 9))
    shared.twin.signal(signal.SIGSTOP)
    state = shared.until(lambda state: state.stop is not None)
    assert state.stop.fault == "link_lost"
    with pytest.raises(Exception, match="The machine cannot be reached"):
        shared.client.resume()
    shared.twin.signal(signal.SIGCONT)
    shared.until(lambda state: state.machine.connected)
    time.sleep(1.2)  # the machine's own second until its dead-man went by only after SIGCONT
    shared.assert_nothing_moves()
    for _ in range(3):
        event = shared.client.state().event
        shared.crew.attend(shared.client.state())
        shared.wait_for_event(event, at_card("landed", 9))
        shared.reset_mcu()
        state = shared.until(lambda state: state.stop is not None)
        if state.stop.fault == "mcu_restarted":
            break  # on a busy computer another stop may come first
    assert state.stop.fault == "mcu_restarted"
    shared.until(lambda state: state.job is not None and state.job.ended, act=True)
    shared.assert_holds(board(2))
    shared.kill()


def test_a_machine_that_went_for_good_is_told_and_the_job_can_be_ended(room: Room):
    room.start()
    room.begin(1)
    room.wait_for_event(room.bring(), at_card("landed", 5))
    room.twin.kill()
    state = room.until(lambda state: state.stop is not None)
    assert (state.stop.fault, state.stop.steps[0]) == ("link_lost", "plug_cable")
    state = room.client.stop(end=True)
    room.until(lambda state: state.state is DaemonState.IDLE)
    assert room.client.state().machine.problem.startswith("There is no serial port")
    room.hands.close()
    room.twin.start()
    room.enter()
    room.until(lambda state: state.machine.connected)


ORDERS = ("daemon", "daemon, mcu", "mcu, daemon")


@pytest.mark.long
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("cards", range(1, 53))
def test_whoever_restarts_at_whichever_card(shared: Room, cards: int, order: str):
    """Row F22 with real processes; in lock-step and more orders: tests/unit/daemon/test_matrix.py."""
    begin_anew(shared)
    shared.begin(1, copies=1)
    shared.wait_for_event(shared.bring(), at_card("landed", cards))
    if order == "mcu, daemon":
        shared.reset_mcu()
    shared.kill()
    if order == "daemon, mcu":
        shared.reset_mcu()
    come_back(shared)
    deal_again(shared)
    shared.kill()


def begin_anew(room: Room) -> None:
    """A daemon without a job, whatever the test before this one has left."""
    room.kill()
    room.start()
    free = room.in_state(DaemonState.IDLE, DaemonState.INTERRUPTED)
    if room.until(free).state is DaemonState.INTERRUPTED:
        room.client.stop(end=True)
        room.until(room.in_state(DaemonState.IDLE))


@pytest.mark.long
@pytest.mark.parametrize("moment", MOMENTS)
def test_killed_again_while_recovering(room: Room, moment: str):
    room.start()
    deal_until(room, MOMENTS[moment]())
    come_back(room)
    room.kill()
    come_back(room)
    deal_again(room)


@pytest.mark.long
@pytest.mark.parametrize("cards", [2, 25, 50])
def test_a_killed_reader_costs_a_person_s_help_at_most(room: Room, cards: int):
    room.start()
    room.begin(1)
    room.wait_for_event(room.bring(), at_card("landed", cards))
    assert room.process is not None
    for child in children_of(room.process.pid):
        os.kill(child, signal.SIGKILL)
    deal_again(room)


def children_of(parent: int) -> list[int]:
    task = Path(f"/proc/{parent}/task")
    return [
        int(child)
        for thread in task.iterdir()
        for child in (thread / "children").read_text().split()
    ]


@pytest.mark.long
def test_after_proof_a_death_changes_nothing(room: Room):
    room.start()
    room.begin(1, 2)
    room.wait_for_event(room.bring(), proven)
    room.kill()
    room.start()
    state = room.until(lambda state: state.state is DaemonState.INTERRUPTED)
    assert state.interrupted == []
    assert state.job is not None
    assert state.job.left == [(2, 1)]
    room.client.resume()
    room.until(lambda state: state.job is not None and state.job.ended, act=True)
    room.assert_holds(board(2))
