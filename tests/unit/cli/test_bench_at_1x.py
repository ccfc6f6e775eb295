"""The figures at 1x: what they are taken from, and that they leave nothing behind."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from controller.bench import at_1x
from controller.bench.all import FIGURES
from controller.bench.at_1x import children_of, cpu_s, evening, load, resident_mb, waits

ROOT = Path(__file__).parents[3]


def test_every_figure_is_in_the_document():
    told = (ROOT / "docs" / "benchmarks.md").read_text()
    assert [figure.name for figure in FIGURES if f"`{figure.name}`" not in told] == []


def test_what_the_system_says_of_a_process():
    code = "x = bytearray(b'x' * 50_000_000); sum(range(3_000_000)); print(flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdout.readline()
        assert child.pid in children_of(os.getpid())
        assert 50 < resident_mb(child.pid) < 90
        assert 0 < cpu_s(child.pid) < 60
        child.stdin.write(b"\n")
        child.stdin.close()


def test_the_load_is_there_and_then_gone():
    before = set(children_of(os.getpid()))
    with load():
        loading = set(children_of(os.getpid())) - before
        assert len(loading) == 2 * (os.cpu_count() or 1) + 2
    assert not loading & set(children_of(os.getpid()))


def test_waits_are_measured_one_by_one():
    late = waits(5, loaded=False)
    assert len(late) == 5
    assert min(late) >= 0


@pytest.mark.long
def test_an_evening_gives_a_figure_of_each_kind():
    found = evening(1, loaded=False)
    assert len(found.route_ms) >= 52
    assert len(found.holds) == len(found.stops) == 1
    assert 0 < found.cpu < 2
    assert 50 < found.resident_mb < at_1x.FIGURES[5].target + 30
    assert 40 < found.reading_mb < found.resident_mb
