"""Pins at a Unix socket: whoever serves there has the button and the lamps.

< {"pin": "start", "on": true}      an input has settled at another level
> {"pin": "lamp_red", "on": true}   an output
"""

from __future__ import annotations

from typing import Any

from controller.devices.ports import Clock
from controller.pins.errors import PinsError
from controller.pins.lines import LineSocket
from controller.pins.ports import Edge
from controller.pins.table import INPUTS, OUTPUTS, Pin


class UnixPins:
    """The `Pins` at a socket; all inputs are off while nobody is there."""

    def __init__(self, path: str, clock: Clock) -> None:
        self._path = path
        self._clock = clock
        self._levels = dict.fromkeys(INPUTS, False)
        self._outputs = dict.fromkeys(OUTPUTS, False)
        self._edges: list[Edge] = []
        self._line: LineSocket | None = None
        self._reach()

    def problem(self) -> PinsError | None:
        """Whether nobody serves at the socket."""
        return None if self._line is not None else PinsError("pins.nobody", path=self._path)

    def read(self, pin: Pin) -> bool:
        """The level of an input, or what an output was last set to."""
        if pin in self._outputs:
            return self._outputs[pin]
        self.pump()
        return self._levels[pin]

    def write(self, pin: Pin, on: bool) -> None:
        """Sets an output."""
        self._outputs[pin] = on
        if self._reach():
            self._tell(pin)

    def edges(self) -> list[Edge]:
        """Takes the edges since the last call."""
        self.pump()
        found, self._edges = self._edges, []
        return found

    def fileno(self) -> int:
        """The socket; -1 while nobody is there."""
        return -1 if self._line is None else self._line.fileno()

    def pump(self) -> bool:
        """Takes what has come."""
        if self._reach() and self._line is not None:
            for message in self._line.receive():
                self._heard(message)
            if self._line.closed:
                self._fall()
        return bool(self._edges)

    def close(self) -> None:
        """Outputs off, then hangs up."""
        for pin in OUTPUTS:
            self.write(pin, False)
        if self._line is not None:
            self._line.close()
            self._line = None
        self._path = ""

    def _reach(self) -> bool:
        if self._line is None or self._line.closed:
            self._line = LineSocket.connect(self._path) if self._path else None
            if self._line is not None:
                for pin in OUTPUTS:
                    self._tell(pin)
        return self._line is not None

    def _tell(self, pin: Pin) -> None:
        if self._line is not None:
            self._line.send({"pin": pin.value, "on": self._outputs[pin]})

    def _heard(self, message: Any) -> None:
        try:
            pin, on = Pin(message["pin"]), bool(message["on"])
        except (KeyError, TypeError, ValueError):
            return
        self._change(pin, on)

    def _fall(self) -> None:
        for pin in INPUTS:
            self._change(pin, False)

    def _change(self, pin: Pin, on: bool) -> None:
        if pin in self._levels and self._levels[pin] != on:
            self._levels[pin] = on
            self._edges.append(Edge(pin, on, self._clock.now_us()))
