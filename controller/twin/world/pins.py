"""The pins of the MCU by name: firmware/src/pins.h in Python, held together by a test."""

from __future__ import annotations

from enum import IntEnum


class Out(IntEnum):
    """Bit numbers of the outputs; the two STEP outputs are counters, not bits."""

    ENABLE = 0
    GATE_N = 1
    GATE_E = 2
    GATE_S = 3
    GATE_W = 4
    STROBE = 5
    TRIGGER = 6


class In(IntEnum):
    """Inputs; high means what the name says (ESTOP: released, LID: closed)."""

    HOPPER = 0
    WINDOW = 1
    PASS_N = 2
    PASS_E = 3
    PASS_S = 4
    PASS_W = 5
    PASS_TRAY = 6
    PRESENT_N = 7
    PRESENT_E = 8
    PRESENT_S = 9
    PRESENT_W = 10
    PRESENT_TRAY = 11
    BOARD = 12
    LID = 13
    ESTOP = 14


class Analog(IntEnum):
    """Analog inputs: thickness in micrometres, colour class of the back (0: no card)."""

    THICKNESS = 0
    BACK = 1
