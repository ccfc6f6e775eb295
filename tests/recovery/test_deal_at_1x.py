"""`predeal deal --twin --speed 1x`: machine and daemon as processes, gone when the command ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.recovery.host import ROOT, demo_boards, hands_of

DEAL = [sys.executable, "-m", "controller.cli.main", "deal"]
OPTIONS = ["--twin", "--boards", "1", "--speed", "1x", "--operator", "auto", "--json"]
DEMO = "controller/twin/demo.dup"


def environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "TMPDIR": str(folder)}


def left_over(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.name.startswith("predeal-")]


def test_a_board_is_dealt_in_processes_and_compared_with_the_world(tmp_path: Path):
    done = subprocess.run(
        [*DEAL, DEMO, *OPTIONS],
        cwd=ROOT,
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=180,
    )
    assert done.returncode == 0, done.stderr
    board = json.loads(done.stdout)["boards"][0]
    assert board["proven"]
    assert {seat: board["contents"][seat] for seat in "NESW"} == hands_of(demo_boards(1)[0])
    assert board["contents"]["belt"] == []
    assert left_over(tmp_path) == []


@pytest.mark.usefixtures("listens_to_ctrl_c")
def test_ctrl_c_takes_the_children_along(tmp_path: Path):
    process = subprocess.Popen(
        [*DEAL, DEMO, *OPTIONS], cwd=ROOT, env=environment(tmp_path), stdout=subprocess.DEVNULL
    )
    end_s = time.monotonic() + 60
    while not list(tmp_path.glob("predeal-*/daemon")):
        assert time.monotonic() < end_s
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)  # as the impatient do
    assert process.wait(30) == 130
    assert left_over(tmp_path) == []
