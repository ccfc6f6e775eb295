"""Runs a job that reads cards where the options want it: in the twin, or on the daemon's machine."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from controller.cli.machine_options import PROCESSES, Pace, twin_setup
from controller.cli.output import Exit, complain, emit, finish
from controller.cli.stores import operator
from controller.engine.stops import REQUESTS
from controller.jobs.errors import JobError
from controller.jobs.feeding import Progress
from deals.boards import Board
from deals.words import text

if TYPE_CHECKING:
    from controller.api.models import JobView, StateView, TaskView
    from controller.client.client import Client
    from controller.jobs.around import Around, Runs
    from controller.twin.session import TwinSetup
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
    kind: str,
    as_json: bool,
    options: dict[str, Any],
    boards: Sequence[Board] = (),
    *,
    of: str = "",
    board: int | None = None,
    setup_of: Callable[[dict[str, Any], Callable[[int], None]], TwinSetup] = twin_setup,
) -> TaskReport[R]:
    """In a simulated machine of this command's own. `kind` is the job, `of` the file that it is
    about, `board` its board, if it is about one.
    """
    from controller.jobs.tasklog import TaskBegun  # late: needs the database
    from controller.twin.tasks import run_task  # late: the twin is no dependency

    if options["speed"] == PROCESSES:
        raise JobError("job.not_at_1x")
    pace = Pace(options["speed"])
    played = options.get("played", ())
    begun = TaskBegun(secrets.token_hex(4), kind, board, operator())
    if as_json:
        return run_task(make, setup_of(options, pace.wait), boards, played, begun=begun)
    from controller.cli.reading_view import ReadingView  # late: JSON needs no terminal

    with ReadingView(f"{kind} · {of}" if of else kind) as view:

        def tick(now_us: int) -> None:
            pace.wait(now_us)
            view.tick(now_us)

        setup = setup_of(options, tick)
        return run_task(make, setup, boards, played, view.progress, view.happened, begun)


def started_on_daemon(
    kind: str, as_json: bool, options: dict[str, Any], source: bytes = b"", **wanted: object
) -> tuple[Client, JobView]:
    """On the machine whose daemon runs: shows what it asks for, until the job has ended.

    With `--json` it comes back, too, where something has gone wrong and a person is needed.
    """
    from controller.cli import status  # late: only here

    asked = status.client(options["socket"])
    before = asked.state().event
    given = {name: value for name, value in wanted.items() if value is not None}
    job = asked.task(kind, source, **given)
    requests = {fault.value for fault in REQUESTS}

    def enough(state: StateView) -> bool:
        return as_json and state.stop is not None and state.stop.fault not in requests

    view = _words_view(quiet=as_json)
    try:
        return asked, status.watch_job(asked, job.id, before, view, enough).job or job
    except KeyboardInterrupt:
        complain(text("client.left_alone"))
        raise click.Abort from None


def run_on_daemon(
    kind: str, as_json: bool, options: dict[str, Any], source: bytes = b"", **wanted: object
) -> NoReturn:
    """The same, and ends the command with the job."""
    _, job = started_on_daemon(kind, as_json, options, source, **wanted)
    task = job.task
    if task is None:
        raise TypeError("a job that reads cards without its view")
    if as_json:
        emit({"id": job.id, "ended": job.ended, **task.model_dump(mode="json")})
    _tell(task, as_json)
    if not job.ended:
        finish(Exit.WAITS_FOR_PERSON)
    finish(Exit.DONE if task.right else Exit.COULD_NOT)


def _words_view(*, quiet: bool) -> Any:
    from controller.cli.status import NoView

    class Words(NoView):
        """What the machine says and wants, line by line."""

        said = ""

        def state(self, state: StateView) -> None:
            """Says what is new."""
            if not quiet and state.words != self.said and not (state.job and state.job.ended):
                click.echo(f"▸ {state.words}")
            self.said = state.words

    return Words()


def _tell(task: TaskView, as_json: bool) -> None:
    """Findings on stderr where something is wrong, else on stdout."""
    for sentence in task.findings:
        if task.right is False:
            complain(sentence)
        elif not as_json:
            click.echo(sentence)
    if task.right and not as_json and not task.findings:
        click.echo(text("task.right"))
    if task.set_code and not as_json:
        click.echo(text("task.kept_as", {"set_code": task.set_code}))
    if task.void or task.stale:
        from controller.cli.telling import consequences  # late: only here

        for sentence in consequences(task.board, task.void, task.stale):
            complain(sentence)
