"""DGE (.dge): 128 bytes a board, hands N E S W drawn with CP437 suit glyphs; binary, no numbers.

Source: Big Deal's output. For each hand and suit S H D C a glyph (06 03 04 05) and the ranks, ten
as T; 4 x 17 = 68 bytes, then 60 NUL. A void is a glyph followed by the next glyph.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from deals.boards import Board
from deals.cards import Seat
from deals.deal import Deal
from deals.errors import DealError
from deals.files.base import DealFile, Holds
from deals.files.binary import chunks
from deals.files.collect import Collector

NAME: Final = "dge"
TITLE: Final = "DGE"
SUFFIX: Final = ".dge"
HOLDS: Final = Holds(numbers=False, gaps=False)

SIZE: Final = 128
DRAWING_SIZE: Final = 68
GLYPHS: Final = b"\x06\x03\x04\x05"
_HAND: Final = re.compile(rb"\x06([^\x03-\x06]*)\x03([^\x03-\x06]*)\x04([^\x03-\x06]*)\x05")


def decode_drawing(data: bytes) -> Deal:
    """The deal of 68 bytes; DealError if it is none."""
    parts = re.split(rb"[\x03-\x06]", data)
    glyphs = bytes(byte for byte in data if byte in GLYPHS)
    if glyphs != GLYPHS * 4 or parts[0]:
        raise DealError("file.drawing_unreadable")
    holdings = [part.decode("latin-1") for part in parts[1:]]
    hands = (".".join(holdings[i : i + 4]) for i in range(0, 16, 4))
    return Deal.from_pbn("N:" + " ".join(hands))


def encode_drawing(deal: Deal) -> bytes:
    """The 68 bytes of *deal*."""
    drawn = bytearray()
    for seat in Seat:
        for glyph, holding in zip(GLYPHS, deal.hand_pbn(seat).split("."), strict=True):
            drawn.append(glyph)
            drawn += holding.encode("ascii")
    return bytes(drawn)


def recognises(data: bytes, /) -> bool:
    """A first hand in glyphs at the very beginning."""
    return _HAND.match(data[:DRAWING_SIZE]) is not None


def loads(data: bytes, first_board: int | None = None) -> DealFile:
    """Read all boards, numbered from *first_board* (default 1)."""
    found = Collector(NAME, numbered=False, first_board=first_board)
    for at in chunks(data, SIZE, DRAWING_SIZE, found):
        number = found.next_number()
        deal = None
        try:
            deal = decode_drawing(data[at : at + DRAWING_SIZE])
        except DealError as error:
            found.error(error, at, number)
        found.add(deal, at)
    return found.finish()


def dumps(boards: Sequence[Board]) -> bytes:
    """Write the deals one after the other."""
    return b"".join(encode_drawing(board.deal).ljust(SIZE, b"\0") for board in boards)
