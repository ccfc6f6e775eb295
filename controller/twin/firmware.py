"""The real firmware core as a shared library in virtual time: the chip of the simulated machine."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path
from typing import Final, Protocol

from deals.errors import PredealError

WHY_TIME: Final = 1
WHY_BELT: Final = 2
WHY_FEEDER: Final = 4
WHY_OUTPUT: Final = 8
WHY_TX: Final = 16
NO_STEP: Final = 0xFFFFFFFF
"""As a step number: do not come back for it."""

LIBRARY_VARIABLE: Final = "PREDEAL_HOST_FIRMWARE"
_BUILT: Final = Path(__file__).parents[2] / "firmware" / "build" / "libpredeal_host.so"
_TX_CAP: Final = 4096


class FirmwareMissingError(PredealError, RuntimeError):
    """The firmware for this computer is not built."""


class Firmware(Protocol):
    """A chip that runs the firmware in virtual time; what the world needs of it."""

    @property
    def byte_us(self) -> int:
        """What the wire has to charge for a byte, because the chip's UART takes no time."""
        ...

    def close(self) -> None:
        """The chip is needed no more."""
        ...

    def run(self, until_us: int, until_belt: int = NO_STEP, until_feeder: int = NO_STEP) -> int:
        """Runs until the first of the three, an output edge, or bytes to send; gives WHY bits."""
        ...

    def input(self, pin: int, level: int) -> None:
        """Sets an input pin now."""
        ...

    def analog(self, channel: int, value: int) -> None:
        """Sets what an analog channel measures from now on."""
        ...

    def rx(self, data: bytes) -> None:
        """Bytes arrive at the UART now."""
        ...

    def tx(self) -> bytes:
        """Takes what the UART has sent."""
        ...

    def reset(self, cause: int) -> None:
        """Restarts the chip; `cause` is a ResetCause."""
        ...

    @property
    def now_us(self) -> int:
        """Virtual time."""
        ...

    @property
    def belt(self) -> int:
        """STEP pulses of the belt so far."""
        ...

    @property
    def feeder(self) -> int:
        """STEP pulses of the feeder so far."""
        ...

    @property
    def outputs(self) -> int:
        """Levels of the output pins, one bit each."""
        ...


class _View(ctypes.Structure):
    # struct host_view of firmware/board/host/host.h, field for field.
    _fields_ = (
        ("now_us", ctypes.c_uint64),
        ("belt", ctypes.c_uint32),
        ("feeder", ctypes.c_uint32),
        ("outputs", ctypes.c_uint16),
        ("tx_waiting", ctypes.c_uint16),
        ("why", ctypes.c_uint32),
    )


def library_path() -> Path:
    """Where the library is looked for: PREDEAL_HOST_FIRMWARE, else the build folder."""
    named = os.environ.get(LIBRARY_VARIABLE)
    return Path(named) if named else _BUILT


def _load(path: Path) -> ctypes.CDLL:
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        raise FirmwareMissingError("twin.firmware_missing", file=path.name) from error
    chip = ctypes.c_void_p
    signatures = {
        "host_new": (chip, ()),
        "host_free": (None, (chip,)),
        "host_view": (ctypes.POINTER(_View), (chip,)),
        "host_reset": (None, (chip, ctypes.c_uint8)),
        "host_input": (None, (chip, ctypes.c_uint8, ctypes.c_uint8)),
        "host_analog": (None, (chip, ctypes.c_uint8, ctypes.c_uint16)),
        "host_rx": (None, (chip, ctypes.c_char_p, ctypes.c_size_t)),
        "host_tx": (ctypes.c_size_t, (chip, ctypes.c_char_p, ctypes.c_size_t)),
        "host_run": (
            ctypes.c_uint32,
            (chip, ctypes.c_uint64, ctypes.c_uint32, ctypes.c_uint32),
        ),
    }
    for name, (result, arguments) in signatures.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    return library


class HostFirmware:
    """One chip: all its state is in one C struct, so chips do not know of each other."""

    byte_us = 20
    """500 kbaud, 10 bits a byte."""

    def __init__(self, path: Path | None = None) -> None:
        """Loads the library at *path*, or at `library_path()`."""
        library = _load(path or library_path())
        self._free = library.host_free
        self._run = library.host_run
        self._input = library.host_input
        self._analog = library.host_analog
        self._rx = library.host_rx
        self._tx = library.host_tx
        self._reset = library.host_reset
        self._chip: int | None = library.host_new()
        if self._chip is None:
            raise MemoryError("host_new gave no chip")
        self._view = library.host_view(self._chip).contents
        self._buffer = ctypes.create_string_buffer(_TX_CAP)

    def close(self) -> None:
        """Frees the chip; it must not be used afterwards."""
        if self._chip is not None:
            self._free(self._chip)
            self._chip = None

    def run(self, until_us: int, until_belt: int = NO_STEP, until_feeder: int = NO_STEP) -> int:
        """Runs until the first of the three, an output edge, or bytes to send; gives WHY bits."""
        why: int = self._run(self._chip, until_us, until_belt, until_feeder)
        return why

    def input(self, pin: int, level: int) -> None:
        """Sets an input pin (IN_* of firmware/src/pins.h) now."""
        self._input(self._chip, pin, level)

    def analog(self, channel: int, value: int) -> None:
        """Sets what an analog channel (AN_*) measures from now on."""
        self._analog(self._chip, channel, value)

    def rx(self, data: bytes) -> None:
        """Bytes arrive at the UART now."""
        self._rx(self._chip, data, len(data))

    def tx(self) -> bytes:
        """Takes what the UART has sent."""
        count = self._tx(self._chip, self._buffer, _TX_CAP)
        return self._buffer.raw[:count]

    def reset(self, cause: int) -> None:
        """Restarts the chip: RAM is lost, outputs fall at once, the boot counter stays."""
        self._reset(self._chip, cause)

    @property
    def now_us(self) -> int:
        """Virtual time in microseconds since the chip was made."""
        now: int = self._view.now_us
        return now

    @property
    def belt(self) -> int:
        """STEP pulses of the belt since the chip was made; a reset does not clear them."""
        steps: int = self._view.belt
        return steps

    @property
    def feeder(self) -> int:
        """STEP pulses of the feeder, likewise."""
        steps: int = self._view.feeder
        return steps

    @property
    def outputs(self) -> int:
        """Levels of the output pins, bit = OUT_*."""
        levels: int = self._view.outputs
        return levels
