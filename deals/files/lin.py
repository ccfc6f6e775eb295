"""LIN, BBO (.lin): key|value| pairs, deals in md, vulnerability in sv, numbers in ah or qx.

There is no public specification; this follows what programs write and BBO's own files hold. md is a
digit for the dealer (1 S, 2 W, 3 N, 4 E) and hands S, W, N, E as S..H..D..C..; the fourth may be
left out. Line ends mean nothing. qx|o3| and qx|c3| are the two rooms of one board. Handviewer
addresses (...?lin=..., or ...?n=..&e=..&s=..&w=..&d=..&v=..&b=..) are read too, one a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final
from urllib.parse import parse_qs, unquote_plus

from deals.boards import Board, Vulnerability
from deals.cards import Seat
from deals.errors import DealError
from deals.files.base import DealFile, Holds
from deals.files.collect import Collector
from deals.files.hands import judge, parse_hand, parse_vulnerability, rest_of
from deals.files.text import decode

NAME: Final = "lin"
TITLE: Final = "LIN (BBO)"
SUFFIX: Final = ".lin"
HOLDS: Final = Holds(markings=True)

_PAIR: Final = re.compile(r"([A-Za-z]{2})\|([^|]*+)\|?")
_SIGN: Final = re.compile(
    rb"(?:^|[|\s=])md\|\s*[0-4]?\s*S?[AKQJT0-9]*|[?&](?:lin=|n=[sS][^&]*&)", re.I
)
_URL: Final = re.compile(r"\S+\?(\S+)")
_LONGEST_URL: Final = 65536
_BOARD: Final = re.compile(r"board\s*#?\s*(\d{1,6})", re.I)
_LAST: Final = re.compile(r"\D{0,40}(\d{1,6})\s*")
_QX: Final = re.compile(r"\s*[oc]?\s*(\d{1,6})", re.I)
_SEATS: Final = (Seat.S, Seat.W, Seat.N, Seat.E)
_DEALERS: Final = {"1": Seat.S, "2": Seat.W, "3": Seat.N, "4": Seat.E}
_VULNERABLE: Final = {
    Vulnerability.NONE: "o",
    Vulnerability.NS: "n",
    Vulnerability.EW: "e",
    Vulnerability.ALL: "b",
}
_KEYS: Final = frozenset(("md", "sv", "ah", "qx"))
_Pairs = Iterator[tuple[str, str, int]]


def recognises(data: bytes, /) -> bool:
    """A deal key md, or a handviewer address, somewhere near the beginning."""
    start = data[:65536]
    if b"\0" in start[:64]:
        start = decode(start).text.encode("utf-8", "replace")
    return _SIGN.search(start) is not None


def loads(data: bytes, first_board: int | None = None) -> DealFile:
    """Read every deal; the second room's is the first's once more."""
    text = decode(data).text
    found = Collector(NAME, numbered=True, first_board=first_board, text=text)
    record: dict[str, tuple[str, int]] = {}
    for key, value, at in found.limited(_pairs(text)):
        # qx opens a board; without it, whatever comes for the second time does.
        if (key == "qx" and record) or key in record:
            _add(record, found)
            record = {}
        record[key] = (value, at)
    _add(record, found)
    return found.finish()


def _pairs(text: str) -> _Pairs:
    if "://" not in text[:65536] and "?" not in text[:512]:
        yield from _plain_pairs(text, 0)
        return
    for line in re.finditer(r"[^\n]+", text):
        address = _URL.match(line[0].strip()) if len(line[0]) < _LONGEST_URL else None
        if address is None or "=" not in address[1]:
            yield from _plain_pairs(line[0], line.start())
            continue
        yield "qx", "", line.start()
        query = address[1]
        if "lin=" in query:
            lin = unquote_plus(query.partition("lin=")[2].partition("&")[0])
            yield from ((key, value, line.start()) for key, value, _ in _plain_pairs(lin, 0))
        else:
            yield from _from_fields(query, line.start())


def _plain_pairs(text: str, start: int) -> _Pairs:
    for pair in _PAIR.finditer(text):
        key = pair[1].lower()
        if key in _KEYS:
            yield key, pair[2].replace("\n", ""), start + pair.start()


def _from_fields(query: str, at: int) -> _Pairs:
    """The pairs that say what ?n=..&e=..&s=..&w=..&d=..&v=..&b=.. says."""
    try:
        fields = {name.lower(): values[0] for name, values in parse_qs(query).items()}
    except ValueError:
        return
    dealer = next((d for d, s in _DEALERS.items() if s.letter == fields.get("d", "").upper()), "")
    yield "md", dealer + ",".join(fields.get(seat.letter.lower(), "") for seat in _SEATS), at
    if "v" in fields:
        yield "sv", fields["v"], at
    if "b" in fields:
        yield "ah", f"Board {fields['b']}", at


def _add(record: dict[str, tuple[str, int]], found: Collector) -> None:
    text, at = record.get("md", ("", 0))
    text = text.strip().replace(" ", "")
    if not text.strip("01234,"):
        return
    number = _number(record)
    dealer = _DEALERS.get(text[0])
    vulnerable = None
    if "sv" in record:
        vulnerable = _vulnerable(record["sv"][0])
        if vulnerable is None:
            found.warn("file.vulnerable_unknown", record["sv"][1], number, text=record["sv"][0])
    deal = hands = None
    try:
        deal, hands = judge(_hands(text.lstrip("01234")))
    except DealError as error:
        found.error(error, at, number)
    found.add(deal, at, number=number, dealer=dealer, vulnerable=vulnerable, hands=hands)


def _number(record: dict[str, tuple[str, int]]) -> int | None:
    header, room = record.get("ah", ("", 0))[0], record.get("qx", ("", 0))[0]
    match = _BOARD.search(header) or _LAST.fullmatch(header) or _BOARD.search(room)
    match = match or _QX.match(room)
    return (int(match[1]) or None) if match else None


def _vulnerable(text: str) -> Vulnerability | None:
    return parse_vulnerability(text) if text.strip() else Vulnerability.NONE


def _hands(text: str) -> list[list[int] | None]:
    parts = text.split(",")
    if len(parts) > 5 or (len(parts) == 5 and parts[4]):
        raise DealError("deal.not_four_hands", count=len(parts))
    hands: list[list[int] | None] = [None] * 4
    for seat, part in zip(_SEATS, parts, strict=False):
        if part.strip("-?"):
            hands[seat] = parse_hand(part, seat)
    known = [hand for hand in hands if hand is not None]
    if len(known) == 3 and all(len(hand) == 13 for hand in known):
        hands[hands.index(None)] = rest_of(known)
    return hands


def dumps(boards: Sequence[Board]) -> bytes:
    """Write a line a board, CRLF, with everything that readers look for."""
    lines = []
    for board in boards:
        dealer = next(digit for digit, seat in _DEALERS.items() if seat == board.dealer)
        hands = ",".join(_lettered(board, seat) for seat in _SEATS)
        number, vulnerable = board.number, _VULNERABLE[board.vulnerable]
        lines.append(
            f"qx|o{number}|pn|South,West,North,East|st||md|{dealer}{hands}|rh||"
            f"ah|Board {number}|sv|{vulnerable}|pg||\r\n"
        )
    return "".join(lines).encode("ascii")


def _lettered(board: Board, seat: Seat) -> str:
    holdings = board.deal.hand_pbn(seat).split(".")
    return "".join(letter + holding for letter, holding in zip("SHDC", holdings, strict=True))
