"""A camera of the Raspberry Pi, by picamera2: the one module that knows it. Untested on a Pi."""

from __future__ import annotations

import contextlib
import os
import select
from collections import deque
from typing import Any, Final

import numpy as np

from controller.devices.cameras import Place
from controller.devices.cameras.pixels import COLUMNS, ROWS, window
from controller.devices.errors import CameraError
from controller.devices.ports import Clock, Image

WAITING_MOST: Final = 8
"""Images that wait to be taken; more are lost."""


def _library() -> Any:
    try:
        from picamera2 import Picamera2 as library  # noqa: N813 - late: only a Pi has it
    except ImportError as error:
        raise CameraError("camera.no_library") from error
    return library


class PiCamera:
    """Takes pictures as picamera2's own thread hands them over, and wakes whoever waits.

    `SensorTimestamp` is the kernel's stamp of the first row's exposure in nanoseconds; it counts
    like CLOCK_MONOTONIC as long as the Pi is not suspended, which a machine never is.
    """

    def __init__(self, place: Place, library: Any = None) -> None:
        """*library* stands in for picamera2.Picamera2 in tests."""
        self._place = place
        self._library = library or _library()
        self._arrived: deque[tuple[int, Any]] = deque(maxlen=WAITING_MOST)
        self._taken = 0
        self._problem: CameraError | None = None
        self._camera: Any = None
        self._woken, self._waker = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._open()

    def take(self) -> list[Image]:
        """Takes the images that have arrived by now, oldest first."""
        if select.select([self._woken], [], [], 0)[0]:
            os.read(self._woken, 4096)
        found = []
        while self._arrived:
            captured_us, picture = self._arrived.popleft()
            self._taken += 1
            found.append(Image(self._taken, captured_us, window(picture, self._place)))
        return found

    def restart(self) -> None:
        """Closes the camera and opens it anew; a hang here ends with this process."""
        self._shut()
        try:
            self._open()
        except CameraError as error:
            self._problem = error

    def fileno(self) -> int:
        """Readable when an image has come."""
        return self._woken

    def shoot(self) -> bool:
        """Only the machine's trigger takes pictures here."""
        return False

    def problem(self) -> CameraError | None:
        """Why no image can come at present."""
        return self._problem

    def close(self) -> None:
        """Lets the camera go."""
        self._shut()
        os.close(self._woken)
        os.close(self._waker)

    def _open(self) -> None:
        size = self._place.bin
        need = ((self._place.left + COLUMNS) * size, (self._place.top + ROWS) * size)
        try:
            camera = self._library(int(self._place.path))
            # "RGB888" of libcamera lies in memory as B G R.
            camera.configure(
                camera.create_video_configuration(
                    main={"size": need, "format": "RGB888"}, buffer_count=6, queue=False
                )
            )
            camera.post_callback = self._arrive
            camera.start()
        except Exception as error:
            reason = str(error) or type(error).__name__
            raise CameraError("camera.gone", camera=self._place.path, reason=reason) from error
        self._camera, self._problem = camera, None

    def _arrive(self, request: Any) -> None:
        """Called by picamera2 for each picture, in its thread."""
        picture = np.array(request.make_array("main"))
        self._arrived.append((request.get_metadata()["SensorTimestamp"] // 1_000, picture))
        with contextlib.suppress(OSError):  # full: it will wake
            os.write(self._waker, b"!")

    def _shut(self) -> None:
        if self._camera is not None:
            with contextlib.suppress(Exception):  # whatever state it is in
                self._camera.close()
            self._camera = None
        self._arrived.clear()


def open_place(place: Place, _clock: Clock) -> PiCamera:
    """The camera of that number, 0 for the only one."""
    return PiCamera(place)
