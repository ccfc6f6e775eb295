"""What the service manager is told: ready, alive, what is going on (sd_notify)."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Mapping
from typing import Final

from controller.devices.ports import Clock

AT_MOST_EVERY_US: Final = 1_000_000


class Notifier:
    """Speaks to the socket that systemd names in the environment; silent without one."""

    def __init__(self, environment: Mapping[str, str], clock: Clock) -> None:
        self._clock = clock
        self._next_us = 0
        self._socket: socket.socket | None = None
        path = environment.get("NOTIFY_SOCKET", "")
        if path:
            name = "\0" + path[1:] if path.startswith("@") else path
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
            self._socket.setblocking(False)
            with contextlib.suppress(OSError):
                self._socket.connect(name)

    @classmethod
    def of_system(cls, clock: Clock) -> Notifier:
        """With this process's own environment."""
        return cls(os.environ, clock)

    def ready(self) -> None:
        """The API answers and the store is open."""
        self._say("READY=1")

    def alive(self) -> None:
        """Feeds the watchdog, once a second at most."""
        now = self._clock.now_us()
        if now >= self._next_us:
            self._next_us = now + AT_MOST_EVERY_US
            self._say("WATCHDOG=1")

    def status(self, words: str) -> None:
        """One line for `systemctl status`; it names no card."""
        self._say("STATUS=" + " ".join(words.split()))

    def stopping(self) -> None:
        """The end begins."""
        self._say("STOPPING=1")

    def close(self) -> None:
        """Lets the socket go."""
        if self._socket is not None:
            self._socket.close()

    def _say(self, message: str) -> None:
        if self._socket is not None:
            with contextlib.suppress(
                OSError
            ):  # a manager that does not listen is no reason to stop
                self._socket.send(message.encode())
