"""`calibrate feed`: what the belt makes of a step, what the feeder loses, and where the tray is."""

from __future__ import annotations

import math
from typing import Final

from controller import geometry
from controller.jobs.calibrate.findings import Findings, Measure, mean
from controller.jobs.calibrate.runs import Run, Runs
from controller.machine.calibration import Calibration
from controller.machine.settings import settings
from controller.protocol.messages import CalibrationKey, Key, Leg, Pocket, Transit
from deals.words import text

CARDS: Final = 48
WIDE_MM: Final = 8.0
"""While nothing is known yet a card may seem so much longer or shorter than it is."""
WINDOW_MM: Final = 30.0


def wide(values: dict[Key, int], calibration: Calibration) -> dict[Key, int]:
    """Settings that suspect no card and believe a sensor wherever it is."""
    belt = calibration.belt_steps
    return {
        **values,
        Key.LENGTH_MIN: belt(geometry.CARD_LENGTH_MM - WIDE_MM),
        Key.LENGTH_MAX: belt(geometry.CARD_LENGTH_MM + WIDE_MM),
        Key.ARRIVAL_WINDOW: belt(WINDOW_MM),
        Key.THICKNESS_MAX: 1023,
        Key.GATE_MARGIN: belt(WIDE_MM),
        Key.PITCH: 2 * values[Key.PITCH],
    }


def half_tick(values: dict[Key, int]) -> float:
    """A passing sensor's edge is noticed at the next tick: so many belt steps late on average."""
    return values[Key.BELT_SPEED] / 1_000 / 2


def failed(run: Run) -> str:
    """Why a run could not be measured, in words; empty when it could."""
    if run.stopped is None:
        return ""
    return text("calibrate.stopped", {"reason": run.stopped.reason.name})


def feeder_lag(values: dict[Key, int]) -> float:
    """Belt steps that the belt makes more than the feeder while that comes to speed: it begins with the
    speed of its first step, is faster by the tick, and a step under way keeps its time.
    """
    speed, acceleration = values[Key.BELT_SPEED], values[Key.FEEDER_ACCELERATION]
    first = math.sqrt(2 * acceleration)
    missing = speed - first
    return missing**2 / 2 / acceleration + missing / 2_000 + math.log(speed / first) / 2


def average(transit: Transit) -> float:
    """Of at least one card."""
    return transit.sum / transit.count


def calibrate_feed(runs: Runs, card_mm: float = geometry.CARD_LENGTH_MM) -> Findings:
    """Feeds cards of measured length `card_mm` through to the tray."""
    found = Findings("feed")
    machine = runs.machine
    drawing = Calibration()
    values = wide(settings(machine.profile, machine.pocket_order, drawing), drawing)
    run = runs.run([Pocket.TRAY] * CARDS, values)
    if run.stopped is not None:
        runs.free()
        found.failed = failed(run)
        return found
    lengths = [card.length_mm * geometry.STEPS_PER_MM for card in run.measured.values()]
    belt_um = card_mm * 100_000 / mean(lengths)
    now = Calibration({CalibrationKey.BELT_UM: round(belt_um)})
    leg = run.transit[Leg.WINDOW]
    after_grip = now.belt_steps(geometry.HOPPER_TO_WINDOW_MM - geometry.BELT_GRIPS_AT_MM)
    pushed = average(leg) - feeder_lag(values) - after_grip
    slip = 1_000 * (1 - geometry.steps(geometry.BELT_GRIPS_AT_MM) / pushed)
    tray = average(run.transit[Leg.TRAY]) - half_tick(values)
    spread = now.belt_mm(leg.most - leg.least)
    found.add(Measure("belt", belt_um / 100, "um", 97.0, 103.0))
    found.add(Measure("slip", slip / 10, "%", -1.0, 6.0))
    found.add(Measure("spread", spread, "mm", 0.0, 5.0))
    drawn = geometry.tray_mm() - geometry.HOPPER_TO_WINDOW_MM
    found.add(Measure("tray", now.belt_mm(tray) - drawn, "mm", -6.0, 6.0))
    found.values = {
        CalibrationKey.BELT_UM: round(belt_um),
        CalibrationKey.FEEDER_SLIP: max(0, round(slip)),
        CalibrationKey.TRAY_PLACE: round(tray),
    }
    return found
