"""Who has a device open already: to be asked before it is opened, because opening alone restarts the MCU.

The lock of the first owner does not keep root out, and root would see it only after opening.
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Holder:
    """Another process with the device open."""

    pid: int
    program: str


def holder_of(device: str, processes: Path = Path("/proc")) -> Holder | None:
    """Another process that has *device* open, as far as we may look; None when none is seen."""
    wanted = os.path.realpath(device)
    for place in processes.iterdir():
        if place.name.isdecimal() and int(place.name) != os.getpid() and _has_open(place, wanted):
            return Holder(int(place.name), _program(place))
    return None


def _has_open(place: Path, device: str) -> bool:
    with contextlib.suppress(OSError):  # it has ended, or is not ours to look at
        for descriptor in (place / "fd").iterdir():
            with contextlib.suppress(OSError):
                if str(descriptor.readlink()) == device:
                    return True
    return False


def _program(place: Path) -> str:
    try:
        words = (place / "cmdline").read_bytes().decode(errors="replace").split("\0")
    except OSError:
        return "?"
    return " ".join(word for word in words if word)[:120] or "?"
