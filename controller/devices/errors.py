"""What goes wrong with the things around the MCU."""

from __future__ import annotations

from deals.errors import PredealError


class DeviceError(PredealError, OSError):
    """A port, camera or other device that cannot be used; the code says why."""


class PortError(DeviceError):
    """The serial port to the MCU."""


class CameraError(DeviceError):
    """The camera, or what stands in for it."""
