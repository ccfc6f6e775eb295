"""`predeal adopt`: what was played of a board becomes its record (Law 87), as the Director decides."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from controller.cli.check import board_of, code_or_none, first_board_option, in_twin, read_file
from controller.cli.directing import director_options, passphrase, permitted
from controller.cli.files import format_of
from controller.cli.kept import kept_or_read
from controller.cli.machine_options import machine_options
from controller.cli.output import Exit, complain, emit, finish, json_option
from controller.cli.reading_run import Errand, by_daemon, played_option, run_on_daemon
from controller.cli.reading_view import finding_documents, progress_document
from controller.cli.record import asked_of, conclude, failed, record_in_twin
from controller.cli.stores import open_beside
from controller.cli.telling import consequences
from controller.cli.writing import write_private
from controller.errors import StoreError
from controller.jobs.around import blind
from controller.jobs.errors import JobError
from deals.boards import Board
from deals.files import write_deals
from deals.setcode import NO_CODE, code_of
from deals.words import text

if TYPE_CHECKING:
    from controller.jobs.adopt import Adopted
    from controller.store import Permit, SetInfo
    from deals.deal import Deal


PURPOSE: Final = "record adopted"


@dataclass(frozen=True, slots=True)
class Kept:
    """The set of the file, as the store keeps it, and the director who may change its record."""

    info: SetInfo
    permit: Permit


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--board", type=click.IntRange(1), required=True, help="Number of the board.")
@click.option("--reason", required=True, help="Why; it goes into the logbook.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="With --twin: the file.")
@click.option("--to", "to", metavar="FORMAT", help="Format of the output; default: by its suffix.")
@director_options
@first_board_option
@played_option
@machine_options
@json_option
def adopt(file: Path, board: int, output: Path | None, as_json: bool, **options: Any) -> None:
    """Make what lies in a board of FILE its record: what was played stands (Law 87, Director).

    Where its set is kept the director shows his passphrase, and another set takes its place. FILE may be a code.
    """
    if not options["reason"].strip():
        raise JobError("adopt.reason_needed", board=board)
    if by_daemon(options):
        _on_machine(file, board, as_json, options)
    found = read_file(file, kept_or_read(file, options, PURPOSE), options["first_board"])
    record = board_of(file, found, board)
    if found.teaching:
        raise JobError("adopt.teaching", file=file)
    code = code_of(found.boards)
    kept = _kept(found.boards, code, board, options)
    _refuse_output(kept, output, options)
    about = {"of": file.stem, "board": board}
    report = record_in_twin([board], as_json, options, "adopt", found.boards, **about)
    (read,) = report.result.boards
    told: dict[str, Any] = {"set_before": None if code == NO_CODE else code, "set": None}
    written = report.result.right and read.deal is not None
    done = None
    if read.deal is not None and written:
        boards = tuple(
            replace(one, deal=read.deal) if one is record else one for one in found.boards
        )
        done = _decide(kept, board, read.deal, options)
        told["set"] = done.new.code if done else code_or_none(boards)
        if output is not None:
            _write(boards, output, board, kept, done, options)
    if as_json:
        emit(
            {
                "board": board,
                "adopted": written,
                "changed": written and read.deal != record.deal,
                **told,
                "output": str(output) if written and output else None,
                "director": kept.permit.name if kept else options["director"],
                "reason": options["reason"],
                **adopted_document(done),
                "findings": finding_documents(blind(read.findings())),
                **progress_document(report.result),
                "contents": report.contents,
            }
        )
    conclude([read], report)
    if written and not as_json:
        _say(board, told["set"], output, done)
    finish(Exit.DONE if written else failed(report))


def adopted_document(done: Adopted | None) -> dict[str, Any]:
    """What a record in the store has become."""
    replaced = done is not None and done.changed
    return {
        "replaces": done.old.code if done and replaced else None,
        "void": list(done.void) if done else [],
        "stale": list(done.stale) if done else [],
    }


def _on_machine(file: Path, board: int, as_json: bool, options: dict[str, Any]) -> None:
    name = options["director"]
    phrase = passphrase(options["passphrase_file"], name or text("director.director"))
    who = {"director": name, "passphrase": phrase, "reason": options["reason"]}
    asked = asked_of(file, board, options) | who
    source = kept_or_read(file, options, PURPOSE)
    there = in_twin(file, source, options)
    run_on_daemon(Errand("adopt", as_json, options, source, there, wanted=asked))


def _refuse_output(kept: Kept | None, output: Path | None, options: dict[str, Any]) -> None:
    """Before anything is read: a file that cannot be written, or nothing that would be left of it."""
    if kept is None and (output is None or not options["director"]):
        raise click.UsageError(text("adopt.file_only"))
    if output is not None:
        format_of(options["to"], output)


def _kept(boards: tuple[Board, ...], code: str, board: int, options: dict[str, Any]) -> Kept | None:
    """The set in the state of the twin, if it is there; then the director must be, too."""
    from controller.jobs.adopt import kept_set  # late: needs the database

    if options["state"] is None:
        return None
    try:
        with open_beside(options["state"]) as store:
            info = kept_set(store, boards, code)
            if info is None:
                return None
            details = {"set": info.code, "board": board}
            who = options["director"], options["passphrase_file"]
            return Kept(info, permitted(store, *who, PURPOSE, details))
    except StoreError as error:
        if error.code != "store.not_there":
            raise
        return None


def _decide(kept: Kept | None, board: int, deal: Deal, options: dict[str, Any]) -> Adopted | None:
    from controller.jobs.adopt import adopt as replace_record

    if kept is None:
        return None
    with open_beside(options["state"]) as store:
        return replace_record(store, kept.info, board, deal, options["reason"], kept.permit)


def _write(
    boards: tuple[Board, ...],
    output: Path,
    board: int,
    kept: Kept | None,
    done: Adopted | None,
    options: dict[str, Any],
) -> None:
    """The new file, with who decided it and why."""
    values = {"board": board, "reason": options["reason"]}
    who = kept.permit.name if kept else options["director"]
    wanted = format_of(options["to"], output).NAME
    written = write_deals(boards, wanted, text("adopt.remark", values | {"who": who}))
    for warning in written.warnings:
        complain(warning.message())
    write_private(output, written.data)
    if kept and done:
        with open_beside(options["state"]) as store:
            store.exports.add(done.new.id, str(output.absolute()), wanted, kept.permit.who)


def _say(board: int, code: str | None, output: Path | None, done: Adopted | None) -> None:
    values = {"board": board, "set_code": code or NO_CODE}
    click.echo(text("adopt.done", values))
    if output is not None:
        click.echo(text("adopt.written", {"file": output}))
    if done is not None:
        for sentence in consequences(board, done.void, done.stale):
            complain(sentence)
