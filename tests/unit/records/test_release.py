"""No record is seen before its time; the director may say otherwise; a new deal holds it again."""

from __future__ import annotations

import json

import pytest

from deals.errors import DealError
from deals.records.release import Release, Round, parse_rounds

NOON = 1_000_000
BAROMETER = Release((Round((1, 2, 3), NOON), Round((4, 5, 6), 2 * NOON), Round((7, 8))))


def test_rounds_open_by_time():
    assert BAROMETER.open_boards(NOON - 1) == frozenset()
    assert BAROMETER.open_boards(NOON) == {1, 2, 3}
    assert BAROMETER.open_boards(10 * NOON) == {1, 2, 3, 4, 5, 6}


def test_what_is_held_is_named():
    BAROMETER.check([1, 3], NOON)
    with pytest.raises(DealError, match="Boards 4-5, 9 are held") as caught:
        BAROMETER.check([1, 4, 5, 9], NOON)
    assert caught.value.code == "release.held"


def test_the_director_releases_a_round():
    opened = BAROMETER.opened(2, "Anna")
    assert opened.open_boards(0) == {7, 8}
    assert opened.rounds[2].by == "Anna"
    for place, who in ((3, "Anna"), (-1, "Anna"), (0, " ")):
        with pytest.raises(DealError, match="rounds are 1 to 3"):
            BAROMETER.opened(place, who)


def test_a_new_deal_is_held_again_with_its_round():
    later = BAROMETER.opened(0, "Anna").with_new_deal({2})
    assert later.open_boards(10 * NOON) == {4, 5, 6}


def test_it_is_kept_as_json():
    opened = BAROMETER.opened(1, "Anna")
    assert Release.from_dict(json.loads(json.dumps(opened.as_dict()))) == opened


def test_rounds_in_writing():
    assert parse_rounds("1-3/4,6/9") == ((1, 2, 3), (4, 6), (9,))
    with pytest.raises(DealError, match="Boards 3 are in two rounds"):
        parse_rounds("1-3/3-4")
    with pytest.raises(DealError):
        parse_rounds("1-3//4")
