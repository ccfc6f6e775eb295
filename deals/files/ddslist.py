"""DDS list (.txt): the test lists of the double dummy solver: NUMBER n, then PBN lines; no numbers.

Source: the lists that come with it. `PBN dealer vul trump leader "deal"`, dealer and leader 0..3 =
N E S W, vul 0 none, 1 all, 2 NS, 3 EW; the lines FUT TABLE PAR PAR2 PLAY TRACE between are results.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from deals.boards import Board, Vulnerability
from deals.cards import Seat
from deals.errors import DealError
from deals.files.base import DealFile, Holds
from deals.files.collect import Collector
from deals.files.hands import parse_deal
from deals.files.text import decode, head

NAME: Final = "dds"
TITLE: Final = "DDS list"
SUFFIX: Final = ".txt"
HOLDS: Final = Holds(numbers=False, gaps=False, markings=True)

_SIGN: Final = re.compile(r'(?:NUMBER \d+\s+)?PBN \d \d \d \d "')
_LINE: Final = re.compile(r'^PBN[ \t]+(?:(\d)[ \t]+(\d)[ \t]+\d[ \t]+\d[ \t]+"([^"\n]*)")?', re.M)
_COUNT: Final = re.compile(r"NUMBER[ \t]+(\d{1,9})")
_VULNERABLE: Final = (Vulnerability.NONE, Vulnerability.ALL, Vulnerability.NS, Vulnerability.EW)


def recognises(data: bytes, /) -> bool:
    """NUMBER and a first PBN line."""
    return _SIGN.match(head(data, 1024)) is not None


def loads(data: bytes, first_board: int | None = None) -> DealFile:
    """Read a board a PBN line, numbered from *first_board* (default 1)."""
    text = decode(data).text
    found = Collector(NAME, numbered=False, first_board=first_board, text=text)
    for line in found.limited(_LINE.finditer(text)):
        number = found.next_number()
        deal = hands = dealer = vulnerable = None
        try:
            if line[3] is None or line[1] > "3" or line[2] > "3":
                raise DealError("file.dds_line")
            dealer, vulnerable = Seat(int(line[1])), _VULNERABLE[int(line[2])]
            deal, hands = parse_deal(line[3])
        except DealError as error:
            found.error(error, line.start(), number)
        found.add(deal, line.start(), dealer=dealer, vulnerable=vulnerable, hands=hands)
    stated = _COUNT.match(text)
    if stated and int(stated[1]) != len(found):
        found.warn("file.stated_count", 0, stated=int(stated[1]), count=len(found))
    return found.finish()


def dumps(boards: Sequence[Board]) -> bytes:
    """Write the number of boards and a PBN line each: notrump, lead from the dealer's left."""
    lines = [f"NUMBER {len(boards)} \n"]
    for board in boards:
        vulnerable = _VULNERABLE.index(board.vulnerable)
        leader = board.dealer.next()
        deal = board.deal.pbn(board.dealer)
        lines.append(f'PBN {board.dealer:d} {vulnerable} 4 {leader:d} "{deal}" \n')
    return "".join(lines).encode("ascii")
