"""`predeal files`: show any deal file, and rewrite it in any format."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click

from controller.cli.directing import director_options
from controller.cli.findings import finding_document, tell_findings
from controller.cli.kept import KeptSet, kept_set
from controller.cli.output import Exit, complain, console, emit, finish, json_option
from controller.cli.showing import may_show
from controller.cli.stores import state_option
from controller.cli.writing import write_whole
from deals.boards import Board, parse_numbers
from deals.diagram import diagram
from deals.errors import DealError, DealFileError
from deals.files import DealFile, Finding, Format, by_name, pbn_document, ranges, write_deals
from deals.files.collect import CLASHES
from deals.files.reading import read_bytes, read_deals
from deals.setcode import code_of
from deals.words import text

_COLOURS: Final = {"2": ("white", "red", "red", "white"), "4": ("blue", "red", "yellow", "green")}


class Numbers(click.ParamType[tuple[int, ...]]):
    """Board numbers such as 1-16 or 1-4,7."""

    name = "boards"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """The numbers in order, each once."""
        if isinstance(value, tuple):
            return value
        try:
            return parse_numbers(value)
        except DealError as error:
            self.fail(str(error), param, ctx)


_file = click.argument("file", type=click.Path(path_type=Path))
_boards = click.option("--boards", type=Numbers(), help="Only these, such as 1-16 or 1-4,7.")
_first_board = click.option(
    "--first-board",
    type=click.IntRange(1),
    help="Number of the first board, for formats that carry no numbers.",
)


@click.group()
def files() -> None:
    """Show and convert deal files of any format; the content tells which, not the name."""


@files.command()
@_file
@_first_board
@_boards
@click.option(
    "--view",
    type=click.Choice(["diagram", "line"]),
    default="diagram",
    show_default=True,
    help="Hands at their compass places, or one line a board.",
)
@click.option("--colours", type=click.Choice(["2", "4"]), default="2", help="Suits in 2 or 4.")
@click.option("--reveal", is_flag=True, help="Show the hands of a file marked as sealed.")
@director_options
@state_option
@json_option
def show(
    file: Path,
    first_board: int | None,
    boards: tuple[int, ...] | None,
    view: str,
    colours: str,
    reveal: bool,
    as_json: bool,
    **who: Any,
) -> None:
    """Show the boards of FILE, and all that is wrong with it.

    FILE may also be the code of a set that the store keeps; of a live one only the director sees hands.
    """
    kept = kept_set(file, who | {"first_board": first_board}, "hands shown")
    found, content = _of_kept(kept) if kept else _read(file, first_board, as_json)
    shown = sorted([*found.boards, *found.clashes], key=lambda board: board.number)
    problems = list(found.problems)
    if boards is not None:
        shown = [board for board in shown if board.number in boards]
        problems += _not_there(boards, shown)
    if kept is None or kept.permit is None:
        may_show(shown, lambda: code_of(found.boards), who, "hands shown", (file.name, content))
    if as_json:
        code = {"set": kept.info.code} if kept else {}
        emit(_document(found, shown, problems) | code)
    elif found.teaching:
        click.echo(text("teaching.marked"))
        _print(shown, view, colours)
    elif found.sealed and not reveal:
        complain(text("file.sealed", {"name": str(file), "boards": ranges(_numbers(shown))}))
    else:
        _print(shown, view, colours)
    tell_findings(file, found.warnings, problems)
    finish(Exit.COULD_NOT if problems else Exit.DONE)


@files.command()
@click.argument("source", metavar="IN", type=click.Path(path_type=Path))
@click.argument("target", metavar="OUT", type=click.Path(path_type=Path))
@click.option("--to", "to", metavar="FORMAT", help="Format of OUT; default: by its suffix.")
@_boards
@_first_board
@click.option(
    "--renumber",
    metavar="N",
    type=click.IntRange(1, 10_000),
    help="Number the different boards anew from N, in the order of IN; markings stay.",
)
@click.option(
    "--teaching", is_flag=True, help="Write a TEACHING set where no mark can say what it is."
)
@click.option("--dry-run", is_flag=True, help="Say what would be written and lost; write nothing.")
@director_options
@state_option
@json_option
def convert(
    source: Path,
    target: Path,
    to: str | None,
    boards: tuple[int, ...] | None,
    first_board: int | None,
    renumber: int | None,
    teaching: bool,
    dry_run: bool,
    as_json: bool,
    **who: Any,
) -> None:
    """Rewrite IN as OUT. Nothing is written unless every board is right and fits the format.

    IN may also be the code of a set that the store keeps; of a live one only with the director.
    """
    wanted = format_of(to, target)
    if as_json and str(target) == "-":
        raise click.UsageError(text("file.one_output"))
    kept = kept_set(source, who | {"first_board": first_board}, "hands written")
    found, content = _of_kept(kept) if kept else _read(source, first_board, as_json)
    numbers = _new_numbers(found, boards, renumber)
    problems = _in_the_way(found, boards, renumber, numbers)
    if kept is None or kept.permit is None:
        told = (source.name, content)
        may_show(list(numbers), lambda: code_of(found.boards), who, "hands written", told)
    warnings = list(found.warnings)
    data = b""
    if not problems:
        try:
            data = _rewritten(found, content, numbers, wanted, warnings, teaching)
        except DealFileError as error:
            problems = [Finding(error.code, error.values)]
    done = not problems and not dry_run
    if done:
        _write(source, target, data)
    if as_json:
        written = len(numbers) if done else 0
        emit(_outcome(written, wanted, dry_run, warnings, problems))
    elif not problems:
        code = "file.would_write" if dry_run else "file.written"
        values = {"count": len(numbers), "format": wanted.TITLE, "name": str(target)}
        where = sys.stderr if str(target) == "-" else sys.stdout
        click.echo(text(code, values | {"boards": ranges(numbers.values())}), file=where)
    tell_findings(source, warnings, problems)
    finish(Exit.COULD_NOT if problems else Exit.DONE)


def format_of(to: str | None, target: Path) -> Format:
    """The format asked for, or that of OUT's suffix."""
    if to is None and not target.suffix:
        raise click.UsageError(text("file.no_suffix", {"name": str(target)}))
    try:
        return by_name(to or target.suffix)
    except DealFileError as error:
        raise click.UsageError(str(error)) from None


