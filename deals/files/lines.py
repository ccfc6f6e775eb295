"""Bare deals as programs print them: a line a deal, or a small block.

Read, each from its program's own output: "N:AKQ.. ... ... ..."; four hands N E S W, with or without
"N None" before them (BEN); `dealer`'s printoneline ("n .. e .. s .. w .."), printcompact (the same
on four lines) and printall (a number, then four lines of four columns); `deal -l` (suits parted by
blanks, hands N E S W by bars); the input of GIB's console ("-SWNE", then a hand a line). A line
"N None .." after a deal gives its dealer and vulnerability. Statistics and other text are passed
over. Written: "N:..." lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from deals.boards import Board
from deals.cards import Seat
from deals.errors import DealError
from deals.files.base import DealFile, Holds
from deals.files.collect import Collector
from deals.files.hands import judge, parse_deal, parse_hand, parse_seat, parse_vulnerability
from deals.files.text import decode, head

NAME: Final = "lines"
TITLE: Final = "deals, one a line"
SUFFIX: Final = ".deals"
HOLDS: Final = Holds(numbers=False, gaps=False)

_HAND: Final = r"[AKQJT2-9x]*+\.[AKQJT2-9x]*+\.[AKQJT2-9x]*+\.[AKQJT2-9x]*+"
_MARKS: Final = r"([NESW])[ ]+(None|N[-/]?S|E[-/]?W|Both|All|b|-)"
_PLAIN: Final = re.compile(rf"([NESW]:[ ]?{_HAND} {_HAND} {_HAND} {_HAND})", re.I)
_FOUR: Final = re.compile(rf"(?:{_MARKS}[ ]+)?({_HAND}) ({_HAND}) ({_HAND}) ({_HAND})", re.I)
_ONE_LINE: Final = re.compile(rf"n ({_HAND}) e ({_HAND}) s ({_HAND}) w ({_HAND})", re.I)
_ONE_HAND: Final = re.compile(rf"(?:([nesw]) )?({_HAND})", re.I)
_MARKS_AFTER: Final = re.compile(rf"{_MARKS}(?:[ ].*)?", re.I)
_SUITS: Final = "[AKQJT2-9]* [AKQJT2-9]* [AKQJT2-9]* [AKQJT2-9]*"
_BARS: Final = re.compile(rf"({_SUITS})\|({_SUITS})\|({_SUITS})\|({_SUITS})")
_NUMBER: Final = re.compile(r"(\d{1,5})\.")
_COLUMNS: Final = re.compile(r"\s*((?:[AKQJT2-9] )*[AKQJT2-9]|-)" * 4)
_LINE: Final = re.compile(r"[^\n]+")
_LONGEST: Final = 400
"""No deal is longer, and patterns with many blanks are slow on long lines."""
_ORDERS: Final = {"nesw": (0, 1, 2, 3), "swne": (2, 3, 0, 1)}


class _Found(NamedTuple):
    """A deal in the text: a PBN deal, or four hands N E S W."""

    at: int
    plain: str | None = None
    hands: tuple[str, ...] = ()
    number: int | None = None
    marks: tuple[str, str] | None = None


def recognises(data: bytes, /) -> bool:
    """A deal within the first lines."""
    lines = head(data).split("\n")[:40]
    return next(_deals((0, line) for line in lines), None) is not None


def loads(data: bytes, first_board: int | None = None) -> DealFile:
    """Read all deals; only printall numbers them."""
    text = decode(data).text
    found = Collector(NAME, numbered=False, first_board=first_board, text=text)
    lines = ((line.start(), line[0]) for line in found.limited(_LINE.finditer(text)))
    for one in _deals(lines):
        deal = hands = dealer = vulnerable = None
        try:
            if one.plain is not None:
                deal, hands = parse_deal(one.plain)
            else:
                cards = [parse_hand(hand, s) for hand, s in zip(one.hands, Seat, strict=True)]
                deal, hands = judge(cards)
        except DealError as error:
            found.error(error, one.at, one.number or found.next_number())
        if one.marks is not None:
            dealer, vulnerable = parse_seat(one.marks[0]), parse_vulnerability(one.marks[1])
        found.add(
            deal,
            one.at,
            number=one.number,
            dealer=dealer,
            vulnerable=vulnerable,
            hands=hands,
        )
    return found.finish()


def _deals(lines: Iterable[tuple[int, str]]) -> Iterator[_Found]:
    """The deals of *lines*, each with the marks that may follow it."""
    blocks = _Blocks()
    last: _Found | None = None
    for at, line in lines:
        short = line.strip(" \t\r\0\x1a") if len(line) <= _LONGEST else ""
        marks = _MARKS_AFTER.fullmatch(short)
        one = _whole(at, short) or blocks.line(at, line if len(line) <= _LONGEST else "")
        if one is None and marks and last is not None:
            last = last._replace(marks=last.marks or (marks[1], marks[2]))
        if last is not None and (one is not None or marks):
            yield last
            last = None
        if one is not None:
            last = one
    if last is not None:
        yield last


def _whole(at: int, line: str) -> _Found | None:
    """A deal that stands on one line."""
    if match := _PLAIN.fullmatch(line):
        return _Found(at, plain=match[1])
    if match := _FOUR.fullmatch(line):
        marks = (match[1], match[2]) if match[1] else None
        return _Found(at, hands=match.groups()[2:], marks=marks)
    if match := _ONE_LINE.fullmatch(line):
        return _Found(at, hands=match.groups())
    if match := _BARS.fullmatch(line):
        return _Found(at, hands=tuple(hand.replace(" ", ".") for hand in match.groups()))
    return None


class _Blocks:
    """Deals that stand on four lines."""

    def __init__(self) -> None:
        self._hands: list[str] = []
        self._columns: list[tuple[str, ...]] = []
        self._number: int | None = None
        self._order = "nesw"

    def line(self, at: int, line: str) -> _Found | None:
        """The deal that *line* completes, if it does."""
        short = line.strip()
        if match := _ONE_HAND.fullmatch(short):
            return self._one_hand(at, (match[1] or "").lower(), match[2])
        if short.startswith("-SWNE"):
            self._hands, self._order = [], "swne"
        elif match := _NUMBER.fullmatch(short):
            self._number, self._columns = int(match[1]) or None, []
        elif self._number is not None and (match := _COLUMNS.fullmatch(line.rstrip())):
            return self._four_columns(at, match.groups())
        return None

    def _one_hand(self, at: int, seat: str, hand: str) -> _Found | None:
        """A hand a line: n e s w by letter, or without letters in the order that was announced."""
        due = self._order[len(self._hands)]
        if seat != due and (seat or self._order == "nesw"):
            self._hands, self._order = [], "nesw"
            if seat != "n":
                return None
        self._hands.append(hand)
        if len(self._hands) < 4:
            return None
        hands = tuple(self._hands[place] for place in _ORDERS[self._order])
        self._hands, self._order = [], "nesw"
        return _Found(at, hands=hands)

    def _four_columns(self, at: int, columns: tuple[str, ...]) -> _Found | None:
        self._columns.append(columns)
        if len(self._columns) < 4:
            return None
        suits = [[cell.strip("-").replace(" ", "") for cell in row] for row in self._columns]
        hands = tuple(".".join(column) for column in zip(*suits, strict=True))
        number, self._number = self._number, None
        return _Found(at, hands=hands, number=number)


def dumps(boards: Sequence[Board]) -> bytes:
    """Write a line a board, LF."""
    return "".join(board.deal.pbn() + "\n" for board in boards).encode("ascii")
