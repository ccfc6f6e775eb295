"""The images of a folder, one each time: window images as `--trace` writes them, or any others."""

from __future__ import annotations

import re
from collections import deque
from pathlib import Path
from typing import Final

from controller.devices.cameras import Place
from controller.devices.cameras.pixels import window
from controller.devices.errors import CameraError
from controller.devices.ports import Clock, Image
from vision.sources import IMAGE_SUFFIXES, load_image, on_white

_STAMPED: Final = re.compile(r"window-\d+-(\d+)$")


class FolderCamera:
    """Gives image after image in the order of names; a stamp in the name is the image's own."""

    def __init__(self, place: Place, clock: Clock) -> None:
        self._place = place
        self._clock = clock
        self._taken = 0
        self._left = self._files()

    def take(self) -> list[Image]:
        """The next image, if one is left."""
        if not self._left:
            return []
        path = self._left.popleft()
        self._taken += 1
        stamp = _STAMPED.search(path.stem)
        captured_us = int(stamp[1]) if stamp else self._clock.now_us()
        return [Image(self._taken, captured_us, window(on_white(load_image(path)), self._place))]

    def restart(self) -> None:
        """Begins with the first image again."""
        self._left = self._files()

    def fileno(self) -> int:
        """Nothing to wait for."""
        return -1

    def shoot(self) -> bool:
        """Pictures come by themselves here."""
        return False

    def problem(self) -> CameraError | None:
        """Whether images are left."""
        return None if self._left else CameraError("camera.no_more", folder=self._place.path)

    def close(self) -> None:
        """Nothing to let go."""

    def _files(self) -> deque[Path]:
        folder = Path(self._place.path)
        if not folder.is_dir():
            raise CameraError("camera.gone", camera=self._place.path, reason="no folder")
        return deque(
            sorted(path for path in folder.iterdir() if path.suffix.lower() in IMAGE_SUFFIXES)
        )


def open_place(place: Place, clock: Clock) -> FolderCamera:
    """The images of a folder."""
    return FolderCamera(place, clock)
