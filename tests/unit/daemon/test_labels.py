"""Boards in the order in which people bring them: the label says which it is, and what is dealt."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller.api.models import DaemonState
from controller.daemon.parts import ConfirmedLabels
from controller.devices.ports import Label
from controller.jobs.order import Choice
from tests.unit.daemon.club import Club, KilledError, Script, wanted


def begin(club: Club, *numbers: int, **more: Any) -> Script:
    yield club.is_in(DaemonState.IDLE)
    answer = club.ask(replace(wanted(*numbers), order="label", **more))
    yield answer.done
    answer.result()
    yield club.is_in(DaemonState.WANTS_BOARD)


def asks_for(club: Club, *numbers: int) -> None:
    assert club.state.wants is not None
    assert club.state.wants.boards == list(numbers)


def dealt(club: Club, number: int, box: str = "") -> Script:
    """People bring that board; what is in it when it is proven."""
    before = len(proven(club))
    yield from club.change_board(number, box=box)
    yield lambda: len(proven(club)) > before
    assert club.holds(number)


def proven(club: Club) -> list[tuple[int, int]]:
    job = club.state.job
    return [(r.board, r.copy_number) for r in job.results if r.proven] if job else []


def test_whatever_board_comes_is_dealt_as_its_label_says() -> None:
    club = Club()

    def script() -> Script:
        yield from begin(club, 1, 2, 5)
        asks_for(club, 1, 2, 5)
        assert "any of these boards in: 1-2, 5." in club.state.words
        for number, left in ((5, (1, 2)), (1, (2,))):
            yield from dealt(club, number)
            yield club.is_in(DaemonState.WANTS_BOARD)
            asks_for(club, *left)
        yield from dealt(club, 2)
        yield club.is_in(DaemonState.IDLE)

    club.run(script())
    assert proven(club) == [(5, 1), (1, 1), (2, 1)]


def test_a_board_that_is_not_asked_for_is_not_dealt() -> None:
    club = Club()

    def script() -> Script:
        yield from begin(club, 1, 2)
        yield from dealt(club, 2)
        # The same label once more, and one that was never asked for.
        for number in (2, 9):
            yield from club.change_board(number)
            yield from club.seconds(3)
            assert club.state.state is DaemonState.WANTS_BOARD
            assert f"Board {number} is in the slot, and no copy" in club.state.words
            asks_for(club, 1)
        yield from dealt(club, 1)
        yield club.is_in(DaemonState.IDLE)

    club.run(script())
    assert proven(club) == [(2, 1), (1, 1)]


def test_a_label_with_its_box_gets_the_copy_of_that_box() -> None:
    club = Club()

    def script() -> Script:
        yield from begin(club, 1, copies=2, boxes=("A", "B"))
        yield from dealt(club, 1, "B")
        assert proven(club) == [(1, 2)]
        yield from dealt(club, 1, "A")
        yield club.is_in(DaemonState.IDLE)
        found = {(one.box, one.copy) for one in club.store.boxes.contents()}
        assert found == {("A", 1), ("B", 2)}

    club.run(script())


def test_the_order_outlives_the_daemon(tmp_path: Path) -> None:
    club = Club(state_dir=tmp_path)

    def dies() -> Script:
        yield from begin(club, 1, 2, 5)
        yield from dealt(club, 5)
        club.die()

    with pytest.raises(KilledError):
        club.run(dies())
    again = club.again()

    def after() -> Script:
        yield again.is_in(DaemonState.INTERRUPTED)
        yield again.resume().done
        yield again.is_in(DaemonState.WANTS_BOARD)
        asks_for(again, 1, 2)
        yield from dealt(again, 2)

    again.run(after())


def test_without_a_label_reader_a_person_says_which_board_it_is() -> None:
    labels = ConfirmedLabels()
    club = Club(labels=labels)

    def script() -> Script:
        yield from begin(club, 1, 2)
        yield from club.change_board(2)
        yield from club.seconds(3)
        assert "confirm its number" in club.state.words
        labels.confirm(2)
        yield lambda: proven(club) == [(2, 1)]
        assert club.holds(2)

    club.run(script())


def test_the_copy_of_another_box_is_never_chosen() -> None:
    choice = Choice(((1, 1), (1, 2)), {1: "A", 2: "B"})
    assert choice.of(Label(1, "B", backwards=False)) == (1, 2)
    assert choice.of(Label(1, "", backwards=False)) == (1, 1)
    assert choice.of(Label(1, "C", backwards=False)) is None
    assert choice.of(Label(2, "A", backwards=False)) is None
    assert choice.of(None) is None


def test_a_copy_goes_into_a_board_of_its_own_box_also_where_the_order_is_given() -> None:
    club = Club()

    def script() -> Script:
        yield club.is_in(DaemonState.IDLE)
        answer = club.ask(replace(wanted(1, copies=2), boxes=("A", "B")))
        yield answer.done
        answer.result()
        yield club.is_in(DaemonState.WANTS_BOARD)
        yield from club.change_board(1, box="B")
        yield club.is_in(DaemonState.WAITS)
        assert club.state.stop is not None
        assert club.state.stop.fault == "wrong_box"
        yield from club.change_board(1, box="A", pack=False)
        club.resume()
        yield lambda: proven(club) == [(1, 1)]
        assert club.holds(1)

    club.run(script())
