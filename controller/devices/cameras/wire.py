"""Window images at a Unix socket of packets: a head of 24 bytes, and the pixels in a memory file.

    "PDIM" | number u32 | exposed at, microseconds of CLOCK_MONOTONIC u64 | rows u16 | columns u16 |
    channels u8 | 3 bytes 0                                        (all little-endian)

The memory file comes with the packet (SCM_RIGHTS) and holds the pixels row by row, BGR. One packet
an image: sending never waits, and no image can be cut in half. The other way goes one word, "shoot":
take a picture now, without the strobe.
"""

from __future__ import annotations

import os
import socket
import struct
from typing import Final

import numpy as np

from controller.devices.errors import CameraError
from controller.devices.ports import Image

HEAD: Final = struct.Struct("<4sIQHHB3x")
SHOOT: Final = b"shoot"
_MAGIC: Final = b"PDIM"
_MOST: Final = 4_000_000
"""Bytes of pixels that are believed."""


def send(connection: socket.socket, image: Image) -> None:
    """Sends an image; BlockingIOError when the other side takes none."""
    pixels = np.ascontiguousarray(image.pixels)
    rows, columns, channels = pixels.shape
    head = HEAD.pack(_MAGIC, image.number, image.captured_us, rows, columns, channels)
    memory = os.memfd_create("window image", os.MFD_CLOEXEC)
    try:
        os.write(memory, pixels.data.cast("B"))
        socket.send_fds(connection, [head], [memory])
    finally:
        os.close(memory)


def receive(connection: socket.socket) -> Image:
    """Takes an image from a socket that does not block. BlockingIOError: none is there;
    ConnectionResetError: nobody is there any more; CameraError: what came is no image.
    """
    head, files, _, _ = socket.recv_fds(connection, HEAD.size, 1)
    try:
        if not head:
            raise ConnectionResetError
        if len(head) != HEAD.size or len(files) != 1:
            raise CameraError("camera.no_images_there")
        magic, number, captured_us, *shape = HEAD.unpack(head)
        size = shape[0] * shape[1] * shape[2]
        if magic != _MAGIC or not 0 < size <= _MOST:
            raise CameraError("camera.no_images_there")
        data = os.pread(files[0], size, 0)
        if len(data) != size:
            raise CameraError("camera.no_images_there")
        return Image(number, captured_us, np.frombuffer(data, np.uint8).reshape(shape))
    finally:
        for file in files:
            os.close(file)
