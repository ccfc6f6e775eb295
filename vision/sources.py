"""Image files in: pixels as BGR or BGRA uint8, labels from file names, and errors that name the file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from deals.cards import Card
from deals.errors import PredealError

Pixels = NDArray[np.uint8]

IMAGE_SUFFIXES: Final = frozenset(
    {".png", ".jpg", ".jpeg", ".bmp", ".webp", ".tif", ".tiff", ".ppm", ".pgm"}
)
_TWELVE_BIT: Final = 1 << 12
"""A picture of 16 bit that stays below holds the 10 or 12 bit of a sensor."""
_LABEL: Final = re.compile(r"^([shdc])(10|[akqjt2-9])(?:[-_. ].*)?$", re.IGNORECASE)


class VisionError(PredealError, ValueError):
    """An image, design or design name that cannot be used."""


def load_image(path: Path) -> Pixels:
    """Reads one image file, 8 bit, as (rows, cols, 3) BGR or (rows, cols, 4) BGRA.

    Raises VisionError when there is no such file or it holds no image.
    """
    try:
        data = np.frombuffer(path.read_bytes(), np.uint8)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise VisionError("vision.cannot_open", file=path, reason=reason) from None
    image: Any = None
    if data.size:
        try:
            image = cv2.imdecode(data, cv2.IMREAD_UNCHANGED)
        except cv2.error:
            image = None
    if image is None or image.size == 0 or image.dtype not in (np.uint8, np.uint16):
        raise VisionError("vision.no_image", file=path)
    if image.dtype == np.uint16 and 256 <= image.max() < _TWELVE_BIT:
        image = image << (16 - int(image.max()).bit_length())
    return as_pixels(image)


def as_pixels(image: Any) -> Pixels:
    """Any array a decoder or camera may give, as 8-bit BGR or BGRA; ValueError for anything else."""
    array = np.asarray(image)
    if array.dtype == np.uint16:
        array = (array >> 8).astype(np.uint8)
    if array.dtype != np.uint8:
        raise ValueError(f"an image of {array.dtype}, not of 8 or 16 bit")
    if array.ndim == 2:
        array = array[:, :, None]
    if array.ndim != 3 or array.shape[2] not in (1, 2, 3, 4) or 0 in array.shape:
        raise ValueError(f"no image: an array of shape {array.shape}")
    if array.shape[2] == 1:
        array = np.repeat(array, 3, axis=2)
    if array.shape[2] == 2:
        array = np.dstack([array[:, :, :1]] * 3 + [array[:, :, 1:]])
    return np.ascontiguousarray(array)


def on_white(image: Pixels) -> Pixels:
    """BGR pixels: what is transparent becomes white paper."""
    if image.shape[2] == 3:
        return image
    alpha = image[:, :, 3:].astype(np.float32) / 255
    flat = image[:, :, :3] * alpha + 255 * (1 - alpha)
    return np.asarray(np.round(flat), np.uint8)


def label_of(path: Path) -> Card | None:
    """The card that a file name states: SA.png, HT-2.jpg, h10.png; None if it states none."""
    match = _LABEL.match(path.stem)
    return Card.parse(match[1] + match[2]) if match else None


def labelled_files(folder: Path) -> Iterator[tuple[Card, Path]]:
    """Card and path of each labelled image in *folder*, by name; VisionError if it is no folder."""
    if not folder.is_dir():
        raise VisionError("vision.no_folder", folder=folder)
    for path in sorted(folder.iterdir()):
        if path.suffix.lower() in IMAGE_SUFFIXES and path.is_file():
            card = label_of(path)
            if card is not None:
                yield card, path
