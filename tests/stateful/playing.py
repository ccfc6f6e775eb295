"""Plays a state machine until so many boards were dealt: rooms in which nothing happens prove nothing."""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, seed, settings
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


def play(machine: type[RuleBasedStateMachine], run: int, boards: int, dealt: list[str]) -> None:
    """*run* and nothing else says what happens; *dealt* says of each board how it ended."""
    dealt.clear()
    for number in range(ROUNDS_AT_MOST):
        run_state_machine_as_test(seed(100 * run + number)(machine), settings=SETTINGS)
        if len(dealt) >= boards:
            break
    assert len(dealt) >= boards, "most evenings come to nothing"
    assert boards // 4 <= dealt.count(PROVEN) < len(dealt), "all goes well, or nothing"
