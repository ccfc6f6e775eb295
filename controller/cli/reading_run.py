"""Runs a job that reads cards where the options want it: in the twin, or on the daemon's machine."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from controller.cli.machine_options import PROCESSES, Pace, twin_setup
from controller.cli.output import Exit, complain, emit, finish
from controller.cli.stores import operator
from controller.engine.stops import REQUESTS
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
        help="What play has done to the twin's board: displaced, exchanged, turned, together, "
        "other_board, missing, foreign, double, surplus, worn; @COPY for one copy only.",
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


def by_daemon(options: dict[str, Any]) -> bool:
    """Whether a daemon has to do it: a machine's, or that of a twin at 1x."""
    return not options["twin"] or options["speed"] == PROCESSES


@dataclass(frozen=True, slots=True)
class Errand:
    """A job that reads cards, as a daemon shall do it for this command."""

    kind: str
    as_json: bool
    options: dict[str, Any]
    source: bytes = b""
    """The file that it is about, if it is about one."""
    there: Sequence[Board] = ()
    """Boards that come back from the tables of a twin."""
    before_end: Callable[[Client, JobView, Path], None] | None = None
    """Called with client, job and state directory while a twin and its daemon still live."""
    wanted: Mapping[str, Any] = field(default_factory=dict)
    """What else the request asks for; None is not asked."""


@dataclass(frozen=True, slots=True)
class RanAt1x:
    """What came of a job in a twin and a daemon of this run alone."""

    job: JobView
    contents: dict[str, Any]
    firmware: dict[str, str]
    gave_up: bool
    """Nobody mended what the machine waited for."""


def run_at_1x(errand: Errand) -> RanAt1x:
    """In a twin and a daemon of this run alone."""
    from controller.cli import status  # late: only at 1x
    from controller.cli.parent import ended_like_ctrl_c
    from controller.house import CrewThread, TwinHouse
    from controller.twin.chips import identity

    options = errand.options
    design, state = options["design"], options["state"]
    house = TwinHouse(options["profile"], design, state, status.twin_options(options))
    if not errand.as_json:
        click.echo(text("client.starts"))
    with ended_like_ctrl_c(), house:
        asked = status.client(house.socket)
        house.wait_for(asked)
        with CrewThread(asked, house.control, options["operator"]) as crew:
            crew.people.play(errand.there, options.get("played", ()), options["seed"])
            job = _followed(asked, errand, ours=True)
            contents = crew.witness.contents()
        if crew.problem is not None:
            raise crew.problem
        if errand.before_end is not None:
            errand.before_end(asked, job, house.state)
        firmware = identity(options["firmware"], asked.state().machine.firmware)
        return RanAt1x(job, contents, firmware, crew.crew.gave_up)


def started_on_daemon(errand: Errand) -> tuple[Client, JobView]:
    """On the machine whose daemon runs: shows what it asks for, until the job has ended.

    With `--json` it comes back, too, where something has gone wrong and a person is needed.
    """
    from controller.cli import status  # late: only here

    asked = status.client(errand.options["socket"])
    return asked, _followed(asked, errand, ours=False)


def _followed(asked: Client, errand: Errand, *, ours: bool) -> JobView:
    """Begins the job and watches it; a daemon of *ours* has people who mend."""
    from controller.cli import status

    before = asked.state().event
    given = {name: value for name, value in errand.wanted.items() if value is not None}
    job = asked.task(errand.kind, errand.source, **given)
    requests = {fault.value for fault in REQUESTS}

    def enough(state: StateView) -> bool:
        stopped = state.stop is not None and state.stop.fault not in requests
        return errand.as_json and not ours and stopped

    view = _words_view(quiet=errand.as_json)
    try:
        return status.watch_job(asked, job.id, before, view, enough).job or job
    except KeyboardInterrupt:
        if not ours:
            complain(text("client.left_alone"))
        raise click.Abort from None


def run_on_daemon(errand: Errand) -> NoReturn:
    """On the machine whose daemon runs, or in a twin at 1x; ends the command with the job."""
    held: dict[str, Any] = {}
    gave_up = False
    if errand.options["twin"]:
        ran = run_at_1x(errand)
        job, gave_up = ran.job, ran.gave_up
        held = {"firmware": ran.firmware, "contents": ran.contents}
    else:
        _, job = started_on_daemon(errand)
    task = job.task
    if task is None:
        raise TypeError("a job that reads cards without its view")
    if errand.as_json:
        emit({"id": job.id, "ended": job.ended, **task.model_dump(mode="json"), **held})
    _tell(task, errand.as_json)
    if gave_up and task.stops:
        complain(task.stops[-1].message)
    if not job.ended or gave_up:
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
