"""Two cards that dirt, wear or a bad focus makes alike, both ways: printed on their faces, so that images show it.

What differs between the two is covered, filled or washed out on both. At most half of the way from one to the other is
gone: a card that shows more of the other's ink than of its own is the other card to every eye.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from deals.cards import CARDS, Card
from vision.design import Design
from vision.geometry import CORNER_HEIGHT_MM, CORNER_WIDTH_MM
from vision.limits import weakest_pairs
from vision.synthetic.canvas import PX_PER_MM, Face

CAUSES: Final = ("defocus", "dirt", "rubbed", "ink", "washed out")
_PAIRS: Final = 12
"""The most similar pairs of a design, by its own model."""
_ROWS: Final = round(CORNER_HEIGHT_MM * PX_PER_MM)
_COLS: Final = round(CORNER_WIDTH_MM * PX_PER_MM)
_DIFFERS: Final = 40
"""Grey values by which two prints differ where they do."""
_HALF: Final = 0.5
Floats = NDArray[np.float32]
Random = np.random.Generator


@dataclass(frozen=True, slots=True, eq=False)
class Confusion:
    """Two cards, what makes them alike, how much, and their faces with it."""

    cards: tuple[Card, Card]
    cause: str
    strength: float
    faces: Mapping[Card, Face]

    def other(self, card: Card) -> Card:
        """The one that *card* may be taken for."""
        return self.cards[0] if card is self.cards[1] else self.cards[1]


def pair_of(design: Design, rng: Random) -> tuple[Card, Card]:
    """Mostly one of the design's most similar pairs; sometimes any two cards of one suit or rank."""
    if rng.random() < 0.75:
        weakest = weakest_pairs(design.model, _PAIRS)
        one, other, _ = weakest[int(rng.integers(len(weakest)))]
        return one, other
    one = CARDS[int(rng.integers(52))]
    like = [c for c in CARDS if c is not one and (c.rank == one.rank or c.suit == one.suit)]
    return one, like[int(rng.integers(len(like)))]


def confuse(
    faces: Mapping[Card, Face], cards: tuple[Card, Card], cause: str, rng: Random
) -> Confusion:
    """Both cards with the same fault in both index corners."""
    strength = float(rng.uniform(0.05, 1.0)) ** 2
    shape = _where(faces, cards, strength, rng)
    tone = float(rng.uniform(40, 150))
    spoilt = {}
    for card, twin in (cards, cards[::-1]):
        face = faces[card].copy()
        for turned in (False, True):
            # Both corners of a face are seen upright; they are views, so that the face is changed.
            here, there = (f[::-1, ::-1] if turned else f for f in (face, faces[twin]))
            corner, like = here[:_ROWS, :_COLS], there[:_ROWS, :_COLS]
            corner[:] = _spoil(corner, like, cause, strength, shape, tone)
        spoilt[card] = face
    return Confusion(cards, cause, strength, spoilt)


def _where(
    faces: Mapping[Card, Face], cards: tuple[Card, Card], strength: float, rng: Random
) -> Floats:
    """0..1, (280, 160): blots on what differs between the two indices, the more of it the stronger."""
    one, other = (faces[card][:_ROWS, :_COLS].astype(np.int16) for card in cards)
    differs = np.abs(one - other).max(axis=2) > _DIFFERS
    rows, cols = np.nonzero(differs)
    blots: Any = np.zeros((_ROWS, _COLS), np.uint8)
    if len(rows):
        for _ in range(1 + round(5 * strength)):
            at = int(rng.integers(len(rows)))
            radius = round(PX_PER_MM * float(rng.uniform(0.3, 0.5 + 1.2 * strength)))
            cv2.circle(blots, (int(cols[at]), int(rows[at])), radius, 255, cv2.FILLED)
    return np.asarray(cv2.GaussianBlur(blots, (0, 0), 2.0), np.float32) / np.float32(255)


def _spoil(
    corner: Face, like: Face, cause: str, strength: float, blots: Floats, tone: float
) -> Face:
    if cause == "defocus":
        return np.asarray(cv2.GaussianBlur(corner, (0, 0), 1.5 + 6.5 * strength), np.uint8)
    own, twin = corner.astype(np.float32), like.astype(np.float32)
    share = blots[:, :, None]
    if cause in ("dirt", "rubbed"):
        colour = tone if cause == "dirt" else 240.0
        cover = share * np.float32(0.5 + 0.5 * strength)
        mixed = own * (1 - cover) + np.float32(colour) * cover
    elif (
        cause == "ink"
    ):  # what the other has and this one lacks is filled in, half of the way at most
        mixed = own + (np.minimum(own, twin) - own) * np.float32(_HALF * strength)
    else:
        mixed = own + (twin - own) * np.float32(_HALF * strength)
    return np.asarray(np.clip(np.round(mixed), 0, 255), np.uint8)
