"""Images that carry the card as a number, and the reader that reads them: for benchmarks and tests
alone.

They take rendering and recognition out of a measurement of the control stack. Nothing else may
import this.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from controller.twin.world.camera import Shown
from controller.twin.world.layout import CARD
from controller.twin.world.things import Kind as Pasteboard
from controller.twin.world.things import Smudge
from controller.twin.world.view import View
from deals.cards import CARDS
from vision.geometry import WINDOW_ROWS
from vision.reading import CardReading, Kind

NOTHING = 255
STOP_CARD = 254
UNREADABLE = 253


class IdentityPictures:
    """The `Pictures` of a world whose cameras see numbers."""

    def window(self, shown: Sequence[Shown], view: View, rng: random.Random) -> Any:
        """Nine bytes: what is seen, and eight of noise so that no two images are the same."""
        code = code_of(shown, view)
        if (view.grime or view.daylight) and rng.random() < _hidden(view):
            code = UNREADABLE
        return np.array([code, *rng.randbytes(8)], np.uint8)


class IdentityReader:
    """Reads the first byte."""

    def read(self, image: Any) -> CardReading:
        """The reading of an image made by IdentityPictures."""
        code = int(image[0])
        if code == NOTHING:
            return CardReading(Kind.NO_CARD)
        if code == STOP_CARD:
            return CardReading(Kind.STOP_CARD, confidence=1.0)
        if code == UNREADABLE:
            return CardReading(Kind.UNSURE)
        return CardReading(Kind.CARD, CARDS[code], CARDS[code], 1.0, None, "corner")


def code_of(shown: Sequence[Shown], view: View) -> int:
    """The card of the 52 that fills the window, or what else is seen."""
    if not shown or view.light_us <= 0:
        return NOTHING
    # Of two cards at once the lower one; of two behind each other the one that fills the window.
    card = max(shown, key=_rows).card
    if card.kind is Pasteboard.STOP:
        return STOP_CARD
    smudged = card.smudges[int(card.turned)] is not Smudge.CLEAN
    if card.card is None or smudged or card.face_up:
        return UNREADABLE
    return card.card.index


def _hidden(view: View) -> float:
    """How often pixels would not be read: as drawn ones are refused through such grime and in such light."""
    return max(min((view.grime - 0.38) / 0.15, 1.0), 0.3 * view.daylight)


def _rows(one: Shown) -> int:
    return min(one.lead_row + CARD, WINDOW_ROWS) - max(one.lead_row, 0)
