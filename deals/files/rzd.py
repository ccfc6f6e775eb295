"""RZD, KoPS (.rzd): binary, 13 bytes a board, one byte a rank A .. 2, two bits a suit; no numbers.

Source: Big Deal's output. Header of 13 bytes: the number of boards (16 bits, low byte first) and 11
spaces. Bits 7-6 are the spade's owner, 5-4 heart, 3-2 diamond, 1-0 club; N 0, E 1, S 2, W 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from deals.boards import Board
from deals.deal import Deal
from deals.errors import DealError
from deals.files.base import DealFile, Holds
from deals.files.binary import chunks
from deals.files.collect import Collector

NAME: Final = "rzd"
TITLE: Final = "RZD (KoPS)"
SUFFIX: Final = ".rzd"
HOLDS: Final = Holds(highest=65535, numbers=False, gaps=False)

SIZE: Final = 13
_SPACES: Final = b" " * 11


def decode_ranks(data: bytes, turn: int = 0) -> Deal:
    """The deal of 13 bytes; the seat is *turn* less than the two bits say. DealError if none."""
    owners = bytearray(52)
    for rank, byte in enumerate(data):
        for suit in range(4):
            owners[13 * suit + rank] = ((byte >> (6 - 2 * suit)) - turn) % 4
    return Deal(bytes(owners))


def encode_ranks(deal: Deal, turn: int = 0) -> bytes:
    """The 13 bytes of *deal*."""
    owners = deal.owners
    return bytes(
        sum((owners[13 * suit + rank] + turn) % 4 << (6 - 2 * suit) for suit in range(4))
        for rank in range(13)
    )


def recognises(data: bytes, /) -> bool:
    """The 11 spaces of the header, and a count that is not two letters."""
    return data[2:SIZE] == _SPACES and len(data) > SIZE and data[:2] != b"  "


def loads(data: bytes, first_board: int | None = None) -> DealFile:
    """Read as many boards as the header says, numbered from *first_board* (default 1)."""
    found = Collector(NAME, numbered=False, first_board=first_board)
    count = int.from_bytes(data[:2], "little")
    first = found.next_number()
    offsets = chunks(data, SIZE, SIZE, found, lambda place, _: first + place - 1)[1:]
    if len(offsets) < count and not found.problems:
        found.problem("file.fewer_boards", 0, stated=count, count=len(offsets))
    elif len(offsets) > count:
        found.warn("file.more_boards", 0, stated=count, count=len(offsets))
    for at in offsets[:count]:
        number = found.next_number()
        deal = None
        try:
            deal = decode_ranks(data[at : at + SIZE])
        except DealError as error:
            found.error(error, at, number)
        found.add(deal, at)
    return found.finish()


def dumps(boards: Sequence[Board]) -> bytes:
    """Write header and deals."""
    header = len(boards).to_bytes(2, "little") + _SPACES
    return header + b"".join(encode_ranks(board.deal) for board in boards)
