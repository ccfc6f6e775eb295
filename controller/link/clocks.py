"""Matching the MCU's tick to the host's clock, from the messages that pass anyway."""

from __future__ import annotations

from typing import Final

WRAP_US: Final = 1 << 32
DRIFT_PPM: Final = 5_000
"""A ceramic resonator may be wrong by half a percent; what was learnt weakens so fast."""


class ClockMatch:
    """Host time of an MCU tick.

    Host time less tick, the offset, is kept between two bounds. A tick that the MCU read after the
    host sent at t0 puts the offset at t0 - tick at least; whatever the host received at t1 puts it at
    t1 - tick at most, and every event does. So the quickest message of each direction counts, not
    the quickest round trip, and a slow way back does not spoil a quick way there. The bounds widen
    with the drift that a resonator may have; the middle is believed.
    """

    def __init__(self) -> None:
        self._least_us: float | None = None
        self._most_us = 0.0
        self._bounded_us = 0
        """When the bounds were last widened to."""
        self._last_tick = 0

    @property
    def known(self) -> bool:
        """Whether at least one round trip has been seen in this life of the MCU."""
        return self._least_us is not None

    @property
    def error_us(self) -> int:
        """Bound of the error of `host_us` when the last message came, microseconds."""
        if self._least_us is None:
            return WRAP_US
        return round((self._most_us - self._least_us) / 2)

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
        count = self.unwrap(tick)
        self._widen(received_us)
        least, most = sent_us - count, received_us - count
        if self._least_us is None or least > self._most_us or most < self._least_us:
            # The first one, or the MCU's clock has stood still: what was known is void.
            self._least_us, self._most_us = least, most
        else:
            self._least_us = max(self._least_us, least)
            self._most_us = min(self._most_us, most)

    def heard(self, received_us: int, tick: int) -> None:
        """Notes that a message with `tick` was here at `received_us`; it may be an old one."""
        if self._least_us is None:
            return
        most = received_us - self.unwrap(tick)
        self._widen(received_us)
        if most >= self._least_us:  # else only a round trip can tell what has happened
            self._most_us = min(self._most_us, most)

    def host_us(self, tick: int) -> int:
        """Host time of an MCU tick; exact to `error_us`."""
        offset = 0.0 if self._least_us is None else (self._least_us + self._most_us) / 2
        return self.unwrap(tick) + round(offset)

    def forget(self) -> None:
        """A new life of the MCU: its tick starts anew."""
        self.__init__()  # type: ignore[misc]

    def _widen(self, now_us: int) -> None:
        drift_us = max(0, now_us - self._bounded_us) * DRIFT_PPM / 1_000_000
        self._bounded_us = max(self._bounded_us, now_us)
        if self._least_us is not None:
            self._least_us -= drift_us
            self._most_us += drift_us