def _new_numbers(
    found: DealFile, boards: tuple[int, ...] | None, renumber: int | None
) -> dict[Board, int]:
    """The boards to write, in order, each with the number it gets."""
    if renumber is not None:
        return {board: renumber + place for place, board in enumerate(found.in_order)}
    return {board: board.number for board in found.boards if not boards or board.number in boards}


def _in_the_way(
    found: DealFile,
    boards: tuple[int, ...] | None,
    renumber: int | None,
    numbers: dict[Board, int],
) -> list[Finding]:
    """Problems that forbid writing."""
    if renumber is not None:
        if boards is not None:
            raise click.UsageError(text("file.renumber_all"))
        return [one for one in found.problems if one.code not in CLASHES]
    if boards is not None:
        # Problems of boards that nobody asked for are no reason to refuse the others.
        return _not_there(boards, list(numbers))
    return list(found.problems)


def _rewritten(
    found: DealFile,
    content: bytes,
    numbers: dict[Board, int],
    wanted: Format,
    warnings: list[Finding],
    teaching: bool,
) -> bytes:
    if found.format == wanted.NAME == "pbn":
        # Within PBN nothing gets lost: comments, results, settings of other programs.
        document = pbn_document.parse(content, found.first_board)
        return document.renumbered(numbers, whole=len(numbers) == len(found.in_order)).export()
    renumbered = [replace(board, number=number) for board, number in numbers.items()]
    if found.teaching:
        from deals.teaching import FORMATS, marked, write_teaching  # late: NumPy

        if wanted.NAME in FORMATS:
            mark = marked(content, found.format)
            texts = {numbers[b]: mark.lesson.texts.get(b.number, "") for b in numbers}
            lesson = replace(mark.lesson, texts=texts)
            return write_teaching(renumbered, wanted.NAME, mark.constraint, lesson)
        if not teaching:
            values = {"format": wanted.NAME, "formats": FORMATS}
            raise DealFileError("file.teaching_lost", **values)
        warnings.append(Finding("file.teaching_unmarked", {"format": wanted.NAME}))
    written = write_deals(renumbered, wanted.NAME)
    warnings += written.warnings
    return written.data


def _outcome(
    written: int,
    wanted: Format,
    dry_run: bool,
    warnings: Sequence[Finding],
    problems: Sequence[Finding],
) -> dict[str, Any]:
    return {
        "written": written,
        "format": wanted.NAME,
        "dry_run": dry_run,
        "warnings": [finding_document(warning) for warning in warnings],
        "problems": [finding_document(problem) for problem in problems],
    }


def _of_kept(kept: KeptSet) -> tuple[DealFile, bytes]:
    """A kept set as if it had been read."""
    return read_deals(kept.content, f"{kept.info.code}.pbn"), kept.content


def _read(file: Path, first_board: int | None, as_json: bool) -> tuple[DealFile, bytes]:
    try:
        data = read_bytes(file)
        return read_deals(data, file.name, first_board), data
    except DealFileError as error:
        problem = Finding(error.code, error.values)
        if as_json:
            emit(
                {
                    "format": None,
                    "boards": [],
                    "warnings": [],
                    "problems": [finding_document(problem)],
                }
            )
        complain(problem.message())
        finish(Exit.COULD_NOT)


def _not_there(wanted: Sequence[int], shown: Sequence[Board]) -> list[Finding]:
    missing = sorted(set(wanted) - set(_numbers(shown)))
    return [Finding("file.boards_not_there", {"boards": ranges(missing)})] if missing else []


def _numbers(boards: Sequence[Board]) -> list[int]:
    return [board.number for board in boards]


def _write(source: Path, target: Path, data: bytes) -> None:
    if str(target) == "-":
        sys.stdout.buffer.write(data)
        return
    if target.exists() and source.exists() and target.samefile(source):
        raise DealFileError("file.same_file", name=str(target))
    write_whole(target, data)


def _document(
    found: DealFile, shown: Sequence[Board], problems: Sequence[Finding]
) -> dict[str, Any]:
    return {
        "format": found.format,
        "sealed": found.sealed,
        "teaching": found.teaching,
        "boards": [
            {
                "board": board.number,
                "dealer": board.dealer.letter,
                "vulnerable": board.vulnerable.value,
                "deal": board.deal.pbn(),
            }
            for board in shown
        ],
        "partial": [partial.number for partial in found.partial],
        "warnings": [finding_document(warning) for warning in found.warnings],
        "problems": [finding_document(problem) for problem in problems],
    }


def _print(boards: Sequence[Board], view: str, colours: str) -> None:
    if view == "line":
        for board in boards:
            marks = f"{board.number:>4} {board.dealer.letter} {board.vulnerable.value:<4}"
            click.echo(f"{marks} {board.deal.pbn()}")
        return
    from rich.text import Text  # late: JSON and lines need none

    screen = console()
    styles = _COLOURS[colours]
    for board in boards:
        for line in diagram(board):
            shown = Text()
            for span in line:
                shown.append(span.text, style=None if span.suit is None else styles[span.suit])
            screen.print(shown)
        screen.print()
