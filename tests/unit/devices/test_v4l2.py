"""The V4L2 camera against the kernel's own header, and against a file that plays a device."""

from __future__ import annotations

import errno
import subprocess
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from controller.devices.cameras import Place
from controller.devices.cameras import v4l2 as video
from controller.devices.cameras.v4l2 import V4l2Camera
from controller.devices.errors import CameraError

HEADER = """
#include <stddef.h>
#include <stdio.h>
#include <linux/videodev2.h>
int main(void) {
    printf("%zu %zu %zu ", sizeof(struct v4l2_format), sizeof(struct v4l2_requestbuffers),
           sizeof(struct v4l2_buffer));
    printf("%lu %lu %lu %lu %lu %lu ", VIDIOC_S_FMT, VIDIOC_REQBUFS, VIDIOC_QUERYBUF, VIDIOC_QBUF,
           VIDIOC_DQBUF, VIDIOC_STREAMON);
    printf("%zu %zu %zu %zu %zu ", offsetof(struct v4l2_buffer, flags),
           offsetof(struct v4l2_buffer, timestamp), offsetof(struct v4l2_buffer, memory),
           offsetof(struct v4l2_buffer, m), offsetof(struct v4l2_buffer, length));
    printf("%zu %zu ", offsetof(struct v4l2_format, fmt.pix.pixelformat),
           offsetof(struct v4l2_format, fmt.pix.bytesperline));
    printf("%d %d %d %d %d %d %d\\n", V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC, V4L2_MEMORY_MMAP,
           V4L2_BUF_TYPE_VIDEO_CAPTURE, V4L2_PIX_FMT_BGR24, V4L2_PIX_FMT_RGB24,
           V4L2_PIX_FMT_YUYV, V4L2_PIX_FMT_GREY);
}
"""
PAGE = 1 << 20


def places(layout: Any, *marks: int) -> list[int]:
    """Where each value of a layout lies."""
    found = []
    for mark in marks:
        values: list[Any] = [0] * 14 if layout is video.BUFFER else [0] * 13
        if layout is video.BUFFER:
            values[7] = b""
        values[mark] = 1
        found.append(layout.pack(*values).index(1))
    return found


def test_codes_and_layouts_are_those_of_the_kernel(tmp_path: Path):
    (tmp_path / "sizes.c").write_text(HEADER, encoding="utf-8")
    subprocess.run(["cc", "-o", tmp_path / "sizes", tmp_path / "sizes.c"], check=True)
    told = subprocess.run([tmp_path / "sizes"], capture_output=True, text=True, check=True)
    assert [int(value) for value in told.stdout.split()] == [
        video.FORMAT.size,
        video.REQUEST.size,
        video.BUFFER.size,
        *(video.S_FMT, video.REQBUFS, video.QUERYBUF, video.QBUF, video.DQBUF, video.STREAMON),
        *places(video.BUFFER, 3, 5, 9, 10, 11),
        *places(video.FORMAT, 3, 5),
        *(video.MONOTONIC, video.MEMORY_MMAP, video.VIDEO_CAPTURE),
        *video.FOURCC.values(),
    ]


