"""One JSON value a line over a Unix socket, without waiting: for simulated pins and label readers."""

from __future__ import annotations

import contextlib
import json
import socket
from typing import Any, Final

_PIECE: Final = 65_536


class LineSocket:
    """One end of a conversation; a broken one is `closed` and stays so."""

    def __init__(self, connection: socket.socket) -> None:
        connection.setblocking(False)
        self._socket: socket.socket | None = connection
        self._rest = b""
        self._unsent = b""

    @classmethod
    def connect(cls, path: str) -> LineSocket | None:
        """Calls whoever serves at *path*; None when nobody does."""
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            connection.connect(path)
        except OSError:
            connection.close()
            return None
        return cls(connection)

    @property
    def closed(self) -> bool:
        """The other side has gone, or this one has hung up."""
        return self._socket is None

    def fileno(self) -> int:
        """The socket; -1 when closed."""
        return -1 if self._socket is None else self._socket.fileno()

    def send(self, value: object) -> None:
        """Sends a value; what does not fit waits for the next `send` or `receive`."""
        self._unsent += json.dumps(value, ensure_ascii=False).encode() + b"\n"
        self.flush()

    def flush(self) -> None:
        """Sends on what did not fit before."""
        try:
            while self._socket is not None and self._unsent:
                self._unsent = self._unsent[self._socket.send(self._unsent) :]
        except BlockingIOError:
            return
        except OSError:
            self.close()

    def receive(self) -> list[Any]:
        """The values that have come by now; a line that is no JSON ends the conversation."""
        if self._unsent:
            self.flush()
        data = b""
        try:
            while self._socket is not None:
                piece = self._socket.recv(_PIECE)
                if not piece:
                    self.close()
                data += piece
        except BlockingIOError:
            pass
        except OSError:
            self.close()
        *lines, self._rest = (self._rest + data).split(b"\n")
        try:
            return [json.loads(line) for line in lines]
        except ValueError:
            self.close()
            return []

    def close(self) -> None:
        """Hangs up."""
        if self._socket is not None:
            with contextlib.suppress(OSError):
                self._socket.close()
            self._socket = None
