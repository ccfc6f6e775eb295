"""CDS, CDS-2000 (.cds): binary, 14 bytes a board: its number, then 13 bytes as RZD.

But owners are W 0, N 1, E 2, S 3. Source: Big Deal's output.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from deals.boards import Board
from deals.errors import DealError
from deals.files.base import DealFile, Holds
from deals.files.binary import chunks, first_boards
from deals.files.collect import Collector
from deals.files.rzd import decode_ranks, encode_ranks

NAME: Final = "cds"
TITLE: Final = "CDS (CDS-2000)"
SUFFIX: Final = ".cds"
HOLDS: Final = Holds(highest=255)

_SIZE: Final = 14
_TURN: Final = 1


def recognises(data: bytes, /) -> bool:
    """Half of the first boards are deals; of 400 boards of garbage one is, of text none."""
    starts = first_boards(data, _SIZE, _SIZE)
    return 0 < len(starts) <= 2 * sum(_is_board(data, at) for at in starts)


def _is_board(data: bytes, at: int) -> bool:
    try:
        decode_ranks(data[at + 1 : at + _SIZE], _TURN)
    except DealError:
        return False
    return data[at] > 0


def loads(data: bytes, first_board: int | None = None) -> DealFile:
    """Read all boards."""
    found = Collector(NAME, numbered=True, first_board=first_board)
    # No end-of-file mark may be cut off here: any byte can be a card's.
    for at in chunks(data, _SIZE, _SIZE, found, lambda _, at: data[at] or None):
        number = data[at] or None
        deal = None
        try:
            deal = decode_ranks(data[at + 1 : at + _SIZE], _TURN)
        except DealError as error:
            found.error(error, at, number)
        found.add(deal, at, number=number)
    return found.finish()


def dumps(boards: Sequence[Board]) -> bytes:
    """Write number and deal of each board."""
    return b"".join(bytes([board.number]) + encode_ranks(board.deal, _TURN) for board in boards)
