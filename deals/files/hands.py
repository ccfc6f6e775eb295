"""Hands and markings as people and programs spell them, read liberally for every text format."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from deals.boards import Vulnerability
from deals.cards import CARDS, RANK_LETTERS, SUIT_LETTERS, Card, Seat
from deals.deal import Deal
from deals.errors import DealError

Hands = tuple[tuple[Card, ...] | None, ...]

_RANK_AT: Final = {letter: place for place, letter in enumerate(RANK_LETTERS)}
_SYMBOLS: Final = str.maketrans("♠♥♦♣♤♡♢♧–—−", "SHDCSHDC---")
_LETTERED: Final = re.compile(r"([SHDC])([^SHDC]*)")
_VULNERABLE: Final = {
    **{who.value: who for who in Vulnerability},
    **dict.fromkeys(("none", "love", "-", "o", "0", "neither", "nobody"), Vulnerability.NONE),
    **dict.fromkeys(("ns", "n"), Vulnerability.NS),
    **dict.fromkeys(("ew", "e"), Vulnerability.EW),
    **dict.fromkeys(("all", "both", "b", "game"), Vulnerability.ALL),
}


def parse_vulnerability(text: str) -> Vulnerability | None:
    """From any spelling seen in files ("N-S", "both ", "Love", "-"); None if it is none of them."""
    known = _VULNERABLE.get(text)
    if known is not None:
        return known
    key = text.strip().lower()
    if key not in _VULNERABLE:
        key = re.sub(r"[\s/\-.&+]", "", key)
    return _VULNERABLE.get(key)


def parse_seat(text: str) -> Seat | None:
    """From "N", "north" ..., None if it is no seat."""
    try:
        return Seat.parse(text)
    except DealError:
        return None


def parse_deal(text: str) -> tuple[Deal | None, Hands | None]:
    """A PBN deal: the deal, or the hands if it is only part of one (unknown hands, end positions).

    Liberal: blanks, "10", lower case, suit letters, "-" for a void. DealError says what is wrong.
    """
    try:
        return Deal.from_pbn(text), None
    except DealError:
        pass  # Not of the plain kind; the slow way accepts more, or says what is wrong.
    first, colon, rest = text.strip().partition(":")
    seat = parse_seat(first)
    if not colon or seat is None:
        raise DealError("deal.no_first_seat", text=text[:40])
    words = rest.split()
    if len(words) != 4:
        raise DealError("deal.not_four_hands", count=len(words))
    hands: list[list[int] | None] = [None] * 4
    for step, word in enumerate(words):
        holder = seat.next(step)
        hands[holder] = None if word in ("-", "?") else parse_hand(word, holder)
    return judge(hands)


def parse_hand(text: str, holder: Seat) -> list[int]:
    """Card indexes of a hand: "AKQ.T98..5432" in PBN manner, or lettered "SAKQHT98C5432"."""
    plain = text.translate(_SYMBOLS).upper().replace("10", "T")
    if any(letter in plain for letter in SUIT_LETTERS):
        return _parse_lettered(plain, text, holder)
    suits = plain.split(".")
    if len(suits) == 5 and not suits[4]:
        del suits[4]  # a dot too many behind a void in clubs
    if len(suits) != 4:
        raise DealError("deal.not_four_suits", hand=holder, text=text[:40])
    return [
        index
        for suit, holding in enumerate(suits)
        for index in parse_holding(holding, suit, holder)
    ]


def _parse_lettered(plain: str, text: str, holder: Seat) -> list[int]:
    cards: list[int] = []
    found = _LETTERED.findall(plain)
    letters = [letter for letter, _ in found]
    if plain[0] not in SUIT_LETTERS + "." or len(set(letters)) != len(letters):
        raise DealError("deal.not_four_suits", hand=holder, text=text[:40])
    for letter, holding in found:
        suit = SUIT_LETTERS.index(letter)
        cards += parse_holding(holding.strip(" .,:"), suit, holder)
    return cards


def parse_holding(text: str, suit: int, holder: Seat) -> list[int]:
    """Card indexes of the ranks of one suit; "", "-" and "---" are a void."""
    if not text.strip("-"):
        return []
    base = 13 * suit
    try:
        return [base + _RANK_AT[letter] for letter in text]
    except KeyError:
        pass
    ranks = text.upper().replace("10", "T").replace(" ", "")
    wrong = next((letter for letter in ranks if letter not in _RANK_AT), None)
    if wrong is not None:
        raise DealError("deal.no_rank", hand=holder, text=wrong)
    return [base + _RANK_AT[letter] for letter in ranks]


def rest_of(hands: Sequence[Sequence[int]]) -> list[int]:
    """The cards that none of *hands* holds."""
    held = {index for hand in hands for index in hand}
    return [index for index in range(52) if index not in held]


def judge(hands: Sequence[Sequence[int] | None]) -> tuple[Deal | None, Hands | None]:
    """Four hands N E S W of card indexes as a deal, or as a part of one; DealError if as neither.

    A part of a deal: some hands unknown and the others whole, or an end position, in which no hand
    has 13 cards and their numbers differ by one at most.
    """
    holder: dict[int, Seat] = {}
    for seat, hand in zip(Seat, hands, strict=True):
        for index in hand or ():
            if index not in holder:
                holder[index] = seat
            elif holder[index] == seat:
                raise DealError("deal.card_twice", card=CARDS[index], hand=seat)
            else:
                raise DealError(
                    "deal.card_in_two_hands", card=CARDS[index], hand=holder[index], other=seat
                )
    known = [len(hand) for hand in hands if hand is not None]
    if not known or max(known) == 0:
        raise DealError("deal.no_cards")
    if max(known) <= 13 and max(known) - min(known) <= (0 if max(known) == 13 else 1):
        if len(holder) < 52:
            return None, tuple(
                None if hand is None else tuple(sorted(CARDS[i] for i in hand)) for hand in hands
            )
        return Deal(bytes(holder[index] for index in range(52))), None
    # No deal: let the strict type say what is wrong with it.
    complete = [[CARDS[i] for i in hand or ()] for hand in hands]
    if None not in hands:
        Deal.from_hands(complete)
    wrong = next(seat for seat in Seat if hands[seat] is not None and len(complete[seat]) != 13)
    raise DealError("deal.hand_count", hand=wrong, count=len(complete[wrong]))
