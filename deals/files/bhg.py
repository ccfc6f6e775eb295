"""BHG, Borel (.bhg): line n holds board n: 52 letters, 13 a hand, beginning with the dealer's hand.

Source: Big Deal's output. A-Z are the cards of index 0 to 25, a-z those of 26 to 51; the first line
(number 0) is empty, and so is the line of a board that is not there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from deals.boards import Board, dealer_of
from deals.cards import CARDS, Seat
from deals.deal import Deal
from deals.errors import DealError
from deals.files.base import DealFile, Holds
from deals.files.collect import Collector
from deals.files.text import decode, head

NAME: Final = "bhg"
TITLE: Final = "BHG (Borel)"
SUFFIX: Final = ".bhg"
HOLDS: Final = Holds()

_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_WORD: Final = re.compile(r"[A-Za-z]{52}")
_LINE: Final = re.compile(r"[^\n]+")


def recognises(data: bytes, /) -> bool:
    """Half of the first lines, those of no board aside, are 52 letters."""
    lines = [line.strip() for line in head(data, 2048).split("\n")]
    lines = [line for line in lines if line][:8]
    hits = sum(_WORD.fullmatch(line) is not None for line in lines)
    return 0 < len(lines) <= 2 * hits


def loads(data: bytes, first_board: int | None = None) -> DealFile:
    """Read all boards; the place of its line is a board's number."""
    text = decode(data).text.rstrip("\0\x1a \n\t")
    found = Collector(NAME, numbered=True, first_board=first_board, text=text)
    # Line 1 of the file is line 0 of the format; where it is missing, boards begin at 1 as well.
    ahead = 0 if text[:1].strip() else 1
    for line in found.limited(_LINE.finditer(text)):
        letters = line[0].strip()
        if not letters:
            continue
        number = found.line_of(line.start()) - ahead
        deal = None
        try:
            deal = _decode(letters, dealer_of(number))
        except DealError as error:
            found.error(error, line.start(), number)
        found.add(deal, line.start(), number=number)
    return found.finish()


def _decode(letters: str, dealer: Seat) -> Deal:
    if _WORD.fullmatch(letters) is None:
        raise DealError("file.bhg_letters", text=letters[:60])
    indexes = [_LETTERS.index(letter) for letter in letters]
    hands = [[CARDS[i] for i in indexes[start : start + 13]] for start in range(0, 52, 13)]
    return Deal.from_hands([hands[(seat - dealer) % 4] for seat in Seat])


def dumps(boards: Sequence[Board]) -> bytes:
    """Write a line a number, CRLF; a reader takes the dealer from the number, so this does too."""
    lines = [""] * (boards[-1].number + 1)
    for board in boards:
        dealer = dealer_of(board.number)
        hands = (board.deal.hand(dealer.next(step)) for step in range(4))
        lines[board.number] = "".join(_LETTERS[card.index] for hand in hands for card in hand)
    return ("\r\n".join(lines) + "\r\n").encode("ascii")
