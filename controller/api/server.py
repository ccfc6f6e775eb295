"""The API's thread: uvicorn on a Unix socket that only owner and group may use."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
from pathlib import Path
from typing import Final

import uvicorn
from fastapi import FastAPI

from controller.api.errors import ApiError

SOCKET_MODE: Final = 0o660
GOODBYE_S: Final = 3
LONGEST_NAME: Final = 107
"""The kernel's limit for the name of a Unix socket, in bytes."""


class Server:
    """Serves *app* from `start` to `stop`."""

    def __init__(self, app: FastAPI, path: Path) -> None:
        self._path = path
        self._socket = bind(path)
        self._server = uvicorn.Server(
            uvicorn.Config(
                app,
                log_config=None,
                access_log=False,
                lifespan="off",
                timeout_graceful_shutdown=GOODBYE_S,
                limit_concurrency=64,
                h11_max_incomplete_event_size=64 * 1024,
            )
        )
        self._thread = threading.Thread(target=self._serve, name="api", daemon=True)

    def start(self) -> None:
        """Begins to answer; connections made before wait in the socket."""
        self._thread.start()

    def stop(self) -> None:
        """Ends all connections and removes the socket."""
        self._server.should_exit = True
        self._server.force_exit = True  # event streams never end by themselves
        if self._thread.ident is not None:
            self._thread.join(GOODBYE_S)
        self._socket.close()
        with contextlib.suppress(FileNotFoundError):
            self._path.unlink()

    def _serve(self) -> None:
        self._server.run(sockets=[self._socket])


def bind(path: Path) -> socket.socket:
    """A listening socket at *path*. What is left there of an earlier life is removed: whoever calls
    this has the lock of the state directory.
    """
    if len(os.fsencode(path)) > LONGEST_NAME:
        raise ApiError("api.long_socket_name", path=path, limit=LONGEST_NAME)
    with contextlib.suppress(FileNotFoundError):
        path.unlink()
    bound = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o777 & ~SOCKET_MODE)
    try:
        bound.bind(str(path))
    except OSError as error:
        bound.close()
        raise ApiError("api.no_socket", path=path, reason=error.strerror) from error
    finally:
        os.umask(before)
    bound.listen(64)
    return bound
