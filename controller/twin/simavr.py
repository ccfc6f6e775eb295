"""The firmware that would be flashed, in a simulated ATmega2560: a program of its own, in lock-step.

The program (`firmware/simavr`, GPL) runs only while it is asked to, so time stands still in between and
nothing depends on the computer's speed. Requests that need no answer wait until the next run.
"""

from __future__ import annotations

import os
import struct
import subprocess
from pathlib import Path
from typing import IO, Final, NoReturn, cast

from controller.twin.firmware import NO_STEP, FirmwareMissingError
from deals.errors import PredealError

PROGRAM_VARIABLE: Final = "PREDEAL_SIMAVR"
ELF_VARIABLE: Final = "PREDEAL_AVR_FIRMWARE"
WHY_CRASHED: Final = 32
_BUILD: Final = Path(__file__).parents[2] / "firmware" / "build"
_ANSWER: Final = struct.Struct("<IQIIHH")
_FIGURES: Final = struct.Struct("<IIII")
_PIECE: Final = 65_536


class ChipLostError(PredealError, RuntimeError):
    """The simulator of the chip has ended, or its program ran into nothing."""


def elf_path() -> Path:
    """The program for the chip: PREDEAL_AVR_FIRMWARE, else the build folder's."""
    return Path(os.environ.get(ELF_VARIABLE) or _BUILD / "predeal.elf")


def program_path() -> Path:
    """The simulator: PREDEAL_SIMAVR, else the build folder's."""
    return Path(os.environ.get(PROGRAM_VARIABLE) or _BUILD / "predeal-simavr")


class SimavrFirmware:
    """One chip in one process; a `Firmware` for the world.

    `fine` runs one instruction at a time, so that `figures` knows how long interrupts were off; `trace`
    gets a line for each edge of a pin: clock cycle, kind, number, level.
    """

    byte_us = 0
    """The chip's own UART takes its 20 us a byte."""

    def __init__(self, *, fine: bool = False, trace: Path | None = None) -> None:
        program, elf = program_path(), elf_path()
        for needed in (program, elf):
            if not needed.is_file():
                raise FirmwareMissingError("twin.avr_missing", file=needed.name)
        words = [
            str(program),
            *["--fine"] * fine,
            *(["--trace", str(trace)] if trace else []),
            str(elf),
        ]
        self._process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._pipes = cast(IO[bytes], self._process.stdin), cast(IO[bytes], self._process.stdout)
        self._to, self._from = (pipe.fileno() for pipe in self._pipes)
        self._waiting = bytearray()
        self._sent = bytearray()
        self.now_us = 0
        self.belt = 0
        self.feeder = 0
        self.outputs = 0

    def close(self) -> None:
        """Ends the process; the chip must not be used afterwards."""
        for pipe in self._pipes:
            pipe.close()
        self._process.wait()

    def run(self, until_us: int, until_belt: int = NO_STEP, until_feeder: int = NO_STEP) -> int:
        """Runs until the first of the three, an output edge, or bytes to send; gives WHY bits."""
        self._waiting += struct.pack("<cQII", b"g", until_us, until_belt, until_feeder)
        answer = self._ask(_ANSWER.size)
        why, self.now_us, self.belt, self.feeder, self.outputs, sent = _ANSWER.unpack_from(answer)
        answer += self._read(_ANSWER.size + sent - len(answer))
        self._sent += answer[_ANSWER.size :]
        if why & WHY_CRASHED:
            raise ChipLostError("twin.chip_crashed")
        return int(why)

    def input(self, pin: int, level: int) -> None:
        """Sets an input pin now."""
        self._waiting += struct.pack("<cBB", b"i", pin, level)

    def analog(self, channel: int, value: int) -> None:
        """Sets what an analog channel measures from now on."""
        self._waiting += struct.pack("<cBH", b"a", channel, value)

    def rx(self, data: bytes) -> None:
        """Bytes begin to arrive at the UART now, 20 us each."""
        self._waiting += struct.pack("<cH", b"r", len(data)) + data

    def tx(self) -> bytes:
        """Takes the frames that the UART has sent."""
        data = bytes(self._sent)
        self._sent.clear()
        return data

    def reset(self, cause: int) -> None:
        """Restarts the chip: RAM is lost, outputs fall at once, EEPROM stays."""
        self._waiting += struct.pack("<cB", b"x", cause)

    def figures(self) -> dict[str, int]:
        """Longest time with interrupts off (cycles; only `fine`) and where, lost bytes, watchdog resets."""
        self._waiting += b"f"
        names = ("interrupts_off", "off_at", "lost", "watchdog_resets")
        return dict(zip(names, _FIGURES.unpack(self._ask(_FIGURES.size)), strict=True))

    def memory(self, address: int, count: int) -> bytes:
        """What the chip's data memory holds, registers included."""
        self._waiting += struct.pack("<cHH", b"m", address, count)
        return bytes(self._ask(count))

    def overwrite(self, address: int, data: bytes) -> None:
        """Changes the chip's data memory behind its back, as a fault does."""
        self._waiting += struct.pack("<cHH", b"w", address, len(data)) + data

    def _ask(self, count: int) -> bytearray:
        """Sends what waits and reads at least *count* bytes."""
        try:
            view = memoryview(bytes(self._waiting))
            self._waiting.clear()
            while view:
                view = view[os.write(self._to, view) :]
        except BrokenPipeError:
            self._lost()
        return self._read(count)

    def _read(self, count: int) -> bytearray:
        answer = bytearray()
        while len(answer) < count:
            piece = os.read(self._from, _PIECE)
            if not piece:
                self._lost()
            answer += piece
        return answer

    def _lost(self) -> NoReturn:
        raise ChipLostError("twin.chip_lost", exit=self._process.wait())
