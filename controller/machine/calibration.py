"""What was measured on this one machine, and how the drawing changes by it.

Values are those of `CalibrationKey`: what was not measured is as on the drawing. The MCU keeps them, too, so that a
new host, or a new card in it, finds the machine again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from struct import pack

from controller import geometry
from controller.protocol.frame import crc16
from controller.protocol.messages import CalibrationKey

NOMINAL_BELT_UM = 100 * 1_000 // geometry.STEPS_PER_MM
"""Way of 100 belt steps on the drawing."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """The values; a key that is missing or 0 was not measured."""

    values: Mapping[CalibrationKey, int] = field(default_factory=dict)

    def get(self, key: CalibrationKey) -> int | None:
        """A value, or None."""
        return self.values.get(key) or None

    def with_values(self, values: Mapping[CalibrationKey, int]) -> Calibration:
        """These instead, the others as they are."""
        return Calibration({**self.values, **values})

    def belt_steps(self, mm: float) -> int:
        """A length on the belt as motor steps."""
        return round(mm * 100_000 / (self.get(CalibrationKey.BELT_UM) or NOMINAL_BELT_UM))

    def belt_mm(self, steps: float) -> float:
        """Motor steps as a length on the belt."""
        return steps * (self.get(CalibrationKey.BELT_UM) or NOMINAL_BELT_UM) / 100_000

    def feeder_steps(self, mm: float) -> int:
        """A card's way under the feeder as motor steps."""
        slip = self.get(CalibrationKey.FEEDER_SLIP) or 0
        return round(geometry.steps(mm) * 1_000 / (1_000 - slip))

    @property
    def crc(self) -> int:
        """As KEEP and Identity carry it."""
        return crc16(b"".join(pack("<H", self.values.get(key, 0)) for key in CalibrationKey))


def mark(machine_id: str) -> int:
    """What the MCU keeps of a machine's name, so that its values are taken for no other machine's; never 0."""
    return crc16(machine_id.encode()) or 0xFFFF


DRAWING = Calibration()
"""Nothing measured."""
