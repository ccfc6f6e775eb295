"""`predeal read`: recognise cards in image files."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from controller.cli.output import Exit, complain, console, emit, finish, json_option
from deals.errors import PredealError

if TYPE_CHECKING:
    from vision.propose import Proposer
    from vision.recognise import Reader


@click.command()
@click.argument(
    "images", metavar="IMAGE...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@click.option(
    "--design", metavar="NAME", help="Taught design; without one there are only proposals."
)
@json_option
def read(images: tuple[Path, ...], design: str | None, as_json: bool) -> None:
    """Recognise the card in each IMAGE: a window image, one whole card, or its bare corner.

    An answer of "unsure" is no failure. Exit 1 if a file could not be read.
    """
    from vision.design import design_files, load  # late: the other commands need no camera
    from vision.propose import Proposer
    from vision.recognise import Reader
    from vision.threads import one_thread

    one_thread()
    reader = Reader(load(design)) if design else Proposer([load(name) for name in design_files()])
    reader.warm_up()
    answers, failed = [], False
    for path in images:
        try:
            answers.append(_answer(reader, path))
        except PredealError as error:
            failed = True
            complain(str(error))
            answers.append({**_nothing(path), "error": {"code": error.code, "message": str(error)}})
    if as_json:
        emit(answers)
    else:
        _print(answers)
    finish(Exit.COULD_NOT if failed else Exit.DONE)


def _nothing(path: Path) -> dict[str, Any]:
    return {
        "image": str(path),
        "kind": "unsure",
        "card": None,
        "proposal": None,
        "confidence": 0.0,
        "runner_up": None,
        "method": "corner",
        "ms": 0.0,
    }


def _answer(reader: Reader | Proposer, path: Path) -> dict[str, Any]:
    from vision.sources import load_image

    pixels = load_image(path)
    start = time.perf_counter()
    reading = reader.read(pixels)
    took_ms = (time.perf_counter() - start) * 1000
    return {
        "image": str(path),
        "kind": str(reading.kind),
        "card": str(reading.card) if reading.card else None,
        "proposal": str(reading.proposal) if reading.proposal else None,
        "confidence": round(reading.confidence, 4),
        "runner_up": str(reading.runner_up) if reading.runner_up else None,
        "method": reading.method,
        "ms": round(took_ms, 2),
        "reason": reading.evidence.get("reason"),
    }


def _print(answers: list[dict[str, Any]]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for head in ("image", "answer", "proposal", "confidence", "next best", "by", "ms"):
        table.add_column(head)
    for one in answers:
        table.add_row(
            one["image"],
            one["card"] or one["kind"].replace("_", " "),
            one["proposal"] or "",
            f"{one['confidence']:.3f}",
            one["runner_up"] or "",
            one["method"],
            f"{one['ms']:.1f}",
        )
    console().print(table)
