"""`predeal lesson`: arrange deals for a class, and mark the file TEACHING."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from controller.cli.files import Numbers
from controller.cli.output import complain, emit, json_option
from controller.cli.writing import write_private
from deals.boards import Board
from deals.errors import DealFileError
from deals.files import by_name, ranges
from deals.files.reading import read_bytes, read_deals
from deals.words import text


@click.command()
@click.argument("source", metavar="IN", type=click.Path(path_type=Path))
@click.argument("target", metavar="OUT", type=click.Path(path_type=Path))
@click.option("--boards", type=Numbers(), help="Only these deals of IN, such as 1-4.")
@click.option("--copies", type=click.IntRange(1), default=1, help="So many tables: 4 deals x 9.")
@click.option("--first", type=click.IntRange(1), default=1, help="Number of the first board.")
@click.option("--rotate", type=int, default=0, help="Turn every deal so many seats clockwise.")
@click.option(
    "--fit", type=Numbers(), help="Put each deal where the markings fit, in these boards."
)
@click.option("--title", default="", help="Title of the lesson.")
@click.option("--text", "texts", type=click.Path(path_type=Path), help="Lines “BOARD: text”.")
@json_option
def lesson(source: Path, target: Path, as_json: bool, **options: Any) -> None:
    """Arrange the deals of IN for a class and write OUT (PBN or JSON), marked TEACHING.

    Every copy keeps the dealer and vulnerability of its deal; --fit looks for boards whose own
    markings are the same instead. Texts belong to the deals of IN, by their numbers there.
    """
    from deals.teaching import MARK, Lesson, write_teaching  # late: NumPy

    deals = _read(source, options["boards"])
    told = _texts(options["texts"])
    boards, origin = _arranged(deals, options)
    notes = {number: told[deal] for number, deal in origin.items() if deal in told}
    form = by_name(target.suffix or target.name).NAME
    data = write_teaching(boards, form, MARK, Lesson(options["title"], notes))
    write_private(target, data)
    numbers = ranges([board.number for board in boards])
    if as_json:
        emit({"boards": len(boards), "numbers": numbers, "teaching": True, "origin": origin})
    else:
        complain(text("teaching.marked"))
        click.echo(text("teaching.written", {"boards": numbers, "path": target}))


def _read(source: Path, numbers: tuple[int, ...] | None) -> list[Board]:
    found = read_deals(read_bytes(source), source.name)
    if found.problems:
        problem = found.problems[0]
        raise DealFileError(problem.code, **problem.values)
    chosen = [board for board in found.boards if numbers is None or board.number in numbers]
    missing = set(numbers or ()) - {board.number for board in chosen}
    if missing or not chosen:
        raise DealFileError("teaching.not_there", name=source, boards=ranges(missing) or "-")
    return chosen


def _texts(path: Path | None) -> dict[int, str]:
    """Texts by number of the deal; a line without a number goes on with the one before."""
    found: dict[int, str] = {}
    last = 0
    for line in path.read_text("utf-8").splitlines() if path else ():
        number, colon, rest = line.partition(":")
        if colon and number.strip().isdecimal():
            last = int(number)
            found[last] = rest.strip()
        elif line.strip():
            if not last:
                raise DealFileError(
                    "teaching.text_without_board", name=path, text=line.strip()[:30]
                )
            found[last] += "\n" + line.strip()
    return found


def _arranged(
    deals: Sequence[Board], options: dict[str, Any]
) -> tuple[tuple[Board, ...], dict[int, int]]:
    """The boards of the lesson, and which deal lies in which."""
    from deals.teaching import block, move, origins, rotate

    turned = [rotate(board, options["rotate"]) for board in deals]
    if options["fit"] is None:
        copies, first = options["copies"], options["first"]
        return block(turned, copies, first), origins(turned, copies, first)
    free, placed, origin = list(options["fit"]), [], {}
    for board in [board for _ in range(options["copies"]) for board in turned]:
        moved = move(board, free)
        free.remove(moved.number)
        placed.append(moved)
        origin[moved.number] = board.number
    return tuple(placed), origin
