"""What the engine wants done, as values; the job carries them out in order."""

from __future__ import annotations

from dataclasses import dataclass

from controller.protocol.messages import Pocket
from deals.cards import Card


@dataclass(frozen=True, slots=True)
class Credit:
    """The feeder may go on up to card `up_to`."""

    up_to: int


@dataclass(frozen=True, slots=True)
class RouteCard:
    """Card `feed` goes to `pocket`; `card` is what it was read as, None for the tray."""

    feed: int
    pocket: Pocket
    card: Card | None


@dataclass(frozen=True, slots=True)
class ReadImage:
    """Have image `number` read, which is that look of card `feed`."""

    number: int
    feed: int
    look: int


@dataclass(frozen=True, slots=True)
class VoidReading:
    """Write down that nobody knows what card `feed` is: its image may be another card's."""

    feed: int


@dataclass(frozen=True, slots=True)
class RestartCamera:
    """Start the camera anew."""


@dataclass(frozen=True, slots=True)
class FinishRun:
    """Let the belt run empty and stop."""


@dataclass(frozen=True, slots=True)
class Halt:
    """Stop every motor now."""


Order = Credit | RouteCard | ReadImage | VoidReading | RestartCamera | FinishRun | Halt
