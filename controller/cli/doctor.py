"""`predeal doctor`: is everything there that the daemon needs, and if not, what to do about it."""

from __future__ import annotations

import importlib
import os
import shutil
import stat
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from controller.cli.daemon import CONFIG_FILE
from controller.cli.output import Exit, complain, emit, finish, json_option
from controller.errors import StoreError
from controller.jobs.calibrate.lost import measured_on
from controller.store.calibrations import CalibrationFile
from deals.errors import PredealError
from deals.words import text

if TYPE_CHECKING:
    from controller.api.models import StateView
    from controller.config import Config

EARLIEST_S: Final = 1_735_689_600
"""2025-01-01: a clock that shows less was never set."""
LIBRARIES: Final = ("serial", "cv2", "numpy", "pyzbar.pyzbar", "cryptography", "sqlalchemy")
HELLO_US: Final = 3_000_000
SENT_LEAST: Final = 500
"""Fewer commands tell nothing about a cable."""
CALIBRATED: Final = ("feed", "gates", "sensors")


class DoctorError(PredealError, RuntimeError):
    """Something that is not as it must be, with what to do about it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One check: what was found, with the remedy in it when it is not well."""

    check: str
    ok: bool
    message: str


Check = Callable[["Config", "StateView | None"], str]


@click.command()
@click.option("--config", "file", type=click.Path(path_type=Path), help="The configuration.")
@json_option
def doctor(as_json: bool, file: Path | None) -> None:
    """Check configuration, libraries, port, firmware, camera, labels, pins, disk, clock, rights.

    While the daemon runs it is asked: nothing is opened beside it.
    """
    findings: list[Finding] = []
    for finding in examine(file):
        findings.append(finding)
        if not as_json:
            mark = click.style("✔", "green") if finding.ok else click.style("■", "red")
            click.echo(f"{mark} {finding.check:<13} {finding.message}")
    if as_json:
        emit([asdict(finding) for finding in findings])
        for finding in findings:
            if not finding.ok:
                complain(finding.message)
    finish(Exit.DONE if all(finding.ok for finding in findings) else Exit.COULD_NOT)


def examine(file: Path | None) -> Iterator[Finding]:
    """All checks in their order; without a configuration that can be read there is only one."""
    from controller.config import Config, load  # late: pydantic

    if file is None and CONFIG_FILE.is_file():
        file = CONFIG_FILE
    try:
        config = load(file) if file else Config()
    except PredealError as error:
        yield Finding("configuration", False, error.text())
        return
    said = text("doctor.config", {"file": file}) if file else text("doctor.config_default")
    yield Finding("configuration", True, said)
    state = _running(config)
    for name, check in CHECKS.items():
        yield _finding(name, check, config, state)


def _finding(name: str, check: Check, config: Config, state: StateView | None) -> Finding:
    try:
        return Finding(name, True, check(config, state))
    except PredealError as error:
        return Finding(name, False, error.text())
    except OSError as error:
        reason = error.strerror or type(error).__name__
        return Finding(name, False, DoctorError("doctor.refused", reason=reason).text())


def _running(config: Config) -> StateView | None:
    from controller.client.client import Client
    from controller.client.errors import ClientError

    try:
        return Client(config.daemon.socket, "doctor").state()
    except ClientError:
        return None


# -- the checks: each gives a sentence, or raises one with a remedy ---------------------------


def _libraries(config: Config, state: StateView | None) -> str:
    names = list(LIBRARIES)
    if config.pins.source == "rpi":
        names.append("RPi.GPIO")
    if config.camera.source.startswith("picamera2"):
        names.append("picamera2")
    missing = []
    for name in names:
        try:
            importlib.import_module(name)
        except (ImportError, RuntimeError, OSError):  # RPi.GPIO off a Pi raises RuntimeError
            missing.append(name)
    if missing:
        raise DoctorError("doctor.libraries_missing", libraries=missing)
    return text("doctor.libraries", {"count": len(names)})


def _daemon(config: Config, state: StateView | None) -> str:
    if state is not None:
        return text("doctor.daemon", {"words": state.words})
    path = config.daemon.socket
    if path.exists() and not os.access(path, os.W_OK):
        raise DoctorError("client.not_allowed", path=path)
    raise DoctorError("client.no_daemon", path=path)


def _port(config: Config, state: StateView | None) -> str:
    if state is not None:
        if state.machine.problem:
            raise DoctorError("doctor.machine", problem=state.machine.problem)
        return text("doctor.port", {"port": config.serial.port})
    if not config.serial.port.exists():
        raise DoctorError("port.none", port=config.serial.port)
    if not os.access(config.serial.port, os.R_OK | os.W_OK):
        raise DoctorError("port.not_allowed", port=config.serial.port)
    return text("doctor.port", {"port": config.serial.port})


def _firmware(config: Config, state: StateView | None) -> str:
    if state is not None:
        if not state.machine.connected:
            raise DoctorError("link.no_answer")
        return text("doctor.firmware", {"version": state.machine.firmware})
    from controller.devices.proving import answers_hello  # late: opens devices
    from controller.devices.realtime import RealTime
    from controller.devices.serial_port import SerialPort
    from controller.link.link import Link
    from controller.protocol.messages import PROTOCOL_VERSION, Hello

    clock = RealTime()
    port = SerialPort(str(config.serial.port), clock.wake)
    try:
        link = Link(port, clock, clock.wait)
        port.prove(answers_hello(link, clock, HELLO_US))
        word = link.hello(Hello(PROTOCOL_VERSION)).firmware
    finally:
        port.close()
        clock.close()
    version = f"{word >> 24}.{word >> 16 & 0xFF}.{word & 0xFFFF}"
    return text("doctor.firmware", {"version": version})


