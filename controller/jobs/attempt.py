"""One attempt at one board: the engine decides, the journal remembers, the machine acts, in that
order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, Generic, Protocol, TypeVar

from controller.devices.happenings import (
    CardLanded,
    CardMeasured,
    CardSeen,
    Happening,
    LinkWasLost,
    MachineStopped,
    McuWasRestarted,
    TimePassed,
)
from controller.devices.ports import Clock
from controller.engine.orders import (
    Credit,
    FinishRun,
    Halt,
    Order,
    ReadImage,
    RestartCamera,
    RouteCard,
    VoidReading,
)
from controller.engine.phases import Phase
from controller.link.errors import LinkError, LinkLostError, McuRestartedError, RefusedError
from controller.machine.machine import Machine
from controller.store.journal import Observation
from controller.store.recovery import Kind
from deals.cards import Card

STALL_US: Final = 5_000_000
"""Nothing at all has happened for so long: the board stops instead of waiting for ever."""


class Engine(Protocol):
    """What decides in a pass: it deals a board, or reads what is fed."""

    phase: Phase
    """UNKNOWN after an exception."""

    @property
    def outcome(self) -> object | None:
        """None while the pass goes on."""
        ...

    def begin_pass(self, expected: int, named: tuple[Card, ...] = ()) -> list[Order]:
        """A run was started: gives the first credit."""
        ...

    def handle(self, happening: Happening) -> list[Order]:
        """Takes one happening; gives the orders that follow from it."""
        ...

    @property
    def next_due_us(self) -> int | None:
        """When TimePassed has something to do, or None."""
        ...

    def stalled(self) -> None:
        """Nothing has happened for `STALL_US`: the pass ends."""
        ...

    def refused(self) -> None:
        """The machine would not start the pass: it ends."""
        ...


class PassJournal(Protocol):
    """What a pass writes down: a board's journal, or nothing where nothing may be kept."""

    def begin_run(self, run: int) -> None:
        """A run of the belt is about to start."""
        ...

    def intent(
        self, feed: int, card: int | None, pocket: int, seen: Sequence[Observation] = ()
    ) -> None:
        """All seen since the card before, and where this card shall go."""
        ...

    def record(self, seen: Iterable[Observation]) -> None:
        """What was seen, without a decision."""
        ...


E = TypeVar("E", bound=Engine)


class Attempt(Generic[E]):
    """Runs the passes of one attempt on `machine` and journals every card."""

    def __init__(
        self,
        engine: E,
        machine: Machine,
        journal: PassJournal,
        clock: Clock,
        on_happening: Callable[[Happening], None] | None = None,
    ) -> None:
        self.engine = engine
        self._machine = machine
        self._journal = journal
        self._clock = clock
        self._on_happening = on_happening
        self._seen: list[Observation] = []
        self._last_us = 0

    def run_pass(self, expected: int, named: tuple[Card, ...] = ()) -> None:
        """Feeds `expected` cards and the end of the pack; `engine.outcome` tells how it ended."""
        self._last_us = self._clock.now_us()
        try:
            run = self._machine.next_run
            self._journal.begin_run(run)
            self._machine.start(run)
            self._obey(self.engine.begin_pass(expected, named))
            while self.engine.outcome is None:
                self._obey(self.engine.handle(self._next()))
        except RefusedError:
            # A hand was quicker: lid, board or emergency stop moved since all was found ready.
            self._stop_quietly()
            self.engine.refused()
        except LinkError as error:
            self._obey_quietly(self._as_happening(error))
        except BaseException:
            self.engine.phase = Phase.UNKNOWN
            self._stop_quietly()
            raise
        finally:
            self._keep()

    def watch(self) -> None:
        """Between two passes: lets the engine see whatever happened meanwhile."""
        while not isinstance(happening := self._machine.next(self._clock.now_us()), TimePassed):
            self._observe(happening)
            self.engine.handle(happening)
            if isinstance(happening, LinkWasLost | McuWasRestarted):
                return  # only a new session brings more; a dead port would say the same for ever

    # -- inside ----------------------------------------------------------------------------

    def _next(self) -> Happening:
        stalled_us = self._last_us + STALL_US
        due = self.engine.next_due_us
        happening = self._machine.next(stalled_us if due is None else min(due, stalled_us))
        if not isinstance(happening, TimePassed):
            self._last_us = happening.at_us
            self._observe(happening)
        elif happening.at_us >= stalled_us:
            self._stop_quietly()
            self.engine.stalled()
        return happening

    def _observe(self, happening: Happening) -> None:
        if self._on_happening is not None:
            self._on_happening(happening)
        match happening:
            case CardSeen():
                self._seen.append(Observation(Kind.SEEN, happening.feed))
            case CardMeasured(flags=flags) if flags:
                self._seen.append(Observation(Kind.SUSPECT, happening.feed))
            case CardLanded():
                landed = Observation(Kind.LANDED, happening.feed, pocket=int(happening.pocket))
                self._seen.append(landed)
            case MachineStopped():
                self._seen.append(Observation(Kind.STOPPED, happening.feed))

    def _obey(self, orders: list[Order]) -> None:
        for order in orders:
            try:
                self._carry_out(order)
            except RefusedError:
                # The firmware has stopped or the run is over; the event that says so is on its way.
                continue

    def _carry_out(self, order: Order) -> None:
        match order:
            case RouteCard():
                seen, self._seen = self._seen, []
                card = None if order.card is None else order.card.index
                self._journal.intent(order.feed, card, int(order.pocket), seen)
                self._machine.route(order.feed, order.pocket)
            case Credit():
                # What may have been fed after a crash is what the journal says was allowed.
                self._journal.record([Observation(Kind.CREDIT, order.up_to)])
                self._machine.credit(order.up_to)
            case ReadImage():
                self._machine.read_image(order.number, order.feed, order.look)
            case VoidReading():
                self._journal.record([Observation(Kind.VOID, order.feed)])
            case RestartCamera():
                self._machine.restart_camera()
            case FinishRun():
                self._machine.finish()
            case Halt():
                self._machine.stop()

    def _obey_quietly(self, happening: Happening) -> None:
        self._observe(happening)
        self.engine.handle(happening)

    def _as_happening(self, error: LinkError) -> Happening:
        now = self._clock.now_us()
        if isinstance(error, McuRestartedError):
            return McuWasRestarted(now, None)
        if isinstance(error, LinkLostError):
            return LinkWasLost(now)
        raise error

    def _stop_quietly(self) -> None:
        try:
            self._machine.stop()
        except LinkError:
            return  # the dead-man stops it

    def _keep(self) -> None:
        if self._seen:
            seen, self._seen = self._seen, []
            self._journal.record(seen)
