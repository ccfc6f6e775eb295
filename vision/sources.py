"""Image files in: pixels as BGR or BGRA uint8, labels from file names, and errors that name the file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from deals.cards import Card
from deals.errors import PredealError
from vision.names import card_named

Pixels = NDArray[np.uint8]

IMAGE_SUFFIXES: Final = frozenset(
    {".png", ".jpg", ".jpeg", ".jpe", ".jfif", ".bmp", ".webp", ".tif", ".tiff", ".ppm", ".pgm"}
    | {".gif", ".avif", ".jp2"}
)
OTHER_SUFFIXES: Final = frozenset(
    {".heic", ".heif", ".hif", ".dng", ".cr2", ".cr3", ".nef", ".arw", ".raf", ".rw2", ".orf"}
    | {".svg", ".svgz", ".pdf", ".psd", ".tga", ".jxl"}
)
"""Pictures too, but of kinds that are not read."""
MOST_PX: Final = 4500
"""Longer side of a picture, in pixels; larger ones are made smaller: nothing that is read is so fine."""
_TWELVE_BIT: Final = 1 << 12
"""A picture of 16 bit that stays below holds the 10 or 12 bit of a sensor."""
_KINDS: Final = (
    (4, b"ftyphe", "HEIC"),
    (4, b"ftypmi", "HEIC"),
    (4, b"ftypcrx", "CR3"),
    (0, b"%PDF", "PDF"),
    (0, b"8BPS", "PSD"),
    (0, b"<svg", "SVG"),
    (0, b"<?xml", "SVG"),
)
"""How files begin that are pictures, but not ones that can be read: at which byte, what, and the kind's name."""
_BEGINS: Final = (b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"RIFF", b"GIF8")
"""How pictures begin that can be read, if the rest of them is there."""


class VisionError(PredealError, ValueError):
    """An image, design or design name that cannot be used."""


def load_image(path: Path, most_px: int = MOST_PX) -> Pixels:
    """Reads one image file, 8 bit, as (rows, cols, 3) BGR or (rows, cols, 4) BGRA, the way up that it states.

    A picture whose longer side has more than *most_px* pixels is made smaller. Raises VisionError when there is no
    such file or it holds no image.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise VisionError("vision.cannot_open", file=path, reason=reason) from None
    image = _decoded(data)
    if image is None or image.size == 0 or image.dtype not in (np.uint8, np.uint16):
        raise _no_image(path, data)
    if image.dtype == np.uint16 and 256 <= image.max() < _TWELVE_BIT:
        image = image << (16 - int(image.max()).bit_length())
    share = most_px / max(image.shape[:2])
    if share < 1:
        size = [max(1, round(side * share)) for side in image.shape[1::-1]]
        image = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    return as_pixels(image)


def _decoded(data: bytes) -> Any:
    """The pixels as stored, or turned and mirrored as the camera has noted; None for no picture."""
    upright = cv2.IMREAD_ANYCOLOR | cv2.IMREAD_ANYDEPTH
    packed = np.frombuffer(data, np.uint8)
    if not data:
        return None
    try:
        if data[:2] == b"\xff\xd8":
            return cv2.imdecode(packed, upright)
        image = cv2.imdecode(packed, cv2.IMREAD_UNCHANGED)
        # Only without transparency the decoder turns a picture; pictures of cameras have none.
        if image is not None and image.ndim == 3 and image.shape[2] == 3:
            return cv2.imdecode(packed, upright)
        return image
    except cv2.error:
        return None


def _no_image(path: Path, data: bytes) -> VisionError:
    """Why there is no image in a file."""
    if not data:
        return VisionError("vision.empty_file", file=path)
    for place, begin, kind in _KINDS:
        if data[place : place + len(begin)] == begin:
            return VisionError("vision.other_kind", file=path, kind=kind)
    if data.startswith(_BEGINS):
        return VisionError("vision.damaged_image", file=path)
    return VisionError("vision.no_image", file=path)


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
    """The card that a file name states: SA.png, HT-2.jpg, 10h.png, ace_of_spades.png; None if it states none."""
    return card_named(path.stem)


@dataclass(frozen=True, slots=True)
class Pictures:
    """What a folder holds: pictures with the cards that their names state, and pictures of no use."""

    labelled: Sequence[tuple[Card, Path]]
    unnamed: Sequence[Path]
    """Names that state no card: jokers, backs, and names of another kind."""
    other_kinds: Sequence[Path]
    """Pictures of kinds that are not read."""


def pictures_in(folder: Path) -> Pictures:
    """The pictures in *folder*, by name; VisionError if it is no folder."""
    if not folder.is_dir():
        raise VisionError("vision.no_folder", folder=folder)
    labelled: list[tuple[Card, Path]] = []
    unnamed, others = [], []
    for path in sorted(folder.iterdir()):
        suffix = path.suffix.lower()
        if path.name.startswith(".") or not path.is_file():
            continue
        if suffix in OTHER_SUFFIXES:
            others.append(path)
        elif suffix in IMAGE_SUFFIXES:
            card = label_of(path)
            if card is None:
                unnamed.append(path)
            else:
                labelled.append((card, path))
    return Pictures(labelled, unnamed, others)


def labelled_files(folder: Path) -> Iterator[tuple[Card, Path]]:
    """Card and path of each labelled image in *folder*, by name; VisionError if it is no folder."""
    yield from pictures_in(folder).labelled
