"""`calibrate camera`: where the camera looks, how sharp and in what light, from stop cards, blank ones and nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

from controller.engine.stops import Fault, Step, before_start
from controller.geometry import STROBE_1_US
from controller.jobs.calibrate.errors import CalibrateError
from controller.jobs.calibrate.feed import failed, wide
from controller.jobs.calibrate.findings import Findings, Measure
from controller.jobs.calibrate.runs import Run, Runs
from controller.jobs.people import People
from controller.machine.calibration import Calibration
from controller.machine.settings import settings
from controller.protocol.messages import Pocket
from deals.words import text

ROUNDS: Final = 4
MARKS: Final = 2
"""Stop cards in a round; a blank card follows them."""
DARK: Final = 3
CARDS: Final = before_start(Fault.HOPPER_EMPTY, (Step.CLEAR_TRAY, Step.CAMERA_CARDS))


@dataclass(slots=True)
class Shots:
    """What the camera saw, as PNG of whole windows."""

    marks: list[bytes] = field(default_factory=list)
    """Stop cards at look 1."""
    marks_2: list[bytes] = field(default_factory=list)
    """The same at look 2."""
    blanks: list[bytes] = field(default_factory=list)
    """Blank cards at look 1."""
    dark: list[bytes] = field(default_factory=list)
    """The empty window without the strobe."""


Figures = Callable[[Shots, float], Iterable[Measure]]
"""Measures what shots show; the second value is the way of the belt during a strobe, in mm. It needs
OpenCV, so the daemon has it done in another process.
"""


def calibrate_camera(runs: Runs, before: Calibration, people: People, figures: Figures) -> Findings:
    """Passes two stop cards and a blank one over the window a few times. CalibrateError when nobody loads them."""
    found = Findings("camera")
    machine = runs.machine
    values = wide(settings(machine.profile, machine.pocket_order, before), before)
    shots = Shots()
    for _ in range(ROUNDS):
        if people.act(CARDS, 0) is None:
            raise CalibrateError("calibrate.nobody", step=Step.CAMERA_CARDS.value)
        run = runs.run([Pocket.TRAY] * (MARKS + 1), values)
        if run.stopped is not None:
            runs.free()
            found.failed = failed(run)
            return found
        _add(shots, run)
    people.act(before_start(Fault.TRAY_NOT_EMPTY, (Step.CLEAR_TRAY,)), 0)
    seen, due = len(shots.marks) + len(shots.blanks), ROUNDS * (MARKS + 1)
    if seen < due:
        found.failed = text("calibrate.images_missing", {"seen": seen, "due": due})
        return found
    _add_dark(shots, runs)
    if not shots.dark:
        found.notes.append(text("calibrate.no_dark"))
    smear_mm = machine.profile.belt_mm_s * STROBE_1_US / 1_000_000
    for one in figures(shots, smear_mm):
        found.add(one)
    return found


def _add(shots: Shots, run: Run) -> None:
    """The pictures of one round."""
    for card in range(1, MARKS + 2):
        first, second = run.looked(card, 1), run.looked(card, 2)
        if card > MARKS:
            shots.blanks += [first] if first else []
        else:
            shots.marks += [first] if first else []
            shots.marks_2 += [second] if second else []


def _add_dark(shots: Shots, runs: Runs) -> None:
    for _ in range(DARK):
        picture = runs.shoot()
        if picture is None:
            return  # a camera that cannot now cannot in two seconds either
        shots.dark.append(picture)
