"""Keys of rows: unique across machines and ordered by time within one."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from controller.store.clock import StoreClock

RandomBytes = Callable[[int], bytes]
"""A source of random bytes, such as `os.urandom`."""


class Keys:
    """Gives keys: machine, date in ms, opening of the store, count within it, random tail.

    Opening and count alone keep them apart on one machine, also when clock and random source are
    replayed by a simulation; the tail does after an old copy of the files was put back.
    """

    def __init__(self, machine: str, opening: int, clock: StoreClock, random: RandomBytes) -> None:
        self._prefix = machine
        self._opening = f"{opening & 0xFFFF:04x}"
        self._clock = clock
        self._random = random
        self._count = count()

    def new(self) -> str:
        """A key that no row has."""
        date = self._clock.wall_us() // 1000
        tail = self._random(4).hex()
        return f"{self._prefix}-{date:011x}{self._opening}{next(self._count):07x}{tail}"


def machine_id(random: RandomBytes) -> str:
    """A new machine's name for itself."""
    return random(6).hex()
