"""Simulated people at a daemon's screen: each request is served once, unless the daemon forgot it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from controller.api.models import DaemonState
from controller.client.crew import Crew


class People:
    def __init__(self) -> None:
        self.brought: list[tuple[int, int]] = []

    def bring(self, board: int, copy: int, *, follows: bool = False) -> None:
        self.brought.append((board, copy))


def wants(board: int, *, connected: bool = True) -> Any:
    return SimpleNamespace(
        state=DaemonState.WANTS_BOARD,
        wants=SimpleNamespace(board=board, copy_number=1),
        machine=SimpleNamespace(connected=connected),
        job=None,
    )


def test_a_board_is_brought_once_for_each_request():
    people: Any = People()
    crew = Crew(SimpleNamespace(), people)  # type: ignore[arg-type]
    for state in (wants(1), wants(1), wants(2), wants(2)):
        crew.attend(state)
    assert people.brought == [(1, 1), (2, 1)]


def test_a_board_that_came_while_the_machine_could_not_be_reached_is_brought_again():
    """The daemon did not see it come and asks for it to be taken out and put in."""
    people: Any = People()
    crew = Crew(SimpleNamespace(), people)  # type: ignore[arg-type]
    for state in (wants(2), wants(2, connected=False), wants(2), wants(2)):
        crew.attend(state)
    assert people.brought == [(2, 1), (2, 1)]
