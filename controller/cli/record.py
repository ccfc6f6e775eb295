"""`predeal record` and `restore`: what lies in a board becomes its record, or the other way round."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from controller.cli.check import (
    board_of,
    code_or_none,
    first_board_option,
    in_twin,
    read_file,
    reveal_option,
)
from controller.cli.directing import director_options
from controller.cli.files import Numbers, format_of
from controller.cli.kept import kept_or_read
from controller.cli.machine_options import machine_options
from controller.cli.output import Exit, complain, emit, finish, json_option
from controller.cli.reading_run import (
    Errand,
    by_daemon,
    played_option,
    run_in_twin,
    run_on_daemon,
)
from controller.cli.reading_view import counts, finding_documents, progress_document, tell
from controller.cli.stores import open_beside
from controller.cli.writing import write_whole
from controller.jobs.around import blind
from deals.boards import Board
from deals.files import write_deals
from deals.setcode import NO_CODE, code_of
from deals.words import text

if TYPE_CHECKING:
    from controller.api.models import JobView
    from controller.client.client import Client
    from controller.jobs.record import BoardRecorded, RecordResult
    from controller.twin.tasks import TaskReport


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--board", type=click.IntRange(1), required=True, help="Number of the board.")
@click.option("--copy", type=click.IntRange(1), default=1, show_default=True)
@first_board_option
@played_option
@director_options
@machine_options
@json_option
def restore(file: Path, board: int, copy: int, as_json: bool, **options: Any) -> None:
    """Deal a board of FILE right again, of the cards that lie in it, and prove it.

    FILE may also be the code of a set that the store keeps.
    """
    from controller.cli.deal import board_document
    from controller.jobs.kept import entries_of
    from controller.jobs.restore import RestoreJob

    source = kept_or_read(file, options, "board restored")
    if by_daemon(options):
        asked = asked_of(file, board, options) | {"copy_number": copy}
        there = in_twin(file, source, options)
        run_on_daemon(Errand("restore", as_json, options, source, there, wanted=asked))
    found = read_file(file, source, options["first_board"])
    record = board_of(file, found, board)
    code = code_of(found.boards)

    def make(a: Any) -> RestoreJob:
        entries = entries_of(found.boards)
        set_id = a.store.sets.add(code=code, name=file.stem, source=source, boards=entries)
        return RestoreJob(
            record,
            copy,
            a.machine,
            a.people,
            a.clock,
            journal=a.store.journal,
            set_id=set_id,
            design=options["design"],
            progress=a.progress,
            on_happening=a.on_happening,
        )

    about: dict[str, Any] = {"of": file.stem, "board": board}
    report = run_in_twin(make, "restore", as_json, options, found.boards, **about)
    dealt = report.result.dealt
    if as_json:
        emit(
            {
                "set": None if code == NO_CODE else code,
                "voided": report.result.voided,
                **(board_document(dealt) if dealt else {}),
                "firmware": report.firmware,
                "contents": report.contents,
            }
        )
    elif report.result.right:
        click.echo(text("restore.proven", {"board": board, "copy": copy}))
    finish(Exit.DONE if report.result.right else Exit.WAITS_FOR_PERSON)


@click.command()
@click.option("--boards", type=Numbers(), required=True, help="Which, such as 1-16.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="With --twin: the file.")
@click.option("--to", "to", metavar="FORMAT", help="Format of the output; default: by its suffix.")
@reveal_option
@played_option
@machine_options
@json_option
def record(
    boards: tuple[int, ...], output: Path | None, reveal: bool, as_json: bool, **options: Any
) -> None:
    """Record boards that were dealt at the tables (Law 6E1) in a deal file.

    On the daemon's machine they become a set of its store; `predeal set export` writes it.
    """
    asked = {"boards": list(boards)}
    if not options["twin"]:
        run_on_daemon(Errand("record", as_json, options, wanted=asked))
    if output is None:
        raise click.UsageError(text("check.no_output"))
    format_of(options["to"], output)
    from controller.twin.played import dealt_at_tables  # late: only the twin has players

    there = dealt_at_tables(boards, options["seed"])
    if by_daemon(options):
        end = partial(_write_kept, output, options["to"])
        run_on_daemon(Errand("record", as_json, options, b"", there, end, asked))
    report = record_in_twin(boards, as_json, options, "record", there)
    deals = [
        Board.standard(one.board, one.deal) for one in report.result.boards if one.deal is not None
    ]
    written = report.result.right
    if written:
        _write(deals, output, options["to"])
    if as_json:
        emit(
            {
                "recorded": len(deals) if written else 0,
                "set": code_or_none(deals) if written else None,
                "output": str(output) if written else None,
                "boards": [_recorded(one, reveal) for one in report.result.boards],
                **progress_document(report.result),
                "contents": report.contents,
            }
        )
    conclude(report.result.boards, report)
    if not as_json and written:
        click.echo(text("recorded.written", {"count": len(deals), "file": output}))
    if not written and not report.result.waiting:
        complain(text("recorded.nothing", {"file": output}))
    finish(Exit.DONE if written else failed(report))


def record_in_twin(
    numbers: Sequence[int],
    as_json: bool,
    options: dict[str, Any],
    kind: str,
    boards: Sequence[Board],
    **about: Any,
) -> TaskReport[RecordResult]:
    """Reads boards in the twin, in which `boards` lie; *about* as of `run_in_twin`."""
    from controller.jobs.record import RecordJob  # late: the machine's own

    return run_in_twin(
        lambda a: RecordJob(
            numbers,
            a.machine,
            a.people,
            a.clock,
            progress=a.progress,
            on_happening=a.on_happening,
        ),
        kind,
        as_json,
        options,
        boards,
        **about,
    )


def asked_of(file: Path, board: int, options: dict[str, Any]) -> dict[str, Any]:
    """What a daemon is asked for: a board of a file."""
    return {"name": file.name, "board": board, "first_board": options["first_board"]}


def _recorded(one: BoardRecorded, reveal: bool) -> dict[str, Any]:
    found = one.findings()
    return {
        "board": one.board,
        "proven": one.deal is not None,
        "counts": counts(one.hands.pockets),
        "unread": one.hands.unread,
        "readings": {seat.letter: n for seat, n in one.hands.readings.items()},
        "deal": one.deal.pbn() if reveal and one.deal else None,
        "findings": finding_documents(found if reveal else blind(found)),
    }


def conclude(boards: Sequence[BoardRecorded], report: TaskReport[RecordResult]) -> None:
    """Why a board is none, on stderr."""
    if report.result.waiting:
        return
    for one in boards:
        tell(blind(one.findings()), wrong=True)


def failed(report: TaskReport[RecordResult]) -> Exit:
    """How a command ends that has recorded nothing."""
    return Exit.WAITS_FOR_PERSON if report.result.waiting else Exit.COULD_NOT


def _write_kept(output: Path, to: str | None, _client: Client, job: JobView, state: Path) -> None:
    """What a daemon at 1x has recorded is a set of its store, which goes with it."""
    from controller.jobs.kept import stored  # late: needs the database

    code = job.task.set_code if job.task else ""
    if code:
        with open_beside(state) as store:
            _, what = stored(store, code)
        _write(what.boards, output, to)


def _write(boards: Sequence[Board], output: Path, to: str | None) -> None:
    written = write_deals(boards, format_of(to, output).NAME)
    for warning in written.warnings:
        complain(warning.message())
    write_whole(output, written.data)
