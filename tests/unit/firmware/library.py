"""The host library through ctypes, its pins, and the configuration of each profile."""

from __future__ import annotations

import ctypes
from functools import cache
from pathlib import Path
from typing import Any

from controller import geometry
from controller.geometry import PROFILES, steps
from controller.protocol.messages import Key

ANY = 0xFFFFFFFF
WHY_FEEDER, WHY_OUTPUT, WHY_TX = 4, 8, 16
ENABLE, GATE_N, STROBE, TRIGGER = 0, 1, 5, 6
HOPPER, WINDOW, PASS_N, PRESENT_N, BOARD, LID, ESTOP = 0, 1, 2, 7, 12, 13, 14
TRAY = 4
LENGTH = steps(geometry.CARD_LENGTH_MM)
WINDOW_AT = steps(geometry.HOPPER_TO_WINDOW_MM)
GRIP_AT = steps(geometry.BELT_GRIPS_AT_MM)


class View(ctypes.Structure):
    """struct host_view."""

    _fields_ = (
        ("now_us", ctypes.c_uint64),
        ("belt", ctypes.c_uint32),
        ("feeder", ctypes.c_uint32),
        ("outputs", ctypes.c_uint16),
        ("tx_waiting", ctypes.c_uint16),
        ("why", ctypes.c_uint32),
    )


def load(path: Path) -> Any:
    """The shared library with its argument types."""
    lib = ctypes.CDLL(str(path))
    handle, u8, u16, u32 = ctypes.c_void_p, ctypes.c_uint8, ctypes.c_uint16, ctypes.c_uint32
    text, size = ctypes.c_char_p, ctypes.c_size_t
    lib.host_new.restype = handle
    lib.host_view.restype = ctypes.POINTER(View)
    lib.host_tx.restype = size
    lib.host_run.restype = u32
    lib.host_view.argtypes = [handle]
    lib.host_free.argtypes = [handle]
    lib.host_reset.argtypes = [handle, u8]
    lib.host_input.argtypes = [handle, u8, u8]
    lib.host_analog.argtypes = [handle, u8, u16]
    lib.host_rx.argtypes = [handle, text, size]
    lib.host_tx.argtypes = [handle, text, size]
    lib.host_eeprom.restype = ctypes.POINTER(u8)
    lib.host_eeprom.argtypes = [handle]
    lib.host_eeprom_pace.argtypes = [handle, u32]
    lib.host_tear.argtypes = [handle, u32]
    lib.host_wear.argtypes = [handle, u16, u16]
    lib.host_run.argtypes = [handle, ctypes.c_uint64, u32, u32]
    return lib


@cache
def config(name: str) -> dict[Key, int]:
    """All configuration values of a profile."""
    profile = PROFILES[name]
    window = geometry.HOPPER_TO_WINDOW_MM
    gates = {Key(Key.GATE_N + i): steps(geometry.gate_mm(i) - window) for i in range(4)}
    return {
        Key.BELT_SPEED: steps(profile.belt_mm_s),
        Key.BELT_ACCELERATION: steps(geometry.BELT_ACCELERATION_MM_S2),
        Key.FEEDER_ACCELERATION: steps(geometry.FEEDER_ACCELERATION_MM_S2),
        Key.FEEDER_THROW: steps(geometry.FEEDER_THROW_MM),
        Key.PITCH: steps(profile.pitch_mm),
        Key.HOPPER_TO_WINDOW: WINDOW_AT,
        Key.LOOK_1: steps(geometry.LOOK_1_AFTER_WINDOW_MM),
        Key.LOOK_2: steps(geometry.LOOK_2_AFTER_WINDOW_MM),
        Key.HOLD_LINE: steps(geometry.WINDOW_TO_HOLD_LINE_MM),
        **gates,
        Key.DROP: steps(geometry.GATE_TO_POCKET_MM),
        Key.TRAY: steps(geometry.tray_mm() - window),
        Key.LENGTH_MIN: LENGTH - 20,
        Key.LENGTH_MAX: LENGTH + 20,
        Key.THICKNESS_MAX: 450,
        Key.GATE_MARGIN: 15 if name == "stress" else 30,
        Key.STROBE_1: geometry.STROBE_1_US,
        Key.STROBE_2: geometry.STROBE_2_US,
        Key.ARRIVAL_WINDOW: 150,
        Key.HOLD_MAX: geometry.HOLD_MAX_MS,
        **{
            Key(key): profile.gate_travel_us for key in range(Key.GATE_OPEN_N, Key.GATE_CLOSE_W + 1)
        },
    }
