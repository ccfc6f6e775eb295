"""Run as a program: writes one file whole, three times. `python -m tests.unit.store.rewriter PATH`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from controller.store.files import write_whole

if __name__ == "__main__":
    path = Path(sys.argv[1])
    marks = os.open(path.with_name("marks"), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for number in range(3):
        write_whole(path, b"%d " % number * 700)
        os.write(marks, b"%d\n" % number)  # from now on nothing older may come back
