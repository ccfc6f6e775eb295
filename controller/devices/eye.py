"""The eye: the process that owns the camera and reads images when asked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from vision.reading import CardReading


@dataclass(frozen=True, slots=True)
class ImageNote:
    """An image is there: its number, the camera's time stamp and a digest of its pixels."""

    number: int
    captured_us: int
    digest: bytes


@dataclass(frozen=True, slots=True)
class Answer:
    """What was read in image `number`, which was asked for as a look of a card."""

    number: int
    feed: int
    look: int
    reading: CardReading
    crop: bytes = field(repr=False)
    """A small JPEG of the card, for a person (`vision.crop`); it shows a face, so no log may have it.
    Empty where there is no picture.
    """


class Eye(Protocol):
    """Camera and reader as the daemon sees them: notes come by themselves, readings when asked for."""

    def images(self) -> list[ImageNote]:
        """Takes the notes of the images that have arrived by now, oldest first."""
        ...

    def ask(self, number: int, feed: int, look: int) -> None:
        """Has image `number` read, which is that look of a card; the answer comes later, or never."""
        ...

    def answers(self) -> list[Answer]:
        """Takes the answers that are ready."""
        ...

    def show(self, number: int) -> None:
        """Has image `number` given whole; its picture comes later, or never."""
        ...

    def pictures(self) -> list[tuple[int, bytes]]:
        """Takes the whole pictures that have come, each with its image number: PNG, 400 x 640."""
        ...

    def shoot(self) -> None:
        """Has a picture taken now, without the strobe; it comes as an image, or never: not every
        camera can.
        """
        ...

    def restart(self) -> None:
        """Drops everything under way and starts the camera anew."""
        ...
