"""Start button, stacklight, reset line, motor relay and e-stop sense on the Pi's own pins."""

from __future__ import annotations

from typing import Final

from controller.pins.ports import Pins
from controller.pins.table import Pin

LAMPS: Final = {"red": Pin.LAMP_RED, "amber": Pin.LAMP_AMBER, "green": Pin.LAMP_GREEN}


class PinsPanel:
    """A `Panel` on pins. The motors have their supply for as long as the daemon lives."""

    def __init__(self, pins: Pins) -> None:
        self._pins = pins
        self._shown = ""
        pins.edges()  # whoever pressed the button before we came did not mean us
        pins.write(Pin.MOTOR_RELAY, True)

    def show(self, lamp: str) -> None:
        """Lights one lamp of the three."""
        if lamp != self._shown:
            self._shown = lamp
            for name, pin in LAMPS.items():
                self._pins.write(pin, name == lamp)

    def pressed(self) -> bool:
        """Whether the start button went down since the last question."""
        return any(edge.pin is Pin.START and edge.on for edge in self._pins.edges())

    def stop_released(self) -> bool:
        """Whether the circuit of the emergency stop is closed."""
        return self._pins.read(Pin.ESTOP_SENSE)

    def hold_reset(self, on: bool) -> None:
        """Holds the MCU's reset line, or lets it go."""
        self._pins.write(Pin.MCU_RESET, on)
