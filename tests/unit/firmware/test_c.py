"""The firmware's own C tests, and what its portable core may not contain."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.unit.firmware.conftest import FIRMWARE, make

CORE = sorted((FIRMWARE / "src").glob("*.[ch]"))
HEADERS = {"stdbool.h", "stdint.h", "string.h"}
FILE_LINES = 400
FUNCTION_LINES = 50


@pytest.mark.parametrize("target", ["test", "sanitize"])
def test_the_c_tests_pass(target: str, tmp_path: Path) -> None:
    done = make(target, f"BUILD={tmp_path}")
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.findall(r"^(\w+): \d+ checks, 0 failures$", done.stdout, re.MULTILINE) == [
        "core", "frame", "fuzz",
    ]  # fmt: skip


@pytest.mark.parametrize("path", CORE, ids=lambda path: path.name)
def test_the_core_is_portable(path: Path) -> None:
    text = path.read_text(encoding="ascii")
    code = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    assert set(re.findall(r"#include <(.+?)>", code)) <= HEADERS
    assert not re.findall(
        r"\b(float|double|malloc|calloc|free|printf|int|long|static \w+ \w+;)\b", code
    )
    assert text.startswith("/* ")


@pytest.mark.parametrize("path", CORE, ids=lambda path: path.name)
def test_files_and_functions_stay_short(path: Path) -> None:
    lines = path.read_text(encoding="ascii").splitlines()
    assert len(lines) <= FILE_LINES or path.name == "messages.h"
    assert max(len(line) for line in lines) <= 120
    opened = 0
    for number, line in enumerate(lines):
        if line == "{":
            opened = number
        if line == "}":
            assert number - opened < FUNCTION_LINES, f"line {opened}"
