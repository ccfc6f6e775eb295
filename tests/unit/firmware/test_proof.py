"""How well the firmware is tested: branches taken, scenarios under sanitizers, guided fuzzing."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.unit.firmware.conftest import FIRMWARE, SANITIZED, make
from tests.unit.firmware.coverage import LEAST, SCENARIOS, measure, report, total

CORPUS = FIRMWARE / "tests" / "corpus.txt"
ROOT = FIRMWARE.parent


def guided(build: Path, seconds: int, seed: int = 1) -> str:
    """Runs the fuzzer on the corpus and beyond; gives what it says."""
    done = make("guided", f"BUILD={build}")
    assert done.returncode == 0, done.stderr
    command = [build / "guided" / "guided", CORPUS, str(seconds), str(seed)]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout[-2000:] + ran.stderr[-3000:]
    return ran.stdout


def test_the_corpus_of_the_fuzzer_breaks_nothing(tmp_path: Path) -> None:
    told = guided(tmp_path, 0)
    kept = [line for line in CORPUS.read_text().splitlines() if not line.startswith("#")]
    found = re.search(r"(\d+) known, 0 new, (\d+) edges", told)
    assert found is not None, told
    known, edges = int(found[1]), int(found[2])
    # Compilers differ a little in what is a branch, so not every line may tell something new here.
    assert known > len(kept) * 3 // 4
    assert edges > 700


@pytest.mark.long
def test_a_minute_of_guided_fuzzing_breaks_nothing(tmp_path: Path) -> None:
    told = guided(tmp_path, 60, int.from_bytes(os.urandom(3)))
    found = re.search(r"(\d+) inputs run", told)
    assert found is not None
    assert int(found[1]) > 1_000


@pytest.mark.long
def test_branches_of_the_core_are_taken(tmp_path: Path) -> None:
    found = measure(tmp_path)
    sources = {path.name for path in (FIRMWARE / "src").glob("*.c")}
    assert sources <= found.keys()
    assert total(found) >= LEAST, report(found)


@pytest.mark.long
def test_the_scenarios_run_clean_under_sanitizers(tmp_path: Path) -> None:
    done = make("host", f"BUILD={tmp_path}", f"CFLAGS={SANITIZED}")
    assert done.returncode == 0, done.stderr
    runtime = [
        subprocess.check_output(["gcc", f"-print-file-name={name}.so"], text=True).strip()
        for name in ("libasan", "libubsan")
    ]
    environment = os.environ | {
        "PREDEAL_TEST_FIRMWARE": str(tmp_path / "libpredeal_host.so"),
        "LD_PRELOAD": " ".join(runtime),
        "ASAN_OPTIONS": "detect_leaks=0:halt_on_error=1",
        "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
    }
    ran = subprocess.run(SCENARIOS, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout[-3000:] + ran.stderr[-3000:]
    assert "runtime error" not in ran.stdout + ran.stderr
    assert int(re.findall(r"(\d+) passed", ran.stdout)[0]) > 300
