"""Traces of a simulated run: wire bytes, pin edges and window images, in files or as a digest."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, Protocol, TextIO

import numpy as np


class Trace(Protocol):
    """Is told everything that passes between the machine and the rest of the world."""

    def wire(self, now_us: int, way: str, data: bytes) -> None:
        """Bytes written by the host (`>`) or come to it (`<`)."""
        ...

    def pin(self, now_us: int, name: str, level: int) -> None:
        """An edge of an input or output pin of the MCU."""
        ...

    def note(self, now_us: int, text: str) -> None:
        """Something physical that no pin shows."""
        ...

    def image(self, number: int, captured_us: int, pixels: Any) -> None:
        """A window image that the host has taken."""
        ...


class NoTrace:
    """Listens to nothing."""

    def wire(self, now_us: int, way: str, data: bytes) -> None:
        """Ignored."""

    def pin(self, now_us: int, name: str, level: int) -> None:
        """Ignored."""

    def note(self, now_us: int, text: str) -> None:
        """Ignored."""

    def image(self, number: int, captured_us: int, pixels: Any) -> None:
        """Ignored."""


class TraceDigest:
    """One hash over everything: two runs are alike exactly when their digests are."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()

    def wire(self, now_us: int, way: str, data: bytes) -> None:
        """Adds bytes."""
        self._add(f"{now_us} {way} {data.hex()}")

    def pin(self, now_us: int, name: str, level: int) -> None:
        """Adds an edge."""
        self._add(f"{now_us} {name} {level}")

    def note(self, now_us: int, text: str) -> None:
        """Adds a note."""
        self._add(f"{now_us} {text}")

    def image(self, number: int, captured_us: int, pixels: Any) -> None:
        """Adds an image with its pixels."""
        self._add(f"{number} {captured_us}")
        self._hash.update(
            pixels.tobytes() if isinstance(pixels, np.ndarray) else repr(pixels).encode()
        )

    def hex(self) -> str:
        """The digest so far."""
        return self._hash.hexdigest()

    def _add(self, line: str) -> None:
        self._hash.update(line.encode() + b"\n")


class TraceFolder:
    """Writes `wire.txt`, `pins.txt` and `window-NNNNNN-MICROSECONDS.png` into a folder.

    A trace shows cards: it exists in a twin only and is written only when it was asked for.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._wire = _create(folder / "wire.txt", "# us, > host to MCU or < MCU to host, bytes")
        self._pins = _create(
            folder / "pins.txt", "# us, pin of firmware/src/pins.h, level; # notes"
        )

    def wire(self, now_us: int, way: str, data: bytes) -> None:
        """One line of bytes in hex."""
        self._wire.write(f"{now_us:>12} {way} {data.hex(' ')}\n")

    def pin(self, now_us: int, name: str, level: int) -> None:
        """One line an edge."""
        self._pins.write(f"{now_us:>12} {name} {level}\n")

    def note(self, now_us: int, text: str) -> None:
        """One line among the edges."""
        self._pins.write(f"{now_us:>12} # {text}\n")

    def image(self, number: int, captured_us: int, pixels: Any) -> None:
        """One file an image."""
        if not isinstance(pixels, np.ndarray):
            return
        import cv2  # late: only a trace with real pictures needs it

        name = self._folder / f"window-{number:06}-{captured_us:012}.png"
        cv2.imwrite(str(name), pixels)

    def close(self) -> None:
        """Ends both text files."""
        self._wire.close()
        self._pins.close()


def _create(path: Path, head: str) -> TextIO:
    text = path.open("w", encoding="utf-8")
    text.write(head + "\n")
    return text
