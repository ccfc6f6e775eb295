"""kill -9 at any moment: what was confirmed is there, and the rows are a prefix of the truth."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from controller.store import Kind, Where
from tests.unit.store.support import open_store
from tests.unit.store.writer import script

FEEDS = 52


def kill_after(state_dir: Path, confirmed: int, delay_s: float) -> int:
    """Lets a writer confirm some steps, then kills it; gives how many it had confirmed."""
    command = [sys.executable, "-m", "tests.unit.store.writer", str(state_dir), str(FEEDS)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        for _ in range(confirmed):
            child.stdout.readline()
        time.sleep(delay_s)
        os.kill(child.pid, signal.SIGKILL)
        rest = child.stdout.read().split()
    return int(rest[-1]) if rest else confirmed - 1


def assert_prefix_of_truth(state_dir: Path, confirmed: int) -> int:
    """Compares the journal with the script, and gives how many whole steps it holds."""
    with open_store(state_dir) as store:
        found = store.journal.interrupted()
        if confirmed < 0 and not found:
            return 0
        [board] = found
        rows = store.journal.rows(board.dealing)
    steps = script(FEEDS)
    told = [(row.kind, row.feed, row.card, row.pocket, row.detail) for row in rows[1:]]
    true = [(o.kind, o.feed, o.card, o.pocket, o.detail) for step in steps for o in step]
    assert told == true[: len(told)]
    ends = [sum(map(len, steps[:number])) for number in range(len(steps) + 1)]
    assert len(told) in ends, "a step is there in part"
    assert ends.index(len(told)) >= confirmed
    credit = max((row.feed for row in rows if row.kind is Kind.CREDIT), default=0)
    landed = {row.feed: row.pocket for row in rows if row.kind is Kind.LANDED}
    for fate in board.cards:
        if fate.feed in landed:
            assert (fate.where, fate.pocket) == (Where.LANDED, landed[fate.feed])
        else:
            assert fate.where is (Where.IN_FLIGHT if fate.feed <= credit else Where.HOPPER)
    return ends.index(len(told))


@pytest.mark.parametrize("seed", range(12))
def test_kill_9_loses_nothing_that_was_confirmed(tmp_path: Path, seed: int):
    choice = random.Random(seed)
    confirmed = kill_after(tmp_path, choice.randint(1, FEEDS), choice.random() / 1_000)
    held = assert_prefix_of_truth(tmp_path, confirmed)
    # The recovery itself is interrupted: the answer stays the same.
    assert assert_prefix_of_truth(tmp_path, confirmed) == held


@pytest.mark.long
@pytest.mark.parametrize("seed", range(12, 300))
def test_kill_9_at_many_more_moments(tmp_path: Path, seed: int):
    choice = random.Random(seed)
    confirmed = kill_after(tmp_path, choice.randint(0, FEEDS), choice.random() / 200)
    assert_prefix_of_truth(tmp_path, confirmed)
