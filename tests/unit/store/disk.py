"""A disk that loses power: files, names and what is safe of both, from the trace of a program.

What a program wrote since the last sync of a file may be there in any part: writes dropped, in another
order, the last of them torn at a sector. Names (made, renamed, removed) are safe once their directory is
synced; before, they are there up to some one of them, as in a journalling file system.
"""

from __future__ import annotations

import os
import random
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest

SECTOR = 512
SOURCE = Path(__file__).with_name("power.c")

Step = tuple[str, str, int, bytes]
"""Kind (w t s c r u), name within the directory, offset, data."""


def record(directory: Path, state: Path, module: str, *arguments: str) -> list[Step]:
    """Runs a module of the tests under the preloaded library; gives what it did in *state*."""
    run_traced(directory, state, module, *arguments)
    return list(_steps((directory / "log").read_bytes()))


def run_traced(directory: Path, state: Path, module: str, *arguments: str, **more: str) -> str:
    """Runs it, with further settings of the library; gives what it printed."""
    log = directory / "log"
    log.unlink(missing_ok=True)
    traced = {
        "LD_PRELOAD": str(library(directory)),
        "POWER_LOG": str(log),
        "POWER_DIRECTORY": str(state),
        **more,
    }
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(command, check=True, env=os.environ | traced, stdout=subprocess.PIPE)
    return done.stdout.decode()


@cache
def library(directory: Path) -> Path:
    """The recorder, built."""
    path = directory / "power.so"
    compiler = shutil.which("cc") or pytest.fail("no C compiler: make setup installs one")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", path, SOURCE, "-ldl"], check=True)
    return path


def _steps(log: bytes) -> Iterator[Step]:
    place = 0
    while place < len(log):
        kind, named = struct.unpack_from("<cH", log, place)
        name = log[place + 3 : place + 3 + named].decode()
        offset, length = struct.unpack_from("<qI", log, place + 3 + named)
        place += 15 + named
        yield kind.decode(), name, offset, log[place : place + length]
        place += length


@dataclass
class Content:
    """One file: what is safe, and what has been written since."""

    safe: bytearray = field(default_factory=bytearray)
    unsafe: list[tuple[str, int, bytes]] = field(default_factory=list)

    def sync(self) -> None:
        """All that was written is safe now."""
        for step in self.unsafe:
            _apply(self.safe, *step)
        self.unsafe = []

    def after_power_loss(self, choice: random.Random) -> bytes:
        """Some of what was not safe: a beginning of it, or any part of it in any order."""
        content = bytearray(self.safe)
        steps = list(self.unsafe)
        torn = None
        if choice.random() < 0.5:
            kept = choice.randint(0, len(steps))
            torn = steps[kept] if kept < len(steps) else None
            steps = steps[:kept]
        else:
            steps = [step for step in steps if choice.random() < 0.6]
            choice.shuffle(steps)
            torn = steps.pop() if steps and choice.random() < 0.5 else None
        for step in steps:
            _apply(content, *step)
        if torn is not None and torn[0] == "w":
            kind, offset, data = torn
            sectors = choice.randint(0, len(data) // SECTOR)
            _apply(content, kind, offset, data[: sectors * SECTOR])
        return bytes(content)


def _apply(content: bytearray, kind: str, offset: int, data: bytes) -> None:
    if kind == "t":
        del content[offset:]
        content.extend(bytes(offset - len(content)))
    elif data:
        content.extend(bytes(max(0, offset + len(data) - len(content))))
        content[offset : offset + len(data)] = data


class Disk:
    """One directory, fed with the steps of a program."""

    def __init__(self, root: Path, files: dict[str, bytes] | None = None) -> None:
        self._root = str(root)
        made = {name: Content(bytearray(data)) for name, data in (files or {}).items()}
        self._now = dict(made)
        self._safe = dict(made)
        self._names: list[tuple[str, str, Content]] = []

    def feed(self, step: Step) -> None:
        """One thing that the program did."""
        kind, name, offset, data = step
        if kind == "s" and not name:
            for change in self._names:
                _rename(self._safe, change)
            self._names = []
        elif kind == "c":
            self._change(("c", name, Content()))
        elif kind == "u" and name in self._now:
            self._change(("u", name, self._now[name]))
        elif kind == "r" and name in self._now:
            to = data.decode().removeprefix(self._root).lstrip("/")
            content = self._now[name]
            self._change(("u", name, content))
            self._change(("c", to, content))
        elif name in self._now and kind == "s":
            self._now[name].sync()
        elif name in self._now and kind in "wt":
            self._now[name].unsafe.append((kind, offset, data))

    def after_power_loss(self, choice: random.Random) -> dict[str, bytes]:
        """The files that are there when the power is back."""
        names = dict(self._safe)
        kept = choice.randint(0, len(self._names))
        for number, change in enumerate(self._names):
            # A rename is one thing: it is there with both of its halves or not at all.
            if number < kept or (number == kept and number and _is_rename(self._names, number)):
                _rename(names, change)
        return {name: content.after_power_loss(choice) for name, content in names.items()}

    def _change(self, change: tuple[str, str, Content]) -> None:
        self._names.append(change)
        _rename(self._now, change)


def _is_rename(names: Sequence[tuple[str, str, Content]], number: int) -> bool:
    before, now = names[number - 1], names[number]
    return before[0] == "u" and now[0] == "c" and before[2] is now[2]


def _rename(names: dict[str, Content], change: tuple[str, str, Content]) -> None:
    kind, name, content = change
    if kind == "c":
        names[name] = content
    else:
        names.pop(name, None)


def put(files: dict[str, bytes], place: Path) -> Path:
    """Writes *files* into a fresh directory, private as a store's are."""
    place.mkdir(mode=0o700)
    for name, data in files.items():
        path = place / name
        path.parent.mkdir(exist_ok=True, parents=True, mode=0o700)
        path.write_bytes(data)
        path.chmod(0o600)
    return place
