"""The job under way, as the daemon holds it."""

from __future__ import annotations

from collections.abc import Sequence

from controller.api.models import JobView
from controller.daemon.plan import Copy, JobRecord
from controller.daemon.views import board_view
from controller.engine.stops import Fault
from controller.jobs.results import BoardResult
from deals.boards import Board


class Job:
    """What is asked for, for whom, what is left and what has come of it."""

    reads = False
    """It reads cards instead of dealing them."""

    def __init__(
        self,
        record: JobRecord,
        boards: dict[int, Board],
        left: list[Copy],
        warnings: Sequence[str] = (),
    ) -> None:
        self.record = record
        self.warnings = list(warnings)
        self.boards = boards
        self.left = left
        self.owner = record.owner
        self.ended = False
        self.reason = ""
        self._results: dict[Copy, BoardResult] = {}
        self._asked_by: dict[Copy, list[str | None]] = {}

    def note(self, result: BoardResult, stop_by: str | None) -> None:
        """A board has begun, stopped or ended; *stop_by* is who asked to stop, if anybody did."""
        copy = (result.board, result.copy)
        if self._results.get(copy) is not result:
            self._results[copy], self._asked_by[copy] = result, []
        for stop in result.stops[len(self._asked_by[copy]) :]:
            self._asked_by[copy].append(stop_by if stop.fault is Fault.INTERNAL else None)

    def asked_by(self, board: int, copy: int) -> list[str | None]:
        """Of each stop of a board, who asked for it."""
        return self._asked_by.get((board, copy), [])

    def view(self) -> JobView:
        """As the API tells it."""
        return JobView(
            id=self.record.id,
            owner=self.owner,
            set_code=self.record.set_code,
            name=self.record.name,
            design=self.record.design,
            profile=self.record.profile,
            left=list(self.left),
            results=[
                board_view(result, self._asked_by[copy]) for copy, result in self._results.items()
            ],
            ended=self.ended,
            reason=self.reason,
            warnings=self.warnings,
        )
