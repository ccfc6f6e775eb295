"""How one simulated machine was built: what differs from the drawing, as it does in any real one.

The table of dimensions (controller/geometry.py) is the drawing. Only the world knows these values; calibration
has to find them.
"""

from __future__ import annotations

import random
from dataclasses import asdict, dataclass
from typing import Any, Final

from controller import geometry

_GATES: Final = range(len(geometry.POCKET_ORDER))


@dataclass(frozen=True, slots=True)
class Mount:
    """How the camera at the window is mounted and lit: what its pictures show of a card as drawn."""

    across: int = 0
    """Tenths of a millimetre to the right of its place."""
    along: int = 0
    """Tenths of a millimetre behind its place, against the travel."""
    tilt: int = 0
    """Hundredths of a degree, clockwise as the picture is seen."""
    light: int = 100
    """Percent of the light on the drawing."""
    focus: int = 4
    """Hundredths of a millimetre by which an edge is blurred, standard deviation."""
    scale: int = 0
    """Thousandths by which all is seen larger, about the middle of the window."""
    daylight: int = 0
    """Percent of the paper's light that comes from outside."""

    @classmethod
    def seeded(cls, seed: int) -> Mount:
        """Within what a workshop delivers."""
        rng = random.Random(f"{seed} camera")
        across, along, tilt = rng.randint(-5, 5), rng.randint(-5, 5), rng.randint(-50, 50)
        light = rng.randint(90, 110)
        focus, scale = rng.randint(3, 8), rng.randint(-12, 12)
        return cls(across, along, tilt, light, focus, scale, rng.randint(0, 5))


@dataclass(frozen=True, slots=True)
class Build:
    """One machine. Gates are in the order of the belt; lengths in tenths of a millimetre."""

    belt_um: int = 10_000
    """Way of the belt in 100 motor steps."""
    feeder_slip: int = 0
    """Thousandths of the feeder's way that a card does not follow."""
    gate_shift: tuple[int, ...] = (0, 0, 0, 0)
    """How far each gate, with its chute and sensor, is mounted behind its place on the drawing."""
    tray_shift: int = 0
    open_us: tuple[int, ...] = ()
    """From switching on until open; empty: as the profile says."""
    close_us: tuple[int, ...] = ()
    thickness_um: int = geometry.CARD_THICKNESS_UM
    """Of the cards in use here."""
    camera: Mount = Mount()

    @property
    def feeder_um(self) -> int:
        """How far 100 steps of the feeder move a card."""
        return 10 * (1_000 - self.feeder_slip)

    @classmethod
    def seeded(cls, seed: int) -> Build:
        """A machine within what a workshop delivers, other than the drawing in everything."""
        rng = random.Random(f"{seed} build")
        return cls(
            belt_um=rng.randint(9_800, 10_200),
            feeder_slip=rng.randint(10, 50),
            gate_shift=tuple(rng.randint(-40, 40) for _ in _GATES),
            tray_shift=rng.randint(-40, 40),
            open_us=tuple(rng.randint(8_000, 15_000) for _ in _GATES),
            close_us=tuple(rng.randint(8_000, 16_000) for _ in _GATES),
            thickness_um=rng.randint(270, 330),
            camera=Mount.seeded(seed),
        )

    def as_json(self) -> dict[str, Any]:
        """For the command line of a twin, which may show the truth beside what was found."""
        return {
            "belt_um": self.belt_um,
            "feeder_slip": self.feeder_slip,
            "gate_shift": list(self.gate_shift),
            "tray_shift": self.tray_shift,
            "open_us": list(self.open_us),
            "close_us": list(self.close_us),
            "thickness": self.thickness_um,
            "camera": asdict(self.camera),
        }


DRAWING: Final = Build()
"""A machine exactly as drawn."""
