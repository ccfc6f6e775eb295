"""JSON of our own (.json): a list of {"board", "dealer", "vulnerable", "deal": "N:..."}.

What `predeal files show --json` prints is read as well, and so are the two shapes of hand records
on the web: "Deal" as a list of four hands N E S W, and sixteen fields "north_spades" and so on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from deals.boards import Board, Vulnerability
from deals.cards import Seat
from deals.deal import Deal
from deals.errors import DealError
from deals.files.base import DealFile, Holds
from deals.files.collect import Collector, Hands
from deals.files.hands import judge, parse_deal, parse_hand, parse_seat, parse_vulnerability
from deals.files.text import decode, head

NAME: Final = "json"
TITLE: Final = "JSON"
SUFFIX: Final = ".json"
HOLDS: Final = Holds(markings=True)

_SIGN: Final = re.compile(r'[\[{]\s*[\[{]?\s*"|\[\s*\]\s*$')
_KEY: Final = re.compile(r'"(?:deals?|boards?|hands|north_spades|board_number)"\s*:', re.I)
_SPACE: Final = re.compile(r"[\s,]*")
_LIST: Final = re.compile(r'(?:.{0,65536}?"(?:boards|deals|hand_records)"\s*:)?\s*\[', re.I | re.S)
_SUITS: Final = ("spades", "hearts", "diamonds", "clubs")
_SEATS: Final = ("north", "east", "south", "west")


def recognises(data: bytes, /) -> bool:
    """Opening brackets, a quote, and a key that has to do with deals."""
    text = head(data, 65536)
    return _SIGN.match(text) is not None and (_KEY.search(text) is not None or len(text) < 8)


def loads(data: bytes, first_board: int | None = None) -> DealFile:
    """Read all objects of the list."""
    text = decode(data).text
    found = Collector(NAME, numbered=True, first_board=first_board, text=text)
    for at, item in found.limited(_items(text, found)):
        _add(item, at, found)
    return found.finish()


def _items(text: str, found: Collector) -> Iterator[tuple[int, dict[str, Any]]]:
    decoder = json.JSONDecoder()
    # The list itself, or the list under the key of an object.
    start = _LIST.match(text) if text.lstrip()[:1] == "{" else re.match(r"\s*\[", text)
    at = start.end() if start else 0
    while (at := _after_space(text, at)) < len(text) and text[at] != "]":
        try:
            item, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            where = getattr(error, "pos", at)
            found.problem("file.json_broken", min(where, len(text)))
            return
        if isinstance(item, dict):
            yield at, {str(key).lower(): value for key, value in item.items()}
        else:
            found.problem("file.json_no_object", at)
        at = end


def _after_space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _add(item: dict[str, Any], at: int, found: Collector) -> None:
    number = _number(item.get("board", item.get("board_number", item.get("number"))))
    dealer = parse_seat(str(item.get("dealer", "")))
    vulnerable = parse_vulnerability(str(item.get("vulnerable", item.get("vulnerability", "?"))))
    deal: Deal | None = None
    hands: Hands | None = None
    try:
        deal, hands = _deal(item)
    except DealError as error:
        found.error(error, at, number)
    found.add(deal, at, number=number, dealer=dealer, vulnerable=vulnerable, hands=hands)


def _number(value: object) -> int | None:
    text = str(value).strip()
    return int(text) or None if text.isdecimal() and len(text) < 7 else None


def _deal(item: dict[str, Any]) -> tuple[Deal | None, Hands | None]:
    value = item.get("deal")
    if isinstance(value, str):
        return parse_deal(value)
    if isinstance(value, list) and len(value) == 4:
        return judge([parse_hand(str(h), s) for h, s in zip(value, Seat, strict=True)])
    if any(f"{seat}_spades" in item for seat in _SEATS):
        hands = [
            ".".join(str(item.get(f"{seat}_{suit}", "")).replace(" ", "") for suit in _SUITS)
            for seat in _SEATS
        ]
        return judge([parse_hand(hand, seat) for hand, seat in zip(hands, Seat, strict=True)])
    raise DealError("file.json_no_deal")


def dumps(boards: Sequence[Board]) -> bytes:
    """Write an object a line in one list."""
    lines = [
        json.dumps(
            {
                "board": board.number,
                "dealer": board.dealer.letter,
                "vulnerable": Vulnerability(board.vulnerable).value,
                "deal": board.deal.pbn(),
            }
        )
        for board in boards
    ]
    return ("[\n" + ",\n".join(lines) + "\n]\n").encode("ascii")
