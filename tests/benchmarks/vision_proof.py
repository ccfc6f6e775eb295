"""How often cards are read, refused and misread, over many simulated images; prints a Markdown table.

    python tests/benchmarks/vision_proof.py [--images 20] [--seed 1] [--art DIR]...

Every design is taught from its 52 faces and read in window images and photos of its own cards, clean and
harsh, and of cards that are none of its own. A DIR of 52 pictures (SA.png ..) is one more design.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from deals.cards import CARDS, Card
from vision.reading import Kind
from vision.recognise import Reader
from vision.sources import labelled_files, load_image
from vision.synthetic import art
from vision.synthetic.optics import CLEAN, HARSH, Conditions, Piece, render_window
from vision.synthetic.photo import PHOTO, SCAN, photograph
from vision.teach import Labelled, teach
from vision.threads import one_thread

Make = Callable[[Any, np.random.Generator], Any]


def _window(conditions: Conditions, exposure: float, row: float) -> Make:
    def make(face: Any, rng: np.random.Generator) -> Any:
        piece = Piece(face, row, turned=bool(rng.integers(2)))
        return render_window([piece], conditions, exposure, rng)

    return make


MAKERS: dict[str, Make] = {
    "window, look 1": _window(CLEAN, 1.0, 40.0),
    "window, look 2": _window(CLEAN, 5 / 3, 225.0),
    "window, harsh": _window(HARSH, 1.0, 40.0),
    "photo": lambda face, rng: photograph(face, PHOTO, rng),
    "scan": lambda face, rng: photograph(face, replace(SCAN, ground=(120, 235)), rng),
}


def main() -> None:
    """Runs all designs and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--images", type=int, default=20, help="per card in windows")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--art", type=Path, action="append", default=[])
    options = parser.parse_args()
    one_thread()
    print(f"seed {options.seed}\n")
    print("| design | images | n | read | unsure | misread | CPU ms median | p99 |")
    print("|---|---|---|---|---|---|---|---|")
    designs = [*art.DESIGNS, *options.art]
    for design in designs:
        _prove(design, designs, options.images, options.seed)


def _faces(design: str | Path) -> dict[Card, Any]:
    if isinstance(design, Path):
        return dict(art.load_art(design))
    return {card: art.face(design, card) for card in CARDS}


def _pictures(design: str | Path) -> Iterator[Labelled]:
    if isinstance(design, Path):
        for card, path in labelled_files(design):
            yield Labelled(card, load_image(path), path.name)
    else:
        yield from (Labelled(card, art.face(design, card)) for card in CARDS)


def _prove(design: str | Path, others: list[str | Path], images: int, seed: int) -> None:
    name = design.name if isinstance(design, Path) else design
    start = time.process_time()
    result = teach("proof", _pictures(design))
    took = time.process_time() - start
    if not result.accepted or result.design is None:
        reasons = " ".join(reason.text() for reason in result.reasons)
        print(f"| {name} | refused after {took:.1f} s: {reasons} | | | | | | |", flush=True)
        return
    reader, faces = Reader(result.design), _faces(design)
    reader.warm_up()
    for kind, make in MAKERS.items():
        times = images if "window" in kind else max(1, images // 10)
        rng = np.random.default_rng([seed, len(kind)])
        shown = ((card, make(faces[card], rng)) for _ in range(times) for card in CARDS)
        _row(name, kind, reader, shown)
    rng = np.random.default_rng([seed, 99])
    _row(name, "not its own", reader, _strangers(design, others, rng))


def _strangers(
    design: str | Path, others: list[str | Path], rng: np.random.Generator
) -> Iterator[tuple[None, Any]]:
    special = [art.joker("red"), art.joker("black"), art.back("red"), art.back("blue"), art.blank()]
    for face in special * 10:
        yield None, MAKERS["window, look 1"](face, rng)
    for other in others:
        if other != design:
            for face in _faces(other).values():
                yield None, MAKERS["window, look 1"](face, rng)


def _row(name: str, kind: str, reader: Reader, shown: Iterator[tuple[Card | None, Any]]) -> None:
    read, unsure, wrong, took = 0, 0, 0, []
    for card, image in shown:
        start = time.thread_time()
        reading = reader.read(image)
        took.append((time.thread_time() - start) * 1000)
        if reading.kind is not Kind.CARD:
            unsure += 1
        elif reading.card is card:
            read += 1
        else:
            wrong += 1
            if card is not None:
                print(f"misread {card} as {reading.card} at {reading.confidence}", flush=True)
    median, p99 = np.percentile(took, [50, 99])
    total = read + unsure + wrong
    print(
        f"| {name} | {kind} | {total} | {100 * read / total:.2f} % | {unsure} | {wrong} "
        f"| {median:.1f} | {p99:.1f} |",
        flush=True,
    )


if __name__ == "__main__":
    main()
