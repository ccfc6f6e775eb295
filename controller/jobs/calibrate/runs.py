"""Runs for measuring: cards are fed and sent where the measurement wants them; nothing is read.

A run that jams is what some measurements look for, so it comes back as a result; a person frees the cards
before the next.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from controller.devices.happenings import (
    CardLanded,
    CardMeasured,
    CardSeen,
    Happening,
    ImageArrived,
    Input,
    LinkWasLost,
    MachineStopped,
    McuWasRestarted,
    PictureArrived,
    RunEnded,
    Strobed,
    TimePassed,
)
from controller.devices.ports import Clock
from controller.engine.stops import Fault, Step, Stop, before_start
from controller.jobs.calibrate.errors import CalibrateError
from controller.jobs.people import People
from controller.jobs.ready import Readiness
from controller.machine.machine import Machine
from controller.protocol.messages import Key, Leg, Pocket, StopReason, Transit

QUIET_US: Final = 3_000_000
"""Nothing has happened for so long: the hopper is empty, or the cards are gone."""
PREPARE_TRIES: Final = 8
PICTURE_US: Final = 2_000_000
"""So long a picture is waited for."""
TIE_US: Final = 5_000
"""An image is of a look when it was taken so near to its strobe."""


@dataclass(slots=True)
class Run:
    """What came of one run."""

    measured: dict[int, CardMeasured] = field(default_factory=dict)
    looks: dict[tuple[int, int], int] = field(default_factory=dict)
    """By card and look: when the strobe fired, at an exact belt step of the card."""
    taken_us: dict[int, int] = field(default_factory=dict)
    """By image that was asked for whole: when it was taken."""
    pictures: dict[int, bytes] = field(default_factory=dict)
    """By image: PNG."""
    landed: dict[int, Pocket] = field(default_factory=dict)
    transit: dict[Leg, Transit] = field(default_factory=dict)
    stopped: MachineStopped | None = None

    def looked(self, card: int, look: int) -> bytes | None:
        """The picture of one look of a card; None where none came."""
        due_us = self.looks.get((card, look))
        if due_us is None:
            return None
        near = (
            self.pictures.get(number)
            for number, taken_us in self.taken_us.items()
            if abs(taken_us - due_us) <= TIE_US
        )
        return next((picture for picture in near if picture), None)

    @property
    def jammed(self) -> int | None:
        """The card that did not arrive; None when none jammed."""
        jams = (StopReason.JAM_POCKET, StopReason.JAM_BELT, StopReason.JAM_WINDOW)
        if self.stopped is None or self.stopped.reason not in jams:
            return None
        return self.stopped.feed


class Runs:
    """Makes runs on one machine; `people` load cards and free jams. With `looking` the whole pictures of
    all cards are kept.
    """

    def __init__(
        self,
        machine: Machine,
        people: People,
        clock: Clock,
        *,
        looking: bool = False,
        on_happening: Callable[[Happening], None] | None = None,
    ) -> None:
        self._looking = looking
        self._on_happening = on_happening or (lambda happening: None)
        self.machine = machine
        self._people = people
        self._clock = clock
        self._ready = Readiness(machine)

    def prepare(self, fault: Stop | None = None) -> None:
        """Until the machine is READY with cards in the hopper; CalibrateError when nobody helps."""
        stop = fault
        for _ in range(PREPARE_TRIES):
            if stop is not None and self._people.act(stop, 0) is None:
                raise CalibrateError("calibrate.nobody", step=stop.remedy)
            stop = self._ready.stop(self._refusal)
            if stop is None:
                return
        raise CalibrateError("calibrate.not_ready", fault=stop.fault.value if stop else "-")

    def run(
        self, routes: Sequence[Pocket], values: Mapping[Key, int], *, whole: bool = True
    ) -> Run:
        """Feeds a card for each route. When the hopper runs empty on the way, all is done again; if it
        need not be the *whole*, that is the end.
        """
        while True:
            self.prepare()
            self.machine.configure(values)
            done, all_fed = self._run(routes)
            if all_fed or (done.landed and not whole):
                return done
            self.prepare(self._more_cards())

    def shoot(self) -> bytes | None:
        """A picture of the window as it is now, without the strobe; None when the camera takes none."""
        run = Run()
        self.machine.shoot()
        due_us = self._clock.now_us() + PICTURE_US
        while not run.pictures and self._clock.now_us() < due_us:
            self._note(run, self.machine.next(due_us), ())
        return next(iter(run.pictures.values()), None)

    def free(self) -> None:
        """A person takes what jammed off the belt."""
        self.prepare(Stop(Fault.JAM, None, None, (Step.FREE_JAM,)))

    # -- inside ----------------------------------------------------------------------------

    def _refusal(self) -> Stop | None:
        inputs = self.machine.inputs
        if not inputs[Input.ESTOP]:
            return before_start(Fault.EMERGENCY_STOP, (Step.RELEASE_STOP,))
        if not inputs[Input.BOARD]:
            return before_start(Fault.BOARD_ABSENT, (Step.RIGHT_BOARD,))
        if not inputs[Input.LID]:
            return before_start(Fault.LID_OPEN, (Step.CLOSE_LID,))
        if not inputs[Input.HOPPER]:
            return self._more_cards()
        return None

    def _more_cards(self) -> Stop:
        """The cards that came through go back into the hopper; at first there are none."""
        present = range(Input.PRESENT_N.value, Input.PRESENT_TRAY.value + 1)
        came = any(self.machine.inputs.word >> pin & 1 for pin in present)
        step = Step.COLLECT_ALL if came else Step.FILL_HOPPER
        return before_start(Fault.HOPPER_EMPTY, (step,))

    def _run(self, routes: Sequence[Pocket]) -> tuple[Run, bool]:
        """What came of it, and whether all were fed or a stop came."""
        machine = self.machine
        machine.start(machine.next_run)
        machine.credit(len(routes))
        run = Run()
        while len(run.landed) < len(routes) and run.stopped is None:
            happening = machine.next(self._clock.now_us() + QUIET_US)
            if isinstance(happening, TimePassed):
                self._finish(run)
                self._develop(run)
                return run, False
            self._note(run, happening, routes)
        if run.stopped is None:
            self._finish(run)
        self._develop(run)
        run.transit = machine.transit()
        return run, True

    def _develop(self, run: Run) -> None:
        """Waits for the pictures that were asked for."""
        due_us = self._clock.now_us() + PICTURE_US
        while len(run.pictures) < len(run.taken_us) and self._clock.now_us() < due_us:
            self._note(run, self.machine.next(due_us), ())

    def _note(self, run: Run, happening: Happening, routes: Sequence[Pocket]) -> None:
        self._on_happening(happening)
        match happening:
            case CardSeen(feed=feed):
                self.machine.route(feed, routes[feed - 1])
            case CardMeasured(feed=feed):
                run.measured[feed] = happening
            case Strobed(feed=feed, look=look):
                run.looks[feed, look] = happening.at_us
            case ImageArrived(number=number) if self._looking:
                run.taken_us[number] = happening.captured_us
                self.machine.show_image(number)
            case PictureArrived(number=number):
                run.pictures[number] = happening.png
            case CardLanded(feed=feed, pocket=pocket):
                run.landed[feed] = pocket
            case MachineStopped():
                run.stopped = happening
            case LinkWasLost() | McuWasRestarted():
                raise CalibrateError("calibrate.link_lost")

    def _finish(self, run: Run) -> None:
        self.machine.finish()
        while run.stopped is None:
            happening = self.machine.next(self._clock.now_us() + QUIET_US)
            self._note(run, happening, ())
            if isinstance(happening, RunEnded | TimePassed):
                return
