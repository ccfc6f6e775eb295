"""Deck teach: a sorted pack passes the window, and each picture is labelled by the place of its card.

Nothing is read: the design is not taught yet. Whoever teaches it holds the labels against the pictures.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

from controller.devices.happenings import Happening, Input
from controller.devices.ports import Clock
from controller.engine.stops import (
    Fault,
    Step,
    Stop,
    before_start,
    request,
    stop_of_reason,
)
from controller.jobs.calibrate.errors import CalibrateError
from controller.jobs.calibrate.runs import Run, Runs
from controller.jobs.deal import STOPS_AT_MOST
from controller.jobs.feeding import Progress
from controller.jobs.people import Servers
from controller.machine.machine import Machine
from controller.machine.settings import settings
from controller.protocol.messages import CardFlag, Pocket
from deals.cards import CARDS

PASSED: Final = len(CARDS) + 1
"""The pack, and what must be its stop card."""
FIRST: Final = (Step.BRING_EMPTY, Step.FEED_PACK, Step.SORTED_PACK)
AS_THEY_LIE: Final = (Step.FEED_TRAY,)
"""All ran into the tray, in the order in which it was fed."""
SORT: Final = (Step.SORT_TRAY,)


@dataclass(frozen=True, slots=True)
class Sight:
    """One look of the card at one place of the pack, as PNG of the whole window."""

    place: int
    """From 1."""
    look: int
    png: bytes = field(repr=False)


@dataclass(slots=True)
class TeachPassed(Progress):
    """What came of it."""

    cards: int = 0
    """How many cards passed, 53 at most; the last of these should be the stop card."""
    sights: list[Sight] = field(default_factory=list)

    @property
    def right(self) -> bool:
        """A whole pack passed, and each card of it was seen."""
        return not self.waiting and self.cards >= len(CARDS) and bool(self.sights)


class TeachPass:
    """Passes a pack until each of its cards was seen once; in order, if it is to be labelled by place."""

    def __init__(
        self,
        machine: Machine,
        people: Servers,
        clock: Clock,
        *,
        in_order: bool = True,
        progress: Callable[[Progress], None] | None = None,
        on_happening: Callable[[Happening], None] | None = None,
    ) -> None:
        self.result = TeachPassed()
        self._machine = machine
        self._people = people
        self._in_order = in_order
        self._progress = progress or (lambda told: None)
        self._runs = Runs(machine, people, clock, looking=True, on_happening=on_happening)

    def run(self) -> TeachPassed:
        """Runs to the end, or to where nobody goes on."""
        try:
            self._run()
        except CalibrateError as error:
            if error.code != "calibrate.nobody":
                raise
            self.result.waiting = True
        self._progress(self.result)
        return self.result

    def _run(self) -> None:
        first = FIRST if self._in_order else FIRST[:-1]
        steps: tuple[Step, ...] = first
        while len(self.result.stops) < STOPS_AT_MOST:
            self._ask(request(Fault.PACK_DUE, *steps))
            if steps is first and self._machine.inputs[Input.PRESENT_TRAY]:
                self._mend(before_start(Fault.TRAY_NOT_EMPTY, (Step.CLEAR_TRAY,)))
            run = self._pass()
            self.result.lots += 1
            if run.stopped is not None:
                self._collect(run)
                steps = SORT if self._in_order else AS_THEY_LIE
                continue
            stop = _doubt(run)
            if stop is None:
                self._keep(run)
                return
            self._tell(stop)
            steps = AS_THEY_LIE
        self.result.waiting = True

    def _pass(self) -> Run:
        machine = self._machine
        values = settings(machine.profile, machine.pocket_order, machine.calibration)
        return self._runs.run([Pocket.TRAY] * PASSED, values, whole=False)

    def _collect(self, run: Run) -> None:
        """The cards lie everywhere: all of them go through once more, to be sorted in the tray."""
        while run.stopped is not None and len(self.result.stops) < STOPS_AT_MOST:
            stopped = run.stopped
            stop = stop_of_reason(stopped.reason, stopped.feed, stopped.pocket)
            self._mend(stop)
            run = self._pass()

    def _keep(self, run: Run) -> None:
        self.result.cards = len(run.landed)
        self.result.sights = [
            Sight(place, look, png)
            for place in sorted(run.landed)
            for look in (1, 2)
            if (png := run.looked(place, look)) is not None
        ]

    def _ask(self, wanted: Stop) -> None:
        self._progress(self.result)
        if not self._people.serve(wanted, 0):
            raise CalibrateError("calibrate.nobody", step=wanted.remedy)

    def _mend(self, stop: Stop) -> None:
        self._tell(stop)
        if self._people.act(stop, 0) is None:
            raise CalibrateError("calibrate.nobody", step=stop.remedy)

    def _tell(self, stop: Stop) -> None:
        self.result.stops.append(stop)
        self._progress(self.result)


def _doubt(run: Run) -> Stop | None:
    """Why places and pictures of this pass do not belong together."""
    for place in sorted(run.landed):
        measured = run.measured.get(place)
        if measured is None or measured.flags & (CardFlag.TOO_LONG | CardFlag.TOO_THICK):
            return replace(_AGAIN, fault=Fault.DOUBLE_FEED, feed=place)
        if run.looked(place, 1) is None:
            return replace(_AGAIN, fault=Fault.IMAGE_LOST, feed=place)
    return None


_AGAIN: Final = Stop(Fault.IMAGE_LOST, steps=AS_THEY_LIE)
