"""Thousands of whole boards with faults, against a second host written in C from docs/protocol.md.

firmware/tests/boards.c judges by where the plant's cards lie: right, or stopped with all outputs off in
time. Its table is printed here and kept in docs/benchmarks.md.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.unit.firmware.conftest import FIRMWARE, SANITIZED, make

BENCHMARKS = FIRMWARE.parent / "docs" / "benchmarks.md"
ROW = re.compile(r"^\| (\w+) \| (F\w+|-) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|", re.MULTILINE)


def boards(build: Path, first: int, count: int, *options: str) -> str:
    """Deals so many boards; gives the table."""
    done = make("boards", f"BUILD={build}", *options)
    assert done.returncode == 0, done.stderr
    ran = subprocess.run(
        [build / "boards", str(first), str(count)], capture_output=True, text=True, timeout=900
    )
    print(ran.stdout)
    assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr[-3000:]
    return ran.stdout


def rows(table: str) -> dict[str, tuple[int, ...]]:
    """By fault: boards, proven, mended, stopped."""
    return {name: tuple(map(int, found)) for name, _, *found in ROW.findall(table)}


def test_2000_boards_with_faults_come_right_or_stop_in_time(tmp_path: Path) -> None:
    found = rows(boards(tmp_path, 0, 2_000))
    assert sum(row[0] for row in found.values()) == 2_000
    assert len(found) >= 25
    # One per cent of noise loses no board, five at most one in a hundred.
    dealt, proven, *_ = found["link_noise"]
    assert proven == dealt >= 200
    dealt, proven, *_ = found["link_noise_5"]
    assert (dealt - proven) * 100 <= dealt
    assert found["estop"][0] >= 2 * 52  # at every card
    # The very table of the docs; it is made anew with `make -C firmware boards`.
    page = BENCHMARKS.read_text(encoding="utf-8")
    assert rows(page.split("\n## Boards with faults\n")[1].split("\n## ")[0]) == found


@pytest.mark.long
def test_5000_more_boards_under_sanitizers(tmp_path: Path) -> None:
    found = rows(boards(tmp_path, 100_000, 5_000, f"CFLAGS={SANITIZED}"))
    assert sum(row[0] for row in found.values()) == 5_000
