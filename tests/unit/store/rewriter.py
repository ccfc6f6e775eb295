"""Run as a program: writes one file whole, three times. `python -m tests.unit.store.rewriter PATH`."""

from __future__ import annotations

import sys
from pathlib import Path

from controller.store.files import write_whole

if __name__ == "__main__":
    for number in range(3):
        write_whole(Path(sys.argv[1]), b"%d " % number * 700)
