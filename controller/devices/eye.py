"""The eye: the process that owns the camera and reads images when asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from vision.reading import CardReading


@dataclass(frozen=True, slots=True)
class ImageNote:
    """An image is there: its number, the camera's time stamp and a digest of its pixels."""

    number: int
    captured_us: int
    digest: bytes


class Eye(Protocol):
    """Camera and reader as the daemon sees them: notes come by themselves, readings when asked for."""

    def images(self) -> list[ImageNote]:
        """Takes the notes of the images that have arrived by now, oldest first."""
        ...

    def ask(self, number: int) -> None:
        """Has image `number` read; its reading comes later, or never."""
        ...

    def readings(self) -> list[tuple[int, CardReading]]:
        """Takes the readings that are ready, each with its image number."""
        ...

    def restart(self) -> None:
        """Drops everything under way and starts the camera anew."""
        ...
