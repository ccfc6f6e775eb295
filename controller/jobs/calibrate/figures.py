"""Measures the camera's pictures with OpenCV: here, or as a process of its own for a host without it.

As a process: pickled (Shots, smear in mm) on stdin, a JSON list of measures on stdout.
"""

from __future__ import annotations

import json
import pickle
import sys

from controller.jobs.calibrate.camera import Shots
from controller.jobs.calibrate.findings import Measure
from vision.calibrate import Pictures, measure_camera
from vision.crop import decoded
from vision.threads import one_thread


def figures_here(shots: Shots, smear_mm: float) -> list[Measure]:
    """All that can be measured in them."""
    kinds = (shots.marks, shots.marks_2, shots.blanks, shots.dark)
    pictures = Pictures(*([decoded(png) for png in kind] for kind in kinds))
    found = measure_camera(pictures, smear_mm)
    return [Measure(one.name, one.value, one.unit, one.low, one.high) for one in found]


def main() -> None:
    """The process."""
    one_thread()
    shots, smear_mm = pickle.load(sys.stdin.buffer)
    found = figures_here(shots, smear_mm)
    json.dump([[one.name, one.value, one.unit, one.low, one.high] for one in found], sys.stdout)


if __name__ == "__main__":
    main()
