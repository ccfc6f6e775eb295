"""A job from outside: its events become results and happenings again, as if it ran here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from controller.api.models import BoardView, CardEvent, JobView, StateView, StopView
from controller.client.client import Told
from controller.devices.happenings import BeltHeld, CardLanded, CardSeen, Happening
from controller.engine.stops import Fault, Step, Stop, Then
from controller.jobs.people import FaceSeen
from controller.jobs.results import BoardResult
from controller.protocol.messages import Pocket

NOWHEN: Final = 0
"""The events carry no time: a screen shows them as they come."""


class Follower:
    """Feeds whoever watches a job: `on_result` as `DealJob.progress`, `on_happening` likewise."""

    def __init__(
        self,
        job: str,
        *,
        on_result: Callable[[BoardResult], None] = lambda result: None,
        on_happening: Callable[[Happening], None] = lambda happening: None,
        on_state: Callable[[StateView], None] = lambda state: None,
    ) -> None:
        self.job: JobView | None = None
        """As last told; None before the first word of it."""
        self._id = job
        self._on_result = on_result
        self._on_happening = on_happening
        self._on_state = on_state
        self._results: dict[tuple[int, int], BoardResult] = {}

    @property
    def results(self) -> list[BoardResult]:
        """What has come of the boards so far."""
        return list(self._results.values())

    def follow(self, events: Iterable[Told], until: Callable[[StateView], bool]) -> None:
        """Takes events until the job has ended, or a state comes that *until* likes."""
        for told in events:
            match told.kind:
                case "card":
                    self._card(CardEvent.model_validate_json(told.data))
                case "board":
                    self._board(BoardView.model_validate_json(told.data))
                case "job":
                    job = JobView.model_validate_json(told.data)
                    if job.id == self._id:
                        self._take(job)
                        return
                case "state" | "reset":
                    if self._state(StateView.model_validate_json(told.data), until):
                        return

    def _state(self, state: StateView, until: Callable[[StateView], bool]) -> bool:
        if state.job is not None and state.job.id == self._id:
            self._take(state.job)
        self._on_state(state)
        over = state.job is None or state.job.id != self._id or state.job.ended
        return (over and self.job is not None) or until(state)

    def _take(self, job: JobView) -> None:
        self.job = job
        for view in job.results:
            self._board(view)

    def _board(self, view: BoardView) -> None:
        key = (view.board, view.copy_number)
        result = self._results.setdefault(key, BoardResult(*key))
        before = (result.attempts, result.proven, result.waiting, len(result.stops))
        told = result.attempts == 0 and not result.stops and not result.proven
        _fill(result, view)
        if told or before != (result.attempts, result.proven, result.waiting, len(result.stops)):
            self._on_result(result)

    def _card(self, event: CardEvent) -> None:
        match event.what:
            case "seen":
                self._on_happening(CardSeen(NOWHEN, event.feed))
            case "landed" if event.pocket is not None:
                pocket = Pocket.TRAY if event.pocket == "tray" else Pocket[event.pocket]
                self._on_happening(CardLanded(NOWHEN, event.feed, pocket, expired=False))
            case "hold":
                self._on_happening(BeltHeld(NOWHEN, event.feed, bool(event.on)))


def _fill(result: BoardResult, view: BoardView) -> None:
    result.proven, result.waiting = view.proven, view.waiting
    result.attempts, result.cards, result.pockets = view.attempts, view.cards, view.pockets
    result.second_looks, result.parked, result.held = view.second_looks, view.parked, view.held
    result.named, result.machine_us = view.named, view.machine_us
    result.faces = [FaceSeen(face.who, face.plays) for face in view.faces_seen]
    result.stops = [stop_of(stop) for stop in view.stops]


def stop_of(view: StopView) -> Stop:
    """The stop that a view tells of; a newer daemon's unknown fault is an internal one."""
    known = view.fault in set(Fault)
    return Stop(
        Fault(view.fault) if known else Fault.INTERNAL,
        view.feed,
        None if view.pocket is None else Pocket[view.pocket],
        tuple(Step(step) for step in view.steps if step in set(Step)),
        Then(view.then),
        view.set_aside,
        copy=view.copy_name,
        board=view.board,
    )
