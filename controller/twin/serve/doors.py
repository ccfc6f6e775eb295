"""What the daemon reaches of a served twin: the MCU's port, window images, label and pins."""

from __future__ import annotations

import contextlib
import os
import pty
import select
import socket
import termios
import tty
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from controller.devices.cameras.wire import SHOOT, send
from controller.pins.lines import LineSocket
from controller.pins.table import OUTPUTS, Pin
from controller.twin.serve.pace import Pace
from controller.twin.serve.panel import Panel
from controller.twin.world.world import World


class Door(Protocol):
    """One way into the twin."""

    def filenos(self) -> dict[int, int]:
        """Descriptors to wait for, each with its poll events."""
        ...

    def take(self) -> None:
        """Takes what has come from outside to the world, without waiting."""
        ...

    def give(self) -> None:
        """Gives what the world has to those outside."""
        ...

    def close(self) -> None:
        """Nobody reaches it any more."""
        ...


def listen(path: Path, kind: int = socket.SOCK_STREAM) -> socket.socket:
    """A Unix socket to be called at."""
    path.unlink(missing_ok=True)
    server = socket.socket(socket.AF_UNIX, kind)
    server.bind(str(path))
    server.listen(8)
    server.setblocking(False)
    return server


def accept(server: socket.socket) -> socket.socket | None:
    """Whoever calls, if anybody does."""
    try:
        return server.accept()[0]
    except BlockingIOError:
        return None


class McuDoor:
    """The MCU's serial port: a pty behind a stable name, gone while the cable is out."""

    def __init__(self, world: World, path: Path) -> None:
        self._world = world
        self._path = path
        self._master = -1
        self._opened = False
        self._came = b""
        self._plug()

    @property
    def device(self) -> str:
        """The pty that is there now; empty while the cable is out."""
        return str(self._path.readlink()) if self._path.is_symlink() else ""

    def filenos(self) -> dict[int, int]:
        """The pty, while the host has it open: a pty that nobody has open is always ready."""
        return {self._master: select.POLLIN} if self._opened else {}

    def fetch(self) -> None:
        """Notes what the host has sent by now, before the world comes up to now."""
        if self._opened:
            with contextlib.suppress(OSError):  # nothing there, or host or cable have gone
                self._came += os.read(self._master, 65_536)

    def take(self) -> None:
        """What was fetched goes onto the wire at the world's time, which has passed its sending."""
        came, self._came = self._came, b""
        if came:
            with contextlib.suppress(OSError):  # the cable has gone in between
                self._world.transport.write(came)
        if self._master < 0:
            if self._world.wire.plugged:
                self._plug()
            return
        poller = select.poll()
        poller.register(self._master, select.POLLIN)
        events = dict(poller.poll(0)).get(self._master, 0)
        if events & select.POLLHUP:
            if self._opened:
                self._opened = False
                termios.tcflush(self._master, termios.TCIOFLUSH)
            return
        if not self._opened:
            self._opened = True
            self._world.open_transport()

    def give(self) -> None:
        """Bytes from the MCU; nobody there: they are lost."""
        try:
            data = self._world.transport.read()
        except OSError:  # the cable was pulled, and is perhaps in again already
            if self._opened or not self._world.wire.plugged:
                self._unplug()
            return
        if data and self._opened:
            with contextlib.suppress(OSError):  # a host that does not read loses it
                os.write(self._master, data)

    def close(self) -> None:
        """The port goes, as when its cable is pulled."""
        self._unplug()

    def _plug(self) -> None:
        master, slave = pty.openpty()
        tty.setraw(slave)
        os.set_blocking(master, False)
        self._path.unlink(missing_ok=True)
        self._path.symlink_to(os.ttyname(slave))
        os.close(slave)  # from now on the master tells whether a host has it open
        self._master, self._opened = master, False

    def _unplug(self) -> None:
        if self._master >= 0:
            self._path.unlink(missing_ok=True)
            os.close(self._master)
            self._master, self._opened, self._came = -1, False, b""


