"""RBX, Pavlicek (.rbx): the labels of RBN as L{data}, one line a deal; %{...} is a comment."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from deals.boards import Board
from deals.files.base import DealFile, Holds
from deals.files.collect import Collector
from deals.files.rbn import Record, add_records, fields
from deals.files.text import decode

NAME: Final = "rbx"
TITLE: Final = "RBX (Pavlicek)"
SUFFIX: Final = ".rbx"
HOLDS: Final = Holds(markings=True)

_SIGN: Final = re.compile(rb"H\{[NESW]:[^}:]*:", re.I)
_LINE: Final = re.compile(r"[^\n]+")
_FIELD: Final = re.compile(r"([A-Z0-9%])\{([^}]*+)(?:\}|\Z)")


def recognises(data: bytes, /) -> bool:
    """A field of hands."""
    start = data[:65536]
    if b"\0" in start[:64]:
        start = decode(start).text.encode("utf-8", "replace")
    return _SIGN.search(start) is not None


def loads(data: bytes, first_board: int | None = None) -> DealFile:
    """Read a board a line."""
    text = decode(data).text
    found = Collector(NAME, numbered=True, first_board=first_board, text=text)
    add_records(_records(text, found), found)
    return found.finish()


def _records(text: str, found: Collector) -> Iterator[Record]:
    for line in found.limited(_LINE.finditer(text)):
        record: Record = {}
        for field in found.limited(_FIELD.finditer(line[0])):
            record.setdefault(field[1], (field[2].strip(), line.start()))
        yield record


def dumps(boards: Sequence[Board]) -> bytes:
    """Write a line a board, LF."""
    lines = ("".join(f"{label}{{{data}}}" for label, data in fields(b)) + "\n" for b in boards)
    return "".join(lines).encode("ascii")
