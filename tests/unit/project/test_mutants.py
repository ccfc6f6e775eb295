"""The planted mistakes still fit the source; `make mutants` shows that each is noticed."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.mutants.run import Mutant
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


def test_a_patch_without_its_lines_is_refused(tmp_path: Path):
    (tmp_path / "01-x.patch").write_text("Mistake: none\n\ndiff --git a/x b/x\nTests: y\n")
    with pytest.raises(SystemExit, match=r"01-x\.patch: needs a line 'Mistake"):
        Mutant.load(tmp_path / "01-x.patch")
