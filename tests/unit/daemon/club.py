"""A daemon in lock-step with the twin, and a script of what people do meanwhile.

A script is a generator: it yields conditions and goes on when they hold. What people do with their
hands takes its seconds of virtual time.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from functools import cache
from pathlib import Path
from typing import Any

from controller import geometry
from controller.api.desk import Desk
from controller.api.events import EventRing
from controller.api.files import Wanted
from controller.api.models import DaemonState, ResumeRequest, StateView, StopRequest
from controller.bench.identity import IdentityPictures, IdentityReader
from controller.daemon.daemon import Daemon
from controller.daemon.live import first_state
from controller.daemon.notify import Notifier
from controller.daemon.parts import Built, Panel, Parts
from controller.geometry import PROFILES
from controller.store.clock import DatedClock
from controller.store.store import Store
from controller.twin.faults import parse
from controller.twin.firmware import HostFirmware
from controller.twin.lockstep import LockstepTwin
from controller.twin.world.world import World
from deals.boards import Board
from deals.cards import Seat
from deals.files import read_deals_file

SIXTEEN = Path(__file__).parents[2] / "vectors" / "files" / "sixteen.dup"
PATIENCE_US = 300_000_000
Condition = Callable[[], bool]
Script = Iterator[Condition]


@cache
def boards() -> tuple[Board, ...]:
    return read_deals_file(SIXTEEN).boards


def wanted(*numbers: int, owner: str = "anna", copies: int | None = None) -> Wanted:
    return Wanted(
        owner, "sixteen.dup", "TEST", SIXTEEN.read_bytes(), boards(), numbers or (1,), copies
    )


class KilledError(BaseException):
    """The daemon dies here, as by SIGKILL: nothing that it still does has any effect."""


class TwinPort:
    """The MCU's port as the daemon opens it."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.dead = False
        self.silent = False
        """Nothing passes, and nobody says so: as with a process that was stopped."""
        self.loses = 0
        """So many of the next writes are lost."""

    def write(self, data: bytes) -> None:
        if self.dead:
            raise KilledError
        if self.loses or self.silent:
            self.loses = max(0, self.loses - 1)
        else:
            self._world.transport.write(data)

    def read(self) -> bytes:
        if self.dead:
            raise KilledError
        data = self._world.transport.read()
        return b"" if self.silent else data

    def reopen(self) -> None:
        self._world.open_transport()


