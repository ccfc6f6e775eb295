"""What the MCU's input pins see: levels by the world's doing, and sensors covered by cards."""

from __future__ import annotations

from collections.abc import Callable

from controller.twin.firmware import Firmware
from controller.twin.trace import Trace
from controller.twin.world.pins import Analog, In


class Inputs:
    """Remembers every level, so that only changes go to the chip and into the trace."""

    def __init__(self, firmware: Firmware, trace: Trace) -> None:
        self._firmware = firmware
        self._trace = trace
        self._levels = [0] * len(In)
        self._covers = [0] * len(In)
        self._forced: dict[int, int] = {}
        self._wired = list(range(len(In)))
        self.on_edge: Callable[[int, int], None] | None = None
        """Told each change of a pin that the world makes; a fault listens."""

    def set(self, pin: int, level: int) -> None:
        """The world puts *level* on a pin."""
        self._levels[pin] = level
        self._show(self._wired[pin], level)
        if self.on_edge is not None:
            self.on_edge(pin, level)

    def level(self, pin: int) -> int:
        """What the world last put there."""
        return self._levels[pin]

    def cover(self, pin: int) -> None:
        """A card begins to cover a sensor."""
        self._covers[pin] += 1
        if self._covers[pin] == 1:
            self.set(pin, 1)

    def uncover(self, pin: int) -> None:
        """A card leaves it; another may still be there."""
        self._covers[pin] -= 1
        if self._covers[pin] == 0:
            self.set(pin, 0)

    def analog(self, thickness: int, back: int) -> None:
        """What lies over the window now."""
        self._firmware.analog(Analog.THICKNESS, min(thickness, 1023))
        self._firmware.analog(Analog.BACK, back)

    def force(self, pin: int, level: int | None) -> None:
        """A broken sensor shows *level* whatever happens; None mends it."""
        if level is None:
            self._forced.pop(pin, None)
            self._show(pin, self._levels[pin])
        else:
            self._show(pin, level)
            self._forced[pin] = level

    def swap(self, one: int, other: int) -> None:
        """The plugs of two sensors are exchanged."""
        self._wired[one], self._wired[other] = self._wired[other], self._wired[one]
        for pin in (one, other):
            self._show(self._wired[pin], self._levels[pin])

    def mend(self) -> None:
        """All sensors work and are plugged in where they belong."""
        self._forced.clear()
        self._wired = list(range(len(In)))
        for pin in In:
            self._show(pin, self._levels[pin])

    def _show(self, pin: int, level: int) -> None:
        if pin in self._forced:
            return
        self._firmware.input(pin, level)
        self._trace.pin(self._firmware.now_us, In(pin).name, level)
