"""`predeal check`: a board is read hand by hand and held against its record and its copies."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

import click

from controller.cli.directing import director_options
from controller.cli.findings import tell_findings
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
from controller.cli.reading_view import (
    counts,
    finding_documents,
    progress_document,
    tell,
)
from controller.jobs.around import blind
from controller.jobs.errors import JobError
from deals.boards import Board
from deals.files import DealFile
from deals.files.reading import read_deals
from deals.laws import Edition, Stage
from deals.setcode import NO_CODE, code_of
from deals.words import text

if TYPE_CHECKING:
    from controller.jobs.check import CheckResult, CopyChecked
    from controller.twin.tasks import TaskReport

STAGES: Final = {"before": Stage.BEFORE_CALL, "playing": Stage.PLAYING, "after": Stage.ENDED}
first_board_option = click.option(
    "--first-board", type=click.IntRange(1), help="For formats without numbers."
)
reveal_option = click.option("--reveal", is_flag=True, help="Name the cards.")


class CopyNames(click.ParamType[tuple[str, ...]]):
    """How many copies, or their names: 3, or A,B,C."""

    name = "copies"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """The names; copies that are only counted are 1, 2, 3."""
        if isinstance(value, tuple):
            return value
        if value.isdecimal() and 1 <= int(value) <= 99:
            return tuple(str(number) for number in range(1, int(value) + 1))
        names = tuple(part.strip() for part in value.split(","))
        if not all(names) or len(set(names)) < len(names):
            self.fail(text("check.bad_copies", {"text": value}), param, ctx)
        return names


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--board", type=click.IntRange(1), required=True, help="Number of the board.")
@click.option("--copies", type=CopyNames(), default=("",), help="How many, or names: A,B,C.")
@click.option(
    "--when",
    type=click.Choice(list(STAGES)),
    default="before",
    show_default=True,
    help="How far play of the board has come.",
)
@click.option(
    "--edition", type=click.Choice(["1997", "2007", "2017"]), default="2017", show_default=True
)
@first_board_option
@reveal_option
@played_option
@director_options
@machine_options
@json_option
def check(file: Path, board: int, reveal: bool, as_json: bool, **options: Any) -> None:
    """Check a board: are the hands in its pockets those of FILE, and are its copies alike?

    FILE may also be the code of a set that the store keeps.
    """
    from controller.jobs.check import CheckJob  # late: the machine's own

    if reveal and by_daemon(options):
        raise click.UsageError(text("check.reveal_in_twin"))
    source = kept_or_read(file, options, "board checked")
    if by_daemon(options):
        _on_machine(file, source, board, as_json, options)
    found = read_file(file, source, options["first_board"])
    record = board_of(file, found, board)
    edition = Edition(int(options["edition"]))
    report = run_in_twin(
        lambda a: CheckJob(
            record,
            found.boards,
            a.machine,
            a.people,
            a.clock,
            copies=options["copies"],
            edition=edition,
            progress=a.progress,
            on_happening=a.on_happening,
        ),
        "check",
        as_json,
        options,
        found.boards,
        of=file.stem,
        board=board,
    )
    told = Told(report, edition, STAGES[options["when"]], reveal=reveal)
    if as_json:
        emit(told.document(code_or_none(found.boards)))
    told.aloud(quiet=as_json)
    result = report.result
    if result.waiting:
        finish(Exit.WAITS_FOR_PERSON)
    finish(Exit.DONE if result.right else Exit.COULD_NOT)


def _on_machine(
    file: Path, source: bytes, board: int, as_json: bool, options: dict[str, Any]
) -> NoReturn:
    wanted = {
        "name": file.name,
        "board": board,
        "first_board": options["first_board"],
        "copies": list(options["copies"]),
        "when": options["when"],
        "laws": int(options["edition"]),
    }
    there = in_twin(file, source, options)
    run_on_daemon(Errand("check", as_json, options, source, there, wanted=wanted))


class Told:
    """What a check says, as JSON and aloud."""

    def __init__(
        self, report: TaskReport[CheckResult], edition: Edition, stage: Stage, *, reveal: bool
    ) -> None:
        self._report = report
        self._edition = edition
        self._stage = stage
        self._reveal = reveal

    def document(self, code: str | None) -> dict[str, Any]:
        """The one JSON document."""
        result, alike = self._report.result, self._report.result.alike
        return {
            "board": result.board,
            "set": code,
            "same": result.right,
            "copies": [self._copy(copy) for copy in result.copies],
            "alike": None if alike is None else alike.alike,
            "groups": None if alike is None else [list(group) for group in alike.groups],
            "findings": finding_documents(self._between()),
            **progress_document(result),
            "firmware": self._report.firmware,
            "contents": self._report.contents,
        }

    def aloud(self, *, quiet: bool) -> None:
        """For a person: what is right on stdout, what is not on stderr."""
        result = self._report.result
        for copy in result.copies:
            if copy.conclusion is None:
                continue
            same = copy.conclusion.value == "same"
            name = {"board": result.board, "copy": copy.name}
            verdict = {"verdict": text(f"check.{copy.conclusion.value}")}
            line = text("check.copy" if copy.name else "check.board", {**name, **verdict})
            if same and not quiet:
                click.echo(line)
            elif not same:
                if copy.name or copy.conclusion.value == "unproven":
                    complain(line)
                tell(self._of(copy), wrong=True)
        if not (result.alike is not None and result.alike.alike and quiet):
            tell(self._between(), wrong=result.alike is not None and not result.alike.alike)
        if any(_can_be_mended(copy) for copy in result.copies):
            complain(text("check.remedies"))

    def _copy(self, copy: CopyChecked) -> dict[str, Any]:
        comparison = copy.comparison
        return {
            "copy": copy.name,
            "conclusion": None if copy.conclusion is None else copy.conclusion.value,
            "counts": counts(copy.hands.pockets),
            "unread": copy.hands.unread,
            "readings": {seat.letter: n for seat, n in copy.hands.readings.items()},
            "other_board": comparison.other if comparison else None,
            "findings": finding_documents(self._of(copy)),
            "contents": self._report.copies.get(copy.name),
        }

    def _of(self, copy: CopyChecked) -> list[tuple[str, dict[str, object]]]:
        found = copy.findings(self._edition, self._stage)
        return found if self._reveal else blind(found)

    def _between(self) -> list[tuple[str, dict[str, object]]]:
        alike = self._report.result.alike
        found = [] if alike is None else alike.findings()
        return found if self._reveal else blind(found)


def _can_be_mended(copy: CopyChecked) -> bool:
    """Its own 52 cards are there in some way, so that it can be dealt right again."""
    if copy.spoiled:
        return True
    differs = copy.conclusion is not None and copy.conclusion.value == "differs"
    return differs and copy.comparison is not None and copy.comparison.other is None


def in_twin(file: Path, source: bytes, options: dict[str, Any]) -> tuple[Board, ...]:
    """The boards that come back from the tables of a simulated club; of a real one none are known."""
    return read_file(file, source, options["first_board"]).boards if options["twin"] else ()


def read_file(file: Path, source: bytes, first_board: int | None) -> DealFile:
    """The boards of what *file* holds, if it has no problem; JobError otherwise."""
    found = read_deals(source, file.name, first_board)
    tell_findings(file, found.warnings, found.problems)
    if found.problems:
        raise JobError("job.file_refused", file=file)
    return found


def board_of(file: Path, found: DealFile, number: int) -> Board:
    """The board of that number."""
    for board in found.boards:
        if board.number == number:
            return board
    raise JobError("job.boards_not_there", file=file, boards=str(number))


def code_or_none(boards: Sequence[Board]) -> str | None:
    """The code of a set, if it has one."""
    code = code_of(boards)
    return None if code == NO_CODE else code
