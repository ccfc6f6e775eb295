"""`calibrate camera`: where the camera looks, how sharp and in what light, from stop cards, blank ones and nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from controller.engine.stops import Fault, Step, before_start
from controller.geometry import STROBE_1_US
from controller.jobs.calibrate.errors import CalibrateError
from controller.jobs.calibrate.feed import failed, wide
from controller.jobs.calibrate.findings import Findings, Measure
from controller.jobs.calibrate.runs import Album, Run, Runs
from controller.jobs.people import People
from controller.machine.calibration import Calibration
from controller.machine.settings import settings
from controller.protocol.messages import Pocket
from deals.words import text
from vision.calibrate import Pictures, measure_camera

ROUNDS: Final = 4
MARKS: Final = 2
"""Stop cards in a round; a blank card follows them."""
DARK: Final = 3
TIE_US: Final = 5_000
"""An image is of a look when it was taken so near to its strobe."""
CARDS: Final = before_start(Fault.HOPPER_EMPTY, (Step.CLEAR_TRAY, Step.CAMERA_CARDS))


def calibrate_camera(runs: Runs, before: Calibration, people: People, album: Album) -> Findings:
    """Passes two stop cards and a blank one over the window a few times. CalibrateError when nobody loads them."""
    found = Findings("camera")
    machine = runs.machine
    values = wide(settings(machine.profile, machine.pocket_order, before), before)
    marks, marks_2, blanks = [], [], []
    for _ in range(ROUNDS):
        if people.act(CARDS, 0) is None:
            raise CalibrateError("calibrate.nobody", step=Step.CAMERA_CARDS.value)
        run = runs.run([Pocket.TRAY] * (MARKS + 1), values)
        if run.stopped is not None:
            runs.free()
            found.failed = failed(run)
            return found
        marks += list(_seen(run, range(1, MARKS + 1), 1))
        marks_2 += list(_seen(run, range(1, MARKS + 1), 2))
        blanks += list(_seen(run, [MARKS + 1], 1))
    people.act(before_start(Fault.TRAY_NOT_EMPTY, (Step.CLEAR_TRAY,)), 0)
    if len(marks) < ROUNDS * MARKS or len(blanks) < ROUNDS:
        values_ = {"seen": len(marks) + len(blanks), "due": ROUNDS * (MARKS + 1)}
        found.failed = text("calibrate.images_missing", values_)
        return found
    pictures = Pictures(marks, marks_2, blanks, [album.dark() for _ in range(DARK)])
    smear_mm = machine.profile.belt_mm_s * STROBE_1_US / 1_000_000
    for one in measure_camera(pictures, smear_mm):
        found.add(Measure(one.name, one.value, one.unit, one.low, one.high))
    return found


def _seen(run: Run, cards: Any, look: int) -> Iterator[Any]:
    """The pictures of one look of *cards*, those that there are."""
    for card in cards:
        due_us = run.looks.get((card, look))
        if due_us is None:
            continue
        yield from (
            pixels
            for taken_us, pixels in run.images
            if abs(taken_us - due_us) <= TIE_US and pixels is not None
        )
