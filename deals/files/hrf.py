"""HRF (.hrf), read only: 128 bytes a board, its number and hands N E S W as S..H..D..C.. letters.

Source: a written description that leaves the padding open; no real file is known. So blanks,
commas, NUL and line ends between the parts are let pass, and a number may be digits or one byte.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from deals.boards import Board
from deals.cards import Seat
from deals.errors import DealError, DealFileError
from deals.files.base import DealFile
from deals.files.binary import chunks
from deals.files.collect import Collector
from deals.files.hands import judge, parse_hand

NAME: Final = "hrf"
TITLE: Final = "HRF"
SUFFIX: Final = ".hrf"
HOLDS: Final = None

_SIZE: Final = 128
_GAP: Final = r"[\s,;:\0-]*"
_HAND: Final = r"(S[AKQJT0-9]*H[AKQJT0-9]*D[AKQJT0-9]*C[AKQJT0-9]*)"
_BOARD: Final = re.compile(
    rf"(\d{{1,4}}|[\x01-\x63])?{_GAP}{_HAND}{_GAP}{_HAND}{_GAP}{_HAND}{_GAP}{_HAND}", re.I
)


def recognises(data: bytes, /) -> bool:
    """A number and four lettered hands in the first 128 bytes, and nothing of PBN."""
    return _BOARD.match(data[:_SIZE].decode("latin-1").lstrip()) is not None


def loads(data: bytes, first_board: int | None = None) -> DealFile:
    """Read all boards."""
    found = Collector(NAME, numbered=True, first_board=first_board)
    for at in chunks(data, _SIZE, 56, found, lambda *_: None):
        match = _BOARD.match(data[at : at + _SIZE].decode("latin-1").lstrip())
        if match is None:
            found.problem("file.hrf_board", at)
            continue
        number = _number(match[1])
        deal = hands = None
        try:
            cards = [parse_hand(match[2 + seat], seat) for seat in Seat]
            deal, hands = judge(cards)
        except DealError as error:
            found.error(error, at, number)
        found.add(deal, at, number=number, hands=hands)
    return found.finish()


def _number(text: str | None) -> int | None:
    if not text:
        return None
    return (int(text) if text.isdecimal() else ord(text)) or None


def dumps(boards: Sequence[Board]) -> bytes:
    """Refuse: how a board is padded is not known."""
    raise DealFileError("file.read_only_format", format=NAME)
