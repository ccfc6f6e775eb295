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
    from controller.bench.proof.state import Proof

PROOF = "vision_proof"
"""The name of the proof of the eye: no figure of a few samples, but counts with their bounds; an hour, so asked for."""


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
@click.option(
    "--art",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="With --full: designs of others for the proof of the eye, a folder of 52 pictures each.",
)
@click.option(
    "--proof",
    type=click.Path(path_type=Path, dir_okay=False),
    default="vision-proof.json",
    show_default=True,
    help="With --full: the result of the proof of the eye, which goes on there; a page (.md) beside it.",
)
@click.option(
    "--workers", type=click.IntRange(1, 16), default=1, show_default=True, help="For the proof."
)
@json_option
def bench(
    only: tuple[str, ...],
    full: bool,
    results: Path,
    art: Path | None,
    proof: Path,
    workers: int,
    as_json: bool,
) -> None:
    """Measure the figures of docs/benchmarks.md on this machine.

    Times depend on what else runs: leave the machine alone meanwhile.
    """
    from controller.bench.all import FIGURES  # late: measuring needs the twin

    figures = [
        figure for figure in FIGURES if not only or any(_named(figure.name, o) for o in only)
    ]
    names = [*(figure.name for figure in FIGURES), *([PROOF] if full else [])]
    unknown = {one for one in only if not any(_named(name, one) for name in names)}
    if unknown:
        raise PredealError("bench.unknown", names=sorted(unknown), known=names)
    if not only:
        figures = [figure for figure in figures if not _lacks(figure)]
    found = _measure(figures, full, results)
    told = list(found) if as_json else _print(figures, found)
    if full and any(_named(PROOF, one) for one in only):
        told += _prove(proof, art, workers, quiet=as_json)
    if as_json:
        emit([asdict(result) for result in told])


def _prove(path: Path, art: Path | None, workers: int, *, quiet: bool) -> list[Result]:
    """Goes on with the proof of the eye; its page is written anew with every share."""
    from controller.bench.proof import report
    from controller.bench.proof.run import Plan, prove
    from controller.store.files import write_whole

    plan, page = Plan(), path.with_suffix(".md")
    screen = console()

    def tell(proof: Proof, design: str) -> None:
        write_whole(page, report.page(proof).encode())
        if not quiet:
            done = sum(map(len, proof.done.values()))
            screen.print(f"{design}: {done} shares, {len(proof.wrong)} wrong")

    found = list(report.rows(prove(path, art, plan, tell, workers)))
    if not quiet:
        _table([(result, "") for result in found])
    return found


def _named(figure: str, name: str) -> bool:
    """By its own name, or by that of its family: "vision" is "vision_clean_ms" and the rest."""
    return figure == name or figure.startswith(name + "_")


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


def _print(figures: list[Figure], found: Iterator[Result]) -> list[Result]:
    screen, told = console(), []
    for figure in figures:
        with screen.status(f"measuring {figure.name}: {figure.means}"):
            told.append(next(found))
    _table(list(zip(told, (figure.means for figure in figures), strict=True)))
    return told


def _table(found: list[tuple[Result, str]]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for head in ("figure", "median", "p99", "unit", "n", "load", "target", "means"):
        table.add_column(head, justify="left" if head in ("figure", "unit", "means") else "right")
    for result, means in found:
        target = "" if result.target is None else f"{result.target:g}"
        table.add_row(
            result.name,
            f"{result.median:.4g}",
            f"{result.p99:.4g}",
            result.unit,
            str(result.n),
            f"{result.load:.1f}",
            target,
            means,
        )
        if result.met is False:
            complain(f"{result.name} misses its target of {target} {result.unit}")
    if found:
        console().print(table)
