"""Runs a job that reads cards where the options want it: in the twin, or on the daemon's machine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from controller.cli.machine_options import PROCESSES, Pace, twin_setup
from controller.jobs.errors import JobError
from controller.jobs.feeding import Progress
from deals.boards import Board

if TYPE_CHECKING:
    from controller.jobs.around import Around, Runs
    from controller.twin.tasks import TaskReport

R = TypeVar("R", bound=Progress)


class PlayedName(click.ParamType[Any]):
    """What play has done to the board in the twin: NAME or NAME@COPY."""

    name = "played"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """What happened."""
        from controller.twin.played import PlayedError, parse  # late: only the twin has it

        try:
            return parse(value)
        except PlayedError as error:
            self.fail(str(error), param, ctx)


def played_option(command: Any) -> Any:
    """Adds `--played`."""
    return click.option(
        "--played",
        type=PlayedName(),
        multiple=True,
        help="What play has done to the twin's board: displaced, exchanged, turned, other_board, "
        "missing, foreign, double, surplus, worn; @COPY for one copy only.",
    )(command)


def run_in_twin(
    make: Callable[[Around], Runs[R]],
    title: str,
    as_json: bool,
    options: dict[str, Any],
    boards: Sequence[Board] = (),
) -> TaskReport[R]:
    """In a simulated machine of this command's own."""
    from controller.twin.tasks import run_task  # late: the twin is no dependency

    if options["speed"] == PROCESSES:
        raise JobError("job.not_at_1x")
    pace = Pace(options["speed"])
    played = options.get("played", ())
    if as_json:
        return run_task(make, twin_setup(options, pace.wait), boards, played)
    from controller.cli.reading_view import ReadingView  # late: JSON needs no terminal

    with ReadingView(title) as view:

        def tick(now_us: int) -> None:
            pace.wait(now_us)
            view.tick(now_us)

        setup = twin_setup(options, tick)
        return run_task(make, setup, boards, played, view.progress, view.happened)
