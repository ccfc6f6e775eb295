"""Writes the firmware's messages.h from the list: `python -m controller.protocol.header`."""

from __future__ import annotations

import re
from dataclasses import fields
from enum import IntEnum
from pathlib import Path
from struct import calcsize
from typing import Final

from controller.protocol.messages import (
    ANSWERS,
    COMMANDS,
    EVENT_PAUSE,
    EVENT_RING,
    EVENTS,
    PAYLOAD_MAX,
    PROTOCOL_VERSION,
    CalibrationKey,
    CardFlag,
    Key,
    Leg,
    Message,
    NakReason,
    Pocket,
    ResetCause,
    State,
    StopReason,
)

HEADER: Final = Path(__file__).parents[2] / "firmware" / "src" / "messages.h"

_HEAD: Final = """\
/* Generated from controller/protocol/messages.py by python -m controller.protocol.header. */
#ifndef PREDEAL_MESSAGES_H
#define PREDEAL_MESSAGES_H
"""
_ENUMS: Final[tuple[tuple[str, str, type[IntEnum]], ...]] = (
    ("state", "STATE", State),
    ("reset_cause", "RESET", ResetCause),
    ("stop_reason", "STOP", StopReason),
    ("nak_reason", "NAK", NakReason),
    ("pocket", "POCKET", Pocket),
    ("config_key", "KEY", Key),
    ("leg", "LEG", Leg),
    ("calibration_key", "CALIBRATION", CalibrationKey),
)


def _upper(cls: type[Message]) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", cls.__name__).upper()


def _enum(name: str, lines: list[str]) -> str:
    body = "".join(f"    {line},\n" for line in lines)
    return f"enum {name} {{\n{body}}};\n" if name else f"enum {{\n{body}}};\n"


def _fields(cls: type[Message]) -> list[tuple[str, int, int]]:
    """Name, offset and size of every field."""
    codes = cls.FORMAT.removeprefix("<")
    sizes = [calcsize("<" + code) for code in codes]
    names = [field.name for field in fields(cls)]
    places = [sum(sizes[:i]) for i in range(len(sizes))]
    return list(zip(names, places, sizes, strict=True))


def _field_list(messages: tuple[type[Message], ...]) -> str:
    rows = [
        f"    X({_upper(cls)}, {name}, {at}, {size})"
        for cls in messages
        for name, at, size in _fields(cls)
    ]
    names = [f"    X({_upper(cls)})" for cls in messages]
    return (
        "/* X(message) for every message; X(message, field, offset, size) for every field. */\n"
        + "#define MESSAGE_LIST(X) \\\n"
        + " \\\n".join(names)
        + "\n#define MESSAGE_FIELDS(X) \\\n"
        + " \\\n".join(rows)
        + "\n"
    )


def render() -> str:
    """The text of messages.h."""
    messages: tuple[type[Message], ...] = (*COMMANDS, *ANSWERS, *EVENTS)
    constants = [
        f"PROTOCOL_VERSION = {PROTOCOL_VERSION}",
        f"PAYLOAD_MAX = {PAYLOAD_MAX}",
        f"EVENT_RING = {EVENT_RING}",
        f"EVENT_PAUSE = {EVENT_PAUSE}",
    ]
    parts = [_HEAD, _enum("", constants)]
    for name, prefix, cls in _ENUMS:
        members = [f"{prefix}_{member.name} = {member.value}" for member in cls]
        parts.append(_enum(name, [*members, f"{prefix}_END = {max(cls) + 1}"]))
    parts.append(_enum("card_flag", [f"FLAG_{flag.name} = {flag.value}" for flag in CardFlag]))
    parts.append(_enum("message", [f"MSG_{_upper(cls)} = 0x{cls.TYPE:02X}" for cls in messages]))
    sizes = [f"SIZE_{_upper(cls)} = {calcsize(cls.FORMAT)}" for cls in messages]
    parts.append("/* Payload sizes. */\n" + _enum("", sizes))
    offsets = [
        f"AT_{_upper(cls)}_{name.upper()} = {at}"
        for cls in messages
        for name, at, _ in _fields(cls)
    ]
    parts.append("/* Where a field lies in its payload. */\n" + _enum("", offsets))
    parts.append("#ifdef PREDEAL_FIELD_LIST\n" + _field_list(messages) + "#endif\n")
    parts.append("#endif\n")
    return "\n".join(parts)


if __name__ == "__main__":
    HEADER.write_text(render(), encoding="ascii")
