"""Reads our own bar code: Code 128 "B" + card + check character, along the card's long edges.

The bars run across the card (parallel to the travel), so blur runs along them and does no harm. The one
module that imports pyzbar, late; without the system library zbar there is no reading of codes.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from deals.cards import CARDS, Card
from vision.patch import Corner, cut
from vision.sources import VisionError

LETTERS: Final = "0123456789ABCDEFGHJKLMNPQRSTUVW"
"""31 check characters: a changed rank or suit always changes the check character."""
_PX_PER_MM: Final = 10
_STRIP_MM: Final = (11.0, 62.0)
_ORIGIN_MM: Final = (0.6, 1.0)
_BAND_PX: Final = 18
"""Pixels along the bars that are averaged: without that, sensor noise blinds the decoder."""
_LEAST_EDGES: Final = 34
"""A code of 79 modules has 48 or more edges; print near the edge of a card has fewer."""
_TRIES: Final = 3
_LEAST_QUALITY: Final = 2


def payload(card: Card) -> str:
    """What is printed for *card*: four characters."""
    return f"B{card}{LETTERS[(card.index * 17 + 11) % len(LETTERS)]}"


_CARD_OF: Final = {payload(card): card for card in CARDS}


@cache
def available() -> bool:
    """Whether codes can be read here."""
    try:
        _zbar()
    except VisionError:
        return False
    return True


def read_code(image: NDArray[np.uint8], corner: Corner) -> Card | None:
    """The card that the code beside *corner* names; None if there is none or it is in doubt.

    VisionError if there seems to be a code and zbar is not installed.
    """
    strip = cut(image, corner, _STRIP_MM, _ORIGIN_MM, _PX_PER_MM)
    grey = np.asarray(cv2.cvtColor(strip, cv2.COLOR_BGR2GRAY), np.float32)
    bands = cv2.resize(
        grey, (grey.shape[1] // _BAND_PX, grey.shape[0]), interpolation=cv2.INTER_AREA
    ).T
    level = _levelled(np.ascontiguousarray(bands))
    edges = np.count_nonzero(np.diff(level > 0, axis=1), axis=1)
    found: set[Card] = set()
    for band in np.argsort(-edges)[:_TRIES]:
        if edges[band] >= _LEAST_EDGES:
            found |= _decode(level[band])
    return found.pop() if len(found) == 1 else None


def _levelled(bands: NDArray[np.float32]) -> NDArray[np.float32]:
    """Every band between -1 (black) and 1 (white) as the light nearby allows; paper alone is 1."""
    window = np.ones((1, 41), np.uint8)
    low, high = cv2.erode(bands, window), cv2.dilate(bands, window)
    low, high = cv2.blur(low, (41, 1)), cv2.blur(high, (41, 1))
    spread = np.maximum(high - low, 0.3 * bands.max(axis=1, keepdims=True))
    level = 1 - 2 * (high - bands) / np.maximum(spread, 1.0)
    return np.asarray(level, np.float32)


def _decode(profile: NDArray[np.float32]) -> set[Card]:
    zbar, code_128 = _zbar()
    line = np.clip(profile * 120 + 128, 0, 255).astype(np.uint8)
    tile = np.repeat(line[None, :], 12, axis=0)
    tile = np.pad(tile, ((4, 4), (16, 16)), mode="edge")
    found = zbar.decode(tile, symbols=[code_128])
    cards = {
        _CARD_OF.get(one.data.decode("ascii", "replace"))
        for one in found
        if one.quality is None or one.quality >= _LEAST_QUALITY
    }
    return {card for card in cards if card is not None}


def _zbar() -> tuple[Any, Any]:
    try:
        from pyzbar import pyzbar  # late: needs a system library
    except ImportError:
        raise VisionError("vision.no_zbar") from None
    return pyzbar, pyzbar.ZBarSymbol.CODE128
