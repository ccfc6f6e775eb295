"""GIB library text: a line "W N E S" of PBN hands, a colon, 20 hex digits of tricks; no numbers.

Source: the library's own lines, checked card by card. The digits are NT S H D C, each for the
leaders S E N W, tricks of N-S. They are not needed here, so written lines end with the colon.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from deals.boards import Board
from deals.cards import Seat
from deals.errors import DealError
from deals.files.base import DealFile, Holds
from deals.files.collect import Collector
from deals.files.hands import judge, parse_hand
from deals.files.text import decode, head

NAME: Final = "gib"
TITLE: Final = "GIB library text"
SUFFIX: Final = ".gib"
HOLDS: Final = Holds(numbers=False, gaps=False)

_LINE: Final = re.compile(r"[^\n]+")
_HAND: Final = r"([AKQJT2-9]*+\.[AKQJT2-9]*+\.[AKQJT2-9]*+\.[AKQJT2-9]*+)"
_DEAL: Final = re.compile(rf"{_HAND} {_HAND} {_HAND} {_HAND}:\s*([0-9A-D]{{0,20}})\s*", re.I)
_SEATS: Final = (Seat.W, Seat.N, Seat.E, Seat.S)


def recognises(data: bytes, /) -> bool:
    """Most of the first lines are four hands and a colon."""
    lines = [line.strip() for line in head(data).split("\n")[:9]]
    lines = [line for line in lines if line][:8]
    hits = sum(_DEAL.fullmatch(line) is not None for line in lines)
    return 2 * hits > len(lines)


def loads(data: bytes, first_board: int | None = None) -> DealFile:
    """Read a board a line, numbered from *first_board* (default 1)."""
    text = decode(data).text
    found = Collector(NAME, numbered=False, first_board=first_board, text=text)
    for line in found.limited(_LINE.finditer(text)):
        words = line[0].strip(" \t\0\x1a").partition(":")[0].split()
        if not words:
            continue
        number = found.next_number()
        deal = hands = None
        try:
            if len(words) != 4:
                raise DealError("deal.not_four_hands", count=len(words))
            parts = dict(zip(_SEATS, words, strict=True))
            deal, hands = judge([parse_hand(parts[seat], seat) for seat in Seat])
        except DealError as error:
            found.error(error, line.start(), number)
        found.add(deal, line.start(), hands=hands)
    return found.finish()


def dumps(boards: Sequence[Board]) -> bytes:
    """Write a line a board, LF, without tricks."""
    lines = (" ".join(b.deal.hand_pbn(seat) for seat in _SEATS) + ":\n" for b in boards)
    return "".join(lines).encode("ascii")
