"""Cameras by name, as the configuration has them: `kind:place?option=value&..`.

    v4l2:/dev/video0?left=320&top=200     a Linux camera
    picamera2:0?left=320&top=200          a camera of the Raspberry Pi
    folder:/path                          the images of a folder, one after the other
    socket:/path                          whatever serves window images at a Unix socket

Each gives window images of 640 x 400, cut out of the sensor's picture at `left`, `top` after `bin`
by `bin` pixels were averaged into one, with the time of exposure in microseconds of
CLOCK_MONOTONIC.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol, cast
from urllib.parse import parse_qsl

from controller.devices.errors import CameraError
from controller.devices.ports import Camera, Clock


class CameraSource(Camera, Protocol):
    """A camera that a process can wait for."""

    def fileno(self) -> int:
        """Readable when `take` would give something; -1: ask `take` now and then."""
        ...

    def shoot(self) -> bool:
        """Takes a picture now, without the strobe; it comes as any other. False: this camera takes
        none but at its trigger.
        """
        ...

    def problem(self) -> CameraError | None:
        """Why no image can come at present; None when all is well."""
        ...

    def close(self) -> None:
        """Lets the camera go."""
        ...


@dataclass(frozen=True, slots=True)
class Place:
    """A camera's name taken apart."""

    kind: str
    path: str
    left: int = 0
    top: int = 0
    bin: int = 1


_MODULES: Final = {
    "v4l2": "controller.devices.cameras.v4l2",
    "picamera2": "controller.devices.picamera",
    "folder": "controller.devices.cameras.folder",
    "socket": "controller.devices.cameras.unix",
}


def parse(name: str) -> Place:
    """A camera's name; CameraError when it is none."""
    kind, colon, rest = name.partition(":")
    path, _, query = rest.partition("?")
    if kind not in _MODULES or not colon or not path:
        raise CameraError("camera.unknown", camera=name, known=sorted(_MODULES))
    try:
        options = {key: int(value) for key, value in parse_qsl(query, strict_parsing=bool(query))}
        place = Place(kind, path, **options)
    except (TypeError, ValueError):
        raise CameraError("camera.options", camera=name) from None
    if place.left < 0 or place.top < 0 or not 1 <= place.bin <= 8:
        raise CameraError("camera.options", camera=name)
    return place


def open_camera(name: str, clock: Clock) -> CameraSource:
    """Opens the camera of that name; CameraError tells why it cannot be."""
    place = parse(name)
    module = importlib.import_module(_MODULES[place.kind])
    make = cast(Callable[[Place, Clock], CameraSource], module.open_place)
    return make(place, clock)
