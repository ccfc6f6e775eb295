"""The times that the store writes down; both clocks are passed in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


class Monotonic(Protocol):
    """A clock that never jumps (`controller.devices.ports.Clock` is one)."""

    def now_us(self) -> int:
        """Microseconds since some fixed instant."""
        ...


class StoreClock(Monotonic, Protocol):
    """A clock that also knows the date. The date may jump, so nothing is ordered by it."""

    def wall_us(self) -> int:
        """Microseconds since 1970-01-01 UTC."""
        ...


@dataclass(frozen=True, slots=True)
class DatedClock:
    """A monotonic clock with the date at which it showed zero: for virtual time."""

    clock: Monotonic
    zero_wall_us: int

    def now_us(self) -> int:
        """Microseconds since some fixed instant."""
        return self.clock.now_us()

    def wall_us(self) -> int:
        """Microseconds since 1970-01-01 UTC."""
        return self.zero_wall_us + self.clock.now_us()
