"""What spoils the view of the camera: its strobe, other light, and the glass over it."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

DIM: Final = 0.25
FLICKERS: Final = (0.4, 1.0)
"""A strobe with a bad contact gives so much of its light, another share at each picture .."""
BANDS: Final = 0.2
""".. and bands of light and dark so deep."""
SUNLIT: Final = 0.5
"""Daylight on the glass, as a share of what white paper shows at look 1."""
GRIME_A_PICTURE: Final = 1 / 5_000
"""So much of the view does a failing brush take with each picture: a board takes a fiftieth."""


@dataclass(frozen=True, slots=True)
class View:
    """How one picture was taken."""

    light_us: float
    """Light of the strobe, in microseconds of its full light."""
    flicker: float = 0.0
    """Depth of its bands."""
    daylight: float = 0.0
    """Beside the strobe, as a share of the level of paper."""
    grime: float = 0.0
    """On the glass: 0 clean .. 1 nothing can be seen."""


class Sight:
    """The state of strobe, blind and glass; a fault spoils it, people mend it."""

    def __init__(self) -> None:
        self.black = False
        self.dim = False
        """The strobe gives `DIM` of its light."""
        self.flickers = False
        self.sunlit = False
        self.grime = 0.0
        self.soiling = False
        """The glass gets dirtier with each picture."""
        self.late_us = 0
        """So late come trigger and strobe."""

    def view(self, light_us: float, chance: str) -> View:
        """The view of a picture that is lit for *light_us* now; *chance* is this picture's own."""
        if self.soiling:
            self.grime = min(1.0, self.grime + GRIME_A_PICTURE)
        share = 0.0 if self.black else DIM if self.dim else 1.0
        if self.flickers:
            share *= random.Random(chance).uniform(*FLICKERS)
        bands = BANDS if self.flickers else 0.0
        return View(light_us * share, bands, SUNLIT if self.sunlit else 0.0, self.grime)

    def clean(self) -> None:
        """A person wipes the glass and shuts the blind."""
        self.grime = 0.0
        self.soiling = self.sunlit = False

    def mend(self) -> None:
        """A technician mends the strobe."""
        self.dim = self.flickers = False
        self.late_us = 0
