"""What happens on the machine, as values: the machine tells them, the engine decides on them.

Times are host microseconds. Feed numbers count from 1 in every run.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from controller.protocol.messages import CardFlag, Pocket, ResetCause, StopReason

if TYPE_CHECKING:
    from vision.reading import CardReading


class Input(Enum):
    """A switch of the machine, by its number in the pin table (firmware/src/pins.h)."""

    HOPPER = 0
    PRESENT_N = 7
    PRESENT_E = 8
    PRESENT_S = 9
    PRESENT_W = 10
    PRESENT_TRAY = 11
    BOARD = 12
    LID = 13
    ESTOP = 14


@dataclass(frozen=True, slots=True)
class CardSeen:
    """A fed card reached the window."""

    at_us: int
    feed: int


@dataclass(frozen=True, slots=True)
class Strobed:
    """The strobe fired for one look of one card."""

    at_us: int
    feed: int
    look: int


@dataclass(frozen=True, slots=True)
class CardMeasured:
    """The card has passed the window; any flag means it runs to the tray."""

    at_us: int
    feed: int
    length_mm: float
    thickness_um: int
    back: int
    flags: CardFlag


@dataclass(frozen=True, slots=True)
class BeltHeld:
    """The belt began to wait for the route of `feed`, or goes on."""

    at_us: int
    feed: int
    on: bool


@dataclass(frozen=True, slots=True)
class CardLanded:
    """A card passed the sensor of a pocket or the tray."""

    at_us: int
    feed: int
    pocket: Pocket
    expired: bool


@dataclass(frozen=True, slots=True)
class RunEnded:
    """The belt is empty and still after `fed` feeds."""

    at_us: int
    fed: int


@dataclass(frozen=True, slots=True)
class MachineStopped:
    """The firmware latched a stop; `feed` and `pocket` say where, None where nowhere."""

    at_us: int
    reason: StopReason
    feed: int | None
    pocket: Pocket | None


@dataclass(frozen=True, slots=True)
class InputMoved:
    """A switch changed."""

    at_us: int
    input: Input
    on: bool


@dataclass(frozen=True, slots=True)
class ImageArrived:
    """The camera gave an image; `digest` tells a repeated picture, `number` names it to the reader."""

    at_us: int
    number: int
    captured_us: int
    digest: bytes


@dataclass(frozen=True, slots=True)
class PictureArrived:
    """Image `number` came whole, as PNG."""

    at_us: int
    number: int
    png: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class ReadingArrived:
    """The reader has read image `number`."""

    at_us: int
    number: int
    reading: CardReading


@dataclass(frozen=True, slots=True)
class RouteRefused:
    """The MCU did not take a route: the card runs to the tray."""

    at_us: int
    feed: int


@dataclass(frozen=True, slots=True)
class LinkWasLost:
    """The MCU cannot be reached."""

    at_us: int


@dataclass(frozen=True, slots=True)
class McuWasRestarted:
    """The MCU started anew in the middle of things."""

    at_us: int
    cause: ResetCause | None


@dataclass(frozen=True, slots=True)
class TimePassed:
    """Nothing but time: the engine looks at its deadlines."""

    at_us: int


Happening = (
    CardSeen
    | Strobed
    | CardMeasured
    | BeltHeld
    | CardLanded
    | RunEnded
    | MachineStopped
    | InputMoved
    | ImageArrived
    | PictureArrived
    | ReadingArrived
    | RouteRefused
    | LinkWasLost
    | McuWasRestarted
    | TimePassed
)
