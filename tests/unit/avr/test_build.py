"""The program for the chip: builds without a warning, fits, and touches registers in one folder only."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.unit.firmware.conftest import FIRMWARE, make

BOARD = sorted((FIRMWARE / "board" / "avr").glob("*.[ch]"))
SIMULATOR = sorted((FIRMWARE / "simavr").glob("*.[ch]"))
REGISTER = re.compile(
    r"\b(?:PORT|DDR|PIN)[A-L]\b|\b(?:TCCR|TCNT|OCR|TIMSK|TIFR|UCSR|UBRR|UDR|EECR|ADCSRA|SREG|MCUSR)\w*\b"
)
FUNCTION_LINES = 50


def test_it_builds_and_says_how_big_it_is(tmp_path: Path) -> None:
    done = make("avr", f"BUILD={tmp_path}")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    size = (tmp_path / "size.txt").read_text()
    flash, ram = (float(share) for share in re.findall(r"\((\d+\.\d) %", size))
    assert 1 < flash <= 40
    assert 10 < ram <= 50
    assert (tmp_path / "predeal.hex").read_text().startswith(":")


def test_a_program_that_is_too_big_is_no_program(tmp_path: Path) -> None:
    header = tmp_path / "board.h"
    header.write_text("#define STACK_BYTES 1200\n")
    command = [FIRMWARE / "avr-size.sh", FIRMWARE / "build" / "predeal.elf", header]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    assert "too big" in done.stderr


@pytest.mark.parametrize("path", BOARD, ids=lambda path: path.name)
def test_the_board_is_plain(path: Path) -> None:
    text = path.read_text(encoding="ascii")
    code = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    assert text.startswith("/* ")
    assert not re.findall(r"\b(float|double|malloc|calloc|free|printf|_delay_\w+)\b", code)


@pytest.mark.parametrize("path", [*BOARD, *SIMULATOR], ids=lambda path: path.name)
def test_files_and_functions_stay_short(path: Path) -> None:
    lines = path.read_text(encoding="ascii").splitlines()
    assert len(lines) <= 400
    assert max(len(line) for line in lines) <= 120
    opened = 0
    for number, line in enumerate(lines):
        if line == "{":
            opened = number
        if line == "}":
            assert number - opened < FUNCTION_LINES, f"line {opened}"


def test_registers_are_the_business_of_the_board() -> None:
    others = [*FIRMWARE.glob("src/*.[ch]"), *FIRMWARE.glob("board/host/*.[ch]")]
    assert [path.name for path in others if REGISTER.search(path.read_text())] == []
    assert len([path for path in BOARD if REGISTER.search(path.read_text())]) >= 4


def test_what_is_linked_to_simavr_is_under_its_licence_and_nothing_else_is() -> None:
    for path in SIMULATOR:
        assert path.read_text().startswith("/* SPDX-License-Identifier: GPL-3.0-or-later\n")
    copying = (FIRMWARE / "simavr" / "COPYING").read_text()
    assert "GNU GENERAL PUBLIC LICENSE" in copying
    others = [*FIRMWARE.glob("src/*"), *FIRMWARE.glob("board/*/*")]
    assert not [
        path for path in others if "simavr/" in path.read_text() or "sim_avr" in path.read_text()
    ]


def test_flashing_says_what_is_missing(tmp_path: Path) -> None:
    root = FIRMWARE.parent
    done = subprocess.run(["make", "-s", "-n", "flash"], cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "apt install avrdude" in done.stdout
    assert "PORT=/dev/ttyACM0" in done.stdout