class ImageDoor:
    """The camera: whoever connects has switched it on, and the last one has it; he may have it shoot."""

    def __init__(self, world: World, pace: Pace, path: Path) -> None:
        self._world = world
        self._pace = pace
        self._server = listen(path, socket.SOCK_SEQPACKET)
        self._path = path
        self._host: socket.socket | None = None
        self.lost = 0
        """Images that nobody took."""

    def filenos(self) -> dict[int, int]:
        """Callers, and the host."""
        found = {self._server.fileno(): select.POLLIN}
        return found if self._host is None else {**found, self._host.fileno(): select.POLLIN}

    def take(self) -> None:
        """Who calls, and who has gone."""
        while (caller := accept(self._server)) is not None:
            self._hang_up()
            if self._world.camera.unplugged:
                caller.close()
                continue
            caller.setblocking(False)
            self._host = caller
            self._world.camera.restart()
        if self._host is not None:
            try:
                said = self._host.recv(64)
                if not said:
                    self._hang_up()
                elif said == SHOOT:
                    self._world.camera.shoot()
            except BlockingIOError:
                pass
            except OSError:
                self._hang_up()

    def give(self) -> None:
        """Draws the images that have arrived and sends them; a host that takes none loses them."""
        if self._world.camera.unplugged:
            self._hang_up()
        for image in self._world.camera.take():
            stamped = replace(image, captured_us=self._pace.host_us(image.captured_us))
            try:
                if self._host is not None:
                    send(self._host, stamped)
            except BlockingIOError:
                self.lost += 1
            except OSError:
                self._hang_up()

    def close(self) -> None:
        """The camera goes."""
        self._hang_up()
        self._server.close()
        self._path.unlink(missing_ok=True)

    def _hang_up(self) -> None:
        if self._host is not None:
            self._host.close()
            self._host = None


class LinesDoor:
    """A socket at which several may call, each for lines of JSON."""

    def __init__(self, path: Path) -> None:
        self._server = listen(path)
        self._path = path
        self._callers: list[LineSocket] = []

    def filenos(self) -> dict[int, int]:
        """Callers, old and new."""
        found = {self._server.fileno(): select.POLLIN}
        return found | {caller.fileno(): select.POLLIN for caller in self._callers}

    def take(self) -> None:
        """New callers are greeted, the others heard."""
        while (connection := accept(self._server)) is not None:
            caller = LineSocket(connection)
            self._callers.append(caller)
            self.greet(caller)
        for caller in self._callers:
            for message in caller.receive():
                self.hear(caller, message)
        self._callers = [caller for caller in self._callers if not caller.closed]

    def close(self) -> None:
        """Hangs up on all."""
        for caller in self._callers:
            caller.close()
        self._server.close()
        self._path.unlink(missing_ok=True)

    def tell_all(self, message: object) -> None:
        """One line to every caller."""
        for caller in self._callers:
            caller.send(message)

    def greet(self, caller: LineSocket) -> None:
        """A new caller."""

    def hear(self, caller: LineSocket, message: Any) -> None:
        """A line from a caller."""


class LabelDoor(LinesDoor):
    """The label reader."""

    def __init__(self, world: World, path: Path) -> None:
        super().__init__(path)
        self._world = world
        self._told = self._label()

    def greet(self, caller: LineSocket) -> None:
        """Tells the label there now."""
        caller.send({"label": self._label()})

    def give(self) -> None:
        """Tells another label."""
        label = self._label()
        if label != self._told:
            self._told = label
            self.tell_all({"label": label})

    def _label(self) -> dict[str, Any] | None:
        label = self._world.label_reader.read()
        if label is None:
            return None
        return {"board": label.board, "box": label.box, "backwards": label.backwards}


class PinsDoor(LinesDoor):
    """The pins of the Pi."""

    def __init__(self, panel: Panel, path: Path) -> None:
        super().__init__(path)
        self._panel = panel
        self._told = panel.inputs()

    def greet(self, caller: LineSocket) -> None:
        """Tells all inputs."""
        for pin, on in self._panel.inputs().items():
            caller.send({"pin": pin.value, "on": on})

    def hear(self, caller: LineSocket, message: Any) -> None:
        """An output; nonsense is ignored, as copper ignores it."""
        try:
            pin, on = Pin(message["pin"]), bool(message["on"])
        except (KeyError, TypeError, ValueError):
            return
        if pin in OUTPUTS:
            self._panel.output(pin, on)

    def give(self) -> None:
        """Tells inputs that have changed."""
        inputs = self._panel.inputs()
        for pin, on in inputs.items():
            if on != self._told[pin]:
                self.tell_all({"pin": pin.value, "on": on})
        self._told = inputs
