"""What is costly to make, made once for all workers of one run of the tests."""

from __future__ import annotations

import fcntl
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

folder: Path | None = None
"""Where the workers of this run meet; None where one process runs all tests."""


def once(name: str, make: Callable[[], T]) -> T:
    """What *make* gives: by whichever worker asks first for *name*; the others wait for it, and take a copy."""
    if folder is None:
        return make()
    kept = folder / f"{name}.pickle"
    with (folder / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            part = kept.with_suffix(".part")
            part.write_bytes(pickle.dumps(make()))
            part.rename(kept)
    made: T = pickle.loads(kept.read_bytes())
    return made
