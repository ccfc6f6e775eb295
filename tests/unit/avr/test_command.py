"""`--firmware avr` as a user meets it: it deals, says what it ran, and what is missing."""

from __future__ import annotations

import hashlib
import json

import pytest

from controller.cli import main as main_module
from controller.cli.output import Session
from controller.house import TwinHouse
from controller.jobs.errors import JobError
from controller.twin.simavr import elf_path
from tests.unit.project.source import ROOT

DEAL = ["deal", str(ROOT / "controller" / "twin" / "demo.dup"), "--twin", "--firmware", "avr"]


def test_a_board_is_dealt_with_the_program_that_is_flashed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main_module.run([*DEAL, "--boards", "2", "--json"], Session()) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["firmware"]["kind"] == "avr"
    digest = hashlib.sha256(elf_path().read_bytes()).hexdigest()
    assert told["firmware"]["id"].endswith(f"+{digest[:12]}")
    assert [board["proven"] for board in told["boards"]] == [True]


def test_what_is_not_built_ends_the_command_before_anything_is_dealt(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PREDEAL_SIMAVR", "/nowhere/predeal-simavr")
    assert main_module.run(DEAL, Session()) == 1
    assert "make firmware" in capsys.readouterr().err


def test_the_same_is_told_of_a_twin_in_a_process_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PREDEAL_SIMAVR", "/nowhere/predeal-simavr")
    with pytest.raises(JobError) as error, TwinHouse("fast", "standard", None, ["--firmware=avr"]):
        pass
    assert "make firmware" in str(error.value)


def test_a_calibration_is_kept_by_the_chip(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["calibrate", "feed", "--twin", "--firmware", "avr", "--json"]
    assert main_module.run(command, Session()) == 0
    assert json.loads(capsys.readouterr().out)["good"] is True
