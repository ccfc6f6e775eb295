"""A level counts when it has been stable for a time, whatever bounced before."""

from __future__ import annotations

from typing import Final

STABLE_US: Final = 20_000
"""Buttons and relays bounce for up to 10 ms; a finger is there for 50 ms and more."""


class Debounce:
    """One input. The first level that it sees is taken as it is: that is no edge."""

    def __init__(self, stable_us: int = STABLE_US) -> None:
        self.on: bool | None = None
        """The settled level; None before the first look."""
        self.glitches = 0
        """Changes that did not last."""
        self._stable_us = stable_us
        self._since_us: int | None = None

    def see(self, on: bool, now_us: int) -> int | None:
        """Takes what the pin shows now; gives the time of the edge when it has settled."""
        if self.on is None:
            self.on = on
        if on == self.on:
            self.glitches += self._since_us is not None
            self._since_us = None
            return None
        if self._since_us is None:
            self._since_us = now_us
        if now_us - self._since_us < self._stable_us:
            return None
        at_us, self._since_us = self._since_us, None
        self.on = on
        return at_us
