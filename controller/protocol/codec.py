"""Messages to payloads and back, with every value checked. Pure values, no port and no clock."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import fields
from operator import attrgetter
from struct import Struct
from typing import Any, Final, NamedTuple

from controller.protocol.frame import Decoder, encode
from controller.protocol.messages import (
    ANSWERS,
    COMMANDS,
    EVENTS,
    Ack,
    Calibration,
    CalibrationKey,
    CardFlag,
    Clear,
    Held,
    Identity,
    InputChanged,
    Landed,
    Leg,
    Measured,
    Message,
    Nak,
    NakReason,
    Pocket,
    ResetCause,
    Route,
    Seen,
    Start,
    State,
    Status,
    Stopped,
    StopReason,
    Strobed,
    Transit,
)

NOWHERE: Final = 255
"""In a `pocket` field: no pocket."""
INPUT_COUNT: Final = 15
"""Inputs of the MCU (firmware/src/pins.h); `inputs` has no higher bit, `pin` no higher number."""

_NUMBER: Final = range(1, 0x10000)
_FLAG: Final = range(2)
_STATE: Final = range(len(State))
_REASON: Final = range(1, len(StopReason))
_POCKET: Final = range(len(Pocket))
_ANY_POCKET: Final = frozenset((*Pocket, NOWHERE))
_INPUTS: Final = range(1 << INPUT_COUNT)

_BOUNDS: Final[dict[type[Message], dict[str, Container[int]]]] = {
    Start: {"run": _NUMBER},
    Route: {"run": _NUMBER, "card": _NUMBER, "pocket": _POCKET},
    Clear: {"reason": _REASON},
    Ack: {"command": frozenset(cls.TYPE for cls in COMMANDS), "pocket": _ANY_POCKET},
    Nak: {"reason": range(1, len(NakReason) + 1), "state": _STATE},
    Identity: {
        "reset_cause": range(len(ResetCause)),
        "state": _STATE,
        "stop_reason": range(len(StopReason)),
        "inputs": _INPUTS,
    },
    Status: {"state": _STATE, "stop_reason": range(len(StopReason)), "inputs": _INPUTS},
    Calibration: {"key": range(len(CalibrationKey)), "kept": _FLAG},
    Transit: {"leg": range(len(Leg))},
    Seen: {"run": _NUMBER, "card": _NUMBER},
    Strobed: {"run": _NUMBER, "card": _NUMBER, "look": range(1, 3)},
    Measured: {"run": _NUMBER, "card": _NUMBER, "flags": range(sum(CardFlag) + 1)},
    Held: {"run": _NUMBER, "card": _NUMBER, "on": _FLAG},
    Landed: {"run": _NUMBER, "card": _NUMBER, "pocket": _POCKET, "expired": _FLAG},
    Stopped: {"reason": _REASON, "pocket": _ANY_POCKET},
    InputChanged: {"pin": range(INPUT_COUNT), "level": _FLAG},
}
"""Values that are narrower than their field; keys of commands are left to the firmware's NAK BAD_VALUE."""


class _Layout(NamedTuple):
    cls: Callable[..., Message]
    struct: Struct
    values: Callable[[Any], tuple[int, ...]]
    checks: tuple[tuple[int, str, Container[int]], ...]


def _values(names: list[str]) -> Callable[[Any], tuple[int, ...]]:
    if len(names) > 1:
        return attrgetter(*names)
    return lambda message: tuple(getattr(message, name) for name in names)


def _layout(cls: type[Message]) -> _Layout:
    names = [field.name for field in fields(cls)]
    bounds = _BOUNDS.get(cls, {})
    checks = tuple((names.index(name), name, allowed) for name, allowed in bounds.items())
    return _Layout(cls, Struct(cls.FORMAT), _values(names), checks)


_LAYOUTS: Final = {cls.TYPE: _layout(cls) for cls in (*COMMANDS, *ANSWERS, *EVENTS)}


def pack(message: Message) -> bytes:
    """The payload of `message`; a value outside its bounds is a ValueError."""
    layout = _LAYOUTS[message.TYPE]
    values = layout.values(message)
    for index, name, allowed in layout.checks:
        if values[index] not in allowed:
            raise ValueError(f"{type(message).__name__}.{name} cannot be {values[index]}")
    return layout.struct.pack(*values)


def unpack(type_: int, payload: bytes) -> Message | None:
    """The message of a frame; None for an unknown type, a wrong length or a value out of bounds."""
    layout = _LAYOUTS.get(type_)
    if layout is None or len(payload) != layout.struct.size:
        return None
    values = layout.struct.unpack(payload)
    for index, _, allowed in layout.checks:
        if values[index] not in allowed:
            return None
    return layout.cls(*values)


def encode_message(message: Message, seq: int) -> bytes:
    """The bytes of `message` on the wire."""
    return encode(message.TYPE, seq, pack(message))


class Received(NamedTuple):
    """One message and the seq of its frame (events carry 0)."""

    seq: int
    message: Message


class MessageDecoder:
    """Bytes in, checked messages out; it never raises."""

    def __init__(self) -> None:
        self.refused = 0
        """Frames with a good CRC whose type, length or values are impossible."""
        self._frames = Decoder()

    @property
    def dropped(self) -> int:
        """Pieces on the wire that were no frame."""
        return self._frames.dropped

    def feed(self, data: bytes) -> list[Received]:
        """Takes `data`; gives the messages that it completed."""
        received = []
        for frame in self._frames.feed(data):
            message = unpack(frame.type, frame.payload)
            if message is None:
                self.refused += 1
            else:
                received.append(Received(frame.seq, message))
        return received

    def reset(self) -> None:
        """Forgets a frame under way, for a port that was opened anew; the counts stay."""
        self._frames.reset()
