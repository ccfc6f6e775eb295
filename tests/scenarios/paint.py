"""Windows that are quick to draw, and say both what a reader makes of a card and which card it really is."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np

from controller.bench.identity import IdentityPictures, IdentityReader
from controller.twin.world.camera import Shown
from controller.twin.world.view import View
from vision.reading import CardReading

NO_CARD = 250


def card_in(picture: bytes) -> int:
    """Index of the card that a picture of a whole window is painted for; 62: none of the 52."""
    image = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)
    return round(float(image[200:280].mean()) / 4)


class Painted(IdentityPictures):
    """Quick windows: above what a reader makes of the card, below which card it really is."""

    def window(self, shown: Sequence[Shown], view: View, rng: random.Random) -> Any:
        """400 x 640 pixels in three parts: code, card, noise."""
        code, *noise = super().window(shown, view, rng)
        image = np.empty((400, 640, 3), np.uint8)
        image[:160] = code
        card = shown[-1].card.card if shown else None
        image[160:320] = NO_CARD if card is None else 4 * card.index
        image[320:] = 128
        image[399, : len(noise), 0] = noise
        return image


class ReadsPaint(IdentityReader):
    """Reads the upper part alone."""

    def read(self, image: Any) -> CardReading:
        """As an image of numbers is read."""
        return super().read(image[0, 0])
