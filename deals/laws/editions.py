"""The three editions of the Laws of Duplicate Bridge, and where each says a thing."""

from __future__ import annotations

import enum
from typing import Final


class Edition(enum.Enum):
    """The value is the year; a set carries its edition."""

    LAWS_1997 = 1997
    LAWS_2007 = 2007
    LAWS_2017 = 2017


DEFAULT: Final = Edition.LAWS_2017


class Topic(enum.Enum):
    """What is numbered differently in the editions: (1997, 2007, 2017); empty: says nothing."""

    FACES_SYMMETRIC = ("", "", "1B")
    BACKS_SYMMETRIC = ("1", "1", "1C")
    ADJACENT_CARDS = ("", "", "6B")
    REDEAL_BEFORE_AUCTION = ("6D1", "6D1", "6D1")
    NOT_SHUFFLED = ("6D2", "6D2", "6D2")
    DIRECTOR_REDEALS = ("6D3", "6D3", "6D3")
    OTHER_METHOD = ("6E4", "6E4", "6E4")
    RANDOM_EXPECTATION = ("", "6E4", "6E4")
    NO_REDEAL_OF_COPIES = ("", "6F", "6F")
    ORIENTATION = ("", "", "7A")
    COUNT_CARDS = ("7B1", "7B2", "7B2")
    SHUFFLE_BEFORE_RETURN = ("", "7C", "7C")
    CARDS_OF_OTHER_BOARD = ("17D", "17D", "15A")
    CARD_SEEN = ("16B", "16C", "16D")
    PASSED_OUT = ("22A", "22A", "22B")
    TEAMS_RESULT_KNOWN = ("86C", "86C", "86A")
    MARKINGS_FOUL_A_BOARD = ("", "87", "87")

    def law(self, edition: Edition = DEFAULT) -> str:
        """The number in *edition*, such as "7B2"; empty if it has no such law."""
        return self.value[list(Edition).index(edition)]
