"""The chips that a simulated machine can have: the same core, for this computer or for the ATmega2560."""

from __future__ import annotations

import hashlib
from typing import Final

from controller.twin.firmware import Firmware, FirmwareMissingError, HostFirmware, library_path
from controller.twin.simavr import SimavrFirmware, elf_path

HOST: Final = "host"
AVR: Final = "avr"
KINDS: Final = (HOST, AVR)


def new_chip(kind: str) -> Firmware:
    """A chip that was just switched on; FirmwareMissingError when what it needs is not built."""
    return SimavrFirmware() if kind == AVR else HostFirmware()


def lacks(kind: str) -> FirmwareMissingError | None:
    """What is not built for a chip of this kind; None when it can be made."""
    try:
        new_chip(kind).close()
    except FirmwareMissingError as error:
        return error
    return None


def identity(kind: str, version: str) -> dict[str, str]:
    """As documents tell it: the version, and a digest of the very file that ran."""
    path = elf_path() if kind == AVR else library_path()
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return {"kind": kind, "id": f"{version}+{digest[:12]}"}
