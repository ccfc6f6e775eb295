"""The small pictures of the cards of a board, in the memory alone and only until the board is proven."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from controller.devices.eye import Answer

MOST: Final = 512
"""Looks of some passes; the oldest go first."""


class Crops:
    """By run, feed and look. They show faces: nothing may write them down."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[int, int, int], bytes] = OrderedDict()

    def keep(self, run: int, answer: Answer) -> None:
        """Keeps the picture that came with an answer."""
        if answer.crop:
            self._kept[run, answer.feed, answer.look] = answer.crop
            if len(self._kept) > MOST:
                self._kept.popitem(last=False)

    def of(self, run: int, feed: int, look: int | None = None) -> bytes:
        """The picture of a card, of look 1 if there is one, as that shows more of it; empty when
        there is none.
        """
        looks = (1, 2) if look is None else (look,)
        found = (self._kept.get((run, feed, one)) for one in looks)
        return next((crop for crop in found if crop), b"")

    def forget(self) -> None:
        """The board is proven, or given up: nobody is to see its cards."""
        self._kept.clear()

    def __len__(self) -> int:
        return len(self._kept)
