"""Virtual time driven by the clock on the wall: as fast, never ahead, and no leap after a sleep."""

from __future__ import annotations

from typing import Final

from controller.devices.ports import Clock

CATCH_UP_US: Final = 100_000
"""A delay up to this is made up for: what happened meanwhile happened in time, only told late.
After a longer one the process was stopped or starved; then the world has stood still."""


class Pace:
    """World time and host time; they differ by an offset that changes only when the world stood."""

    def __init__(self, clock: Clock, now_us: int) -> None:
        self._clock = clock
        self._offset_us = clock.now_us() - now_us
        self.stood_us = 0
        """How long the world has stood still in all."""

    def due_us(self, now_us: int) -> int:
        """Up to which world time the world at *now_us* shall run now."""
        due_us = self._clock.now_us() - self._offset_us
        if due_us - now_us > CATCH_UP_US:
            stood_us = due_us - now_us
            self._offset_us += stood_us
            self.stood_us += stood_us
            return now_us
        return max(due_us, now_us)

    def host_us(self, world_us: int) -> int:
        """The host's time of an instant of the world."""
        return world_us + self._offset_us
