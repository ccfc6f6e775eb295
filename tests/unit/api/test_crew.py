"""Simulated people at a daemon's screen: each request is served once, unless the daemon forgot it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from controller.api.models import DaemonState, StopView
from controller.client.crew import Crew
from controller.daemon.views import stop_view
from controller.engine.stops import Fault, Step, Stop, before_start, request
from controller.jobs.people import Done
from controller.protocol.messages import Pocket


class People:
    def __init__(self) -> None:
        self.brought: list[tuple[int, int]] = []
        self.served: list[tuple[Stop, int]] = []
        self.mended: list[tuple[Stop, int]] = []
        self.there = True

    def serve(self, request: Stop, board: int) -> bool:
        self.served.append((request, board))
        return self.there

    def act(self, stop: Stop, board: int) -> Done | None:
        self.mended.append((stop, board))
        return Done() if self.there else None

    def bring(self, board: int, copy: int, *, follows: bool = False) -> None:
        self.brought.append((board, copy))


def wants(board: int, *, connected: bool = True, asked: int = 0, job: str = "one") -> Any:
    return SimpleNamespace(
        state=DaemonState.WANTS_BOARD,
        wants=SimpleNamespace(board=board, copy_number=1, asked=asked),
        machine=SimpleNamespace(connected=connected),
        job=SimpleNamespace(id=job, left=[]),
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


class Desk:
    """A daemon that takes every resume."""

    def __init__(self) -> None:
        self.resumed = 0

    def resume(self, named: list[str], **more: Any) -> None:
        self.resumed += 1


def waits(stop: Stop, job: Any, state: DaemonState = DaemonState.WAITS) -> Any:
    view = StopView.model_validate_json(stop_view(stop).model_dump_json())
    return SimpleNamespace(
        state=state, stop=view if state is DaemonState.WAITS else None, wants=None, job=job
    )


def reading(lots: int, board: int | None = 3) -> Any:
    task = SimpleNamespace(lots=lots, board=board, stops=[])
    return SimpleNamespace(task=task, left=[], ended=False, results=[])


def test_what_a_job_that_reads_cards_asks_for_is_brought_once_with_board_and_copy():
    people: Any = People()
    desk = Desk()
    crew = Crew(desk, people)  # type: ignore[arg-type]
    bring = request(Fault.BOARD_DUE, Step.BRING_DEALT, board=3, copy="B")
    hand = request(Fault.HAND_DUE, Step.FEED_HAND, pocket=Pocket.E, board=3)
    jam = Stop(Fault.JAM, 7, None, (Step.FREE_JAM, Step.COLLECT_HAND))
    for state in (waits(bring, reading(0)), waits(bring, reading(0)), waits(hand, reading(0))):
        crew.attend(state)
    crew.attend(waits(hand, reading(1), DaemonState.DEALING))
    crew.attend(waits(hand, reading(1)))
    crew.attend(waits(jam, reading(1)))
    assert [(stop.fault, stop.copy, stop.board, board) for stop, board in people.served] == [
        (Fault.BOARD_DUE, "B", 3, 3),
        (Fault.HAND_DUE, "", 3, 3),
        (Fault.HAND_DUE, "", 3, 3),
    ]
    assert people.served[1][0].pocket is Pocket.E
    assert [(stop.fault, stop.feed) for stop, _ in people.mended] == [(Fault.JAM, 7)]
    assert (desk.resumed, crew.gave_up) == (4, False)


def test_what_a_calibration_asks_for_is_done_without_a_job():
    people: Any = People()
    desk = Desk()
    crew = Crew(desk, people)  # type: ignore[arg-type]
    cards = before_start(Fault.HOPPER_EMPTY, (Step.CLEAR_TRAY, Step.CAMERA_CARDS))
    ended = SimpleNamespace(task=None, left=[], ended=True, results=[])
    for job in (None, ended):
        crew.attend(waits(cards, job))
        crew.attend(waits(cards, job))
        crew.attend(waits(cards, job, DaemonState.DEALING))
    assert [stop.steps for stop, _ in people.mended] == [cards.steps] * 2
    assert desk.resumed == 2


def test_who_brings_nothing_has_given_up():
    people: Any = People()
    people.there = False
    crew = Crew(Desk(), people)  # type: ignore[arg-type]
    crew.attend(waits(request(Fault.PACK_DUE, Step.FEED_PACK), reading(0)))
    assert crew.gave_up


def test_a_board_that_the_machine_forgot_between_two_looks_is_brought_again():
    """A link can be lost and opened again while the board is carried: no look shows it missing."""
    people: Any = People()
    crew = Crew(SimpleNamespace(), people)  # type: ignore[arg-type]
    for state in (wants(2), wants(2, asked=1), wants(2, asked=1)):
        crew.attend(state)
    assert people.brought == [(2, 1), (2, 1)]


def test_the_same_board_for_another_job_is_brought_again():
    people: Any = People()
    crew = Crew(SimpleNamespace(), people)  # type: ignore[arg-type]
    for state in (wants(2), wants(2, job="two"), wants(2, job="two")):
        crew.attend(state)
    assert people.brought == [(2, 1), (2, 1)]
