"""A daemon, its clients over HTTP and the people at its machine do anything at any time; faults strike at
any time, and the daemon dies at any time: proven means true in the world.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from controller.api.models import DaemonState
from deals.cards import CARDS, Card
from tests.stateful.daemon_evening import CLIENTS, DaemonEvening
from tests.stateful.door import Door, open_door
from tests.stateful.evenings import a_folder, by_daemon
from tests.stateful.playing import Count, play
from tests.stateful.told import PROFILES, a_fault, boards_of

BOARDS = 6
HANDS = 4
RUNS = range(5)
IN_A_RUN = 60
"""Boards: 300 in all."""
MORTAL = 8
"""One evening in so many has a daemon that may die."""
count = Count(IN_A_RUN)
who = st.sampled_from(CLIENTS)


class OverTheApi(RuleBasedStateMachine):
    """One evening; each rule is one thing that somebody does."""

    door: Door
    evening: DaemonEvening
    folder: Path | None = None

    @initialize(
        number=st.integers(0, 10**6),
        faults=st.integers(0, 3),
        profile=st.sampled_from(PROFILES),
        mortal=st.integers(1, MORTAL),
        rng=st.randoms(use_true_random=False),
    )
    def begin(
        self, number: int, faults: int, profile: str, mortal: int, rng: random.Random
    ) -> None:
        count.begin()
        strike = [a_fault(rng, BOARDS) for _ in range(faults)]
        self.folder = a_folder() if mortal == MORTAL else None
        boards = boards_of(number, BOARDS)
        self.evening = DaemonEvening(self.door, number, boards, strike, profile, self.folder)
        self.evening.advance(1_000_000)

    # -- clients -----------------------------------------------------------------------------

    @rule(
        who=who,
        numbers=st.lists(st.integers(1, BOARDS + 1), min_size=1, max_size=4),
        copies=st.sampled_from([None, 1, 2]),
        order=st.sampled_from(["board", "set", "label"]),
    )
    def deal(self, who: str, numbers: list[int], copies: int | None, order: str) -> None:
        self.evening.deal(who, numbers, copies, order)

    @rule(who=who, board=st.integers(1, BOARDS))
    def check(self, who: str, board: int) -> None:
        self.evening.check(who, board)

    @precondition(lambda self: bool(self.evening.dealt))
    @rule(who=who, rng=st.randoms(use_true_random=False))
    def a_board_is_read_back(self, who: str, rng: random.Random) -> None:
        if self.evening.state().state is DaemonState.IDLE:
            self.evening.check(who, rng.choice(self.evening.dealt))
            for _ in range(HANDS + 1):
                self.evening.people("well")
                self.evening.advance(4_000_000)

    @rule(who=who, end=st.booleans())
    def stop(self, who: str, end: bool) -> None:
        self.evening.stop(who, end=end)

    @rule(who=who, take_over=st.booleans(), names=st.lists(st.sampled_from(CARDS), max_size=2))
    def resume(self, who: str, take_over: bool, names: list[Card]) -> None:
        self.evening.resume(who, names, take_over=take_over)

    # -- people at the machine -----------------------------------------------------------------

    @rule(how=st.sampled_from(["well", "well", "well", "badly"]), ms=st.integers(1, 9_000))
    def somebody_does_as_told(self, how: str, ms: int) -> None:
        self.evening.people(how)
        self.evening.advance(ms * 1_000)

    @rule(ms=st.integers(1_000, 9_000))
    def all_goes_well(self, ms: int) -> None:
        if self.evening.state().state is DaemonState.IDLE:
            left = set(range(1, BOARDS + 1)) - set(self.evening.dealt)
            self.evening.deal("anna", sorted(left) or [1], 1, "board")
        self.evening.people("well")
        self.evening.advance(ms * 1_000)

    @rule(rng=st.randoms(use_true_random=False))
    def somebody_does_anything(self, rng: random.Random) -> None:
        self.evening.anybody.does(rng)

    # -- time and death --------------------------------------------------------------------------

    @rule(ms=st.integers(1, 3_000))
    def time_passes(self, ms: int) -> None:
        self.evening.advance(ms * 1_000)

    @precondition(lambda self: self.evening.mortal)
    @rule(ms=st.integers(1, 5_000))
    def the_daemon_dies(self, ms: int) -> None:
        self.evening.die(ms * 1_000)

    @invariant()
    def proven_means_true(self) -> None:
        if hasattr(self, "evening"):
            assert self.evening.told.wrong == []

    def teardown(self) -> None:
        try:
            if hasattr(self, "evening"):
                self.evening.close()
                assert self.evening.told.wrong == []
                count.end(self.evening.told.boards.values())
        finally:
            if self.folder is not None:
                shutil.rmtree(self.folder)


@pytest.fixture(scope="module")
def door() -> Iterator[Door]:
    with open_door() as door:
        yield door


@pytest.mark.parametrize("run", RUNS)
def test_anything_over_the_api(door: Door, run: int) -> None:
    OverTheApi.door = door
    play(OverTheApi, run, count)


def test_a_board_that_was_dealt_is_read_back_and_held_against_the_world(door: Door) -> None:
    evening = DaemonEvening(door, 1, boards_of(1, 1))
    try:
        evening.advance(1_000_000)
        evening.deal("anna", [1], None, "board")
        while not evening.dealt:
            evening.people("well")
            evening.advance(1_000_000)
        evening.check("bert", 1)
        for _ in range(HANDS + 2):
            evening.people("well")
            evening.advance(4_000_000)
        assert evening.told.wrong == []
        assert evening.told.checks == 1
    finally:
        evening.close()


@pytest.mark.parametrize("seed", [10])
def test_evenings_that_once_went_wrong(door: Door, seed: int) -> None:
    """10: a machine that fell silent as it was first asked for its counters ended the daemon."""
    assert by_daemon(seed, door).wrong == []


@pytest.mark.long
def test_a_thousand_boards_of_random_evenings(door: Door) -> None:
    begun = seed = 0
    while begun < 1_000:
        seed += 1
        told = by_daemon(seed, door)
        assert told.wrong == [], f"seed {seed}"
        begun += told.count()
