"""Branch coverage of firmware/src by its own tests: `python -m tests.unit.firmware.coverage`.

Builds the core with gcov's counters, runs the C tests and the Python scenarios on that build, and
prints what share of each file's branches went both ways.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

FIRMWARE = Path(__file__).parents[3] / "firmware"
LEAST = 0.95
FLAGS = "-O0 -g --coverage"
SCENARIOS = (
    *(sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-m", "not long"),
    "tests/unit/firmware",
    *("--ignore", "tests/unit/firmware/test_boards.py"),
    *("--ignore", "tests/unit/firmware/test_c.py"),
    *("--ignore", "tests/unit/firmware/test_proof.py"),
)
"""Runs the scenarios on the build that PREDEAL_TEST_FIRMWARE names; those left out build their own."""


@dataclass
class Covered:
    """Branches of one source file."""

    taken: int = 0
    all: int = 0
    missed: list[int] = field(default_factory=list)
    """Lines with a branch that was never taken."""

    @property
    def share(self) -> float:
        """Of the branches, that were taken at least once."""
        return self.taken / self.all if self.all else 1.0


def _run(*command: str | Path, **environment: str) -> None:
    done = subprocess.run(
        command, cwd=FIRMWARE.parent, env=os.environ | environment, capture_output=True, text=True
    )
    if done.returncode:
        raise RuntimeError(f"{command[0]} failed:\n{done.stdout[-3000:]}{done.stderr[-2000:]}")


def measure(build: Path) -> dict[str, Covered]:
    """Builds in `build`, runs all tests of the firmware, and counts; by source file name."""
    make = ("make", "-s", "-C", str(FIRMWARE), f"BUILD={build}", f"CFLAGS={FLAGS}")
    _run(*make, "host")
    _run(*make, "test")
    library = str(build / "libpredeal_host.so")
    _run(*SCENARIOS, PREDEAL_TEST_FIRMWARE=library)
    return count(build / "src")


def count(folder: Path) -> dict[str, Covered]:
    """What the counters in a folder of object files say."""
    found: dict[str, Covered] = {}
    for data in sorted(folder.glob("*.gcda")):
        told = subprocess.run(
            ["gcov", "-b", "--json-format", "--stdout", data],
            cwd=folder, capture_output=True, check=True,
        )  # fmt: skip
        for file in json.loads(told.stdout)["files"]:
            name = Path(file["file"]).name
            if not file["file"].startswith("src/"):
                continue
            covered = found.setdefault(name, Covered())
            for line in file["lines"]:
                counts = [branch["count"] for branch in line["branches"]]
                covered.all += len(counts)
                covered.taken += sum(count > 0 for count in counts)
                if not all(counts):
                    covered.missed.append(line["line_number"])
    return found


def total(found: dict[str, Covered]) -> float:
    """The share over all files."""
    return sum(one.taken for one in found.values()) / sum(one.all for one in found.values())


def report(found: dict[str, Covered]) -> str:
    """A line a file, worst first."""
    rows = sorted(found.items(), key=lambda item: item[1].share)
    lines = [
        f"{one.share:7.1%} {one.taken:4} of {one.all:4}  {name:14} {' '.join(map(str, one.missed))}"
        for name, one in rows
    ]
    return "\n".join([*lines, f"{total(found):7.1%} of the branches of firmware/src"])


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="predeal-gcov-") as place:
        result = measure(Path(place))
    print(report(result))
    sys.exit(total(result) < LEAST)
