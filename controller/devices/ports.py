"""The ports through which the outside world reaches the daemon; hardware and twin both fit them.

All times are integer microseconds of the host's monotonic clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol


class Clock(Protocol):
    """Monotonic time, passed in: nothing below the daemon asks the operating system."""

    def now_us(self) -> int:
        """Microseconds since some fixed instant."""
        ...


class Transport(Protocol):
    """A byte stream to the MCU; reading never blocks."""

    def write(self, data: bytes) -> None:
        """Sends bytes; raises OSError when the port is gone."""
        ...

    def read(self) -> bytes:
        """Takes what has arrived by now, perhaps nothing; raises OSError when the port is gone."""
        ...


@dataclass(frozen=True, slots=True)
class Image:
    """One picture as the camera gave it: its running number, its own time stamp, and its pixels.

    `pixels` is a uint8 array of shape (400, 640, 3), BGR, 10 px/mm (ADR window image).
    """

    number: int
    captured_us: int
    pixels: Any


class Camera(Protocol):
    """A source of window images."""

    def take(self) -> list[Image]:
        """Takes the images that have arrived by now, oldest first."""
        ...

    def restart(self) -> None:
        """Drops everything under way and starts anew."""
        ...


@dataclass(frozen=True, slots=True)
class Label:
    """What the label reader sees at the slot."""

    board: int
    box: str
    backwards: bool


class LabelReader(Protocol):
    """The reader of the label on a board in its slot."""

    def read(self) -> Label | None:
        """The label there now; None when there is no board or the label cannot be read."""
        ...
