"""A host that has lost its store takes the calibration back from the MCU, if it is this machine's."""

from __future__ import annotations

from calendar import isleap, monthrange
from dataclasses import replace

from controller.jobs.calibrate.errors import CalibrateError
from controller.link.errors import RefusedError
from controller.machine.calibration import DRAWING, mark
from controller.machine.machine import Machine
from controller.protocol.messages import CalibrationKey
from controller.store.calibrations import CalibrationFile


def is_lost(file: CalibrationFile, machine: Machine) -> bool:
    """Whether the MCU of an open session keeps values, and the store has none."""
    return (
        not file.values and machine.identity is not None and bool(machine.identity.calibration_crc)
    )


def take_back(file: CalibrationFile, machine: Machine, machine_id: str) -> CalibrationFile:
    """The file with the values that the MCU keeps, written and in use; CalibrateError where it is in doubt
    whether they are this machine's, or whole.
    """
    try:
        kept = machine.kept_calibration()
    except RefusedError as error:  # firmware that knows other values than this host
        raise CalibrateError("calibrate.board_damaged") from error
    if kept == DRAWING or machine.identity is None or kept.crc != machine.identity.calibration_crc:
        raise CalibrateError("calibrate.board_damaged")
    if not machine_id or kept.get(CalibrationKey.MACHINE) is None:
        raise CalibrateError("calibrate.board_unnamed")
    if kept.get(CalibrationKey.MACHINE) != mark(machine_id):
        raise CalibrateError("calibrate.board_of_another", machine=machine_id)
    new = replace(file, values={key.name: value for key, value in kept.values.items()})
    new.save()
    machine.calibration = kept
    machine.connect()  # configures it by what was measured
    return new


def measured_on(file: CalibrationFile) -> str:
    """The day of the newest section, as the values tell it: YYYY-MM-DD. 1970-01-01 of a host without a date."""
    days, year, month = file.values.get(CalibrationKey.DATE.name, 0), 1970, 1
    while days >= (length := 365 + isleap(year)):
        days, year = days - length, year + 1
    while days >= (length := monthrange(year, month)[1]):
        days, month = days - length, month + 1
    return f"{year}-{month:02}-{days + 1:02}"
