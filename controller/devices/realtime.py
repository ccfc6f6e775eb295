"""Time as it really passes, and the one place where the control loop waits for the outside world."""

from __future__ import annotations

import contextlib
import select
import socket
import time
from dataclasses import dataclass
from typing import Protocol

from controller.devices.ports import Clock


class RealClock:
    """CLOCK_MONOTONIC in microseconds: no step of the wall clock moves it."""

    def now_us(self) -> int:
        """Microseconds since the computer started."""
        return time.monotonic_ns() // 1_000


class Source(Protocol):
    """Something outside that the control loop waits for."""

    def fileno(self) -> int:
        """The descriptor that becomes readable; -1 while there is none."""
        ...

    def pump(self) -> bool:
        """Takes all that is there, without waiting; True when the loop has something to look at.

        It must leave the descriptor unreadable, or give -1 for it from now on.
        """
        ...


@dataclass(slots=True)
class _Watched:
    source: Source
    every_us: int | None
    next_us: int


class RealTime:
    """The host's clock and its way to wait: sequential code with time-outs hangs on `wait` alone.

    `wake` may be called from any thread; everything else belongs to the control loop.
    """

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock or RealClock()
        self._watched: list[_Watched] = []
        self._woken, self._waker = socket.socketpair()
        self._woken.setblocking(False)
        self._waker.setblocking(False)

    def now_us(self) -> int:
        """Microseconds of the monotonic clock."""
        return self._clock.now_us()

    def watch(self, source: Source, every_us: int | None = None) -> None:
        """From now on `wait` looks at `source`: when it is readable and, with `every_us`, so often."""
        self._watched.append(_Watched(source, every_us, self.now_us()))

    def unwatch(self, source: Source) -> None:
        """Forgets a source."""
        self._watched = [watched for watched in self._watched if watched.source is not source]

    def wake(self) -> None:
        """Ends the `wait` that is under way, or else the next one."""
        with contextlib.suppress(
            BlockingIOError, OSError
        ):  # full: it will wake; closed: no one waits
            self._waker.send(b"!")

    def wait(self, until_us: int) -> None:
        """Waits until there is something new to look at, or until `until_us`, to the millisecond."""
        while True:
            if self._look(self._timeout_ms(until_us)) or self.now_us() >= until_us:
                return

    def close(self) -> None:
        """Ends the waiting for good."""
        self._watched.clear()
        self._woken.close()
        self._waker.close()

    def _timeout_ms(self, until_us: int) -> int:
        for watched in self._watched:
            if watched.every_us is not None:
                until_us = min(until_us, watched.next_us)
        return max(0, -((self.now_us() - until_us) // 1_000))

    def _look(self, timeout_ms: int) -> bool:
        # Made anew each time: descriptors come and go with cables and processes.
        poller = select.poll()
        poller.register(self._woken, select.POLLIN)
        known: dict[int, Source] = {}
        for watched in self._watched:
            number = watched.source.fileno()
            if number >= 0:
                known[number] = watched.source
                poller.register(number, select.POLLIN)
        news = False
        for number, _ in poller.poll(timeout_ms):
            source = known.get(number)
            news |= self._drain() if source is None else source.pump()
        now_us = self.now_us()
        for watched in self._watched:
            if watched.every_us is not None and now_us >= watched.next_us:
                watched.next_us = now_us + watched.every_us
                news |= watched.source.pump()
        return news

    def _drain(self) -> bool:
        with contextlib.suppress(BlockingIOError):
            while self._woken.recv(4096):
                pass
        return True
