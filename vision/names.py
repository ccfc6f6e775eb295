"""The card that a file's name states: SA, HT-2, 10H, as_front, ace_of_spades, KingOfHearts, spades_10."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from deals.cards import Card

_RANKS: Final = {letter: letter.upper() for letter in "akqjt23456789"} | dict(
    pair.split("=")
    for pair in (
        "1=A 10=T 11=J 12=Q 13=K 14=A ace=A king=K queen=Q jack=J knave=J ten=T nine=9 eight=8 seven=7 six=6 five=5 "
        "four=4 three=3 two=2 deuce=2"
    ).split()
)
_SUITS: Final = {
    word: word[0].upper()
    for word in "spade spades heart hearts diamond diamonds club clubs".split()
}
_SUIT_LETTERS: Final = frozenset("shdc")
_NUMBERS: Final = frozenset("1 2 3 4 5 6 7 8 9 10 11 12 13 14".split())


def _any_of(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_BY_LETTER: Final = re.compile(r"([shdc])(10|[akqjt2-9])|(1[0-4]|[akqjt1-9])([shdc])")
_BY_WORD: Final = re.compile(
    rf"(?:({_any_of(_RANKS)})(?:of)?({_any_of(_SUITS)})|({_any_of(_SUITS)})({_any_of(_RANKS)}))"
)
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_BETWEEN: Final = re.compile(r"[^a-z0-9]+")
_OF: Final = frozenset(("of", "de", "di", "von"))


def card_named(stem: str) -> Card | None:
    """The card that begins a file name without its ending; None where it states none for certain.

    The rest of the name may say which picture of the card it is.
    """
    words = _BETWEEN.split(stem.lower())
    if not words[0]:
        return None
    letters = _BY_LETTER.fullmatch(words[0])
    if letters:
        # "as_de_coeur" is French for the ace of hearts
        if len(words) > 1 and words[1] in _OF:
            return None
        suit, rank = (letters[1], letters[2]) if letters[1] else (letters[4], letters[3])
        return Card.parse(suit + _RANKS[rank])
    apart = [word for word in _BETWEEN.split(_CAMEL.sub(" ", stem).lower()) if word != "of"]
    return _of_words(apart[0]) or (_of_pair(*apart[:2]) if len(apart) > 1 else None)


def _of_words(word: str) -> Card | None:
    found = _BY_WORD.fullmatch(word)
    if not found:
        return None
    rank, suit = (found[1], found[2]) if found[1] else (found[4], found[3])
    return Card.parse(_SUITS[suit] + _RANKS[rank])


def _of_pair(one: str, other: str) -> Card | None:
    """Two words of which one is a rank and the other a suit; "S-2" may be the second picture of anything."""
    for rank, suit in ((one, other), (other, one)):
        letter = suit in _SUIT_LETTERS and (rank is one or rank not in _NUMBERS)
        if rank in _RANKS and (suit in _SUITS or letter):
            return Card.parse(_SUITS.get(suit, suit.upper()) + _RANKS[rank])
    return None
