"""The golden frames of tests/vectors/frames.txt."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

FRAMES = Path(__file__).parents[2] / "vectors" / "frames.txt"


class Vector(NamedTuple):
    """One line: 'message' or 'stream', its name, its numbers, its bytes."""

    kind: str
    name: str
    numbers: dict[str, int]
    data: bytes


def vectors(kind: str) -> list[Vector]:
    """All lines of one kind."""
    return list(_read(kind))


def _read(kind: str) -> Iterator[Vector]:
    for line in FRAMES.read_text(encoding="ascii").splitlines():
        if not line.startswith(kind):
            continue
        words, data = line.split(" : ")
        _, name, *pairs = words.split()
        numbers = {key: int(value) for key, value in (pair.split("=") for pair in pairs)}
        yield Vector(kind, name.removeprefix("what="), numbers, bytes.fromhex(data))
