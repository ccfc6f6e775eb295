"""Whoever does what the daemon's screen asks for: the simulated people of a demonstration, say."""

from __future__ import annotations

from typing import Final

from controller.api.models import DaemonState, StateView
from controller.client.client import Client
from controller.client.errors import RefusedByDaemonError
from controller.client.follow import stop_of
from controller.engine.stops import REQUESTS, Fault, Step, Stop
from controller.jobs.deal import STOPS_AT_MOST
from controller.jobs.people import Done, Servers

AGAIN: Final = ("daemon.nothing_waits", "daemon.no_machine", "daemon.eye_away")
COLLECT: Final = Stop(Fault.INTERNAL, steps=(Step.COLLECT_ALL,))


class Crew:
    """Acts on states as they come, on nothing else; each request of the screen once."""

    def __init__(self, client: Client, people: Servers) -> None:
        self.gave_up = False
        """The people do not mend what the machine waits for."""
        self._client = client
        self._people = people
        self._brought: object = None
        """The request that a board was brought for."""
        self._done: tuple[object, Done] | None = None
        """What was done for a request that cannot go on yet."""
        self._mended: object = None
        """The request that was done last: its state may be told once more before it goes on."""

    def attend(self, state: StateView) -> None:
        """Does what *state* asks for."""
        if state.wants is None:
            self._brought = None
        if state.state not in (DaemonState.WAITS, DaemonState.INTERRUPTED):
            self._mended = None
        match state.state:
            case DaemonState.WANTS_BOARD:
                self._bring(state)
            case DaemonState.WAITS:
                self._mend(state)
            case DaemonState.INTERRUPTED:
                self._act(COLLECT, 0, state.state)

    def _bring(self, state: StateView) -> None:
        wants = state.wants
        if wants is None:
            return
        if not state.machine.connected:
            self._brought = None  # the daemon forgets, too, what it saw come
            return
        job = None if state.job is None else state.job.id
        request = (job, wants.board, wants.copy_number, wants.asked)
        if request != self._brought:
            self._brought = request
            follows = state.job is not None and len(state.job.left) > 1
            self._people.bring(wants.board, wants.copy_number, follows=follows)

    def _mend(self, state: StateView) -> None:
        if state.stop is None:
            return
        if state.job is None or state.job.ended:  # a calibration asks
            self._act(stop_of(state.stop), 0, state.stop)
            return
        if state.job.task is not None:
            task, stop = state.job.task, stop_of(state.stop)
            key = (task.lots, len(task.stops), state.stop)
            self._act(stop, task.board or 0, key)
            return
        if not state.job.left:
            return
        stops = len(state.job.results[-1].stops) if state.job.results else 0
        if stops >= STOPS_AT_MOST:
            self.gave_up = True
        else:
            board, copy = state.job.left[0]
            self._act(stop_of(state.stop), board, (board, copy, stops))

    def _act(self, stop: Stop, board: int, request: object) -> None:
        if request == self._mended:
            return
        if self._done is None or self._done[0] != request:
            done = self._do(stop, board)
            self._done = None if done is None else (request, done)
        if self._done is None:
            self.gave_up = True
        elif self._resume(self._done[1]):
            self._mended = request

    def _do(self, stop: Stop, board: int) -> Done | None:
        if stop.fault in REQUESTS:
            return Done() if self._people.serve(stop, board) else None
        return self._people.act(stop, board)

    def _resume(self, done: Done) -> bool:
        named = [str(card) for card in done.named]
        who, plays = (done.faces[0].who, done.faces[0].plays) if done.faces else (None, False)
        try:
            self._client.resume(named, take_over=True, face_seen_by=who, seen_by_player=plays)
        except RefusedByDaemonError as error:
            # The start button was quicker, or the machine is not there yet: then once more.
            if error.problem.code not in AGAIN:
                raise
            if error.problem.code != "daemon.eye_away":
                self._done = None  # else all is done: only to resume once more
            return error.problem.code == "daemon.nothing_waits"
        self._done = None
        return True
