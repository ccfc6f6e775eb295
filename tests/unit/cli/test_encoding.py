"""Terminals without the signs of the game: nothing ends the program, suits stay told apart, JSON whole."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from deals.boards import Board
from deals.files import write_deals
from deals.generate import Source

PROGRAM = [sys.executable, "-m", "controller.cli.main"]


def said(folder: Path, encoding: str, *arguments: str) -> str:
    """What the program prints where the terminal has this encoding."""
    (deal,) = Source(b"secret" * 6, "a").deals([1])
    (folder / "a.pbn").write_bytes(write_deals([Board.standard(1, deal)], "pbn").data)
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("PREDEAL")},
        "PYTHONIOENCODING": encoding,
        "PREDEAL_STATE": str(folder / "state"),
        "LC_ALL": "C",
    }
    done = subprocess.run(
        [*PROGRAM, *arguments], capture_output=True, cwd=folder, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.decode(encoding)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_suits_are_told_apart_without_their_signs(tmp_path, encoding):
    command = ("files", "show", "a.pbn", "--reveal", "--view", "diagram")
    plain, signs = said(tmp_path, encoding, *command), said(tmp_path, "utf-8", *command)
    for letter, sign in zip("SHDC", "♠♥♦♣", strict=True):
        assert plain.count(f"{letter} ") >= signs.count(sign) == 4
    assert [len(line) for line in plain.splitlines()] == [len(s) for s in signs.splitlines()]


def test_json_is_the_same_in_every_encoding(tmp_path):
    command = ("files", "show", "a.pbn", "--reveal", "--lang", "el", "--json")
    assert json.loads(said(tmp_path, "ascii", *command)) == json.loads(
        said(tmp_path, "utf-8", *command)
    )
