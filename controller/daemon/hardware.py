"""The parts that a configuration names: real devices, or a served twin, which looks the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Final

from controller.config import Config
from controller.daemon.panel import PinsPanel
from controller.daemon.parts import ConfirmedLabels, NoPanel, Panel, Parts
from controller.devices.eye_process import EyeProcess
from controller.devices.label import UnixLabelReader
from controller.devices.ports import LabelReader
from controller.devices.proving import answers_hello
from controller.devices.realtime import RealTime
from controller.devices.serial_port import SerialPort
from controller.link.link import Link
from controller.pins.ports import POLL_US, Pins
from controller.pins.rpi import RpiPins
from controller.pins.unix import UnixPins
from deals.errors import PredealError
from deals.words import text

EYE_US: Final = 500_000


class McuPort:
    """The MCU's port, at the rate that is configured or was proven."""

    def __init__(self, port: SerialPort, time: RealTime, baud: int | None) -> None:
        self.wait: Callable[[int], None] = time.wait
        self._port = port
        self._time = time
        self._baud = baud
        self._proven = False

    def write(self, data: bytes) -> None:
        """Sends bytes."""
        self._port.write(data)

    def read(self) -> bytes:
        """Takes what is there."""
        return self._port.read()

    def reopen(self) -> None:
        """Opens the port; the first time at the fastest rate at which the MCU answers."""
        if self._baud is not None:
            self._port.open(self._baud)
        elif self._proven:
            self._port.reopen()
        else:
            link = Link(self._port, self._time, lambda until_us: self.wait(until_us))
            self._port.prove(answers_hello(link, self._time))
            self._proven = True


class Hardware:
    """Opens what the configuration names; `parts` is what the daemon drives.

    PortError when another program has the machine: then nothing of it is touched. One that is not there may still come.
    """

    def __init__(self, config: Config, time: RealTime, report: Callable[[str], None]) -> None:
        self._time = time
        self._serial = SerialPort(str(config.serial.port), time.wake)
        # Before the pins: to claim them, or to let go of them, takes the motors' relay from whoever has it.
        self._serial.refuse_if_held()
        self.port = McuPort(self._serial, time, config.serial.baud)
        self._pins = _pins(config.pins.source, time)
        if isinstance(self._pins, RpiPins):
            for problem in self._pins.self_test():
                report(problem.text())
        if self._pins is not None:
            time.watch(self._pins, POLL_US if self._pins.fileno() < 0 else None)
        self._labels = _labels(config.labels.source)
        if isinstance(self._labels, UnixLabelReader):
            time.watch(self._labels)
        self._eye = EyeProcess(config.camera.source, config.machine.design, time)
        time.watch(self._eye, EYE_US)
        self.parts = Parts(
            self.port,
            self._eye,
            self._labels,
            time,
            time.wait,
            time.wake,
            panel=self._panel(),
            eye_problem=self._eye_problem,
            eye_figures=lambda: asdict(self._eye.statistics),
        )

    def close(self) -> None:
        """Lets go of everything; the outputs are off."""
        self._eye.close()
        if isinstance(self._labels, UnixLabelReader):
            self._labels.close()
        if self._pins is not None:
            self._pins.close()
        self._serial.close()

    def _panel(self) -> Panel:
        return NoPanel() if self._pins is None else PinsPanel(self._pins)

    def _eye_problem(self) -> str:
        problem = self._eye.problem
        if problem is not None:
            return problem.text() if isinstance(problem, PredealError) else str(problem)
        return "" if self._eye.ready else text("daemon.eye_starts")


def _pins(source: str, time: RealTime) -> Pins | None:
    kind, _, place = source.partition(":")
    if kind == "rpi":
        return RpiPins(time)
    return UnixPins(place, time) if kind == "socket" else None


def _labels(source: str) -> LabelReader:
    kind, _, place = source.partition(":")
    return UnixLabelReader(place) if kind == "socket" else ConfirmedLabels()
