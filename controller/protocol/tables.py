"""Writes the tables of docs/protocol.md from the code: `python -m controller.protocol.tables`.

Messages and enumerations come from the message list, bounds from the firmware's own tables, pins from
pins.h; a test holds the page to what this module gives.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import fields
from enum import Enum
from pathlib import Path
from struct import calcsize
from typing import Final

from controller.protocol.messages import (
    ANSWERS,
    COMMANDS,
    EVENTS,
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

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = ROOT / "docs" / "protocol.md"
BEGIN: Final = "<!-- tables: written by python -m controller.protocol.tables -->"
END: Final = "<!-- end of the tables -->"
SOURCES: Final = ROOT / "firmware" / "src"
_CODES: Final = {"B": "u8", "H": "u16", "I": "u32"}
_ENUMS: Final[tuple[type[Enum], ...]] = (
    State, StopReason, NakReason, ResetCause, Pocket, CardFlag, Leg,
)  # fmt: skip
_BOUND: Final = r"\[%s_(\w+)\] = \{(\w+), (\w+)\}"
_PIN: Final = r"^    (OUT|IN|AN)_(\w+) = (\d+),?(?: +/\* (.+?) \*/)?$"


def _messages(group: tuple[type[Message], ...]) -> Iterator[str]:
    yield "| type | message | payload, in this order | bytes | what |"
    yield "|---|---|---|--:|---|"
    for cls in group:
        codes = cls.FORMAT.removeprefix("<")
        payload = ", ".join(
            f"{field.name} {_CODES[code]}" for field, code in zip(fields(cls), codes, strict=True)
        )
        said = " ".join((inspect.getdoc(cls) or "").split())
        yield f"| 0x{cls.TYPE:02X} | {cls.__name__} | {payload or '-'} | {calcsize(cls.FORMAT)} | {said} |"


def _comments(cls: type[Enum]) -> dict[str, str]:
    """What the source says behind each member."""
    found = re.findall(r"^    (\w+) = \d+(?:  # (.+))?$", inspect.getsource(cls), re.MULTILINE)
    return dict(found)


def _bounds(file: str, prefix: str) -> dict[str, tuple[str, str]]:
    """Least and greatest value of each key, from a table of the firmware."""
    text = (SOURCES / file).read_text(encoding="ascii")
    found = re.findall(_BOUND % prefix, text)
    return {name: (low, high.replace("UINT16_MAX", "65535")) for name, low, high in found}


def _keys(cls: type[Enum], file: str, prefix: str) -> Iterator[str]:
    yield "| number | key | least | greatest | what |"
    yield "|--:|---|--:|--:|---|"
    bounds, said = _bounds(file, prefix), ""
    comments = _comments(cls)
    for member in cls:
        said = comments[member.name] or said
        low, high = bounds[member.name]
        yield f"| {member.value} | {member.name} | {low} | {high} | {said} |"


def _pins() -> Iterator[str]:
    yield "| bit or number | pin | what |"
    yield "|--:|---|---|"
    text, said = (SOURCES / "pins.h").read_text(encoding="ascii"), ""
    for kind, name, number, told in re.findall(_PIN, text, re.MULTILINE):
        said = told or said
        yield f"| {number} | {kind}_{name} | {said} |"


def render() -> str:
    """The text between the two marks."""
    parts: list[str] = []
    for title, group in (("Commands", COMMANDS), ("Answers", ANSWERS), ("Events", EVENTS)):
        parts += [f"### {title}", *_messages(group), ""]
    for cls in _ENUMS:
        members = ", ".join(f"{member.value} {member.name}" for member in cls)
        parts.append(f"- **{cls.__name__}**: {members}.")
    parts += ["", "### Configuration keys", *_keys(Key, "config.c", "KEY"), ""]
    parts += ["### Calibration keys", *_keys(CalibrationKey, "keep.c", "CALIBRATION"), ""]
    parts += ["### Pins", *_pins()]
    return "\n".join(parts) + "\n"


def put(page: str) -> str:
    """The page with its tables anew."""
    before, rest = page.split(BEGIN)
    return f"{before}{BEGIN}\n{render()}{END}{rest.split(END)[1]}"


if __name__ == "__main__":
    PAGE.write_text(put(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
