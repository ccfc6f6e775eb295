"""BRI (.bri): 128 bytes a board, the numbers 01..52 of the cards of N, E and S; binary, no numbers.

Source: Jannersten "convert.pdf"; written by Big Deal. 39 two-digit ASCII numbers (card index + 1),
then 32 spaces and 18 NUL. West has the rest. The cards of a hand may come in any order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from deals.boards import Board
from deals.cards import CARDS, Seat
from deals.deal import Deal
from deals.errors import DealError
from deals.files.base import DealFile, Holds
from deals.files.binary import chunks, first_boards, printable
from deals.files.collect import Collector

NAME: Final = "bri"
TITLE: Final = "BRI"
SUFFIX: Final = ".bri"
HOLDS: Final = Holds(numbers=False, gaps=False)

SIZE: Final = 128
CARDS_SIZE: Final = 78
_FILLER: Final = b" " * 32 + b"\0" * 18
_WEST: Final = 3


def decode_cards(data: bytes) -> Deal:
    """The deal of 78 bytes; DealError names what is no card, or the card that comes twice."""
    owners = bytearray([_WEST]) * 52
    seen: dict[int, Seat] = {}
    for place in range(39):
        digits = data[2 * place : 2 * place + 2]
        number = int(digits) if digits.isdigit() else 0
        if not 1 <= number <= 52:
            raise DealError("file.no_card_number", text=printable(digits), place=place + 1)
        index, seat = number - 1, Seat(place // 13)
        if index in seen:
            if seen[index] == seat:
                raise DealError("deal.card_twice", card=CARDS[index], hand=seat)
            raise DealError(
                "deal.card_in_two_hands", card=CARDS[index], hand=seen[index], other=seat
            )
        seen[index] = seat
        owners[index] = seat
    return Deal(bytes(owners))


def encode_cards(deal: Deal) -> bytes:
    """The 78 bytes of *deal*, cards in index order."""
    hands = (deal.hand(seat) for seat in (Seat.N, Seat.E, Seat.S))
    return b"".join(b"%02d" % (card.index + 1) for hand in hands for card in hand)


def recognises(data: bytes, /) -> bool:
    """Half of the first boards are 78 digits and then neither a digit nor a drawing."""
    starts = first_boards(data, SIZE, CARDS_SIZE)
    hits = sum(
        data[at : at + CARDS_SIZE].isdigit()
        and data[at + CARDS_SIZE : at + CARDS_SIZE + 1] in (b" ", b"\0", b"")
        for at in starts
    )
    return 0 < len(starts) <= 2 * hits


def loads(data: bytes, first_board: int | None = None) -> DealFile:
    """Read all boards, numbered from *first_board* (default 1)."""
    found = Collector(NAME, numbered=False, first_board=first_board)
    # The filler of the last board carries nothing, so a file that lost it is whole.
    for at in chunks(data, SIZE, CARDS_SIZE, found):
        number = found.next_number()
        deal = None
        try:
            deal = decode_cards(data[at : at + CARDS_SIZE])
        except DealError as error:
            found.error(error, at, number)
        found.add(deal, at)
    return found.finish()


def dumps(boards: Sequence[Board]) -> bytes:
    """Write the deals one after the other."""
    return b"".join(encode_cards(board.deal) + _FILLER for board in boards)
