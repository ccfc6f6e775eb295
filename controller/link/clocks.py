"""Matching the MCU's tick to the host's clock, from the round trips that happen anyway."""

from __future__ import annotations

from collections import deque
from typing import Final

WRAP_US: Final = 1 << 32
KEEP_US: Final = 1_000_000
"""Only samples this young count: a ceramic resonator may drift by 5 ms in a second."""


class ClockMatch:
    """Host time of an MCU tick.

    A tick that was sampled between sending at t0 and receiving at t1 lies in that interval; the
    sample with the shortest round trip of the last second is believed, so the error is at most half
    that round trip.
    """

    def __init__(self) -> None:
        self._samples: deque[tuple[int, int, int]] = (
            deque()
        )  # (received_us, round_trip_us, offset_us)
        self._best: tuple[int, int, int] | None = None
        self._last_tick = 0

    @property
    def known(self) -> bool:
        """Whether at least one round trip has been seen in this life of the MCU."""
        return self._best is not None

    @property
    def error_us(self) -> int:
        """Bound of the error of `host_us`, microseconds."""
        return self._best[1] // 2 if self._best else WRAP_US

    def unwrap(self, tick: int) -> int:
        """The 32-bit tick (71 minutes) on an unbounded scale, nearest to the last one."""
        base = self._last_tick - self._last_tick % WRAP_US
        nearest = min(
            (base + tick + turn * WRAP_US for turn in (-1, 0, 1)),
            key=lambda value: abs(value - self._last_tick),
        )
        self._last_tick = max(self._last_tick, nearest)
        return nearest

    def sample(self, sent_us: int, received_us: int, tick: int) -> None:
        """Notes that the MCU read `tick` somewhere between `sent_us` and `received_us`."""
        middle = (sent_us + received_us) // 2
        self._samples.append((received_us, received_us - sent_us, middle - self.unwrap(tick)))
        while self._samples and self._samples[0][0] < received_us - KEEP_US:
            self._samples.popleft()
        self._best = min(self._samples, key=lambda entry: entry[1])

    def host_us(self, tick: int) -> int:
        """Host time of an MCU tick; exact to `error_us`."""
        offset = self._best[2] if self._best else 0
        return self.unwrap(tick) + offset

    def forget(self) -> None:
        """A new life of the MCU: its tick starts anew."""
        self.__init__()  # type: ignore[misc]
