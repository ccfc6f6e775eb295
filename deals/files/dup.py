"""DUP, old Duplimate (.dup): 156 bytes a board, binary: BRI cards, DGE drawing, 10 bytes trailer.

Source: Jannersten "convert.pdf"; writers differ in the trailer. It says in fields of 1 1 3 2 3
characters: random hands Y/N, backwards Y/N, lowest board, copies of each, highest board (some: the
number of boards). Some write it in the first board only. The cards count; the drawing is a check,
and blank where a program hides the hands ("dupblind").
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from deals.boards import Board
from deals.deal import Deal
from deals.errors import DealError
from deals.files.base import DealFile, Holds
from deals.files.binary import chunks, first_boards
from deals.files.bri import CARDS_SIZE, decode_cards, encode_cards
from deals.files.collect import Collector
from deals.files.dge import DRAWING_SIZE, GLYPHS, decode_drawing, encode_drawing

NAME: Final = "dup"
TITLE: Final = "DUP (Duplimate, old)"
SUFFIX: Final = ".dup"
HOLDS: Final = Holds(highest=99, gaps=False)

SIZE: Final = 156
_TRAILER_AT: Final = CARDS_SIZE + DRAWING_SIZE
_BLANK: Final = b" \0"


def recognises(data: bytes, /) -> bool:
    """Half of the first boards have a drawing in its place, or digits and a blank there."""
    starts = first_boards(data, SIZE, _TRAILER_AT)
    return 0 < len(starts) <= 2 * sum(_is_board(data, at) for at in starts)


def _is_board(data: bytes, at: int) -> bool:
    drawing = data[at + CARDS_SIZE : at + _TRAILER_AT]
    if drawing.strip(_BLANK):
        return drawing[:1] == GLYPHS[:1] and all(glyph in drawing for glyph in GLYPHS)
    return data[at : at + CARDS_SIZE].isdigit()


def loads(data: bytes, first_board: int | None = None) -> DealFile:
    """Read all boards; their first number is in the trailer of the first board."""
    found = Collector(NAME, numbered=True, first_board=first_board)
    lowest = _number(data[_TRAILER_AT:SIZE][2:5]) or None
    first = found.next_number() if lowest is None else lowest
    offsets = chunks(data, SIZE, _TRAILER_AT, found, lambda place, _: first + place)
    if lowest is not None:
        _check_last(data, lowest, len(offsets), found)
    for place, at in enumerate(offsets):
        number = None if lowest is None else lowest + place
        shown = found.next_number() if number is None else number
        found.add(_read(data[at : at + SIZE], at, shown, found), at, number=number)
    return found.finish()


def _read(chunk: bytes, at: int, number: int, found: Collector) -> Deal | None:
    try:
        deal = decode_cards(chunk[:CARDS_SIZE])
    except DealError as error:
        found.error(error, at, number)
        return None
    drawing = chunk[CARDS_SIZE:_TRAILER_AT]
    if not drawing.strip(_BLANK):
        return deal
    try:
        drawn: Deal | None = decode_drawing(drawing)
    except DealError as error:
        if error.code == "file.drawing_unreadable":
            found.warn("file.drawing_ignored", at + CARDS_SIZE, number)
            return deal
        drawn = None
    if drawn == deal:
        return deal
    found.problem("file.halves_differ", at, number)
    return None


def _check_last(data: bytes, lowest: int, count: int, found: Collector) -> None:
    last = _number(data[_TRAILER_AT:SIZE][7:10])
    if last is not None and last not in (lowest + count - 1, count, count % 100):
        found.warn("file.trailer_count", _TRAILER_AT, lowest=lowest, last=last, count=count)


def _number(field: bytes) -> int | None:
    digits = field.strip(_BLANK)
    return int(digits) if digits.isdigit() else None


def dumps(boards: Sequence[Board]) -> bytes:
    """Write boards numbered without a gap, the trailer as documented in each."""
    lowest, highest = boards[0].number, boards[-1].number
    trailer = b"YN%-3d%-2d%-3d" % (lowest, 1, highest)
    return b"".join(
        encode_cards(board.deal) + encode_drawing(board.deal) + trailer for board in boards
    )
