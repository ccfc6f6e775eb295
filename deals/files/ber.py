"""BER, Bernasconi (.ber): 52 digits a board, 1..4 = N E S W owning the card of that index.

Source: Big Deal's output. No separators, no numbers; line ends and blanks are let pass.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from deals.boards import Board
from deals.deal import Deal
from deals.errors import DealError
from deals.files.base import DealFile, Holds
from deals.files.binary import chunks, printable
from deals.files.collect import Collector

NAME: Final = "ber"
TITLE: Final = "BER (Bernasconi)"
SUFFIX: Final = ".ber"
HOLDS: Final = Holds(numbers=False, gaps=False)

_SIZE: Final = 52
_BLANK: Final = b" \t\r\n\0\x1a"
_TO_OWNERS: Final = bytes.maketrans(b"1234", bytes(range(4)))
_TO_DIGITS: Final = bytes.maketrans(bytes(range(4)), b"1234")


def recognises(data: bytes, /) -> bool:
    """Almost nothing but the digits 1 to 4, in about equal numbers."""
    start = data[:1040].translate(None, _BLANK)
    counts = [start.count(digit) for digit in b"1234"]
    return (
        len(start) >= _SIZE and sum(counts) > 0.96 * len(start) and min(counts) > 0.2 * sum(counts)
    )


def loads(data: bytes, first_board: int | None = None) -> DealFile:
    """Read all boards, numbered from *first_board* (default 1)."""
    found = Collector(NAME, numbered=False, first_board=first_board)
    digits = data.translate(None, _BLANK)
    offsets = chunks(digits, _SIZE, _SIZE, found)
    for at, place in zip(offsets, _places(data, offsets, found), strict=True):
        number = found.next_number()
        deal = None
        part = digits[at : at + _SIZE]
        if wrong := re.search(rb"[^1-4]", part):
            found.problem(
                "file.no_seat_digit",
                place,
                number,
                text=printable(wrong[0]),
                place=wrong.start() + 1,
            )
        else:
            try:
                deal = Deal(part.translate(_TO_OWNERS))
            except DealError as error:
                found.error(error, place, number)
        found.add(deal, place)
    return found.finish()


def _places(data: bytes, offsets: Sequence[int], found: Collector) -> Iterator[int]:
    """Where in *data* the bytes stand that are at *offsets* when blanks are not counted."""
    runs = found.limited(re.finditer(rb"[^ \t\r\n\0\x1a]+", data))
    seen = size = start = 0
    for at in offsets:
        while at >= seen + size:
            seen += size
            run = next(runs)
            size, start = len(run[0]), run.start()
        yield start + at - seen


def dumps(boards: Sequence[Board]) -> bytes:
    """Write the deals one after the other."""
    return b"".join(board.deal.owners.translate(_TO_DIGITS) for board in boards)
