"""Constraints: the first deal of a board's stream that meets one, and nothing else is chosen."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from deals.commit import Draw
from deals.deal import Deal
from deals.errors import DealError
from deals.generate import bulk
from deals.generate.bulk import Owners
from deals.generate.source import LONGEST_CONSTRAINT, plain_line
from deals.teaching import language
from deals.teaching.hands import Hands

MOST_CANDIDATES: Final = 20_000_000
"""Deals of one board that are looked at: about a minute and a half on one core."""


@dataclass(frozen=True)
class Constraint:
    """A condition on deals; ConstraintError with the column for what cannot be understood."""

    text: str
    _body: list[Any] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", plain_line(self.text, LONGEST_CONSTRAINT))
        object.__setattr__(self, "_body", language.parse(self.text))
        # What is no seat, suit or number shows on any deal; better now than after a minute.
        self.meets(np.array([range(52)], np.uint8) // 13)

    def meets(self, owners: Owners) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """For each row of *owners* whether that deal meets it."""
        return language.evaluate(self._body, self.text, Hands(owners))

    def first(self, key: bytes, board: int, redeal: int = 0, most: int = MOST_CANDIDATES) -> Deal:
        """The first deal of the board's stream that meets it.

        DealError if none of the first *most* does: it is too rare, or impossible.
        """
        looked = 0
        for rows in bulk.candidates(key, board, redeal):
            found = self.meets(rows)
            if found.any():
                return Deal(rows[found.argmax()].tobytes())
            looked += len(rows)
            if looked >= most:
                break
        raise DealError("teaching.too_rare", board=board, count=looked, constraint=self.text)


def drawer(constraint: Constraint, most: int = MOST_CANDIDATES) -> Draw:
    """How `deals.commit.prove` makes the deals of a TEACHING set again."""
    return lambda key, board, redeal: constraint.first(key, board, redeal, most)
