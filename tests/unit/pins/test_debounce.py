"""A level counts when it was stable for 20 ms, and its edge is told with the time of its beginning."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from controller.pins.debounce import STABLE_US, Debounce


def test_the_first_level_is_no_edge():
    debounce = Debounce()
    assert debounce.see(True, 0) is None
    assert debounce.on is True


def test_a_change_that_lasts_is_an_edge_at_its_beginning():
    debounce = Debounce()
    debounce.see(False, 0)
    assert debounce.see(True, 1_000) is None
    assert debounce.see(True, 1_000 + STABLE_US - 1) is None
    assert debounce.on is False
    assert debounce.see(True, 1_000 + STABLE_US) == 1_000
    assert debounce.on is True


def test_a_change_that_bounces_is_counted_from_its_last_bounce():
    debounce = Debounce()
    for now_us, on in [(0, False), (1_000, True), (2_000, False), (3_000, True)]:
        assert debounce.see(on, now_us) is None
    assert debounce.see(True, 22_999) is None
    assert debounce.see(True, 23_000) == 3_000
    assert debounce.glitches == 1


@given(st.lists(st.tuples(st.booleans(), st.integers(1, STABLE_US - 1)), max_size=50))
def test_nothing_shorter_than_the_time_is_ever_an_edge(steps: list[tuple[bool, int]]):
    debounce = Debounce()
    debounce.see(False, 0)
    now_us = 0
    for _, wait_us in steps:
        now_us += 1
        assert debounce.see(True, now_us) is None
        now_us += wait_us
        assert debounce.see(False, now_us) is None
    assert debounce.on is False
    assert debounce.glitches == len(steps)
