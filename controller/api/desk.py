"""The desk between the API's threads and the control loop: questions go in, answers come out."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as LateError
from queue import Empty, SimpleQueue
from typing import Any, Final

from controller.api.errors import BusyError
from controller.api.events import EventRing
from controller.api.models import Model, StateView

ANSWER_S: Final = 10.0
"""The loop looks at the desk many times a second; only a disk can hold it up."""

Asked = tuple[Any, "Future[Model]"]


class Desk:
    """`ask` is for the API's threads, `take` and `publish` for the control loop."""

    def __init__(self, events: EventRing, state: StateView, wake: Callable[[], None]) -> None:
        self.events = events
        self._wake = wake
        self._asked: SimpleQueue[Asked] = SimpleQueue()
        self._state = state

    @property
    def state(self) -> StateView:
        """The newest state; a whole value, never one under change."""
        return self._state

    def publish(self, state: StateView) -> None:
        """A new state without an event: what an event has told already."""
        self._state = state

    def ask(self, request: object) -> Model:
        """Has the control loop answer; raises what it raised."""
        answer = self.put(request)
        try:
            return answer.result(ANSWER_S)
        except LateError as error:
            answer.cancel()
            raise BusyError("api.busy") from error

    def put(self, request: object) -> Future[Model]:
        """Puts a question; whoever wants to may wait for its answer."""
        answer: Future[Model] = Future()
        self._asked.put((request, answer))
        self._wake()
        return answer

    def take(self) -> Asked | None:
        """The oldest question that nobody has answered and whose asker still waits."""
        while True:
            try:
                request, answer = self._asked.get_nowait()
            except Empty:
                return None
            if answer.set_running_or_notify_cancel():
                return request, answer
