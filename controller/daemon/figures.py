"""The camera's pictures measured by another process: the daemon itself loads no OpenCV."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from typing import Final

from controller.devices.ports import Clock
from controller.jobs.calibrate.camera import Shots
from controller.jobs.calibrate.errors import CalibrateError
from controller.jobs.calibrate.findings import Measure
from controller.machine.machine import Machine

COMMAND: Final = (sys.executable, "-m", "controller.jobs.calibrate.figures")
LIMIT_US: Final = 120_000_000
"""On a Pi some twenty pictures may take half a minute."""
LOOK_US: Final = 50_000


class FiguresApart:
    """`Figures` of a machine whose heartbeat goes on meanwhile."""

    def __init__(self, machine: Machine, clock: Clock, command: Sequence[str] = COMMAND) -> None:
        self._machine = machine
        self._clock = clock
        self._command = command

    def __call__(self, shots: Shots, smear_mm: float) -> list[Measure]:
        """All that can be measured in them; CalibrateError when the process fails."""
        given, told = (os.memfd_create(name, os.MFD_CLOEXEC) for name in ("pictures", "figures"))
        try:
            with os.fdopen(os.dup(given), "wb") as file:
                pickle.dump((shots, smear_mm), file)
            os.lseek(given, 0, os.SEEK_SET)
            self._run(given, told)
            size = os.fstat(told).st_size
            found = json.loads(os.pread(told, size, 0) or b"null")
        except ValueError:
            found = None
        finally:
            os.close(given)
            os.close(told)
        if found is None:
            raise CalibrateError("calibrate.figures_failed")
        return [Measure(*one) for one in found]

    def _run(self, given: int, told: int) -> None:
        process = subprocess.Popen(self._command, stdin=given, stdout=told)
        due_us = self._clock.now_us() + LIMIT_US
        try:
            while process.poll() is None and self._clock.now_us() < due_us:
                self._machine.next(self._clock.now_us() + LOOK_US)
        finally:
            process.kill()
            process.wait()
