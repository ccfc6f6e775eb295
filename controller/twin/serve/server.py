"""The loop of a served twin: a slice of time, what goes out, what comes in."""

from __future__ import annotations

import contextlib
import select
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.devices.ports import Clock
from controller.twin.serve.control import ControlDoor
from controller.twin.serve.doors import Door, ImageDoor, LabelDoor, McuDoor, PinsDoor
from controller.twin.serve.pace import Pace
from controller.twin.serve.panel import Panel, PanelWorld

SLICE_MS: Final = 1
"""A byte or an image comes this much late at most."""


@dataclass(frozen=True, slots=True)
class Sockets:
    """Where a twin is reached; all in one folder."""

    folder: Path

    @property
    def port(self) -> Path:
        """The MCU's serial port: a link to the pty that is there now."""
        return self.folder / "mcu"

    @property
    def camera(self) -> Path:
        """Window images."""
        return self.folder / "camera"

    @property
    def label(self) -> Path:
        """The label reader."""
        return self.folder / "label"

    @property
    def pins(self) -> Path:
        """The pins of the Pi."""
        return self.folder / "pins"

    @property
    def control(self) -> Path:
        """Hands and eyes."""
        return self.folder / "control"

    def as_json(self) -> dict[str, str]:
        """As the configuration of a daemon names them, and the control socket."""
        return {
            "port": str(self.port),
            "camera": f"socket:{self.camera}",
            "label": str(self.label),
            "pins": str(self.pins),
            "control": str(self.control),
        }


class Server:
    """One world, served until `stop`."""

    def __init__(self, world: PanelWorld, clock: Clock, sockets: Sockets) -> None:
        self._world = world
        self._pace = Pace(clock, world.now_us)
        self._stopping = False
        self._woken, self._waker = socket.socketpair()
        panel = Panel(world)
        self.mcu = McuDoor(world, sockets.port)
        self._images = ImageDoor(world, self._pace, sockets.camera)
        self._doors: tuple[Door, ...] = (
            self.mcu,
            LabelDoor(world, sockets.label),
            PinsDoor(panel, sockets.pins),
            ControlDoor(world, panel, self._pace, sockets.control),
            self._images,
        )

    def serve(self) -> None:
        """Runs the world at 1x until `stop`; then all doors are shut."""
        try:
            while not self._stopping:
                self._wait()
                # Nothing may reach the MCU before it was sent, or clocks would be matched wrongly:
                # what has been fetched was sent before the instant that the world now comes up to.
                # What comes while it draws waits for the next turn.
                self.mcu.fetch()
                self._advance()
                for door in self._doors:
                    door.take()
                self._world.camera.prepare()
        finally:
            for door in self._doors:
                door.close()
            self._woken.close()
            self._waker.close()

    def stop(self) -> None:
        """Ends `serve`; may be called by a signal handler."""
        self._stopping = True
        with contextlib.suppress(OSError):
            self._waker.send(b"!")

    def _advance(self) -> None:
        """The world catches up with the clock, and tells each piece of news as it happens."""
        world = self._world
        due_us = self._pace.due_us(world.now_us)
        while True:
            world.run(due_us)
            for door in self._doors:
                door.give()
            if world.now_us >= due_us:
                return

    def _wait(self) -> None:
        poller = select.poll()
        poller.register(self._woken, select.POLLIN)
        for door in self._doors:
            for number, events in door.filenos().items():
                poller.register(number, events)
        poller.poll(SLICE_MS)