class Club:
    """One machine and one life of its daemon; `again` begins the next life at the same machine."""

    def __init__(
        self,
        *faults: str,
        state_dir: Path | None = None,
        before: Club | None = None,
        labels: Any = None,
        seed: int = 1,
        pocket_order: str = geometry.POCKET_ORDER,
        box: str = "",
        built: Built | None = None,
        panel: Panel | None = None,
        pictures: Any = None,
        profile: str = "standard",
        pace: Callable[[int], None] | None = None,
        wake: Callable[[], None] = lambda: None,
    ) -> None:
        """*pace* is called after each wait, in place of the script; *wake* when a client asks."""
        self.state_dir = state_dir
        self.patience_us = PATIENCE_US
        self.eye_problem = ""
        self.at_most_x: int | None = None
        """How many times faster than the clock on the wall; None where nobody else lives by it."""
        self._slept_us = 0
        speed = PROFILES[profile]
        if before is None:
            self.firmware = HostFirmware()
            self.world = World(
                self.firmware,
                speed,
                random.Random(seed),
                tuple(parse(fault) for fault in faults),
                pictures=pictures or IdentityPictures(),
                pocket_order=pocket_order,
            )
        else:
            self.firmware, self.world = before.firmware, before.world
        self.twin = LockstepTwin(self.world, IdentityReader(), speed, seed, pace or self._tick)
        clock = self.twin.time
        self.log: list[str] = []
        entropy = random.Random(seed if before is None else seed + 1).randbytes
        self.store = Store.open(state_dir, DatedClock(clock, 0), entropy, twin=True)
        self.events = EventRing("life")
        self.desk = Desk(self.events, first_state(self.events), wake)
        self.labels = labels or self.world.label_reader
        self.port = TwinPort(self.world)
        parts = Parts(self.port, self.twin.eye, self.labels, clock, clock.wait, lambda: None)
        parts.panel = panel or parts.panel
        self.parts = parts
        parts.eye_problem = lambda: self.eye_problem
        self.notifier = Notifier({}, clock)
        self.built = built or Built(speed, "identity", self.world.plan.order, box, "club")
        self.daemon = Daemon(
            parts, self.store, self.desk, self.built, self.notifier, self.log.append
        )
        self._script: Script | None = None
        self._condition: Condition = lambda: True
        self._until_us = 0
        self._failed: Exception | None = None

    # -- running ---------------------------------------------------------------------------

    def run(self, script: Script) -> None:
        """Runs the daemon until the script ends."""
        self._script = script
        self._condition = lambda: True
        self._until_us = self.world.now_us + self.patience_us
        try:
            self.daemon.run()
        finally:
            if not self.port.dead:
                self.entries = self.store.logbook.entries()
            self.store.close()
        if self._failed is not None:
            raise self._failed

    def die(self) -> None:
        """For a script: the daemon is killed."""
        self.port.dead = True
        self.store.close()
        raise KilledError

    def _tick(self, now_us: int) -> None:
        if self.at_most_x and now_us - self._slept_us > 20_000:
            time.sleep((now_us - self._slept_us) / 1_000_000 / self.at_most_x)
            self._slept_us = now_us
        if self._script is None:
            return
        try:
            assert now_us < self._until_us, f"nothing more happens: {self.state.words}"
            self._play()
        except Exception as error:  # noqa: BLE001
            # The daemon survives any exception of its jobs: it would swallow the script's too.
            self._failed, self._script = error, None
            self.daemon.end()

    def _play(self) -> None:
        assert self._script is not None
        while self._condition():
            try:
                self._condition = next(self._script)
            except StopIteration:
                self._script = None
                self.daemon.end()
                return

    def again(self, **changes: Any) -> Club:
        """The next life of the daemon; the machine has lived on, or stands still since."""
        return Club(state_dir=self.state_dir, before=self, **changes)

    # -- seeing and asking -----------------------------------------------------------------

    @property
    def state(self) -> StateView:
        return self.desk.state

    def is_in(self, *states: DaemonState) -> Condition:
        return lambda: self.state.state in states

    def ask(self, request: object) -> Future[Any]:
        return self.desk.put(request)

    def deal(self, *numbers: int, **more: Any) -> Iterator[Condition]:
        """Waits for a free machine and begins a job."""
        yield self.is_in(DaemonState.IDLE)
        answer = self.ask(wanted(*numbers, **more))
        yield answer.done
        answer.result()

    def stop(self, by: str = "bert", *, end: bool = False) -> Future[Any]:
        return self.ask(StopRequest(by=by, end=end))

    def resume(self, by: str = "anna", named: list[str] | None = None) -> Future[Any]:
        return self.ask(ResumeRequest(by=by, named=named or []))

    def landed(self, count: int) -> Condition:
        return lambda: (
            self.state.state is DaemonState.DEALING and sum(self.state.pockets.values()) >= count
        )

    # -- hands -----------------------------------------------------------------------------

    def bring(self, number: int, *, pack: bool = True) -> Script:
        """Staff change the board when the machine asks for it."""
        yield (
            lambda: (
                self.state.state is DaemonState.WANTS_BOARD
                and self.state.wants is not None
                and self.state.wants.board == number
            )
        )
        yield from self.change_board(number, pack=pack)

    def change_board(self, number: int, *, pack: bool = True, box: str = "") -> Script:
        hands = self.world.hands
        yield self._done(hands.lid(False))
        if hands.sees_board() is not None:
            yield self._done(hands.take_board())
        if hands.sees_cards_in_tray():
            yield self._done(hands.take_tray())
        if pack:
            yield self._done(hands.load_pack(stop_card_behind=True))
        yield self._done(hands.put_board(number, box))
        yield self._done(hands.lid(True))

    def collect_all(self) -> Script:
        """Every card of the board back into the hopper, as the remedy says."""
        hands = self.world.hands
        held = []
        yield self._done(hands.lid(False))
        for seat in "NESW":
            if hands.sees_cards_at(seat):
                deed = hands.empty_pocket(seat)
                yield self._done(deed)
                held += deed.result
        for sees, take in (
            (hands.sees_cards_on_belt, hands.clear_belt),
            (hands.sees_cards_in_tray, hands.take_tray),
        ):
            if sees():
                deed = take()
                yield self._done(deed)
                held += deed.result
        stop_card = any(hands.sees_stop_card(card) for card in held)
        cards = [card for card in held if not hands.sees_stop_card(card)]
        if held:
            yield self._done(hands.put_in_front(cards, stop_card=stop_card))
        yield self._done(hands.lid(True))

    def do(self, deed: Any) -> Script:
        """One deed of the hands."""
        yield self._done(deed)
        assert deed.problem is None, deed.problem

    def seconds(self, count: float) -> Script:
        """Nothing is done for so long."""
        until_us = self.world.now_us + round(count * 1_000_000)
        yield lambda: self.world.now_us >= until_us

    @staticmethod
    def _done(deed: Any) -> Condition:
        return lambda: deed.done

    # -- the oracle ------------------------------------------------------------------------

    def holds(self, number: int) -> bool:
        """Whether the pockets of the world hold this board's deal, and nothing else is about."""
        found = self.world.contents().as_json()
        deal = next(board.deal for board in boards() if board.number == number)
        hands = all(found[seat.name] == deal.hand_pbn(seat) for seat in Seat)
        return hands and found["belt"] == []
