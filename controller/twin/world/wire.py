"""The USB cable between host and MCU: latency both ways, and what a cable can do to bytes."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final, Protocol

from controller.twin.firmware import Firmware
from controller.twin.trace import Trace

LATENCY_US: Final = 1_000
"""Of USB and driver, each way."""
JITTER_US: Final = 500


class Timeline(Protocol):
    """What the wire needs of the world: the time, and to be called back at another."""

    now_us: int

    def at(self, due_us: int, act: Callable[[], None]) -> None:
        """Calls *act* when the world's time is *due_us*."""
        ...

    def news(self) -> None:
        """The host has something new to take."""
        ...


class Mangler(Protocol):
    """A fault of the wire: what becomes of a piece of bytes on its way."""

    def mangle(self, data: bytes) -> bytes:
        """The bytes that arrive instead; perhaps none, perhaps more."""
        ...


class Port:
    """The host's end, a `Transport`. A port whose cable was pulled stays dead; open a new one."""

    def __init__(self, wire: Wire) -> None:
        self._wire: Wire | None = wire
        self._arrived = bytearray()

    def write(self, data: bytes) -> None:
        """Sends bytes; OSError when the cable was pulled."""
        self._alive().to_mcu(data)

    def read(self) -> bytes:
        """Takes what has arrived by now; OSError when the cable was pulled."""
        self._alive()
        if not self._arrived:
            return b""
        data = bytes(self._arrived)
        self._arrived.clear()
        return data

    def kill(self) -> None:
        """The cable was pulled or the port was opened anew."""
        self._wire = None
        self._arrived.clear()

    def arrive(self, data: bytes) -> None:
        """Bytes from the MCU have come through."""
        self._arrived += data

    def _alive(self) -> Wire:
        if self._wire is None:
            raise OSError("the simulated port is gone: its cable was pulled")
        return self._wire


class Wire:
    """Carries bytes between a port and the chip's UART in order, each piece as a whole."""

    def __init__(
        self, firmware: Firmware, timeline: Timeline, rng: random.Random, trace: Trace
    ) -> None:
        self.plugged = True
        self.stalled = False
        """A frozen driver: bytes wait on both sides until it is over; a fault."""
        self.manglers: list[Mangler] = []
        """At work both ways; some remember what passed, so that each way needs its own."""
        self.manglers_to_mcu: list[Mangler] = []
        self.manglers_to_host: list[Mangler] = []
        self.port = Port(self)
        self._firmware = firmware
        self._timeline = timeline
        self._jitter = rng
        self._trace = trace
        self._mcu_free_us = 0
        self._host_free_us = 0
        self._life = 0
        """Bytes under way belong to one plugging of the cable and die with it."""
        self._waiting: list[Callable[[], None]] = []

    def open(self) -> Port:
        """A new port to the MCU; OSError while the cable is out."""
        if not self.plugged:
            raise OSError("no such port: the simulated cable is not plugged in")
        self.port.kill()
        self.port = Port(self)
        return self.port

    def pull(self) -> None:
        """Somebody pulls the cable: what is under way is lost, the port dies."""
        self.plugged = False
        self._life += 1
        self._waiting.clear()
        self.port.kill()

    def plug(self) -> None:
        """The cable is in again; the host has to open the port anew."""
        self.plugged = True

    def stall(self, stalled: bool) -> None:
        """Nothing passes while stalled; then all that waited arrives in one burst."""
        self.stalled = stalled
        if not stalled:
            waiting, self._waiting = self._waiting, []
            for deliver in waiting:
                deliver()

    def to_mcu(self, data: bytes) -> None:
        """The host has written."""
        self._trace.wire(self._timeline.now_us, ">", data)
        for mangler in (*self.manglers, *self.manglers_to_mcu):
            data = mangler.mangle(data)
        due = self._due(self._mcu_free_us, len(data))
        self._mcu_free_us = due
        self._send(due, lambda: self._firmware.rx(data))

    def to_host(self, data: bytes) -> None:
        """The chip's UART has sent."""
        if not self.plugged:
            return
        for mangler in (*self.manglers, *self.manglers_to_host):
            data = mangler.mangle(data)
        due = self._due(self._host_free_us, len(data))
        self._host_free_us = due
        self._send(due, lambda: self._reach_host(data))

    def _reach_host(self, data: bytes) -> None:
        self._trace.wire(self._timeline.now_us, "<", data)
        self.port.arrive(data)
        self._timeline.news()

    def _due(self, free_us: int, count: int) -> int:
        soonest = self._timeline.now_us + LATENCY_US + self._jitter.randint(0, JITTER_US)
        return max(soonest, free_us) + count * self._firmware.byte_us

    def _send(self, due_us: int, deliver: Callable[[], None]) -> None:
        life = self._life

        def act() -> None:
            if life != self._life:
                return
            if self.stalled:
                self._waiting.append(deliver)
            else:
                deliver()

        self._timeline.at(due_us, act)


class Noise:
    """Corrupts one byte in a share of the frames that pass."""

    def __init__(self, rng: random.Random, share: float) -> None:
        self._rng = rng
        self._share = share

    def mangle(self, data: bytes) -> bytes:
        """The bytes, with perhaps one of each frame changed."""
        mangled = bytearray(data)
        start = 0
        for place, value in enumerate(data):
            if value == 0:
                if self._rng.random() < self._share:
                    hit = self._rng.randint(start, place)
                    mangled[hit] ^= self._rng.randint(1, 255)
                start = place + 1
        return bytes(mangled)


class Doubler:
    """Sends a share of the pieces twice, the second right behind the first."""

    def __init__(self, rng: random.Random, share: float) -> None:
        self._rng = rng
        self._share = share

    def mangle(self, data: bytes) -> bytes:
        """The bytes once or twice."""
        return data * 2 if self._rng.random() < self._share else data


class Harm:
    """What befalls a share of the frames: `lost`, `truncated` (its beginning is gone) or `spliced`
    (its delimiter is gone, so that it runs into the next).
    """

    def __init__(self, rng: random.Random, share: float, kind: str) -> None:
        self._rng = rng
        self._share = share
        self._kind = kind

    def mangle(self, data: bytes) -> bytes:
        """The bytes that are left."""
        *frames, rest = data.split(b"\0")
        return b"".join(self._fate(frame + b"\0") for frame in frames) + rest

    def _fate(self, frame: bytes) -> bytes:
        if self._rng.random() >= self._share:
            return frame
        if self._kind == "lost":
            return b""
        if self._kind == "spliced":
            return frame[:-1]
        return frame[self._rng.randint(1, len(frame)) :]


class Overtaker:
    """Holds a share of the pieces back until the next one has passed; for one way."""

    def __init__(self, rng: random.Random, share: float) -> None:
        self._rng = rng
        self._share = share
        self._held = b""

    def mangle(self, data: bytes) -> bytes:
        """The bytes, with what was held back behind them, or none for now."""
        if self._held:
            data, self._held = data + self._held, b""
        elif self._rng.random() < self._share:
            data, self._held = b"", data
        return data
