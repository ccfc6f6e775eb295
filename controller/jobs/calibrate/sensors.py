"""`calibrate sensors`: thickness and back of the cards in use, pockets empty and full, label, emergency stop."""

from __future__ import annotations

from collections import Counter
from typing import Final

from controller.devices.happenings import Input, InputMoved, MachineStopped, TimePassed
from controller.devices.ports import Clock
from controller.engine.stops import Fault, Step, before_start
from controller.jobs.calibrate.errors import CalibrateError
from controller.jobs.calibrate.feed import failed, wide
from controller.jobs.calibrate.findings import Findings, Measure, mean
from controller.jobs.calibrate.runs import Runs
from controller.jobs.people import People
from controller.machine.calibration import Calibration
from controller.machine.settings import settings
from controller.protocol.messages import CalibrationKey, Key, Pocket, StopReason
from deals.words import text

ROUNDS: Final = 6
LABEL_LOOKS: Final = 5
SETTLE_US: Final = 4_000
"""An input is told this long after it moved, at most."""
PRESS_US: Final = 60_000_000
"""So long a person may take to press the emergency stop."""
PRESENT: Final = {pocket: Input[f"PRESENT_{pocket.name}"] for pocket in Pocket}


def calibrate_sensors(
    runs: Runs, before: Calibration, people: People, clock: Clock, *, label: bool = True
) -> Findings:
    """Feeds some cards into every pocket. `label`: the machine has a label reader."""
    found = Findings("sensors")
    machine = runs.machine
    values = wide(settings(machine.profile, machine.pocket_order, before), before)
    runs.prepare()
    if people.act(before_start(Fault.POCKET_NOT_EMPTY, (Step.COLLECT_ALL,)), 0) is None:
        raise CalibrateError("calibrate.nobody", step=Step.COLLECT_ALL.value)
    runs.prepare()
    _pockets(found, runs, full=False)
    run = runs.run([*Pocket] * ROUNDS, values)
    if run.stopped is not None:
        runs.free()
        found.failed = failed(run)
        return found
    thickness = [card.thickness_um for card in run.measured.values()]
    backs = Counter(card.back for card in run.measured.values())
    back, alike = backs.most_common(1)[0]
    found.add(Measure("thickness", mean(thickness), "um", 240, 360))
    found.add(Measure("thickness_spread", max(thickness) - min(thickness), "um", 0, 60))
    found.add(Measure("back", 100 * alike / len(run.measured), "%", 90, 100))
    found.values = {
        CalibrationKey.THICKNESS: round(mean(thickness)),
        CalibrationKey.BACK: back,
    }
    machine.state()
    _pockets(found, runs, full=True)
    if label:
        read = sum(machine.label() is not None for _ in range(LABEL_LOOKS))
        found.add(Measure("label", 100 * read / LABEL_LOOKS, "%", 100, 100))
    _emergency_stop(found, runs, values, people, clock)
    return found


def _pockets(found: Findings, runs: Runs, *, full: bool) -> None:
    """Each presence switch must show what is there."""
    name = "pocket_full" if full else "pocket_empty"
    for pocket, switch in PRESENT.items():
        right = runs.machine.inputs[switch] is full
        found.add(Measure(f"{name}:{pocket.name}", float(right), "", 1, 1))


def _emergency_stop(
    found: Findings, runs: Runs, values: dict[Key, int], people: People, clock: Clock
) -> None:
    """The belt runs without cards and a person presses the button. Its input is told when it has
    settled, the stop at once: so the stop came at most so long after the button.
    """
    machine = runs.machine
    runs.prepare()
    machine.configure(values)
    machine.start(machine.next_run)
    people.act(before_start(Fault.EMERGENCY_STOP, (Step.PRESS_STOP,)), 0)
    stopped_us = moved_us = None
    deadline = clock.now_us() + PRESS_US
    while stopped_us is None or moved_us is None:
        match machine.next(deadline):
            case MachineStopped(at_us=at_us, reason=StopReason.ESTOP):
                stopped_us = at_us
            case InputMoved(at_us=at_us, input=Input.ESTOP, on=False):
                moved_us = at_us
            case MachineStopped() | TimePassed():
                break
            case _:
                continue
    if stopped_us is None or moved_us is None:
        machine.stop()
        found.failed = text("calibrate.not_pressed")
        return
    at_most_us = max(1, stopped_us - moved_us + SETTLE_US)
    found.add(Measure("estop", at_most_us / 1_000, "ms", 0, 2.0))
    found.values[CalibrationKey.ESTOP_US] = at_most_us
    runs.prepare(before_start(Fault.EMERGENCY_STOP, (Step.RELEASE_STOP,)))
