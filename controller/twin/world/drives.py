"""What the outputs move: gates with their coils and springs, stepper motors with their current."""

from __future__ import annotations

from enum import Enum
from typing import Final

STEPS_UM: Final = 10_000
"""Way of 100 steps on the drawing."""


class Flap(Enum):
    """Where a flap is."""

    SHUT = "shut"
    OPEN = "open"
    MOVING = "moving"


class Gate:
    """One gate. It starts where it is when it is driven anew, also in mid-travel."""

    def __init__(self, travel_us: int, close_us: int | None = None) -> None:
        self.travel_us = travel_us
        """From shut to open."""
        self.close_us = travel_us if close_us is None else close_us
        self._built = self.travel_us, self.close_us
        self.driven = False
        self.stuck = False
        """Does not follow its coil; a fault."""
        self.coil_on = False
        """Its coil stays on whatever it is told; a fault."""
        self._since_us = 0
        self._from_us = 0
        """Travel that was already done when it was driven last: 0 = shut, travel_us = open."""

    def stick(self, now_us: int) -> None:
        """It stays where it is whatever its coil does; a fault."""
        self._from_us = self._place_us(now_us)
        self.stuck = True

    def slow_down(self, times: int) -> None:
        """It needs so many times as long from now on; a fault."""
        self.travel_us *= times
        self.close_us *= times
        self._from_us *= times

    def weaken(self, times: int) -> None:
        """Its spring is weak: it needs so many times as long to shut; a fault."""
        self.close_us *= times

    def mend(self) -> None:
        """A technician makes it as it was, shut."""
        self.coil_on = self.driven = False
        self.travel_us, self.close_us = self._built
        self.stuck = False
        self._from_us = self._since_us = 0

    def drive(self, on: bool, now_us: int) -> bool:
        """Coil on or off from now; says whether the flap begins to move."""
        if on == self.driven or (self.coil_on and not on):
            return False
        if self.stuck:
            self.driven = on
            return False
        self._from_us = self._place_us(now_us)
        self._since_us = now_us
        self.driven = on
        return True

    def flap(self, now_us: int) -> Flap:
        """Where the flap is now."""
        place = self._place_us(now_us)
        if place == 0:
            return Flap.SHUT
        return Flap.OPEN if place == self.travel_us else Flap.MOVING

    def _place_us(self, now_us: int) -> int:
        gone = now_us - self._since_us
        if self.stuck:
            return self._from_us
        if self.driven:
            return min(self.travel_us, self._from_us + gone)
        return max(0, self._from_us - gone * self.travel_us // self.close_us)


class Motor:
    """A stepper motor: without current its STEP pulses turn nothing. It begins without."""

    def __init__(self, pulses: int, way_um: int = STEPS_UM) -> None:
        self.idle = pulses
        """STEP pulses that turned nothing; the others are its steps."""
        self._at_cut = pulses
        self._way_um = way_um
        """That 100 STEP pulses move what lies on it."""

    def way(self, pulses: int) -> int:
        """How far it has really come after so many pulses, in tenths of a millimetre."""
        return (pulses - self.idle) * self._way_um // STEPS_UM

    def pulses(self, way: int) -> int:
        """After how many pulses it will have come so far."""
        return self.idle - -way * STEPS_UM // self._way_um

    def power(self, on: bool, pulses: int) -> None:
        """The current comes or goes, after so many pulses."""
        if on:
            self.idle += pulses - self._at_cut
        else:
            self._at_cut = pulses
