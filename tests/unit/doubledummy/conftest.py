"""The library, in a process of its own: it may not share ours."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence

import pytest

_SCRIPT = (
    "import json, os, sys\n"
    "from deals.doubledummy.library import Library\n"
    "library = Library(threads=1)\n"
    "print(json.dumps([library.strains(h, range(5)) for h in json.load(sys.stdin)]), flush=True)\n"
    "os._exit(0)\n"  # its threads do not always end well
)
_THERE = subprocess.run(
    [
        sys.executable,
        "-c",
        "import os; from deals.doubledummy.library import _load; _load(); os._exit(0)",
    ],
    stderr=subprocess.DEVNULL,
)


@pytest.fixture
def library() -> None:
    """Skips the test where libdds0 is not installed."""
    if _THERE.returncode:
        pytest.skip("libdds0 is not installed")


@pytest.fixture
def tables(library: None) -> Callable[[Sequence[Sequence[Sequence[int]]]], list[list[int]]]:
    """Solves holdings of any size with the library."""

    def solved(many: Sequence[Sequence[Sequence[int]]]) -> list[list[int]]:
        done = subprocess.run(
            [sys.executable, "-c", _SCRIPT],
            input=json.dumps(many),
            capture_output=True,
            text=True,
            check=True,
        )
        found: list[list[int]] = json.loads(done.stdout)
        return found

    return solved
