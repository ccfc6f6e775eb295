"""Nothing is dealt twice unknowingly, and what a crash interrupted is told, never resumed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from room import deal

from controller.jobs.errors import JobError
from controller.store.clock import DatedClock
from controller.store.store import Store

KILLED = """
import os, signal, sys
sys.path.insert(0, {room!r})
from pathlib import Path
import controller.jobs.attempt as attempt
from controller.devices.happenings import CardLanded

seen = 0
watch = attempt.Attempt._observe

def observe(self, happening):
    global seen
    watch(self, happening)
    seen += isinstance(happening, CardLanded)
    if seen == {landed}:
        os.kill(os.getpid(), signal.SIGKILL)

attempt.Attempt._observe = observe
from room import deal
deal(numbers=(1, 2), state_dir=Path({state!r}))
"""


def test_a_proven_board_is_not_dealt_again_unasked(tmp_path: Path) -> None:
    assert deal(numbers=(1, 2), state_dir=tmp_path).true == [True, True]
    with pytest.raises(JobError, match="Boards 1-2 of this set were dealt and proven before"):
        deal(numbers=(1, 2, 3), state_dir=tmp_path)


def test_asked_for_it_is_the_next_copy(tmp_path: Path) -> None:
    deal(copies=2, state_dir=tmp_path)
    evening = deal(state_dir=tmp_path, again=True)
    assert [(result.copy, result.proven) for result in evening.results] == [(3, True)]


@pytest.mark.parametrize("landed", [1, 26, 52, 70])
def test_after_a_kill_every_card_is_named_and_the_board_is_dealt_anew(
    tmp_path: Path, landed: int
) -> None:
    room = str(Path(__file__).parent)
    script = KILLED.format(room=room, landed=landed, state=str(tmp_path))
    killed = subprocess.run([sys.executable, "-c", script], check=False, timeout=60)
    assert killed.returncode == -signal.SIGKILL

    with Store.open(tmp_path, DatedClock(_Stopped(), 0), os.urandom, twin=True) as store:
        (interrupted,) = store.journal.interrupted()
    board = 1 if landed <= 52 else 2
    assert interrupted.board == board
    # Every card of the pack has a place; nothing that the kill cut off is called landed.
    assert len(interrupted.cards) >= 52
    called_landed = sum(fate.pocket is not None for fate in interrupted.cards)
    assert called_landed <= (landed - 1) % 53

    numbers = (2,) if board == 2 else (1, 2)
    evening = deal(numbers=numbers, state_dir=tmp_path)
    assert evening.interrupted == [board]
    assert all(evening.true)


class _Stopped:
    def now_us(self) -> int:
        return 0
