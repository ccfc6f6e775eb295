"""The front panel: what hangs on the pins of the Pi itself: start button, lamps, reset line, relay."""

from __future__ import annotations

from typing import Final

from controller.pins.table import Pin
from controller.protocol.messages import ResetCause
from controller.twin.world.deeds import SECONDS
from controller.twin.world.pins import In
from controller.twin.world.world import World

PRESS_US: Final = 150_000
_LAMPS: Final = {Pin.LAMP_RED: "red", Pin.LAMP_AMBER: "amber", Pin.LAMP_GREEN: "green"}


def hurry(haste: float) -> None:
    """From now on every deed in this process takes so many times less than a person needs."""
    for what, seconds in SECONDS.items():
        SECONDS[what] = seconds / haste


class PanelWorld(World):
    """A world whose motors get their current through the Pi's relay."""

    supplied = True
    """The relay is on; so it is found, so that a twin without a host of its pins works too."""

    def supply(self, on: bool) -> None:
        """The relay switches."""
        self.supplied = on
        self.note(f"motor relay {'on' if on else 'off'}")
        self._drive()

    def _drive(self) -> None:
        pressed = self._estop
        self._estop = pressed or not self.supplied
        super()._drive()
        self._estop = pressed


class Panel:
    """Inputs for the Pi, and what its outputs do."""

    def __init__(self, world: PanelWorld) -> None:
        self._world = world
        self._start = False
        self._reset = False

    def inputs(self) -> dict[Pin, bool]:
        """The levels of the Pi's inputs now."""
        return {
            Pin.START: self._start,
            Pin.ESTOP_SENSE: bool(self._world.inputs.level(In.ESTOP)),
        }

    def output(self, pin: Pin, on: bool) -> None:
        """The Pi has set an output."""
        if pin in _LAMPS:
            self._world.lamps[_LAMPS[pin]] = "on" if on else "off"
        elif pin is Pin.MCU_RESET:
            if on and not self._reset:
                self._world.reset_mcu(ResetCause.EXTERNAL)
            self._reset = on
        elif pin is Pin.MOTOR_RELAY and on != self._world.supplied:
            self._world.supply(on)

    def press_start(self) -> None:
        """A finger on the start button, for PRESS_US."""
        self._start = True
        self._world.note("start button")
        self._world.at(self._world.now_us + PRESS_US, self._release)

    def _release(self) -> None:
        self._start = False
        self._world.news()