def _settings(config: Config, state: StateView | None) -> str:
    """A file that was changed under a running daemon says nothing of what that does."""
    machine = config.machine
    wanted = {
        "id": machine.id,
        "profile": machine.profile,
        "pocket_order": machine.pocket_order,
    }
    if state is not None:
        running = {key: getattr(state.machine, key) for key in wanted}
        other = [key for key, value in wanted.items() if running[key] not in ("", value)]
        if other:
            raise DoctorError("doctor.settings_other", keys=other)
    return text("doctor.settings", wanted)


def _wire(config: Config, state: StateView | None) -> str:
    """What host and MCU have counted; a noisy cable is told before the link is lost."""
    if state is None:
        return text("doctor.wire_unasked")
    from controller.client.client import Client

    found = Client(config.daemon.socket, "doctor").figures()
    sent, retries = found.link.get("sent", 0), found.link.get("retries", 0)
    if found.mcu.get("worn"):
        raise DoctorError("doctor.eeprom_worn", worn=found.mcu["worn"])
    if sent > SENT_LEAST and retries * 100 > sent:
        raise DoctorError("doctor.wire_noisy", retries=retries, sent=sent)
    values = {
        "dropped": found.link.get("dropped", 0) + found.mcu.get("dropped", 0),
        "retries": retries,
        "late": found.mcu.get("late_routes", 0),
        "glitches": found.mcu.get("glitches", 0),
        "worn": found.mcu.get("worn", 0),
    }
    return text("doctor.wire", values)


def _calibrated(config: Config, state: StateView | None) -> str:
    """An uncalibrated machine runs by the drawing: no error, but it is said."""
    file = CalibrationFile.load(config.store.state_dir)
    sections = file.sections
    if file.values and not sections:
        return text("calibrate.taken_back", {"date": measured_on(file)})
    missing = [name for name in CALIBRATED if not sections.get(name, {}).get("good")]
    if missing:
        return text("doctor.not_calibrated", {"missing": ", ".join(missing)})
    dates = {
        name: time.strftime("%Y-%m-%d", time.gmtime(sections[name]["date_us"] / 1_000_000))
        for name in CALIBRATED
    }
    told = ", ".join(f"{name} {date}" for name, date in dates.items())
    return text("doctor.calibrated", {"sections": told})


def _camera(config: Config, state: StateView | None) -> str:
    source = config.camera.source
    if state is None:
        from controller.devices.cameras import open_camera  # late: opens devices
        from controller.devices.realtime import RealClock

        camera = open_camera(source, RealClock())
        try:
            problem = camera.problem()
        finally:
            camera.close()
        if problem is not None:
            raise problem
    return text("doctor.camera", {"camera": source})


def _design(config: Config, state: StateView | None) -> str:
    from vision.design import load

    return text("doctor.design", {"design": load(config.machine.design).name})


def _labels(config: Config, state: StateView | None) -> str:
    kind, _, place = config.labels.source.partition(":")
    if kind == "none":
        return text("doctor.labels_none")
    if not Path(place).is_socket():
        raise DoctorError("doctor.labels_missing", path=place)
    return text("doctor.labels", {"path": place})


def _pins(config: Config, state: StateView | None) -> str:
    kind, _, place = config.pins.source.partition(":")
    if kind == "none":
        return text("doctor.pins_none")
    if kind == "socket" and not Path(place).is_socket():
        raise DoctorError("pins.nobody", path=place)
    if kind == "rpi" and state is None:
        from controller.devices.realtime import RealClock
        from controller.pins.rpi import RpiPins

        pins = RpiPins(RealClock())
        try:
            problems = pins.self_test()
        finally:
            pins.close()
        if problems:
            raise problems[0]
    return text("doctor.pins", {"pins": config.pins.source})


def _disk(config: Config, state: StateView | None) -> str:
    from controller.store.store import RESERVE_BYTES

    folder = config.store.state_dir
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    if free < RESERVE_BYTES:
        raise StoreError(
            "store.little_room",
            path=folder,
            free_mb=free // 1_000_000,
            needed_mb=RESERVE_BYTES // 1_000_000,
        )
    return text("doctor.disk", {"free_mb": free // 1_000_000, "path": folder})


def _clock(config: Config, state: StateView | None) -> str:
    now_s = time.time()
    newest_s = max((path.stat().st_mtime for path in _kept(config)), default=0.0)
    if now_s < max(EARLIEST_S, newest_s - 86_400):
        raise DoctorError("doctor.clock_wrong", date=time.strftime("%Y-%m-%d %H:%M"))
    return text("doctor.clock", {"date": time.strftime("%Y-%m-%d %H:%M")})


def _rights(config: Config, state: StateView | None) -> str:
    folder = config.store.state_dir
    if not folder.exists():
        return text("doctor.rights_new", {"path": folder})
    open_ones = [
        str(path)
        for path in (folder, *_kept(config))
        if stat.S_IMODE(path.stat().st_mode) & (stat.S_IRWXO | stat.S_IRWXG)
        and (path == folder or path.suffix in (".key", ".db"))
    ]
    if open_ones:
        raise DoctorError("doctor.rights_open", paths=open_ones)
    return text("doctor.rights", {"path": folder})


def _kept(config: Config) -> list[Path]:
    folder = config.store.state_dir
    return list(folder.iterdir()) if os.access(folder, os.R_OK | os.X_OK) else []


CHECKS: Final[dict[str, Check]] = {
    "libraries": _libraries,
    "daemon": _daemon,
    "port": _port,
    "firmware": _firmware,
    "settings": _settings,
    "wire": _wire,
    "calibration": _calibrated,
    "camera": _camera,
    "design": _design,
    "labels": _labels,
    "pins": _pins,
    "disk": _disk,
    "clock": _clock,
    "rights": _rights,
}
