"""What the daemon needs of the pins, whoever drives them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from controller.pins.table import Pin


@dataclass(frozen=True, slots=True)
class Edge:
    """An input has changed and stayed so for the time of its debounce."""

    pin: Pin
    on: bool
    at_us: int
    """When the new level was first seen, host microseconds."""


class Pins(Protocol):
    """Levels by meaning: on is what the pin table says, whichever voltage that is."""

    def read(self, pin: Pin) -> bool:
        """The settled level of an input, or what an output was last set to."""
        ...

    def write(self, pin: Pin, on: bool) -> None:
        """Sets an output."""
        ...

    def edges(self) -> list[Edge]:
        """Takes the edges of the inputs that have settled since the last call, oldest first."""
        ...

    def fileno(self) -> int:
        """Readable when there is something to `pump`; -1: pump it every POLL_US."""
        ...

    def pump(self) -> bool:
        """Looks at the inputs; True when there are edges to take."""
        ...

    def close(self) -> None:
        """Outputs off, pins free."""
        ...


POLL_US = 5_000
"""How often pins without a descriptor are looked at."""
