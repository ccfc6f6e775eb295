"""Jobs that read cards, and calibrations, in a twin and a daemon of one command at the speed of a machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.recovery.host import ROOT, demo_boards, hands_of

DEMO = "controller/twin/demo.dup"
AT_1X = ("--twin", "--speed", "1x", "--operator", "auto", "--json")
pytestmark = [pytest.mark.clock, pytest.mark.long]


def predeal(folder: Path, *arguments: str) -> tuple[int, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "controller.cli.main", *arguments, *AT_1X],
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(folder)},
        capture_output=True,
        text=True,
        timeout=400,
    )
    assert not list(folder.glob("predeal-*"))
    return done.returncode, json.loads(done.stdout)


def test_a_copy_that_differs_is_found_and_its_cards_go_back(tmp_path: Path):
    options = ("--board", "1", "--copies", "A,B", "--played", "displaced@B")
    code, told = predeal(tmp_path, "check", DEMO, *options)
    assert (code, told["right"]) == (1, False)
    assert [(one["copy_name"], one["conclusion"]) for one in told["copies"]] == [
        ("A", "same"),
        ("B", "differs"),
    ]
    lying = {seat: told["contents"][seat] for seat in "NESW"}
    assert sorted(len(hand) for hand in lying.values()) == [15, 16, 16, 17]
    assert told["contents"]["tray"] == told["contents"]["belt"] == []


def test_a_board_is_restored_as_the_world_then_shows(tmp_path: Path):
    code, told = predeal(tmp_path, "restore", DEMO, "--board", "2", "--played", "exchanged")
    assert (code, told["right"]) == (0, True)
    assert {seat: told["contents"][seat] for seat in "NESW"} == hands_of(demo_boards(2)[0])


def test_what_players_dealt_is_recorded_in_the_file(tmp_path: Path):
    output = tmp_path / "recorded.pbn"
    code, told = predeal(tmp_path, "record", "--boards", "1", "-o", str(output))
    assert code == 0
    hands = " ".join(told["contents"][seat] for seat in "NESW")
    assert f'[Deal "N:{hands}"]' in output.read_text()


def test_the_camera_is_measured_through_the_daemon(tmp_path: Path):
    code, told = predeal(tmp_path, "calibrate", "camera", "--seed", "1")
    assert (code, told["good"], told["notes"]) == (0, True, [])
    found = {one["name"]: one["value"] for one in told["measures"]}
    mount = told["world"]["camera"]
    assert found["window_scale"] == pytest.approx(10 + mount["scale"] / 100, abs=0.1)
    assert found["light"] == pytest.approx(1.42 * mount["light"], rel=0.1)
