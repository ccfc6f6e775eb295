"""A club room at 1x: the served twin, the daemon as a process that may die, people, a client."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from controller.api.models import DaemonState, InterruptedView, StateView
from controller.client.client import Client, Told
from controller.client.crew import Crew
from controller.client.errors import ClientError
from controller.devices.realtime import RealTime
from controller.house import prefer
from controller.pins.lines import LineSocket
from controller.pins.table import Pin
from controller.store.clock import DatedClock
from controller.store.recovery import CardFate, Where
from controller.store.store import Store
from controller.twin.serve.people import PeopleAtTwin
from deals.boards import Board
from deals.cards import CARDS
from tests.recovery.host import ROOT, ServedTwin, demo_boards, hands_of

SOURCE = (ROOT / "controller" / "twin" / "demo.dup").read_bytes()
PATIENCE_S = 120.0
QUICK = ("--haste", "10")


class Room:
    """One machine, and a daemon that is started with `start` and dies with `kill`."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder = folder
        self.twin = ServedTwin(folder / "twin", *QUICK, *options)
        self.time = RealTime()
        self.client = Client(folder / "daemon", "anna")
        self.state_dir = folder / "state"
        self.process: subprocess.Popen[str] | None = None
        self.config = folder / "predeal.toml"
        places = self.twin.places
        self.config.write_text(
            f'[machine]\nsimulated = true\nprofile = "{places["profile"]}"\n'
            f'pocket_order = "{places["pocket_order"]}"\n'
            f"[serial]\nport = {json.dumps(places['port'])}\n"
            f"[camera]\nsource = {json.dumps(places['camera'])}\n"
            f"[labels]\nsource = {json.dumps('socket:' + places['label'])}\n"
            f"[pins]\nsource = {json.dumps('socket:' + places['pins'])}\n"
            f"[daemon]\nsocket = {json.dumps(str(self.client.path))}\n"
            f"[store]\nstate_dir = {json.dumps(str(self.state_dir))}\n"
        )
        self.log = (folder / "daemon.log").open("a")
        self.people: PeopleAtTwin
        self.enter()

    def enter(self) -> None:
        """People come to the machine that is there now."""
        self.people = PeopleAtTwin(self.twin.places["control"], self.time)
        self.hands = self.people.hands
        self.crew = Crew(self.client, self.people)

    def close(self) -> None:
        self.kill()
        self.hands.close()
        self.time.close()
        self.twin.stop()
        self.log.close()

    # -- the daemon ------------------------------------------------------------------------

    def start(self) -> None:
        assert self.process is None
        self.process = self.spawn()

    def alive(self) -> None:
        """A daemon, the one that lives already if there is one."""
        if self.process is None:
            self.start()

    def spawn(self) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "controller.cli.main", "daemon"]
        child = subprocess.Popen(
            [*command, "--config", str(self.config)],
            stderr=self.log,
            cwd=ROOT,
            text=True,
            start_new_session=True,
        )
        prefer(child.pid)
        return child

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def until(self, met: Callable[[StateView], bool], *, act: bool = False) -> StateView:
        """Asks until the state is as it shall be; meanwhile people *act* on what it asks for."""
        end_s = time.monotonic() + PATIENCE_S
        state = None
        while time.monotonic() < end_s:
            try:
                state = self.client.state()
            except ClientError:
                time.sleep(0.05)
                continue
            if met(state):
                return state
            if act:
                self.crew.attend(state)
            time.sleep(0.02)
        raise AssertionError(f"waited too long: {state and state.words}")

    def in_state(self, *states: DaemonState) -> Callable[[StateView], bool]:
        return lambda state: state.state in states

    def begin(self, *numbers: int, copies: int | None = None) -> str:
        """Begins a job as soon as the machine is free; gives the event before it."""
        state = self.until(
            lambda state: state.state is DaemonState.IDLE and state.machine.connected
        )
        self.client.deal("demo.dup", SOURCE, boards=list(numbers), copies=copies)
        return state.event

    def bring(self) -> str:
        """People bring what is asked for; gives the event before that."""
        state = self.until(lambda state: state.wants is not None)
        self.crew.attend(state)
        return state.event

    def wait_for_event(self, after: str, met: Callable[[Told], bool]) -> None:
        """Until such an event has been told. People mend what a busy computer stops meanwhile."""
        end_s = time.monotonic() + PATIENCE_S
        stream = self.client.events(after, lambda: time.sleep(0.05))
        for told in stream:
            assert time.monotonic() < end_s, "waited too long for an event"
            if met(told):
                stream.close()
                return
            if told.kind == "state" and '"state":"waits"' in told.data:
                self.crew.attend(self.client.state())

    def reset_mcu(self) -> None:
        # Not by `UnixPins`, which would switch all other outputs off: they are the daemon's.
        line = LineSocket.connect(self.twin.places["pins"])
        assert line is not None
        for on in (True, False):
            line.send({"pin": Pin.MCU_RESET.value, "on": on})
            time.sleep(0.1)  # until it is heard: a caller that has gone is not
        line.close()

    # -- the oracles -----------------------------------------------------------------------

    def journal_fates(self) -> tuple[CardFate, ...]:
        """What the journal of the dead daemon says of each card, with its name."""
        assert self.process is None
        clock = DatedClock(self.time, 0)
        with Store.open(self.state_dir, clock, lambda size: bytes(size), twin=True) as store:
            found = store.journal.interrupted()
        assert len(found) <= 1
        return found[0].cards if found else ()

    def assert_true(self, fates: tuple[CardFate, ...]) -> None:
        """What the journal says of each card is so in the world, whose belt stands by now.

        Landed means seen at the pocket's sensor: the last one may stand in the chute, where the motors
        lost their current.
        """
        held = self.hands.contents()
        last = {fate.pocket: fate.feed for fate in fates if fate.where is Where.LANDED}
        for fate in fates:
            if fate.where is Where.LANDED:
                assert fate.pocket is not None
                assert fate.card is not None
                seat, name = "NESW"[fate.pocket], str(CARDS[fate.card])
                in_chute = fate.feed == last[fate.pocket] and name in held["belt"]
                assert in_chute or name in cards_of(held[seat]), (fate.feed, seat)
        hopper = sum(fate.where is Where.HOPPER for fate in fates)
        assert held["hopper"] >= hopper
        assert len(fates) >= 52

    def assert_named(self, view: InterruptedView, fates: tuple[CardFate, ...]) -> None:
        """The daemon tells what the journal says, without the cards."""
        told = Counter(card.where for card in view.cards)
        assert told == Counter(fate.where.value for fate in fates)

    def assert_nothing_moves(self, seconds: float = 1.0) -> None:
        before, state = self.hands.contents(), self.client.state()
        time.sleep(seconds)
        assert self.hands.contents() == before
        assert self.client.state().state is state.state

    def assert_holds(self, board: Board) -> None:
        held = self.hands.contents()
        assert {seat: held[seat] for seat in "NESW"} == hands_of(board)
        assert held["belt"] == held["table"] == []


def cards_of(hand: str) -> set[str]:
    """Names of the cards of a PBN hand."""
    suits = zip("SHDC", hand.split("."), strict=True)
    return {suit + rank for suit, ranks in suits for rank in ranks}


def card_event(told: Told, what: str, count: int, seen: Counter[str]) -> bool:
    """Whether this is the *count*-th card event of that kind; *seen* counts them."""
    if told.kind != "card":
        return False
    kind = json.loads(told.data)["what"]
    seen[kind] += 1
    return bool(kind == what and seen[kind] == count)


def board(number: int) -> Board:
    return demo_boards(number)[0]
