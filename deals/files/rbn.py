"""RBN and RBX, Pavlicek (.rbn .rbx): a label and data a line, a blank line ends a record.

Source: rpbridge.net 7a12, version 3.2. H holds the hands, "W:S.H.D.C:..:..:" clockwise from a seat;
after three hands a last colon gives the fourth the rest. A begins with dealer and vulnerability
(Z none, N, E, B both, ? unknown) and a colon. B is the number, or any text. Labels D T L E F S K N
B H hold on until stated again; A belongs to its own record. RBX (module `rbx`) writes the same
labels as L{data} on one line a deal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from deals.boards import Board, Vulnerability
from deals.cards import Seat
from deals.deal import Deal
from deals.errors import DealError
from deals.files.base import DealFile, Holds
from deals.files.collect import Collector, Hands
from deals.files.hands import judge, parse_hand, parse_seat, parse_vulnerability, rest_of
from deals.files.text import decode

NAME: Final = "rbn"
TITLE: Final = "RBN (Pavlicek)"
SUFFIX: Final = ".rbn"
HOLDS: Final = Holds(markings=True)

_SIGN: Final = re.compile(rb"(?:^|\n|\r)H [NESW]:[^\r\n:]*:", re.I)
_LINE: Final = re.compile(r"[^\n]++|\n\n++")
_LETTERS: Final = {
    Vulnerability.NONE: "Z",
    Vulnerability.NS: "N",
    Vulnerability.EW: "E",
    Vulnerability.ALL: "B",
}
Record = dict[str, tuple[str, int]]


def recognises(data: bytes, /) -> bool:
    """A line of hands."""
    start = data[:65536]
    if b"\0" in start[:64]:
        start = decode(start).text.encode("utf-8", "replace")
    return _SIGN.search(start) is not None


def loads(data: bytes, first_board: int | None = None) -> DealFile:
    """Read the records; one without hands is the same board once more."""
    text = decode(data).text
    found = Collector(NAME, numbered=True, first_board=first_board, text=text)
    add_records(_records(text, found), found)
    return found.finish()


def _records(text: str, found: Collector) -> Iterator[Record]:
    record: Record = {}
    in_paragraph = False
    for line in found.limited(_LINE.finditer(text)):
        shown = line[0].rstrip()
        if not shown:
            in_paragraph = False
            yield record
            record = {}
        elif in_paragraph or shown.startswith("{"):
            in_paragraph = not shown.endswith("}")
        elif shown[1:2] == " ":
            record.setdefault(shown[0].upper(), (shown[2:].strip(), line.start()))
    yield record


def add_records(records: Iterator[Record], found: Collector) -> None:
    """Give the boards of *records* (label to data and place) to *found*."""
    for record in records:
        if "H" not in record:
            continue
        text, at = record["H"]
        number = _number(record["B"][0]) if "B" in record else None
        dealer, vulnerable = _markings(record["A"][0]) if "A" in record else (None, None)
        deal: Deal | None = None
        hands: Hands | None = None
        try:
            deal, hands = judge(_hands(text))
        except DealError as error:
            found.error(error, at, number)
        found.add(deal, at, number=number, dealer=dealer, vulnerable=vulnerable, hands=hands)


def _number(text: str) -> int | None:
    match = re.match(r"\s*(\d{1,6})(?!\d)", text)
    return (int(match[1]) or None) if match else None


def _markings(text: str) -> tuple[Seat | None, Vulnerability | None]:
    match = re.match(r"([NESW?])([ZNEB?])(?::|$)", text, re.I)
    if match is None:
        return None, None
    if match[2].upper() == "Z":
        return parse_seat(match[1]), Vulnerability.NONE
    return parse_seat(match[1]), parse_vulnerability(match[2])


def _hands(text: str) -> list[list[int] | None]:
    first, *parts = text.split(":")
    seat = parse_seat(first)
    if seat is None:
        raise DealError("deal.no_first_seat", text=text[:40])
    if len(parts) > 5 or (len(parts) == 5 and parts[4].strip()):
        raise DealError("deal.not_four_hands", count=len(parts))
    hands: list[list[int] | None] = [None] * 4
    for step, part in enumerate(parts[:4]):
        # Small cards written as x, and ; or ? for what is open, make a hand unknown.
        if part.strip() and not any(sign in part for sign in "xX?;"):
            hands[seat.next(step)] = parse_hand(part.strip(), seat.next(step))
    known = [hand for hand in hands if hand is not None]
    if len(parts) > 3 and not parts[3].strip() and [len(hand) for hand in known] == [13] * 3:
        hands[hands.index(None)] = rest_of(known)
    return hands


def fields(board: Board) -> list[tuple[str, str]]:
    """Labels and data of *board*, for RBN and RBX."""
    first = board.dealer
    hands = ":".join(board.deal.hand_pbn(first.next(step)) for step in range(3))
    return [
        ("B", str(board.number)),
        ("H", f"{first.letter}:{hands}:"),
        ("A", f"{first.letter}{_LETTERS[board.vulnerable]}:"),
    ]


def dumps(boards: Sequence[Board]) -> bytes:
    """Write three lines and a blank one a board, LF as version 3.2 wants."""
    records = ("".join(f"{label} {data}\n" for label, data in fields(b)) for b in boards)
    return "\n".join(records).encode("ascii")
