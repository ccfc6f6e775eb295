"""The planted mistakes still fit the source; `make mutants` shows that each is noticed."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.mutants.run import Mutant, note
from tests.unit.project.source import ROOT

PATCHES = sorted((ROOT / "tests/mutants").glob("*.patch"))


@pytest.mark.parametrize("path", PATCHES, ids=lambda path: path.stem)
def test_a_planted_mistake_fits_and_names_its_tests(path: Path):
    mutant = Mutant.load(path)
    done = subprocess.run(
        ["git", "apply", "--check", path], cwd=ROOT, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert all((ROOT / test.partition("::")[0]).exists() for test in mutant.tests)
    assert mutant.mistake


def test_a_row_is_noted_and_those_of_others_stay(tmp_path: Path):
    table = tmp_path / "results.md"
    for name in ("01-a", "02-b", "03-c"):
        (tmp_path / f"{name}.patch").write_text(f"Mistake: {name} goes\nTests: x\n\ndiff --git\n")
    first, second, third = (Mutant.load(path) for path in sorted(tmp_path.glob("*.patch")))
    note(table, third, "x::late", "2026-01-02")
    note(table, first, "x::early", "2026-01-02")
    note(table, third, "x::later", "2026-01-03")
    second.path.unlink()
    note(table, second, "x::gone", "2026-01-03")
    assert table.read_text().splitlines()[-2:] == [
        "| 01-a | 01-a goes | `x::early` | 2026-01-02 |",
        "| 03-c | 03-c goes | `x::later` | 2026-01-03 |",
    ]


def test_a_patch_without_its_lines_is_refused(tmp_path: Path):
    (tmp_path / "01-x.patch").write_text("Mistake: none\n\ndiff --git a/x b/x\nTests: y\n")
    with pytest.raises(SystemExit, match=r"01-x\.patch: needs a line 'Mistake"):
        Mutant.load(tmp_path / "01-x.patch")
