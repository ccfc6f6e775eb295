"""A minute of coverage-guided fuzzing of the readers (long run only; needs atheris)."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.long
def test_readers_survive_a_minute_of_fuzzing(samples: Path, tmp_path: Path) -> None:
    if importlib.util.find_spec("atheris") is None:
        pytest.skip("atheris is not installed")
    corpus = tmp_path / "corpus"
    shutil.copytree(samples, corpus)
    script = Path(__file__).with_name("fuzz_files.py")
    options = ["-max_total_time=60", "-max_len=8192", "-rss_limit_mb=1500", "-seed=1"]
    run = subprocess.run(
        [sys.executable, str(script), str(corpus), *options],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert run.returncode == 0, run.stderr[-2000:]
