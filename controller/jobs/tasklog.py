"""A job that reads cards, in the logbook: begun, each hand, ended. The rows are the same whether the
daemon runs it or a command in the twin; none holds a card.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from controller.jobs.feeding import Progress
from controller.store.store import Store, Who

BEGUN: Final = "task.begun"
HAND: Final = "task.hand"
ENDED: Final = "task.ended"
DONE: Final = "done"
GIVEN_UP: Final = "given up"
INTERRUPTED: Final = "interrupted"


@dataclass(frozen=True, slots=True)
class TaskBegun:
    """What begins, and who wants it. `kind` is the name of its command."""

    id: str
    kind: str
    board: int | None
    who: Who


class TaskLog:
    """The rows of one job, from its first to its last."""

    def __init__(self, store: Store, task: TaskBegun) -> None:
        self._logbook = store.logbook
        self._task = task
        self._hand: object = None

    def begin(self) -> None:
        """It begins."""
        details = {"id": self._task.id, "kind": self._task.kind, "board": self._task.board}
        self._logbook.append(BEGUN, details, self._task.who)

    def note(self, now: Progress) -> None:
        """How far it is: a hand that was not read before is a row."""
        if now.pocket is None or (now.board, now.pocket) == self._hand:
            return
        self._hand = (now.board, now.pocket)
        details = {"id": self._task.id, "board": now.board, "hand": now.pocket.name}
        self._logbook.append(HAND, details)

    def end(self, why: str, by: Who | None = None) -> None:
        """It is over; *by*: who ended it, if not who began it."""
        self._logbook.append(ENDED, {"id": self._task.id, "why": why}, by or self._task.who)
