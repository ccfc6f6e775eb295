"""The serial port to the MCU, by pyserial: the one module that knows it, with the one thread."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import glob
import os
import termios
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from controller.devices.errors import PortError
from controller.devices.holder import holder_of

RATES: Final = (500_000, 250_000, 115_200)
"""Tried in this order: the first is exact on the MCU, but some adapters cannot do it."""
_READ_S: Final = 0.1
_WRITE_S: Final = 0.2
_JOIN_S: Final = 1.0
_BUSY: Final = (errno.EAGAIN, errno.EBUSY)

Maker = Callable[[], Any]
"""Makes an unopened `serial.Serial`, or what a test has in its place."""


def _pyserial() -> Any:
    try:
        import serial  # late: all but this port works without the library
    except ImportError as error:
        raise PortError("port.no_library") from error
    return serial.Serial()


@dataclass(slots=True)
class PortStatistics:
    """What the port has been through since the program began."""

    device: str = ""
    """The device file behind the stable name, as it was opened last."""
    rate: int = 0
    opened: int = 0
    lost: int = 0
    received: int = 0
    sent: int = 0


class SerialPort:
    """A `Transport` on a serial device; a port that failed stays dead until `open`.

    `name` is a path or a pattern that fits one device, such as /dev/serial/by-id/usb-*-if00. Bytes
    are taken by a thread, which calls `wake` when there is something to `read`. Whatever goes wrong
    closes the device at once, so that it can come back under its name.
    """

    def __init__(self, name: str, wake: Callable[[], None], make: Maker = _pyserial) -> None:
        self.name = name
        self.statistics = PortStatistics(rate=RATES[0])
        self._wake = wake
        self._make = make
        self._lock = threading.Lock()
        self._arrived = bytearray()
        self._serial: Any = None
        self._problem: PortError | None = None
        self._thread: threading.Thread | None = None

    # -- opening and closing -----------------------------------------------------------------

    @property
    def is_open(self) -> bool:
        """Whether the device is open and nothing has gone wrong with it yet."""
        with self._lock:
            return self._serial is not None

    def open(self, rate: int | None = None) -> None:
        """Opens the device, after closing it if need be; PortError tells why it cannot be.

        Most boards restart when their port is opened: wait for HELLO to be answered.
        """
        self.close()
        device = self._device()
        self.refuse_if_held(device)
        port = self._make()
        port.port = device
        port.baudrate = rate or self.statistics.rate
        port.timeout = _READ_S
        port.write_timeout = _WRITE_S
        port.exclusive = True
        _lower(port)
        try:
            port.open()
        except (OSError, ValueError) as error:
            raise _cannot_open(device, error) from error
        _make_ours(port)
        self.statistics.device = device
        self.statistics.rate = rate or self.statistics.rate
        self.statistics.opened += 1
        with self._lock:
            self._problem = None
            self._arrived.clear()
            self._serial = port
        self._thread = threading.Thread(
            target=self._take_for_ever, args=(port,), name="serial port", daemon=True
        )
        self._thread.start()

    def refuse_if_held(self, device: str | None = None) -> None:
        """PortError when another program has the device open; nothing is opened to find out.

        Without *device* that which the name stands for; nothing is held that is not there.
        """
        if device is None:
            try:
                device = self._device()
            except PortError:
                return
        holder = holder_of(device)
        if holder is not None:
            raise PortError(
                "port.held", port=self.name, program=holder.program, pid=str(holder.pid)
            )

    def reopen(self) -> None:
        """Opens the device again at the rate that was proven."""
        self.open()

    def close(self) -> None:
        """Closes the device; `read` and `write` raise from now on."""
        thread, self._thread = self._thread, None
        with self._lock:
            port, self._serial = self._serial, None
            self._problem = self._problem or PortError("port.closed", port=self.name)
        if port is not None:
            with contextlib.suppress(Exception):  # half of a device that is going away
                port.cancel_read()
        if thread is not None:
            thread.join(_JOIN_S)
        if port is not None:
            _close(port)

    def prove(self, answers: Callable[[], bool]) -> int:
        """Opens at the first rate of RATES at which `answers` says that the MCU does; gives it."""
        for rate in RATES:
            self.open(rate)
            if answers():
                return rate
        self.close()
        self.statistics.rate = RATES[0]
        raise PortError("port.no_answer", port=self.name, rates=[str(rate) for rate in RATES])

    # -- the transport -----------------------------------------------------------------------

    def write(self, data: bytes) -> None:
        """Sends bytes; PortError (an OSError) when the port is gone."""
        with self._lock:
            port, problem = self._serial, self._problem
        if port is None:
            raise problem or PortError("port.closed", port=self.name)
        try:
            port.write(data)
        except (OSError, TypeError, ValueError) as error:
            # pyserial gives the latter two when the reader closes the device in between.
            raise self._fail(port, error) from error
        self.statistics.sent += len(data)

    def read(self) -> bytes:
        """Takes what has arrived by now; PortError (an OSError) when the port is gone."""
        with self._lock:
            if self._arrived:
                data = bytes(self._arrived)
                self._arrived.clear()
                return data
            if self._serial is None:
                raise self._problem or PortError("port.closed", port=self.name)
        return b""

    # -- inside ------------------------------------------------------------------------------

    def _device(self) -> str:
        # Only what is there: a link may outlive its device.
        found = sorted(filter(os.path.exists, glob.glob(self.name)))  # noqa: PTH207
        if not found:
            raise PortError("port.none", port=self.name)
        if len(found) > 1:
            raise PortError("port.several", port=self.name, found=found)
        return found[0]

    def _take_for_ever(self, port: Any) -> None:
        while True:
            try:
                data = port.read(1)
                if data and (waiting := port.in_waiting):
                    data += port.read(waiting)
            except Exception as error:  # noqa: BLE001 - pyserial raises many things at a lost device
                self._fail(port, error)
                return
            with self._lock:
                if self._serial is not port:
                    return
                self._arrived += data
                self.statistics.received += len(data)
            if data:
                self._wake()

    def _fail(self, port: Any, error: Exception) -> PortError:
        """The device is gone: closes it at once. Called by whoever notices first."""
        number = getattr(error, "errno", None)
        reason = os.strerror(number) if number else str(error) or type(error).__name__
        problem = PortError("port.gone", port=self.name, reason=reason)
        with self._lock:
            if self._serial is not port:  # known already, or closed on purpose
                return self._problem or problem
            self._serial, self._problem = None, problem
            self.statistics.lost += 1
        _close(port)
        self._wake()
        return problem


def _lower(port: Any) -> None:
    """DTR and RTS stay low where the driver allows it: they restart many boards."""
    for line in ("dtr", "rts"):
        with contextlib.suppress(OSError, ValueError):
            setattr(port, line, False)


def _make_ours(port: Any) -> None:
    """Nobody else may open it, closing it leaves DTR alone, and an adapter hands bytes on at once
    instead of after up to 16 ms; not every device can do all three.
    """
    with contextlib.suppress(OSError, ValueError, AttributeError, NotImplementedError):
        port.set_low_latency_mode(True)
    with contextlib.suppress(OSError, termios.error, AttributeError, TypeError, ValueError):
        number = port.fileno()
        fcntl.ioctl(number, termios.TIOCEXCL)
        modes = termios.tcgetattr(number)
        modes[2] &= ~termios.HUPCL
        termios.tcsetattr(number, termios.TCSANOW, modes)


def _close(port: Any) -> None:
    with contextlib.suppress(Exception):  # a device that went away may raise anything
        port.close()


def _cannot_open(device: str, error: Exception) -> PortError:
    number = getattr(error, "errno", None)
    reason = os.strerror(number) if number else str(error)
    if number == errno.EACCES:
        return PortError("port.not_allowed", port=device)
    if number in _BUSY:
        return PortError("port.busy", port=device)
    return PortError("port.cannot_open", port=device, reason=reason)
