"""Bare deals as programs print them: a line a deal, or a small block.

Read: "N:AKQ.. ... ... ..."; `dealer`'s printoneline ("n .. e .. s .. w ..") and printcompact (the
same on four lines) and printall (a number, then four lines of four columns); `deal -l` ("AK QJ T9 8|"
and so on: suits parted by blanks, hands N E S W by bars). Sources: the programs' own output.
Statistics and other text between are passed over. Written: "N:..." lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from deals.boards import Board
from deals.cards import Seat
from deals.errors import DealError
from deals.files.base import DealFile, Holds
from deals.files.collect import Collector
from deals.files.hands import judge, parse_deal, parse_hand
from deals.files.text import decode, head

NAME: Final = "lines"
TITLE: Final = "deals, one a line"
SUFFIX: Final = ".deals"
HOLDS: Final = Holds(numbers=False, gaps=False)

_HAND: Final = r"[AKQJT2-9x]*+\.[AKQJT2-9x]*+\.[AKQJT2-9x]*+\.[AKQJT2-9x]*+"
_PLAIN: Final = re.compile(rf"([NESW]:[ ]?{_HAND} {_HAND} {_HAND} {_HAND})\s*", re.I)
_ONE_LINE: Final = re.compile(rf"n ({_HAND}) e ({_HAND}) s ({_HAND}) w ({_HAND})\s*", re.I)
_ONE_HAND: Final = re.compile(rf"([nesw]) ({_HAND})\s*")
_SUITS: Final = "[AKQJT2-9]* [AKQJT2-9]* [AKQJT2-9]* [AKQJT2-9]*"
_BARS: Final = re.compile(rf"({_SUITS})\|({_SUITS})\|({_SUITS})\|({_SUITS})\s*")
_NUMBER: Final = re.compile(r"\s*(\d{1,5})\.\s*")
_COLUMNS: Final = re.compile(r"\s*((?:[AKQJT2-9] )*[AKQJT2-9]|-)" * 4 + r"\s*")
_LINE: Final = re.compile(r"[^\n]+")
_LONGEST: Final = 200
"""No deal is longer, and patterns with many blanks are slow on long lines."""


class _Found(NamedTuple):
    """A deal in the text: a PBN deal, or four hands N E S W."""

    at: int
    plain: str | None = None
    hands: tuple[str, ...] = ()
    number: int | None = None


def recognises(data: bytes, /) -> bool:
    """A deal within the first lines."""
    return next(_deals([(0, line) for line in head(data).split("\n")[:40]]), None) is not None


def loads(data: bytes, first_board: int | None = None) -> DealFile:
    """Read all deals; only printall numbers them."""
    text = decode(data).text
    found = Collector(NAME, numbered=False, first_board=first_board, text=text)
    lines = ((line.start(), line[0]) for line in found.limited(_LINE.finditer(text)))
    for one in _deals(lines):
        deal = hands = None
        try:
            if one.plain is not None:
                deal, hands = parse_deal(one.plain)
            else:
                cards = [parse_hand(hand, s) for hand, s in zip(one.hands, Seat, strict=True)]
                deal, hands = judge(cards)
        except DealError as error:
            found.error(error, one.at, one.number or found.next_number())
        found.add(deal, one.at, number=one.number, hands=hands)
    return found.finish()


def _deals(lines: Sequence[tuple[int, str]] | Iterator[tuple[int, str]]) -> Iterator[_Found]:
    compact: list[str] = []
    columns: list[tuple[str, ...]] = []
    number: int | None = None
    for at, line in lines:
        if len(line) > _LONGEST:
            continue
        if match := _PLAIN.fullmatch(line):
            yield _Found(at, plain=match[1])
        elif match := _ONE_LINE.fullmatch(line):
            yield _Found(at, hands=match.groups())
        elif match := _BARS.fullmatch(line):
            yield _Found(at, hands=tuple(hand.replace(" ", ".") for hand in match.groups()))
        elif match := _ONE_HAND.fullmatch(line):
            # n e s w in this order and on lines that follow each other
            compact = [*compact, match[2]] if match[1] == "nesw"[len(compact)] else []
            if len(compact) == 4:
                yield _Found(at, hands=tuple(compact))
                compact = []
        elif match := _NUMBER.fullmatch(line):
            number, columns = int(match[1]) or None, []
        elif number is not None and (match := _COLUMNS.fullmatch(line)):
            columns.append(match.groups())
            if len(columns) == 4:
                hands = (
                    ".".join(c.replace("-", "") for c in column)
                    for column in zip(*columns, strict=True)
                )
                yield _Found(at, hands=tuple(h.replace(" ", "") for h in hands), number=number)
                number = None


def dumps(boards: Sequence[Board]) -> bytes:
    """Write a line a board, LF."""
    return "".join(board.deal.pbn() + "\n" for board in boards).encode("ascii")
