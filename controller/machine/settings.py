"""The MCU's configuration, made from the table of dimensions and one profile."""

from __future__ import annotations

from typing import Final

from controller import geometry
from controller.geometry import CARD_LENGTH_MM, CARD_THICKNESS_UM, Profile, steps
from controller.protocol.frame import crc16
from controller.protocol.messages import Key

LENGTH_TOLERANCE_MM: Final = 3.0
GATE_MARGIN_MM: Final = {"standard": 3.0, "fast": 3.0, "stress": 1.5}
ARRIVAL_WINDOW_MM: Final = 12.0
"""A passing sensor's edge is believed this far before and after its nominal place."""


def settings(profile: Profile, pocket_order: str = geometry.POCKET_ORDER) -> dict[Key, int]:
    """Every configuration value of the MCU for `profile`; `pocket_order` is the pockets along the
    belt.
    """

    def after_window(mm: float) -> int:
        return steps(mm - geometry.HOPPER_TO_WINDOW_MM)

    gates = {
        Key[f"GATE_{seat}"]: after_window(geometry.gate_mm(index))
        for index, seat in enumerate(pocket_order)
    }
    return {
        Key.BELT_SPEED: steps(profile.belt_mm_s),
        Key.BELT_ACCELERATION: steps(geometry.BELT_ACCELERATION_MM_S2),
        Key.FEEDER_ACCELERATION: steps(geometry.FEEDER_ACCELERATION_MM_S2),
        Key.FEEDER_THROW: steps(geometry.FEEDER_THROW_MM),
        Key.PITCH: steps(profile.pitch_mm),
        Key.HOPPER_TO_WINDOW: steps(geometry.HOPPER_TO_WINDOW_MM),
        Key.LOOK_1: steps(geometry.LOOK_1_AFTER_WINDOW_MM),
        Key.LOOK_2: steps(geometry.LOOK_2_AFTER_WINDOW_MM),
        Key.HOLD_LINE: steps(geometry.WINDOW_TO_HOLD_LINE_MM),
        **gates,
        Key.DROP: steps(geometry.GATE_TO_POCKET_MM),
        Key.TRAY: after_window(geometry.tray_mm()),
        Key.LENGTH_MIN: steps(CARD_LENGTH_MM - LENGTH_TOLERANCE_MM),
        Key.LENGTH_MAX: steps(CARD_LENGTH_MM + LENGTH_TOLERANCE_MM),
        Key.THICKNESS_MAX: CARD_THICKNESS_UM * 7 // 5,
        Key.GATE_MARGIN: steps(GATE_MARGIN_MM[profile.name]),
        Key.STROBE_1: geometry.STROBE_1_US,
        Key.STROBE_2: geometry.STROBE_2_US,
        Key.ARRIVAL_WINDOW: steps(ARRIVAL_WINDOW_MM),
        Key.HOLD_MAX: geometry.HOLD_MAX_MS,
        **{Key[f"GATE_OPEN_{seat}"]: profile.gate_travel_us for seat in pocket_order},
        **{Key[f"GATE_CLOSE_{seat}"]: profile.gate_travel_us for seat in pocket_order},
    }


def settings_crc(values: dict[Key, int]) -> int:
    """The CRC that COMMIT carries: all values in key order, each a little-endian u32."""
    return crc16(b"".join(values[key].to_bytes(4, "little") for key in sorted(values)))
