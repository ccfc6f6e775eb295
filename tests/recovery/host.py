"""A host on a served twin: what a daemon has below its API, in this process, at 1x."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from controller.devices.eye_process import EyeProcess
from controller.devices.happenings import Happening
from controller.devices.label import UnixLabelReader
from controller.devices.proving import answers_hello
from controller.devices.realtime import RealTime
from controller.devices.serial_port import SerialPort
from controller.engine.stops import Stop
from controller.geometry import PROFILES
from controller.house import prefer
from controller.jobs.deal import DealJob
from controller.jobs.order import Copies
from controller.jobs.people import Done
from controller.jobs.results import BoardResult
from controller.link.errors import LinkError, LinkLostError
from controller.link.link import Link
from controller.machine.machine import Machine
from controller.protocol.messages import Identity
from controller.store.clock import DatedClock
from controller.store.sets import BoardEntry
from controller.store.store import Store
from controller.twin.serve.people import PeopleAtTwin
from deals.boards import Board
from deals.files.reading import read_deals

ROOT = Path(__file__).parents[2]


class ServedTwin:
    """`predeal twin serve` as a subprocess."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder = folder
        self.options = options
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "controller.cli.main", "twin", "serve", "--json"]
        self.process = subprocess.Popen(
            [*command, "--socket-dir", str(self.folder), *self.options],
            stdout=subprocess.PIPE,
            cwd=ROOT,
            start_new_session=True,
        )
        prefer(self.process.pid)
        assert self.process.stdout is not None
        self.places: dict[str, Any] = json.loads(self.process.stdout.readline())

    def kill(self) -> None:
        self.process.kill()
        self._gone()

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def stop(self) -> int:
        self.process.send_signal(signal.SIGCONT)
        self.process.terminate()
        return self._gone()

    def _gone(self) -> int:
        if self.process.stdout is not None:
            self.process.stdout.close()
        return self.process.wait(10)


class ReopeningMachine(Machine):
    """A machine that opens a dead port before it connects, as a daemon does."""

    port: SerialPort

    def connect(self) -> Identity:
        if not self.port.is_open:
            try:
                self.port.reopen()
            except OSError as error:
                raise LinkLostError("link.port_gone") from error
        return super().connect()


class SeeingPeople(PeopleAtTwin):
    """As in a daemon nobody can go on before the reader is there again."""

    def __init__(self, host: Host, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._host = host

    def act(self, stop: Stop, board: int) -> Done | None:
        done = super().act(stop, board)
        if done is not None:
            self._host.wait_for(lambda: self._host.eye.ready, 60)
        return done


class Host:
    """Everything below a daemon, and the people of the twin."""

    def __init__(self, places: dict[str, Any], operator: bool = False, ready: bool = True) -> None:
        self.time = RealTime()
        profile = PROFILES[places["profile"]]
        self.port = SerialPort(places["port"], self.time.wake)
        self.eye = EyeProcess(places["camera"], "standard", self.time)
        self.label = UnixLabelReader(places["label"])
        self.time.watch(self.eye, every_us=500_000)
        self.time.watch(self.label)
        self.link = Link(self.port, self.time, self.time.wait)
        self.machine = ReopeningMachine(
            self.link,
            self.eye,
            self.label,
            self.time,
            self.time.wait,
            profile,
            places["pocket_order"],
        )
        self.machine.port = self.port
        self.port.prove(answers_hello(self.link, self.time))
        kind = "auto" if operator else "none"
        self.people = SeeingPeople(self, places["control"], self.time, kind, self.idle)
        self.hands = self.people.hands
        self.store = Store.open(
            None, DatedClock(self.time, 0), random.Random(1).randbytes, twin=True
        )
        self._copies = 0
        self._set: Any = None
        if ready:
            self.wait_for(lambda: self.eye.ready, 30)

    def idle(self, until_us: int) -> None:
        """As a daemon does at a stop: only the heartbeat goes on."""
        if not self.link.open:
            self.time.wait(until_us)
            return
        self.time.wait(min(until_us, self.link.next_beat_us))
        try:
            self.link.beat()
        except LinkError:
            return

    def wait_for(self, what: Callable[[], bool], seconds: float) -> None:
        end_us = self.time.now_us() + round(seconds * 1e6)
        while not what():
            assert self.time.now_us() < end_us, "waited too long"
            self.idle(min(end_us, self.time.now_us() + 20_000))
            self.eye.images()

    def deal(
        self,
        boards: list[Board],
        on_happening: Callable[[Happening], None] | None = None,
        progress: Callable[[BoardResult], None] | None = None,
    ) -> list[BoardResult]:
        """The next copy of these boards, which are always the same."""
        entries = [
            BoardEntry(b.number, b.dealer.letter, b.vulnerable.value, b.deal.pbn()) for b in boards
        ]
        self._set = self._set or self.store.sets.add(
            code="TEST", name="test", source=b"", boards=entries
        )
        self._copies += 1
        job = DealJob(
            boards,
            self.machine,
            self.people,
            self.store.journal,
            self.time,
            self._set,
            design="standard",
            copies=Copies(first=self._copies),
            on_happening=on_happening,
            progress=progress,
        )
        return job.run()

    def close(self) -> None:
        self.store.close()
        self.people.close()
        self.label.close()
        self.eye.close()
        self.port.close()
        self.time.close()


@contextmanager
def at_the_machine(
    folder: Path, *options: str, operator: bool = False
) -> Iterator[tuple[ServedTwin, Host]]:
    """A served twin and a host on it."""
    twin = ServedTwin(folder, *options)
    try:
        host = Host(twin.places, operator)
        try:
            yield twin, host
        finally:
            host.close()
    finally:
        assert twin.stop() == 0


def demo_boards(*numbers: int) -> list[Board]:
    source = (ROOT / "controller/twin/demo.dup").read_bytes()
    return [board for board in read_deals(source, "demo.dup").boards if board.number in numbers]


def hands_of(board: Board) -> dict[str, str]:
    """By seat, as the world tells its contents: PBN hands, high to low."""
    text = board.deal.pbn().removeprefix("N:").split()
    return dict(zip("NESW", text, strict=True))
