"""Window images on a stream: a head of 24 bytes, then the pixels.

"PDIM" | number u32 | exposed at, microseconds of CLOCK_MONOTONIC u64 | rows u16 | columns u16 |
channels u8 | 3 bytes 0 | pixels, row by row, BGR              (all little-endian)
"""

from __future__ import annotations

import struct
from typing import Any, Final

import numpy as np

from controller.devices.errors import CameraError
from controller.devices.ports import Image

HEAD: Final = struct.Struct("<4sIQHHB3x")
_MAGIC: Final = b"PDIM"
_MOST: Final = 4_000_000
"""Bytes of pixels that are believed."""


def encode(image: Image) -> tuple[bytes, memoryview]:
    """Head and pixels of an image."""
    pixels = np.ascontiguousarray(image.pixels)
    rows, columns, channels = pixels.shape
    head = HEAD.pack(_MAGIC, image.number, image.captured_us, rows, columns, channels)
    return head, pixels.data.cast("B")


class Decoder:
    """Takes a stream piece by piece: read into `room`, then say with `filled` how much came."""

    def __init__(self) -> None:
        self._buffer = bytearray(HEAD.size)
        self._have = 0
        self._head: tuple[Any, ...] | None = None

    @property
    def room(self) -> memoryview:
        """Where the next bytes go."""
        return memoryview(self._buffer)[self._have :]

    def filled(self, count: int) -> Image | None:
        """`count` bytes were put into `room`; gives the image that they end."""
        self._have += count
        if self._have < len(self._buffer):
            return None
        if self._head is None:
            self._begin()
            return None
        _, number, captured_us, *shape = self._head
        pixels = np.frombuffer(self._buffer, np.uint8).reshape(shape)
        self._head, self._buffer, self._have = None, bytearray(HEAD.size), 0
        return Image(number, captured_us, pixels)

    def _begin(self) -> None:
        head = HEAD.unpack(self._buffer)
        size = head[3] * head[4] * head[5]
        if head[0] != _MAGIC or not 0 < size <= _MOST:
            raise CameraError("camera.no_images_there")
        self._head, self._buffer, self._have = head, bytearray(size), 0
