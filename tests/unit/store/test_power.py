"""Power loss at any instant: every write between two syncs may be lost, and the last one torn.

A preloaded library writes down what the store writes and syncs. For each instant the disk is put
together again: all that was synced, some of the rest, and of the last of that only some sectors.
Names of files are taken as durable at once; SQLite and `write_whole` sync their directory.
"""

from __future__ import annotations

import os
import random
import shutil
import struct
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.unit.store.test_kill import FEEDS, assert_prefix_of_truth

SECTOR = 512
MARKS = "marks"
WRITTEN = 10


@dataclass
class Disk:
    """One file: what is safe, and what has been written since."""

    safe: bytearray = field(default_factory=bytearray)
    unsafe: list[tuple[str, int, bytes]] = field(default_factory=list)

    def sync(self) -> None:
        for step in self.unsafe:
            apply(self.safe, *step)
        self.unsafe = []

    def after_power_loss(self, choice: random.Random) -> bytes:
        content = bytearray(self.safe)
        kept = choice.randint(0, len(self.unsafe))
        for kind, offset, data in self.unsafe[:kept]:
            apply(content, kind, offset, data)
        if kept < len(self.unsafe):
            kind, offset, data = self.unsafe[kept]
            if kind == "w":
                sectors = choice.randint(0, len(data) // SECTOR)
                apply(content, kind, offset, data[: sectors * SECTOR])
        return bytes(content)


def apply(content: bytearray, kind: str, offset: int, data: bytes) -> None:
    if kind == "t":
        del content[offset:]
        content.extend(bytes(offset - len(content)))
    elif data:
        content.extend(bytes(max(0, offset + len(data) - len(content))))
        content[offset : offset + len(data)] = data


def record_writer(directory: Path) -> tuple[Path, list[tuple[str, str, int, bytes]]]:
    """Runs the writer under the library; gives its state directory and what it did, in order."""
    library, log, state = directory / "power.so", directory / "log", directory / "state"
    source = Path(__file__).with_name("power.c")
    compiler = shutil.which("cc") or pytest.skip("no C compiler: make setup installs one")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    state.mkdir(mode=0o700)
    subprocess.run(
        [sys.executable, "-m", "tests.unit.store.writer", state, str(WRITTEN), state / MARKS],
        check=True,
        env=os.environ
        | {"LD_PRELOAD": str(library), "POWER_LOG": str(log), "POWER_DIRECTORY": str(state)},
    )
    return state, list(records(log.read_bytes()))


def records(log: bytes):
    place = 0
    while place < len(log):
        kind, named = struct.unpack_from("<cH", log, place)
        name = log[place + 3 : place + 3 + named].decode()
        offset, length = struct.unpack_from("<qI", log, place + 3 + named)
        place += 15 + named
        yield kind.decode(), name, offset, log[place : place + length]
        place += length


def losses(steps, choice: random.Random):
    """The files at each instant, with the number of the last step that was confirmed before."""
    disks: dict[str, Disk] = {}
    confirmed = -1
    for kind, name, offset, data in steps:
        if name == MARKS:
            confirmed = int(data)
        elif kind == "s":
            disks.setdefault(name, Disk()).sync()
        else:
            disks.setdefault(name, Disk()).unsafe.append((kind, offset, data))
        names = [name for name in disks if name in ("predeal.db", "predeal.db-wal")]
        yield confirmed, {name: disks[name].after_power_loss(choice) for name in names}


def test_power_loss_loses_nothing_that_was_confirmed(tmp_path: Path):
    state, steps = record_writer(tmp_path)
    assert sum(name == "predeal.db-wal" and kind == "w" for kind, name, _, _ in steps) > WRITTEN
    key = (state / "machine.key").read_bytes()
    held = []
    before = None
    for number, (confirmed, files) in enumerate(losses(steps, random.Random(3))):
        if files == before or confirmed < 0:
            continue  # the same disk as an instant ago, or nothing has been promised yet
        before = files
        disk = tmp_path / f"loss{number}"
        disk.mkdir()
        (disk / "machine.key").write_bytes(key)
        (disk / "machine.key").chmod(0o600)
        for name, content in files.items():
            (disk / name).write_bytes(content)
        held.append(assert_prefix_of_truth(disk, confirmed))
    assert FEEDS >= WRITTEN
    assert set(held) == set(range(WRITTEN + 2))
    assert len(held) > 3 * WRITTEN
