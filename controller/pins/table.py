"""The pins of the Raspberry Pi: one table for back ends, self-test, twin, configuration and docs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final


class Pin(Enum):
    """A pin by what hangs on it."""

    START = "start"
    ESTOP_SENSE = "estop_sense"
    LAMP_RED = "lamp_red"
    LAMP_AMBER = "lamp_amber"
    LAMP_GREEN = "lamp_green"
    MCU_RESET = "mcu_reset"
    MOTOR_RELAY = "motor_relay"


@dataclass(frozen=True, slots=True)
class PinRow:
    """One row: the number is Broadcom's; `on` at the pin is high unless `active_low`."""

    pin: Pin
    bcm: int
    is_input: bool
    active_low: bool
    means: str
    """What it is when it is on."""


PIN_TABLE: Final = (
    PinRow(Pin.START, 17, True, True, "the start button is pressed (closes to ground)"),
    PinRow(Pin.ESTOP_SENSE, 27, True, True, "the emergency stop is released (closed circuit)"),
    PinRow(Pin.LAMP_RED, 22, False, False, "the red lamp burns: a person must act"),
    PinRow(Pin.LAMP_AMBER, 23, False, False, "the amber lamp burns: the machine is at work"),
    PinRow(Pin.LAMP_GREEN, 24, False, False, "the green lamp burns: ready for the next board"),
    PinRow(Pin.MCU_RESET, 25, False, True, "the reset line of the MCU is held low"),
    PinRow(Pin.MOTOR_RELAY, 26, False, False, "the motors have their supply"),
)
ROW_OF: Final = {row.pin: row for row in PIN_TABLE}
INPUTS: Final = tuple(row.pin for row in PIN_TABLE if row.is_input)
OUTPUTS: Final = tuple(row.pin for row in PIN_TABLE if not row.is_input)
