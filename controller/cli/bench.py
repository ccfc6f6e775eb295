"""`predeal bench`: the program's figures, measured now and here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from controller.cli.output import complain, console, emit, json_option
from deals.errors import PredealError

if TYPE_CHECKING:
    from controller.bench.figures import Figure, Result


@click.command()
@click.option(
    "--only", multiple=True, metavar="NAME", help="This figure or family; may be repeated."
)
@click.option("--full", is_flag=True, help="Many more samples: tens of minutes, resumable.")
@click.option(
    "--results",
    type=click.Path(path_type=Path, dir_okay=False),
    default="bench-results.json",
    show_default=True,
    help="With --full: what is finished is kept here, and not measured again.",
)
@json_option
def bench(only: tuple[str, ...], full: bool, results: Path, as_json: bool) -> None:
    """Measure the figures of docs/benchmarks.md on this machine.

    Times depend on what else runs: leave the machine alone meanwhile.
    """
    from controller.bench.all import FIGURES  # late: measuring needs the twin

    figures = [figure for figure in FIGURES if not only or any(_named(figure, o) for o in only)]
    unknown = {name for name in only if not any(_named(figure, name) for figure in FIGURES)}
    if unknown:
        raise PredealError(
            "bench.unknown", names=sorted(unknown), known=[figure.name for figure in FIGURES]
        )
    if not only:
        figures = [figure for figure in figures if not _lacks(figure)]
    found = _measure(figures, full, results)
    if as_json:
        emit([asdict(result) for result in found])
    else:
        _print(figures, found)


def _named(figure: Figure, name: str) -> bool:
    """By its own name, or by that of its family: "vision" is "vision_clean_ms" and the rest."""
    return figure.name == name or figure.name.startswith(name + "_")


def _lacks(figure: Figure) -> bool:
    """Whether a figure cannot be measured here; then it is said why."""
    error = figure.lacks() if figure.lacks else None
    if error is not None:
        complain(f"{figure.name}: {error}")
    return error is not None


def _measure(figures: list[Figure], full: bool, path: Path) -> Iterator[Result]:
    from controller.bench.figures import keep_result, load_results, run

    if not full:
        return run(figures)
    return run(
        figures,
        full=True,
        done=load_results(path),
        keep=lambda result: keep_result(path, result),
    )


def _print(figures: list[Figure], found: Iterator[Result]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for head in ("figure", "median", "p99", "unit", "n", "load", "target", "means"):
        table.add_column(head, justify="left" if head in ("figure", "unit", "means") else "right")
    screen = console()
    for figure in figures:
        with screen.status(f"measuring {figure.name}: {figure.means}"):
            result = next(found)
        target = "" if result.target is None else f"{result.target:g}"
        table.add_row(
            result.name,
            f"{result.median:.4g}",
            f"{result.p99:.4g}",
            result.unit,
            str(result.n),
            f"{result.load:.1f}",
            target,
            figure.means,
        )
        if result.met is False:
            complain(f"{result.name} misses its target of {target} {result.unit}")
    screen.print(table)
