"""Plays a state machine until so many boards were dealt: rooms in which nothing happens prove nothing."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.errors import StopTest
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

from tests.stateful.told import PROVEN

EVENINGS = 10
ROUNDS_AT_MOST = 15
SETTINGS = settings(
    max_examples=EVENINGS,
    stateful_step_count=40,
    deadline=None,
    # A failing evening is one seed and a short list of deeds: to make it shorter takes minutes.
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
)


class Enough(BaseException):
    """The last board was dealt: what is left of this round is not played. No failure to Hypothesis."""


class Count:
    """How each board of a run ended. An evening tells when it begins and, if it was as it should be, when it ends."""

    def __init__(self, boards: int) -> None:
        self.boards = boards
        """So many make a run."""
        self.ended: list[str] = []
        self._open = 0

    def clear(self) -> None:
        """Another run."""
        self.ended.clear()
        self._open = 0

    def begin(self) -> None:
        """An evening begins."""
        self._open += 1

    def end(self, ended: Iterable[str]) -> None:
        """It is over. Raises Enough, but never once an evening has gone wrong: that is to be told."""
        self.ended.extend(ended)
        error = sys.exc_info()[1]
        if error is None or isinstance(error, StopTest):
            self._open -= 1
        if not self._open and len(self.ended) >= self.boards:
            raise Enough


def play(machine: type[RuleBasedStateMachine], run: int, count: Count) -> None:
    """*run* and nothing else says what happens; the machine keeps *count*."""
    count.clear()
    with contextlib.suppress(Enough):
        for number in range(ROUNDS_AT_MOST):
            run_state_machine_as_test(seed(100 * run + number)(machine), settings=SETTINGS)
    ended = count.ended
    assert len(ended) >= count.boards, "most evenings come to nothing"
    assert count.boards // 4 <= ended.count(PROVEN) < len(ended), "all goes well, or nothing"
