"""The MCU's configuration, made from the table of dimensions, one profile, and what was measured here."""

from __future__ import annotations

from typing import Final

from controller import geometry
from controller.geometry import CARD_LENGTH_MM, CARD_THICKNESS_UM, Profile
from controller.machine.calibration import DRAWING, Calibration
from controller.protocol.frame import crc16
from controller.protocol.messages import CalibrationKey, Key

LENGTH_TOLERANCE_MM: Final = 3.0
GATE_MARGIN_MM: Final = {"standard": 3.0, "fast": 3.0, "stress": 1.5}
ARRIVAL_WINDOW_MM: Final = 12.0
"""A passing sensor's edge is believed this far before and after its nominal place."""


def settings(
    profile: Profile,
    pocket_order: str = geometry.POCKET_ORDER,
    calibration: Calibration = DRAWING,
) -> dict[Key, int]:
    """Every configuration value of the MCU for `profile`; `pocket_order` is the pockets along the
    belt.
    """
    belt = calibration.belt_steps
    feeder = calibration.feeder_steps
    grips_mm = geometry.BELT_GRIPS_AT_MM
    after_grip = belt(geometry.HOPPER_TO_WINDOW_MM - grips_mm)
    thickness = calibration.get(CalibrationKey.THICKNESS) or CARD_THICKNESS_UM
    return {
        Key.BELT_SPEED: belt(profile.belt_mm_s),
        Key.BELT_ACCELERATION: belt(geometry.BELT_ACCELERATION_MM_S2),
        Key.FEEDER_ACCELERATION: geometry.steps(geometry.FEEDER_ACCELERATION_MM_S2),
        Key.FEEDER_THROW: feeder(geometry.FEEDER_THROW_MM),
        Key.PITCH: belt(profile.pitch_mm),
        Key.HOPPER_TO_WINDOW: feeder(grips_mm) + after_grip,
        Key.LOOK_1: belt(geometry.LOOK_1_AFTER_WINDOW_MM),
        Key.LOOK_2: belt(geometry.LOOK_2_AFTER_WINDOW_MM),
        Key.HOLD_LINE: belt(geometry.WINDOW_TO_HOLD_LINE_MM),
        Key.DROP: belt(geometry.GATE_TO_POCKET_MM),
        Key.TRAY: calibration.get(CalibrationKey.TRAY_PLACE)
        or _after_window(calibration, geometry.tray_mm()),
        Key.LENGTH_MIN: belt(CARD_LENGTH_MM - LENGTH_TOLERANCE_MM),
        Key.LENGTH_MAX: belt(CARD_LENGTH_MM + LENGTH_TOLERANCE_MM),
        Key.THICKNESS_MAX: thickness * 7 // 5,
        Key.GATE_MARGIN: belt(GATE_MARGIN_MM[profile.name]),
        Key.STROBE_1: geometry.STROBE_1_US,
        Key.STROBE_2: geometry.STROBE_2_US,
        Key.ARRIVAL_WINDOW: belt(ARRIVAL_WINDOW_MM),
        Key.HOLD_MAX: geometry.HOLD_MAX_MS,
        **_gates(profile, pocket_order, calibration),
    }


def _after_window(calibration: Calibration, mm: float) -> int:
    return calibration.belt_steps(mm - geometry.HOPPER_TO_WINDOW_MM)


def _gates(profile: Profile, order: str, calibration: Calibration) -> dict[Key, int]:
    """Place and times of each gate: as measured, else as drawn."""
    found: dict[Key, int] = {}
    for index, seat in enumerate(order):
        drawn = {
            "PLACE": _after_window(calibration, geometry.gate_mm(index)),
            "OPEN": profile.gate_travel_us,
            "CLOSE": profile.gate_travel_us,
        }
        for what, value in drawn.items():
            measured = calibration.get(CalibrationKey[f"GATE_{what}_{seat}"])
            key = Key[f"GATE_{seat}" if what == "PLACE" else f"GATE_{what}_{seat}"]
            found[key] = measured or value
    return found


def settings_crc(values: dict[Key, int]) -> int:
    """The CRC that COMMIT carries: all values in key order, each a little-endian u32."""
    return crc16(b"".join(values[key].to_bytes(4, "little") for key in sorted(values)))
