"""The small picture that goes with an answer: for a person, where no reader can tell what a card is."""

from __future__ import annotations

from typing import Any, Final

import cv2
import numpy as np

from vision.locate import is_window
from vision.reading import CardReading, Kind

MOST_BYTES: Final = 24_000
"""No crop is larger than this: some hundred of them are kept in the memory while a board is dealt."""
SHRUNK: Final = 2
"""A card that could not be read is shown whole, so many times smaller: its index may not be where it
was looked for.
"""
_QUALITIES: Final = (88, 70, 50, 30, 10)


def crop_of(image: Any, reading: CardReading) -> bytes:
    """JPEG of the index corner that was read, 16 x 28 mm upright at 4 px/mm; of a card that was not
    read the whole window at half its size. Empty where there is no picture.
    """
    corner = reading.evidence.get("corner")
    if reading.kind is Kind.CARD and isinstance(corner, np.ndarray):
        return _jpeg(corner)
    pixels = np.asarray(image)
    if reading.kind is not Kind.UNSURE or pixels.ndim != 3 or not is_window(pixels):
        return b""
    size = (pixels.shape[1] // SHRUNK, pixels.shape[0] // SHRUNK)
    return _jpeg(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA))


def png_of(image: Any) -> bytes:
    """A whole picture without loss, quickly rather than small."""
    return bytes(cv2.imencode(".png", image, [cv2.IMWRITE_PNG_COMPRESSION, 1])[1].tobytes())


def decoded(data: bytes) -> Any:
    """The pixels of a picture that was made here: (rows, cols, 3) uint8, BGR."""
    return cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)


def as_png(jpeg: bytes) -> bytes:
    """The same picture as PNG."""
    return bytes(cv2.imencode(".png", decoded(jpeg))[1].tobytes())


def _jpeg(picture: Any) -> bytes:
    for quality in _QUALITIES:
        data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
        if len(data) <= MOST_BYTES:
            return data
    return b""
