"""CSV as Big Deal writes it (.csv): 18 fields a board: N S,H,D,C, E.., S.., W.., number, "N/-".

The last field is dealer and vulnerability (-, NS, EW, All). Read with commas, semicolons or tabs,
with or without quotes, past a heading line.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from typing import Final

from deals.boards import Board, Vulnerability
from deals.cards import Seat
from deals.errors import DealError
from deals.files.base import DealFile, Holds
from deals.files.collect import Collector
from deals.files.hands import judge, parse_holding, parse_seat, parse_vulnerability
from deals.files.text import decode, head

NAME: Final = "csv"
TITLE: Final = "CSV"
SUFFIX: Final = ".csv"
HOLDS: Final = Holds(markings=True)

_FIELDS: Final = 17
_HOLDING: Final = re.compile(r'\s*"?[AKQJT0-9]*-*"?\s*', re.I)
_LINE: Final = re.compile(r"[^\n]+")


def recognises(data: bytes, /) -> bool:
    """A line among the first few with 16 holdings and a number."""
    return any(_delimiter(line) for line in head(data).split("\n")[:5])


def _delimiter(line: str) -> str | None:
    for sign in ",;\t":
        fields = line.split(sign)
        if len(fields) >= _FIELDS and all(_HOLDING.fullmatch(field) for field in fields[:16]):
            return sign
    return None


def loads(data: bytes, first_board: int | None = None) -> DealFile:
    """Read all lines that hold 16 holdings; a heading is passed over."""
    text = decode(data).text
    found = Collector(NAME, numbered=True, first_board=first_board, text=text)
    delimiter = next(filter(None, map(_delimiter, text[:8192].split("\n"))), ",")
    for at, fields in found.limited(_rows(text, delimiter)):
        if len(fields) < _FIELDS:
            if len(found) or fields[0].strip()[:1].isdigit():
                found.problem("file.csv_fields", at, count=len(fields))
            continue
        if not any(field.strip() for field in fields[:16]) or not (
            len(found) or all(_HOLDING.fullmatch(field) for field in fields[:16])
        ):
            continue
        _add(fields, at, found)
    return found.finish()


def _rows(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    for line in _LINE.finditer(text):
        if line[0].strip(" \t\0\x1a"):
            # One line at a time: a quote that is never closed must not swallow the rest.
            short = line[0][:4096]
            yield (
                line.start(),
                next(csv.reader([short], delimiter=delimiter, skipinitialspace=True)),
            )


def _add(fields: list[str], at: int, found: Collector) -> None:
    digits = fields[16].strip()
    number = int(digits) if re.fullmatch(r"0*[1-9][0-9]{0,5}", digits) else None
    dealer, vulnerable = _markings(fields[17] if len(fields) > _FIELDS else "")
    deal = hands = None
    try:
        cards = [
            [
                index
                for suit in range(4)
                for index in parse_holding(fields[4 * seat + suit].strip(), suit, seat)
            ]
            for seat in Seat
        ]
        deal, hands = judge(cards)
    except DealError as error:
        found.error(error, at, number)
    found.add(deal, at, number=number, dealer=dealer, vulnerable=vulnerable, hands=hands)


def _markings(text: str) -> tuple[Seat | None, Vulnerability | None]:
    dealer, _, vulnerable = text.partition("/")
    return parse_seat(dealer), parse_vulnerability(vulnerable)


def dumps(boards: Sequence[Board]) -> bytes:
    """Write a quoted line a board, CRLF."""
    lines = []
    for board in boards:
        holdings = [part for seat in Seat for part in board.deal.hand_pbn(seat).split(".")]
        vulnerable = "-" if board.vulnerable is Vulnerability.NONE else board.vulnerable.value
        fields = [*holdings, str(board.number), f"{board.dealer.letter}/{vulnerable}"]
        lines.append(",".join(f'"{field}"' for field in fields) + "\r\n")
    return "".join(lines).encode("ascii")
