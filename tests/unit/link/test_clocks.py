"""Matching clocks: bounds from each direction, drift, a wrapped tick, an MCU that stood still."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.link.clocks import DRIFT_PPM, WRAP_US, ClockMatch


class Mcu:
    """A clock that runs `ppm` too fast, at the far end of a line that is slow each way."""

    def __init__(self, seed: int, ppm: int, start: int = 77) -> None:
        self.rng = random.Random(seed)
        self.host_us = 10_000_000
        self.ppm = ppm
        self.start = start
        self.clocks = ClockMatch()

    def tick(self, at_us: int) -> int:
        run_us = at_us - 10_000_000
        return (self.start + run_us + run_us * self.ppm // 1_000_000) % WRAP_US

    def delay(self) -> int:
        """Mostly 1 to 3 ms; on a busy computer one in three takes up to 60."""
        slow = self.rng.random() < 0.33
        return self.rng.randint(1_000, 60_000 if slow else 3_000)

    def beat(self) -> None:
        sent = self.host_us
        read = sent + self.delay()
        self.host_us = read + self.delay()
        self.clocks.sample(sent, self.host_us, self.tick(read))

    def event(self) -> int:
        """How wrong the host is about when it happened."""
        happened = self.host_us
        self.host_us += self.delay()
        self.clocks.heard(self.host_us, self.tick(happened))
        return abs(self.clocks.host_us(self.tick(happened)) - happened)


@given(st.integers(0, 10_000), st.integers(-DRIFT_PPM, DRIFT_PPM))
def test_it_is_never_more_wrong_than_it_says(seed: int, ppm: int):
    mcu = Mcu(seed, ppm)
    mcu.beat()
    for _ in range(60):
        mcu.host_us += 20_000
        if mcu.rng.random() < 0.3:
            mcu.beat()
        wrong_us = mcu.event()
        assert wrong_us <= mcu.clocks.error_us + 61  # a delay's own drift: half a percent of 12 ms


def test_on_a_busy_line_events_make_it_better_than_the_quickest_round_trip():
    wrong = []
    for seed in range(40):
        mcu = Mcu(seed, 1_000)
        mcu.beat()
        for count in range(50):
            mcu.host_us += 20_000
            if count % 5 == 4:
                mcu.beat()
            found = mcu.event()
            if count >= 10:  # a machine homes for longer than this before its first card
                wrong.append(found)
    # 8.4 ms is the tolerance of the tie at the profile `fast`.
    assert sorted(wrong)[len(wrong) * 99 // 100] < 5_000


def test_a_round_trip_after_the_mcu_stood_still_counts_alone():
    mcu = Mcu(1, 0)
    for _ in range(5):
        mcu.beat()
    mcu.start -= 130_000
    mcu.beat()
    happened = mcu.host_us
    assert abs(mcu.clocks.host_us(mcu.tick(happened)) - happened) <= mcu.clocks.error_us


def test_an_event_from_before_the_first_round_trip_says_nothing():
    clocks = ClockMatch()
    clocks.heard(1_000, 5)
    assert not clocks.known
    assert clocks.error_us == WRAP_US


@pytest.mark.parametrize("late_us", [200_000, 5_000_000])
def test_an_event_that_is_read_again_spoils_nothing(late_us: int):
    clocks = ClockMatch()
    clocks.sample(1_000_000, 1_002_000, 77)
    before = clocks.error_us
    clocks.heard(1_002_000, (77 - late_us) % WRAP_US)
    assert clocks.error_us == before
