"""From what a sensor gives to a window image: cut out, averaged, and put into BGR."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from controller.devices.cameras import Place
from controller.devices.errors import CameraError

ROWS: Final = 400
COLUMNS: Final = 640

Pixels = NDArray[np.uint8]


def window(picture: Pixels, place: Place) -> Pixels:
    """The window image in a BGR or grey picture; CameraError when the picture is too small."""
    size = place.bin
    bottom, right = (place.top + ROWS) * size, (place.left + COLUMNS) * size
    if picture.shape[0] < bottom or picture.shape[1] < right:
        raise CameraError(
            "camera.too_small", wide=picture.shape[1], high=picture.shape[0], need=(right, bottom)
        )
    part = picture[place.top * size : bottom, place.left * size : right]
    if part.ndim == 2:
        part = part[:, :, None]
    if size > 1:
        cells = part.reshape(ROWS, size, COLUMNS, size, part.shape[2])
        part = cells.mean(axis=(1, 3), dtype=np.float32).round().astype(np.uint8)
    if part.shape[2] == 1:
        part = np.repeat(part, 3, axis=2)
    return np.ascontiguousarray(part[:, :, :3])


def from_yuyv(packed: Pixels) -> Pixels:
    """BGR from rows of Y U Y V (BT.601, the studio range that cameras send)."""
    luma = (packed[:, 0::2].astype(np.int32) - 16) * 298
    blue = np.repeat(packed[:, 1::4].astype(np.int32) - 128, 2, axis=1)
    red = np.repeat(packed[:, 3::4].astype(np.int32) - 128, 2, axis=1)
    channels = (luma + 516 * blue, luma - 100 * blue - 208 * red, luma + 409 * red)
    picture = np.stack([(channel + 128) >> 8 for channel in channels], axis=2)
    return np.asarray(picture.clip(0, 255), np.uint8)
