"""Window images from a Unix socket; to connect is to switch the camera on."""

from __future__ import annotations

import socket

from controller.devices.cameras import Place
from controller.devices.cameras.wire import SHOOT, receive
from controller.devices.errors import CameraError
from controller.devices.ports import Clock, Image


class UnixCamera:
    """Connects again whenever the other side has gone."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._socket: socket.socket | None = None
        self._problem: CameraError | None = None
        self._connect()

    def take(self) -> list[Image]:
        """Takes the images that have arrived by now, oldest first."""
        if self._socket is None:
            self._connect()
        found: list[Image] = []
        while self._socket is not None:
            try:
                found.append(receive(self._socket))
            except BlockingIOError:
                break
            except OSError as error:
                self._lose(error)
        return found

    def restart(self) -> None:
        """Drops everything under way and connects anew."""
        self.close()
        self._connect()

    def fileno(self) -> int:
        """The socket, or -1 while nobody is there."""
        return -1 if self._socket is None else self._socket.fileno()

    def shoot(self) -> bool:
        """Asks the other side for a picture without the strobe."""
        if self._socket is None:
            return False
        try:
            self._socket.send(SHOOT)
        except OSError as error:
            self._lose(error)
            return False
        return True

    def problem(self) -> CameraError | None:
        """Why no image can come at present."""
        return self._problem

    def close(self) -> None:
        """Hangs up."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _connect(self) -> None:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            connection.connect(self._path)
        except OSError as error:
            connection.close()
            self._lose(error)
            return
        connection.setblocking(False)
        self._socket, self._problem = connection, None

    def _lose(self, error: OSError) -> None:
        self.close()
        if isinstance(error, CameraError):
            self._problem = error
        else:
            reason = error.strerror or type(error).__name__
            self._problem = CameraError("camera.gone", camera=self._path, reason=reason)


def open_place(place: Place, _clock: Clock) -> UnixCamera:
    """The images at a socket; that nobody is there yet is no error."""
    return UnixCamera(place.path)
