"""What a small computer pays for the daemon: libraries that it never needs, heaps nobody uses."""

from __future__ import annotations

import gc
import pickle
import subprocess
import sys
from typing import Any

import numpy as np

from controller.devices.eye_main import told
from controller.devices.memory import give_back, one_heap
from vision.reading import CardReading, Kind

# Each costs the daemon 2 to 20 MB; pictures are the business of the eye's process.
NEVER = ("cv2", "numpy", "rich", "pygments", "sqlalchemy.orm", "alembic", "controller.twin")
LOADED = """
import sys
import controller.cli.daemon, controller.daemon.serve
print(*[name for name in {never} if name in sys.modules])
"""


def test_the_daemon_loads_nothing_that_it_does_not_need():
    code = LOADED.format(never=NEVER)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_what_the_eye_tells_needs_no_library_for_pictures():
    corner = np.zeros((112, 64, 3), np.uint8)
    evidence = {"corner": corner, "scores": {"SA": 0.9}, "reason": "dark", "level": 3.0}
    reading = CardReading(Kind.UNSURE, evidence=evidence)
    assert b"numpy" in pickle.dumps(reading)
    data = pickle.dumps(told(reading))
    assert b"numpy" not in data
    assert pickle.loads(data).evidence == {"scores": {"SA": 0.9}, "reason": "dark", "level": 3.0}


class Library:
    """A C library that notes what it is asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, ...]] = []

    def mallopt(self, *arguments: int) -> int:
        self.asked.append(arguments)
        return 1

    def malloc_trim(self, *arguments: int) -> int:
        self.asked.append(arguments)
        return 1


def test_memory_is_given_back_where_the_library_can():
    library: Any = Library()
    assert one_heap(library)
    frozen = gc.get_freeze_count()
    try:
        assert give_back(library)
        assert gc.get_freeze_count() > frozen
    finally:
        gc.unfreeze()
    assert library.asked == [(-8, 1), (0,)]


def test_another_library_loses_nothing_but_memory():
    assert not one_heap(object())
    try:
        assert not give_back(object())
    finally:
        gc.unfreeze()
