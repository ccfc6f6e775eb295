"""A daemon whose store has lost its calibration takes it back from the MCU, or says why it does not."""

from __future__ import annotations

import json
from datetime import date, timedelta

import pytest

from controller.api.models import DaemonState
from controller.daemon.parts import Built
from controller.geometry import PROFILES
from controller.jobs.calibrate.lost import measured_on
from controller.jobs.calibrate.sections import calibration_of
from controller.link.errors import RefusedError
from controller.machine.calibration import DRAWING, mark
from controller.machine.machine import Machine
from controller.machine.settings import settings, settings_crc
from controller.protocol.messages import CalibrationKey, NakReason, ResetCause, State
from controller.store.calibrations import CalibrationFile
from tests.unit.daemon.club import Club
from tests.unit.daemon.test_calibrating import measured


def life(tmp_path, name: str = "club", before: Club | None = None) -> Club:
    """A daemon that keeps its calibration in this folder; `before` is the life before it."""
    kept = CalibrationFile.load(tmp_path)
    built = Built(PROFILES["standard"], "identity", id=name, calibrations=kept)
    if before is None:
        return Club(built=built)
    before.world.reset_mcu(ResetCause.BROWN_OUT)  # whoever exchanges a computer switches off
    return before.again(built=built)


def measured_feed(tmp_path, name: str = "club") -> Club:
    """A machine whose feed was measured once; the store is lost since."""
    club = life(tmp_path, name)

    def script():
        yield club.is_in(DaemonState.IDLE)
        yield from measured(club, "feed")

    club.run(script())
    (tmp_path / "calibration.json").rename(tmp_path / "lost.json")
    return club


def next_life(club: Club, tmp_path, name: str = "club") -> Club:
    """A daemon begins at the same machine, without any calibration of its own."""
    later = life(tmp_path, name, club)

    def script():
        yield lambda: later.state.machine.connected
        yield from later.seconds(2)

    later.run(script())
    return later


def test_a_store_that_has_lost_its_calibration_takes_it_back_from_the_board(tmp_path):
    club = measured_feed(tmp_path)
    lost = json.loads((tmp_path / "lost.json").read_text())["values"]
    later = next_life(club, tmp_path)
    file = CalibrationFile.load(tmp_path)
    assert file.values == {name: value for name, value in lost.items() if value}
    assert file.values["MACHINE"] == mark("club") and file.sections == {}
    notice = later.state.machine.notice
    day = measured_on(file)
    assert (notice.code, notice.values) == ("calibrate.taken_back", {"date": day})
    assert [entry.what for entry in later.entries].count("calibration taken back") == 1
    assert any(f"That of {day}" in line for line in later.log)
    # It is in use: the MCU is configured by it and not by the drawing.
    measured = settings(PROFILES["standard"], calibration=calibration_of(file))
    assert later.daemon._machine.calibration.values == calibration_of(file).values
    assert later.daemon._machine.connect().config_crc == settings_crc(measured)
    # The life after that finds the store whole and has nothing to say.
    assert next_life(later, tmp_path).state.machine.notice is None


@pytest.mark.parametrize(
    ("measured_as", "named_now", "code"),
    [
        ("club", "other", "calibrate.board_of_another"),
        ("", "club", "calibrate.board_unnamed"),
        ("club", "", "calibrate.board_unnamed"),
    ],
)
def test_a_board_of_another_machine_is_told_and_not_used(tmp_path, measured_as, named_now, code):
    club = measured_feed(tmp_path, measured_as)
    later = next_life(club, tmp_path, named_now)
    assert later.state.machine.notice.code == code
    assert CalibrationFile.load(tmp_path).values == {}
    assert later.daemon._machine.calibration == DRAWING
    assert "calibration taken back" not in [entry.what for entry in later.entries]
    assert sum("calibrate" in line for line in later.log) == 1


def test_values_that_do_not_fit_their_checksum_are_told_and_not_used(tmp_path, monkeypatch):
    club = measured_feed(tmp_path)
    kept = Machine.kept_calibration
    monkeypatch.setattr(
        Machine,
        "kept_calibration",
        lambda machine: kept(machine).with_values({CalibrationKey.BELT_UM: 9_999}),
    )
    later = next_life(club, tmp_path)
    assert later.state.machine.notice.code == "calibrate.board_damaged"
    assert CalibrationFile.load(tmp_path).values == {}


def test_firmware_with_other_values_is_told_and_the_machine_lives_on(tmp_path, monkeypatch):
    club = measured_feed(tmp_path)

    def refused(machine: Machine) -> None:
        raise RefusedError("GETCALIBRATION", NakReason.BAD_VALUE, State.UNKNOWN)

    monkeypatch.setattr(Machine, "kept_calibration", refused)
    later = next_life(club, tmp_path)
    assert later.state.machine.notice.code == "calibrate.board_damaged"
    assert later.state.machine.connected


def test_measured_anew_the_doubt_is_gone(tmp_path):
    club = measured_feed(tmp_path)
    later = club.again(
        built=Built(
            PROFILES["standard"],
            "identity",
            id="other",
            calibrations=CalibrationFile.load(tmp_path),
        )
    )

    def script():
        yield lambda: later.state.machine.notice is not None
        yield later.is_in(DaemonState.IDLE)
        yield from measured(later, "feed")
        yield from later.seconds(1)

    later.run(script())
    assert later.state.machine.notice is None
    assert CalibrationFile.load(tmp_path).values["MACHINE"] == mark("other")


def test_a_machine_that_was_never_measured_says_nothing(tmp_path):
    assert next_life(life(tmp_path), tmp_path).state.machine.notice is None


@pytest.mark.parametrize("days", [0, 1, 58, 59, 364, 365, 789, 790, 11_016, 20_787, 65_535])
def test_the_day_is_that_of_the_calendar(days):
    file = CalibrationFile(values={"DATE": days})
    assert measured_on(file) == (date(1970, 1, 1) + timedelta(days)).isoformat()