class FakeDevice:
    """A file in place of /dev/video0, and its driver."""

    def __init__(self, folder: Path, offers: str = "GREY", flags: int = video.MONOTONIC) -> None:
        self.path = folder / "video0"
        self.path.write_bytes(b"\0" * (4 * PAGE))
        self.offers = offers
        self.flags = flags
        self.queued: deque[int] = deque()
        self.shots: deque[tuple[int, int]] = deque()
        self.streaming = False
        self.trouble: OSError | None = None
        self.line = 0

    def shoot(self, at: tuple[int, int], pixels: Any) -> None:
        with self.path.open("r+b") as file:
            file.seek(self.queued[0] * PAGE)
            file.write(pixels.tobytes())
        self.shots.append(at)

    def ioctl(self, _device: int, code: int, data: bytearray) -> None:
        if self.trouble is not None:
            raise self.trouble
        acts: dict[int, Callable[[bytearray], None]] = {
            video.S_FMT: self._format,
            video.REQBUFS: lambda data: None,
            video.QUERYBUF: self._query,
            video.QBUF: lambda data: self.queued.append(video.BUFFER.unpack(data)[0]),
            video.DQBUF: self._dequeue,
            video.STREAMON: lambda data: setattr(self, "streaming", True),
        }
        acts[code](data)

    def _format(self, data: bytearray) -> None:
        kind, wide, high, code, *rest = video.FORMAT.unpack(data)
        given = video.FOURCC[self.offers]
        size = {"GREY": 1, "YUYV": 2}.get(self.offers, 3)
        self.line = wide * size
        rest[1] = self.line
        data[:] = video.FORMAT.pack(kind, wide, high, given, *rest)
        assert code in video.FOURCC.values()

    def _query(self, data: bytearray) -> None:
        values = list(video.BUFFER.unpack(data))
        values[10], values[11] = values[0] * PAGE, PAGE
        data[:] = video.BUFFER.pack(*values)

    def _dequeue(self, data: bytearray) -> None:
        if not self.shots:
            raise BlockingIOError(errno.EAGAIN, "none")
        values = list(video.BUFFER.unpack(data))
        values[0], values[3] = self.queued.popleft(), self.flags
        values[5], values[6] = self.shots.popleft()
        data[:] = video.BUFFER.pack(*values)

    def camera(self) -> V4l2Camera:
        return V4l2Camera(Place("v4l2", str(self.path)), self.ioctl)


@pytest.mark.parametrize(
    ("offers", "pixel", "bgr"),
    [
        ("GREY", [90], [90, 90, 90]),
        ("BGR3", [1, 2, 3], [1, 2, 3]),
        ("RGB3", [1, 2, 3], [3, 2, 1]),
        ("YUYV", [235, 128], [255, 255, 255]),
    ],
)
def test_every_format_becomes_a_window_image(
    tmp_path: Path, offers: str, pixel: list[int], bgr: list[int]
):
    device = FakeDevice(tmp_path, offers)
    camera = device.camera()
    assert device.streaming
    assert camera.take() == []
    device.shoot((12, 345_678), np.tile(np.array(pixel, np.uint8), (400, 640)))
    (image,) = camera.take()
    assert (image.number, image.captured_us) == (1, 12_345_678)
    assert (image.pixels == bgr).all()
    assert len(device.queued) == video.BUFFERS  # given back
    camera.close()


def test_a_camera_that_does_not_say_when_is_of_no_use(tmp_path: Path):
    device = FakeDevice(tmp_path, flags=0)
    camera = device.camera()
    device.shoot((1, 1), np.zeros((400, 640), np.uint8))
    assert camera.take() == []
    assert "does not say when" in str(camera.problem())
    assert camera.fileno() == -1


def test_a_camera_that_is_unplugged_comes_back(tmp_path: Path):
    device = FakeDevice(tmp_path)
    camera = device.camera()
    device.trouble = OSError(errno.ENODEV, "No such device")
    assert camera.take() == []
    assert "gives no images (No such device)" in str(camera.problem())
    camera.restart()
    assert camera.problem() is not None
    device.trouble = None
    device.queued.clear()
    camera.restart()
    assert camera.problem() is None
    device.shoot((1, 1), np.zeros((400, 640), np.uint8))
    assert len(camera.take()) == 1
    camera.close()


def test_why_it_cannot_be_opened_is_told(tmp_path: Path):
    with pytest.raises(CameraError, match=r"gives no images \(No such file"):
        V4l2Camera(Place("v4l2", str(tmp_path / "none")))
    device = FakeDevice(tmp_path)
    device.trouble = OSError(errno.EBUSY, "busy")
    with pytest.raises(CameraError, match="Another program has the camera"):
        device.camera()


def test_a_camera_with_other_formats_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    device = FakeDevice(tmp_path)
    monkeypatch.setitem(video.FOURCC, "GREY", 1)
    device.offers = "GREY"
    monkeypatch.setattr(device, "_format", lambda data: None)

    def ioctl(number: int, code: int, data: bytearray) -> None:
        if code == video.S_FMT:
            values = list(video.FORMAT.unpack(data))
            values[3] = 0
            data[:] = video.FORMAT.pack(*values)
        else:
            device.ioctl(number, code, data)

    with pytest.raises(CameraError, match="gives none of the picture formats BGR3, RGB3"):
        V4l2Camera(Place("v4l2", str(device.path)), ioctl)
