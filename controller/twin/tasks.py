"""A job that reads cards, in the twin: from boards and packs that are there to what the world holds."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from controller.devices.happenings import Happening
from controller.errors import StoreError
from controller.jobs.around import Around, Runs
from controller.jobs.feeding import Progress
from controller.jobs.tasklog import DONE, GIVEN_UP, TaskBegun, TaskLog
from controller.twin.played import Played, PlayedBoards
from controller.twin.room import TwinRoom, TwinSetup
from deals.boards import Board

R = TypeVar("R", bound=Progress)


@dataclass(slots=True)
class TaskReport(Generic[R]):
    """What came of it; `contents` is the world's own word, after each copy and at the end."""

    result: R
    firmware: dict[str, str]
    contents: dict[str, Any]
    copies: dict[str, dict[str, Any]] = field(default_factory=dict)
    """By name of the copy: what the world held when it was read."""


def run_task(
    make: Callable[[Around], Runs[R]],
    setup: TwinSetup,
    boards: Sequence[Board] = (),
    played: Sequence[Played] = (),
    progress: Callable[[Progress], None] | None = None,
    on_happening: Callable[[Happening], None] | None = None,
    begun: TaskBegun | None = None,
) -> TaskReport[R]:
    """Runs the job that `make` makes in a room of its own. `boards` lie there as dealt before, with
    what play has done to them. The logbook tells of what has `begun`, as a daemon's does.
    """
    room = TwinRoom(setup)
    log = None if begun is None else TaskLog(room.store, begun)
    room.people.serving.dealt = PlayedBoards(room.world.shop, boards, played, setup.seed).board
    copies: dict[str, dict[str, Any]] = {}

    def note(told: Progress) -> None:
        if told.board is not None:
            copies[told.copy] = room.contents()
        if log is not None:
            log.note(told)
        if progress is not None:
            progress(told)

    try:
        around = Around(
            room.twin.machine, room.people, room.twin.time, room.store, note, on_happening
        )
        result = _run(make(around), log)
        return TaskReport(result, room.identity(), room.contents(), copies)
    finally:
        room.close()


def _run(job: Runs[R], log: TaskLog | None) -> R:
    """Runs a job between the first and the last of its rows."""
    if log is None:
        return job.run()
    log.begin()
    try:
        result = job.run()
    except BaseException:
        with contextlib.suppress(
            StoreError
        ):  # what went wrong is told, not that it was not written
            log.end(GIVEN_UP)
        raise
    log.end(GIVEN_UP if result.waiting else DONE)
    return result
