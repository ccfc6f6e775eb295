"""The sections of a calibration: which there are, how each is measured, and what is kept of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

from controller import geometry
from controller.devices.ports import Clock
from controller.jobs.calibrate.camera import Figures, calibrate_camera
from controller.jobs.calibrate.errors import CalibrateError
from controller.jobs.calibrate.feed import calibrate_feed
from controller.jobs.calibrate.findings import Findings
from controller.jobs.calibrate.gates import GateCalibration
from controller.jobs.calibrate.runs import Runs
from controller.jobs.calibrate.sensors import calibrate_sensors
from controller.jobs.people import People
from controller.machine.calibration import Calibration, mark
from controller.machine.machine import Machine
from controller.protocol.messages import CalibrationKey
from controller.store.calibrations import CalibrationFile

SECTIONS: Final = ("feed", "gates", "sensors", "camera")
DAY_US: Final = 86_400 * 1_000_000


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a technician wants measured, and who it is."""

    section: str
    who: str
    card_mm: float = geometry.CARD_LENGTH_MM
    """Length of the cards in use along the belt, as measured with a calliper."""
    design: str = ""
    """Which cards were used."""
    label: bool = True
    """The machine has a label reader."""
    machine_id: str = ""
    """What the club calls the machine."""

    def of(self, section: str) -> Wanted:
        """The same of another section."""
        return replace(self, section=section)


def calibration_of(file: CalibrationFile) -> Calibration:
    """The values that a file keeps; names that this version does not know are left alone."""
    known = CalibrationKey.__members__
    return Calibration(
        {CalibrationKey[name]: value for name, value in file.values.items() if name in known}
    )


def measure(
    wanted: Wanted,
    machine: Machine,
    people: People,
    clock: Clock,
    file: CalibrationFile,
    figures: Figures,
) -> Findings:
    """Measures one section. All others want the feed calibrated before; the camera's pictures are
    measured by `figures`.
    """
    before = calibration_of(file)
    if wanted.section != "feed" and before.get(CalibrationKey.BELT_UM) is None:
        raise CalibrateError("calibrate.feed_first", section=wanted.section)
    machine.calibration = before
    runs = Runs(machine, people, clock, looking=wanted.section == "camera")
    if wanted.section == "feed":
        return calibrate_feed(runs, wanted.card_mm)
    if wanted.section == "camera":
        return calibrate_camera(runs, before, people, figures)
    if wanted.section == "gates":
        return GateCalibration(runs, before).run()
    return calibrate_sensors(runs, before, people, clock, label=wanted.label)


def keep(
    found: Findings, wanted: Wanted, machine: Machine, file: CalibrationFile, wall_us: int
) -> CalibrationFile:
    """Writes the section down; only values within their limits are used from now on, and these are
    kept in the MCU as well.
    """
    document: dict[str, Any] = {
        "who": wanted.who,
        "design": wanted.design,
        "date_us": wall_us,
        "good": found.good,
        "failed": found.failed,
        "notes": found.notes,
        "measures": [one.as_json() for one in found.measures],
    }
    values = dict(file.values)
    if found.good:
        values |= {key.name: value for key, value in found.values.items()}
        values[CalibrationKey.DATE.name] = wall_us // DAY_US
        if wanted.machine_id:
            values[CalibrationKey.MACHINE.name] = mark(wanted.machine_id)
    new = file.with_section(found.section, document, values)
    if found.good:
        calibration = calibration_of(new)
        machine.keep_calibration(calibration)
        machine.connect()
    new.save()
    return new
