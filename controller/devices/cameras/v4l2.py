"""A Linux camera by Video4Linux2 itself: its stamps are the kernel's, in CLOCK_MONOTONIC.

The camera must be triggered by the machine or fast enough to show each strobe; what it shows
between strobes is dark, and a dark image without a strobe would break the tie: set it to its
trigger input before (v4l2-ctl).
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import mmap
import os
import struct
from collections.abc import Callable
from typing import Final

import numpy as np

from controller.devices.cameras import Place
from controller.devices.cameras.pixels import COLUMNS, ROWS, Pixels, from_yuyv, window
from controller.devices.errors import CameraError
from controller.devices.ports import Clock, Image

BUFFERS: Final = 4
VIDEO_CAPTURE: Final = 1
MEMORY_MMAP: Final = 1
MONOTONIC: Final = 0x2000
"""In the flags of a buffer: the clock of its stamp; a test holds these against videodev2.h."""
_CLOCKS: Final = 0xE000
FORMAT: Final = struct.Struct("@I4x12I152x")
REQUEST: Final = struct.Struct("@IIIIB3x")
BUFFER: Final = struct.Struct("@IIIIIll16sIILIIi0L")
_FLAGS, _SECONDS, _MICROSECONDS, _OFFSET, _LENGTH = 3, 5, 6, 10, 11


def _code(way: int, number: int, size: int) -> int:
    return way << 30 | size << 16 | ord("V") << 8 | number


S_FMT: Final = _code(3, 5, FORMAT.size)
REQBUFS: Final = _code(3, 8, REQUEST.size)
QUERYBUF: Final = _code(3, 9, BUFFER.size)
QBUF: Final = _code(3, 15, BUFFER.size)
DQBUF: Final = _code(3, 17, BUFFER.size)
STREAMON: Final = _code(1, 18, 4)

Ioctl = Callable[[int, int, bytearray], object]
FOURCC: Final = {
    name: int.from_bytes(name.encode(), "little") for name in ("BGR3", "RGB3", "YUYV", "GREY")
}
"""What can be used, the best first: red and black are easier told apart in colour."""


class V4l2Camera:
    """Streams from the device into shared memory; a picture is copied once, into its image."""

    def __init__(self, place: Place, ioctl: Ioctl = fcntl.ioctl) -> None:
        self._place = place
        self._ioctl = ioctl
        self._device = -1
        self._maps: list[mmap.mmap] = []
        self._format = ("", 0, 0, 0)
        self._taken = 0
        self._problem: CameraError | None = None
        self._open()

    def take(self) -> list[Image]:
        """Takes the images that have arrived by now, oldest first."""
        found: list[Image] = []
        while self._device >= 0:
            buffer = self._buffer(0)
            try:
                self._ioctl(self._device, DQBUF, buffer)
                found.append(self._develop(buffer))
                self._ioctl(self._device, QBUF, buffer)
            except BlockingIOError:
                break
            except OSError as error:
                self._lose(error)
        return found

    def restart(self) -> None:
        """Opens the device anew; images under way are dropped."""
        self.close()
        try:
            self._open()
        except CameraError as error:
            self._problem = error

    def fileno(self) -> int:
        """The device; -1 while it is gone."""
        return self._device

    def shoot(self) -> bool:
        """Only the machine's trigger takes pictures here."""
        return False

    def problem(self) -> CameraError | None:
        """Why no image can come at present."""
        return self._problem

    def close(self) -> None:
        """Lets the device go; that stops its stream."""
        for shared in self._maps:
            with contextlib.suppress(BufferError):
                shared.close()
        self._maps.clear()
        if self._device >= 0:
            os.close(self._device)
            self._device = -1

    # -- inside ------------------------------------------------------------------------------

    def _open(self) -> None:
        try:
            self._device = os.open(self._place.path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
            self._choose_format()
            self._share_memory()
            self._ioctl(self._device, STREAMON, bytearray(VIDEO_CAPTURE.to_bytes(4, "little")))
        except OSError as error:
            self._lose(error)
            if self._problem is not None:
                raise self._problem from error
        self._problem = None

    def _choose_format(self) -> None:
        size = self._place.bin
        wide, high = (self._place.left + COLUMNS) * size, (self._place.top + ROWS) * size
        for name, code in FOURCC.items():
            wanted = bytearray(FORMAT.pack(VIDEO_CAPTURE, wide, high, code, *[0] * 9))
            self._ioctl(self._device, S_FMT, wanted)
            _, wide_, high_, given, _, line, *_ = FORMAT.unpack(wanted)
            if given == code:
                self._format = (name, wide_, high_, line)
                return
        raise CameraError("camera.format", camera=self._place.path, known=list(FOURCC))

    def _share_memory(self) -> None:
        asked = bytearray(REQUEST.pack(BUFFERS, VIDEO_CAPTURE, MEMORY_MMAP, 0, 0))
        self._ioctl(self._device, REQBUFS, asked)
        for index in range(REQUEST.unpack(asked)[0]):
            buffer = self._buffer(index)
            self._ioctl(self._device, QUERYBUF, buffer)
            values = BUFFER.unpack(buffer)
            self._maps.append(mmap.mmap(self._device, values[_LENGTH], offset=values[_OFFSET]))
            self._ioctl(self._device, QBUF, buffer)

    def _buffer(self, index: int) -> bytearray:
        return bytearray(
            BUFFER.pack(index, VIDEO_CAPTURE, 0, 0, 0, 0, 0, b"", 0, MEMORY_MMAP, 0, 0, 0, 0)
        )

    def _develop(self, buffer: bytearray) -> Image:
        values = BUFFER.unpack(buffer)
        if values[_FLAGS] & _CLOCKS != MONOTONIC:
            raise CameraError("camera.no_stamps", camera=self._place.path)
        self._taken += 1
        captured_us = values[_SECONDS] * 1_000_000 + values[_MICROSECONDS]
        return Image(self._taken, captured_us, window(self._picture(values[0]), self._place))

    def _picture(self, index: int) -> Pixels:
        name, wide, high, line = self._format
        size = {"GREY": 1, "YUYV": 2}.get(name, 3)
        rows = np.frombuffer(self._maps[index], np.uint8, (line or wide * size) * high)
        packed = rows.reshape(high, -1)[:, : wide * size].copy()
        if name == "GREY":
            return packed
        if name == "YUYV":
            return from_yuyv(packed)
        picture = packed.reshape(high, wide, 3)
        return picture[:, :, ::-1] if name == "RGB3" else picture

    def _lose(self, error: OSError) -> None:
        self.close()
        if isinstance(error, CameraError):
            self._problem = error
            return
        reason = error.strerror or type(error).__name__
        if error.errno == errno.EBUSY:
            self._problem = CameraError("camera.busy", camera=self._place.path)
        else:
            self._problem = CameraError("camera.gone", camera=self._place.path, reason=reason)


def open_place(place: Place, _clock: Clock) -> V4l2Camera:
    """The camera at a device file such as /dev/video0 or a link under /dev/v4l/by-id."""
    return V4l2Camera(place)
