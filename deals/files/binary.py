"""What the formats of fixed size share: cutting a file into boards, showing bytes to a person."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from deals.files.collect import Collector

_NOTHING: Final = b" \0\r\n\t\x1a"


Numbering = Callable[[int, int], int | None]
"""From the place of a board in its file (0, 1, ..) and its offset to its number, if it has one."""


def chunks(
    data: bytes, size: int, least: int, found: Collector, numbering: Numbering | None = None
) -> list[int]:
    """Offsets of the boards of *size* bytes; a last one of at least *least* bytes counts as whole.

    A rest of blanks, NUL and end-of-file marks is nothing; any other rest is a problem of the board
    that *numbering* says; without it they are counted up from the file's first board.
    """
    count, rest = divmod(len(data), size)
    offsets = [i * size for i in range(count)]
    if data[count * size :].strip(_NOTHING):
        if rest >= least:
            offsets.append(count * size)
        else:
            board = numbering(count, count * size) if numbering else found.next_number() + count
            found.problem("file.cut_off", count * size, board, rest=rest, size=size)
    return offsets


def first_boards(data: bytes, size: int, least: int) -> range:
    """Offsets of the first 8 boards of *size* bytes that are there with at least *least* bytes."""
    count = min(8, (len(data) + size - least) // size)
    return range(0, count * size, size)


def printable(data: bytes) -> str:
    """Bytes as text for a message."""
    return data.decode("ascii", "backslashreplace") if data.isascii() else data.hex(" ")
