"""The pins by the RPi.GPIO programming interface: RPi.GPIO itself, or rpi-lgpio on a Pi 5.

Levels are polled and debounced here: the two packages mean different things by `bouncetime`, and on
newer kernels RPi.GPIO cannot detect edges at all.
"""

from __future__ import annotations

import contextlib
from typing import Any

from controller.devices.ports import Clock
from controller.pins.debounce import Debounce
from controller.pins.errors import PinsError
from controller.pins.ports import Edge
from controller.pins.table import INPUTS, OUTPUTS, PIN_TABLE, ROW_OF, Pin


def _library() -> Any:
    """The package, whichever of the two is installed; off a Pi it raises RuntimeError at import."""
    try:
        import RPi.GPIO as library  # noqa: N811 - late: only a Pi has it
    except ImportError as error:
        raise PinsError("pins.no_library") from error
    except Exception as error:
        raise PinsError("pins.no_pi", reason=_reason(error)) from error
    return library


class RpiPins:
    """The `Pins` of a Raspberry Pi. All outputs are off at first."""

    def __init__(self, clock: Clock, gpio: Any = None) -> None:
        """*gpio* stands in for the library in tests."""
        self._clock = clock
        self._gpio = _library() if gpio is None else gpio
        self._inputs = {pin: Debounce() for pin in INPUTS}
        self._outputs = dict.fromkeys(OUTPUTS, False)
        self._edges: list[Edge] = []
        try:
            self._claim()
        except Exception as error:
            self.close()
            raise PinsError("pins.refused", reason=_reason(error)) from error
        self.pump()

    def read(self, pin: Pin) -> bool:
        """The settled level of an input, or what an output was last set to."""
        if pin in self._outputs:
            return self._outputs[pin]
        return bool(self._inputs[pin].on)

    def write(self, pin: Pin, on: bool) -> None:
        """Sets an output."""
        self._gpio.output(ROW_OF[pin].bcm, on != ROW_OF[pin].active_low)
        self._outputs[pin] = on

    def edges(self) -> list[Edge]:
        """Takes the edges that have settled since the last call."""
        found, self._edges = self._edges, []
        return found

    def fileno(self) -> int:
        """These pins are polled."""
        return -1

    def pump(self) -> bool:
        """Looks at the inputs now."""
        now_us = self._clock.now_us()
        for pin, debounce in self._inputs.items():
            at_us = debounce.see(self._level(pin), now_us)
            if at_us is not None:
                self._edges.append(Edge(pin, bool(debounce.on), at_us))
        return bool(self._edges)

    def glitches(self) -> dict[Pin, int]:
        """How often each input changed without staying so."""
        return {pin: debounce.glitches for pin, debounce in self._inputs.items()}

    def self_test(self) -> list[PinsError]:
        """Sets each output and reads it back, lamps and relay included; gives what is wrong.

        Nothing may be connected that must not be switched: it is run before the motors are live.
        """
        problems = []
        for pin in OUTPUTS:
            if pin in (Pin.MCU_RESET, Pin.MOTOR_RELAY):
                continue  # would restart the MCU, or switch the motors' supply
            for on in (True, False):
                self.write(pin, on)
                if self._level(pin) != on:
                    problems.append(PinsError("pins.stuck", pin=pin.value, bcm=ROW_OF[pin].bcm))
                    break
            self.write(pin, False)
        return problems

    def close(self) -> None:
        """Outputs off, pins free."""
        with contextlib.suppress(Exception):  # whatever was not claimed cannot be set
            for pin in OUTPUTS:
                self.write(pin, False)
        with contextlib.suppress(Exception):
            self._gpio.cleanup([row.bcm for row in PIN_TABLE])

    def _claim(self) -> None:
        gpio = self._gpio
        gpio.setwarnings(False)
        gpio.setmode(gpio.BCM)
        for row in PIN_TABLE:
            if row.is_input:
                pull = gpio.PUD_UP if row.active_low else gpio.PUD_DOWN
                gpio.setup(row.bcm, gpio.IN, pull_up_down=pull)
            else:
                gpio.setup(row.bcm, gpio.OUT, initial=gpio.HIGH if row.active_low else gpio.LOW)

    def _level(self, pin: Pin) -> bool:
        row = ROW_OF[pin]
        return bool(self._gpio.input(row.bcm)) != row.active_low


def _reason(error: Exception) -> str:
    return str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
