"""The simulated ATmega2560 by itself: a link on its UART, no world; and what its pins did."""

from __future__ import annotations

import subprocess
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from controller.geometry import PROFILES
from controller.link.link import Link
from controller.machine.settings import settings, settings_crc
from controller.protocol.messages import (
    PROTOCOL_VERSION,
    Commit,
    Config,
    Hello,
    Home,
    Identity,
    Key,
)
from controller.twin.simavr import SimavrFirmware, elf_path
from controller.twin.world.pins import In, Out

MHZ = 16
RAM_AT = 0x800000
"""Where symbols of the data memory begin in the ELF."""


@cache
def symbol(name: str) -> int:
    """The data address of a variable."""
    listed = subprocess.run(
        ["avr-nm", str(elf_path())], capture_output=True, text=True, check=True
    ).stdout
    for line in listed.splitlines():
        address, _, found = line.partition(" ")
        if found[2:].split(".")[0] == name:
            return int(address, 16) - RAM_AT
    raise AssertionError(f"no variable {name}")


class Bench:
    """A chip with board in, lid closed and emergency stop released, and a host's link to it."""

    def __init__(self, **how: object) -> None:
        self.chip = SimavrFirmware(**how)  # type: ignore[arg-type]
        for pin in (In.HOPPER, In.BOARD, In.LID, In.ESTOP):
            self.chip.input(pin, 1)
        self.link = Link(self, self, self.wait)

    # A transport and a clock of the link.

    def write(self, data: bytes) -> None:
        self.chip.rx(data)

    def read(self) -> bytes:
        return self.chip.tx()

    def now_us(self) -> int:
        return self.chip.now_us

    def wait(self, until_us: int) -> None:
        self.chip.run(until_us)

    # What tests do with it.

    def connect(self, belt_speed: int | None = None) -> Identity:
        """A session and a configuration."""
        identity = self.link.hello(Hello(PROTOCOL_VERSION))
        values = settings(PROFILES["standard"])
        values[Key.BELT_SPEED] = belt_speed or values[Key.BELT_SPEED]
        for key, value in values.items():
            self.link.request(Config(key, value))
        self.link.request(Commit(settings_crc(values)))
        return identity

    def home(self) -> None:
        """Begins to home: motors on."""
        self.link.request(Home())
        assert self.high(Out.ENABLE)

    def stay(self, us: int) -> None:
        """Keeps the link alive for a while."""
        end = self.chip.now_us + us
        while self.chip.now_us < end:
            self.chip.run(min(end, self.link.next_beat_us))
            self.link.beat()
            self.link.take_events()

    def high(self, pin: Out) -> bool:
        """An output's level."""
        return bool(self.chip.outputs >> pin & 1)

    def close(self) -> None:
        self.chip.close()


@dataclass
class Edges:
    """A trace of pins: times in microseconds."""

    steps: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))
    """Of belt and feeder."""
    outputs: list[tuple[float, int, int]] = field(default_factory=list)
    inputs: list[tuple[float, int, int]] = field(default_factory=list)

    @classmethod
    def read(cls, path: Path) -> Edges:
        """From the file that predeal-simavr has written."""
        edges = cls()
        for line in path.read_text().splitlines():
            cycle, kind, number, level = line.split()
            at = int(cycle) / MHZ
            if kind == "step":
                edges.steps[int(number)].append(at)
            elif kind in ("out", "in"):
                (edges.outputs if kind == "out" else edges.inputs).append(
                    (at, int(number), int(level))
                )
        return edges

    def belt(self, at: float) -> int:
        """Belt steps made by then."""
        return bisect_right(self.steps[0], at)

    def jitter(self, motor: int, nominal_us: float) -> list[float]:
        """How far each step at about full speed is from where it should be between the tenth before
        and the tenth behind.
        """
        times = self.steps[motor]
        found = []
        for i in range(10, len(times) - 10):
            mean = (times[i + 10] - times[i - 10]) / 20
            if abs(mean - nominal_us) < 0.02 * nominal_us:
                found.append(abs(times[i] - (times[i - 10] + times[i + 10]) / 2))
        return sorted(found)

    def rising(self, pin: int) -> list[float]:
        """When an output rose."""
        return [at for at, number, level in self.outputs if number == pin and level]
