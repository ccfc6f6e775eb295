"""Run as a program: restores a backup. `python -m tests.unit.store.restorer STATE_DIR BACKUP`."""

from __future__ import annotations

import sys
from pathlib import Path

from controller.store import Who
from controller.store.upkeep import restore
from controller.store.vault import KEY_FILE
from tests.unit.store.support import StepClock, seeded

if __name__ == "__main__":
    state, backup = Path(sys.argv[1]), Path(sys.argv[2])
    restore(backup, state / KEY_FILE, state, StepClock(), seeded(9), Who("Bo", "operate"))
