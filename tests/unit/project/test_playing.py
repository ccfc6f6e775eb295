"""A run of evenings ends with its last board, and never hides what went wrong."""

from __future__ import annotations

import pytest
from hypothesis.errors import Flaky
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from tests.stateful.playing import Count, play
from tests.stateful.told import PROVEN, STOPPED

count = Count(5)
evenings: list[int] = []
WRONG_AT = 3


class Evening(RuleBasedStateMachine):
    """Two boards, one of them proven."""

    @initialize()
    def begin(self) -> None:
        evenings.append(len(evenings))
        count.begin()

    @rule()
    def nothing_happens(self) -> None:
        pass

    def teardown(self) -> None:
        count.end([PROVEN, STOPPED])


class Wrong(Evening):
    """The evening of the last board goes wrong in a rule, and once only."""

    @rule()
    def nothing_happens(self) -> None:
        assert len(evenings) != WRONG_AT


class WrongAtItsEnd(Evening):
    """It goes wrong as it ends."""

    def teardown(self) -> None:
        assert len(evenings) != WRONG_AT
        super().teardown()


def test_no_evening_is_played_after_the_last_board() -> None:
    evenings.clear()
    play(Evening, 1, count)
    assert (len(evenings), len(count.ended)) == (3, 6)


@pytest.mark.parametrize("machine", [Wrong, WrongAtItsEnd])
def test_what_goes_wrong_with_the_last_board_is_told(machine: type[Evening]) -> None:
    """Hypothesis calls it flaky where it cannot be seen again; it is told."""
    evenings.clear()
    with pytest.raises((AssertionError, Flaky)):
        play(machine, 1, count)
    assert len(evenings) >= WRONG_AT
