"""The daemon as a process: lock, socket, devices, loop, and an orderly end."""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import sys
import time as system_time
from collections.abc import Callable
from importlib.metadata import version

from controller.api.app import make_app
from controller.api.desk import Desk
from controller.api.events import EventRing
from controller.api.server import Server
from controller.config import Config
from controller.daemon.daemon import Daemon
from controller.daemon.hardware import Hardware
from controller.daemon.live import first_state
from controller.daemon.notify import Notifier
from controller.daemon.parts import Built
from controller.devices.memory import give_back, one_heap
from controller.devices.realtime import RealTime
from controller.geometry import PROFILES
from controller.store.calibrations import CalibrationFile
from controller.store.store import Store

SWITCH_S = 0.001
"""No thread of the API keeps the control loop waiting for longer than this."""


class _StoreTime:
    """The loop's clock with the date."""

    def __init__(self, time: RealTime) -> None:
        self._time = time

    def now_us(self) -> int:
        return self._time.now_us()

    def wall_us(self) -> int:
        return system_time.time_ns() // 1000


def serve(config: Config, report: Callable[[str], None]) -> None:
    """Runs until SIGTERM or SIGINT. A second daemon on the same store or port refuses."""
    sys.setswitchinterval(SWITCH_S)
    one_heap()
    time = RealTime()
    simulated = config.machine.simulated
    state_dir = config.store.state_dir
    with (
        contextlib.closing(time),
        Store.open(state_dir, _StoreTime(time), os.urandom, twin=simulated) as store,
        contextlib.closing(Hardware(config, time, report)) as hardware,
    ):
        _serve(config, store, hardware, time, report)


def _serve(
    config: Config,
    store: Store,
    hardware: Hardware,
    time: RealTime,
    report: Callable[[str], None],
) -> None:
    events = EventRing(secrets.token_hex(4))
    desk = Desk(events, first_state(events), time.wake)
    notifier = Notifier.of_system(time)
    machine = config.machine
    built = Built(
        PROFILES[machine.profile],
        machine.design,
        machine.pocket_order,
        machine.box,
        machine.id,
        CalibrationFile.load(config.store.state_dir),
    )
    daemon = Daemon(hardware.parts, store, desk, built, notifier, report)
    hardware.port.wait = daemon.wait
    state_dir = config.store.state_dir

    def beside() -> Store:
        return Store.beside(state_dir, _StoreTime(time), os.urandom)

    server = Server(make_app(desk, version("predeal"), beside), config.daemon.socket)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: daemon.end())
    server.start()
    give_back()
    try:
        daemon.run()
    finally:
        server.stop()
        notifier.close()
