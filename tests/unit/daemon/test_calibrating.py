"""A calibration through the daemon: only without a job, people asked as at a stop, values used at once."""

from __future__ import annotations

import sys
import time

import pytest

from controller.api.errors import ApiError
from controller.api.models import (
    CalibrateRequest,
    CalibrationRequest,
    DaemonState,
    FiguresRequest,
)
from controller.daemon.figures import LIMIT_US, FiguresApart
from controller.daemon.parts import Built
from controller.devices.realtime import RealClock
from controller.geometry import PROFILES
from controller.jobs.calibrate.camera import Shots
from controller.jobs.calibrate.errors import CalibrateError
from controller.jobs.calibrate.figures import figures_here
from controller.protocol.messages import CalibrationKey
from controller.store.calibrations import CalibrationFile
from controller.twin.pictures import DrawnPictures, conditions_of
from controller.twin.world.build import Mount
from tests.unit.daemon.club import Club


def club_of(tmp_path=None) -> Club:
    """A daemon whose calibration is kept in a folder."""
    return Club(
        built=Built(PROFILES["standard"], "identity", calibrations=CalibrationFile.load(tmp_path))
    )


def measured(club: Club, section: str):
    """Begins, does what is asked, and waits for the end."""
    answer = club.ask(CalibrateRequest(by="anna", section=section))
    yield answer.done
    answer.result()
    hands = club.world.hands
    while True:
        yield club.is_in(DaemonState.WAITS, DaemonState.IDLE)
        if club.state.state is DaemonState.IDLE:
            return
        steps = club.state.stop.steps
        if "right_board" in steps:
            yield from club.change_board(1, pack=False)
        if "clear_tray" in steps and hands.sees_cards_in_tray():
            yield from club.do(hands.take_tray())
        if "camera_cards" in steps:
            yield from club.do(hands.load_camera_cards())
        if "fill_hopper" in steps:
            yield from club.do(hands.load_pack(stop_card_behind=True))
        if "collect_all" in steps:
            yield from club.collect_all()
        if "free_jam" in steps:
            yield from club.do(hands.clear_belt())
        if "press_stop" in steps:
            yield from club.do(hands.press_estop())
        if "release_stop" in steps:
            yield from club.do(hands.release_estop())
        answer = club.resume()
        yield answer.done
        yield lambda steps=steps: club.state.stop is None or club.state.stop.steps != steps


def test_feed_and_sensors_are_measured_kept_and_told(tmp_path):
    club = club_of(tmp_path)
    told = []

    def script():
        yield club.is_in(DaemonState.IDLE)
        yield from measured(club, "feed")
        yield from measured(club, "sensors")
        asked = club.ask(CalibrationRequest())
        yield asked.done
        told.append(asked.result())
        yield from club.seconds(3)
        asked = club.ask(FiguresRequest())
        yield asked.done
        told.append(asked.result())

    club.run(script())
    view, figures = told
    assert view.problem == ""
    assert view.sections["feed"]["who"] == "anna"
    assert view.sections["sensors"]["good"], view.sections["sensors"]
    assert abs(view.values["BELT_UM"] - 10_000) <= 15
    assert CalibrationFile.load(tmp_path).values == view.values
    assert CalibrationKey.ESTOP_US.name in view.values
    kinds = [event.kind for event in club.events.since("life-0")]
    assert kinds.count("calibration") == 2
    assert [entry.what for entry in club.entries].count("calibrate") == 2
    assert set(figures.mcu) >= {"retries", "glitches", "late_routes", "dropped", "worn"}
    # The last run, without cards, was that of the emergency stop.
    assert figures.transit_mm == {}


def test_a_busy_machine_is_not_measured_and_a_measured_one_is_busy(tmp_path):
    club = club_of(tmp_path)

    def script():
        yield club.is_in(DaemonState.IDLE)
        first = club.ask(CalibrateRequest(by="anna", section="feed"))
        yield first.done
        second = club.ask(CalibrateRequest(by="bert", section="feed"))
        yield second.done
        with pytest.raises(ApiError):
            second.result()
        yield club.is_in(DaemonState.WAITS)
        answer = club.stop("bert", end=True)
        yield answer.done
        yield club.is_in(DaemonState.IDLE)
        asked = club.ask(CalibrationRequest())
        yield asked.done
        assert "nobody" in asked.result().problem or "given up" in asked.result().problem

    club.run(script())
    assert club.firmware.outputs == 0
    assert CalibrationFile.load(tmp_path).sections == {}


def test_the_camera_is_measured_from_the_pictures_of_the_eye(tmp_path):
    mount = Mount(across=4, scale=10, focus=6)
    profile = PROFILES["standard"]
    file = CalibrationFile(tmp_path / "calibration.json", {"BELT_UM": 10_000})
    club = Club(
        built=Built(profile, "standard", calibrations=file),
        pictures=DrawnPictures.of_design("standard", profile, conditions_of(mount)),
    )
    asked_of = []

    def figures(shots: Shots, smear_mm: float):
        asked_of.append((shots, smear_mm))
        return figures_here(shots, smear_mm)

    club.parts.figures = figures

    def script():
        yield club.is_in(DaemonState.IDLE)
        yield from measured(club, "camera")

    club.run(script())
    section = CalibrationFile.load(tmp_path).sections["camera"]
    assert (section["who"], section["failed"], section["notes"]) == ("anna", "", [])
    found = {one["name"]: one["value"] for one in section["measures"]}
    assert found["window_scale"] == pytest.approx(10.1, abs=0.08)
    assert found["mark_seen"] == 100
    ((shots, smear_mm),) = asked_of
    assert [len(s) for s in (shots.marks, shots.marks_2, shots.blanks, shots.dark)] == [8, 8, 4, 3]
    assert smear_mm == pytest.approx(0.135)
    apart = FiguresApart(club.daemon._machine, RealClock())
    club.daemon._machine.next = lambda until_us: time.sleep(0.02)  # the machine is gone by now
    told = {one.name: round(one.value, 3) for one in apart(shots, smear_mm)}
    assert told == found


@pytest.mark.parametrize("what", ["raise SystemExit(1)", "print('no figures')"])
def test_a_measuring_that_fails_is_told(what: str):
    class Machine:
        def next(self, until_us: int) -> None:
            time.sleep(0.01)

    apart = FiguresApart(Machine(), RealClock(), [sys.executable, "-c", what])  # type: ignore[arg-type]
    with pytest.raises(CalibrateError, match="the program that measures them failed"):
        apart(Shots(), 0.1)


def test_a_measuring_that_hangs_is_ended():
    now = [0]

    class Machine:
        def next(self, until_us: int) -> None:
            now[0] += LIMIT_US // 2

    class Clock:
        def now_us(self) -> int:
            return now[0]

    hangs = [sys.executable, "-c", "import time; time.sleep(600)"]
    with pytest.raises(CalibrateError):
        FiguresApart(Machine(), Clock(), hangs)(Shots(), 0.1)  # type: ignore[arg-type]
