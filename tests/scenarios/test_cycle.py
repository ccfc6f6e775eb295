"""Board to board: the staff loads the next pack while the machine deals."""

from __future__ import annotations

from itertools import pairwise

from room import deal

from controller.bench.dealing import deal as bench
from controller.devices.happenings import CardSeen
from controller.geometry import PROFILES


def test_the_next_pack_waits_behind_a_stop_card_and_is_counted_apart() -> None:
    contents = deal(numbers=(1, 2, 3)).session.report.contents
    assert [held["hopper"] for held in contents] == [0, 0, 0]
    assert [held["hopper_next"] for held in contents] == [53, 53, 0]
    assert [held["stop_cards_in_tray"] for held in contents] == [1, 1, 1]


def test_cards_left_of_this_boards_pack_are_not_those_of_the_next() -> None:
    evening = deal("estop@1.40", operator="none", numbers=(1, 2))
    (held,) = evening.session.report.contents
    fed = sum(isinstance(happening, CardSeen) for happening in evening.happenings)
    assert held["hopper"] in (53 - fed, 53 - fed - 1)
    assert held["hopper_next"] == 53


def test_board_to_board_in_ten_seconds_of_the_world() -> None:
    starts = [board.first_feed_us for board in bench(4, PROFILES["standard"], images=False)]
    assert all(after - before <= 10_000_000 for before, after in pairwise(starts))
