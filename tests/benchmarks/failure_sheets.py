"""Pictures of what is not accepted, a row for each kind, each with the reader's answer: contact sheets as PNG.

    python -m tests.benchmarks.failure_sheets OUT --kept DIR [--art DIR] [--seed 6]

`refused-cards.png`: worn cards and photos; `refused-confused.png`: cards that were made alike;
`refused-strangers.png`: what is no card. KEPT holds taught designs, as `make proof` leaves them.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from controller.bench.proof import kinds
from controller.bench.proof.prints import Printed, Where, designs_in, printed, reader_of
from deals.cards import CARDS
from vision.reading import CardReading, Kind
from vision.recognise import Reader
from vision.synthetic.confusions import CAUSES, confuse, pair_of
from vision.synthetic.optics import CLEAN, HARSH
from vision.synthetic.photo import PHOTO, photograph
from vision.threads import one_thread

_ACROSS: Final = 6
_THUMB: Final = (184, 115)
_TEXT: Final = 15
_TRIES: Final = 150
"""Images looked at for one row, at most."""


@dataclass(frozen=True)
class Shot:
    """An image, what it shows, and the answer."""

    image: Any
    shows: str
    reading: CardReading


@dataclass(frozen=True)
class Taught:
    """One design, ready to be shown."""

    faces: Printed
    reader: Reader
    scene: kinds.Scene


def _answer(reading: CardReading) -> str:
    if reading.kind is not Kind.UNSURE:
        return f"{reading.kind.value} {reading.card or ''}"
    like = f", like {reading.proposal}" if reading.proposal else ""
    return f"{reading.evidence.get('reason', '?')}{like}"


def _cell(shot: Shot | None) -> Any:
    wide, high = _THUMB
    cell = np.full((high + 2 * _TEXT, wide, 3), 255, np.uint8)
    if shot is None:
        return cell
    scale = min(wide / shot.image.shape[1], high / shot.image.shape[0])
    size = (round(shot.image.shape[1] * scale), round(shot.image.shape[0] * scale))
    small = cv2.resize(shot.image, size, interpolation=cv2.INTER_AREA)
    cell[: size[1], : size[0]] = small & 0xF0  # grain costs more bytes than it tells
    for line, text in enumerate((shot.shows, _answer(shot.reading))):
        at = (2, high + _TEXT * (line + 1) - 4)
        cv2.putText(cell, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.33, (0, 0, 0), 1, cv2.LINE_AA)
    return cell


def sheet(rows: Sequence[tuple[str, Sequence[Shot]]]) -> Any:
    """All rows, each under its title."""
    parts = []
    for title, shots in rows:
        head = np.full((20, _THUMB[0] * _ACROSS, 3), 225, np.uint8)
        cv2.putText(head, title, (4, 15), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1, cv2.LINE_AA)
        if not shots:
            parts.append(head)
            continue
        cells = [_cell(shots[k] if k < len(shots) else None) for k in range(_ACROSS)]
        parts += [head, np.hstack(cells)]
    return np.vstack(parts)


def _refused(title: str, shots: Iterator[Shot]) -> tuple[str, list[Shot]]:
    """The first that are not accepted, and the title with how many were looked at for them."""
    found: list[Shot] = []
    tried = 0
    for shot in islice(shots, _TRIES):
        tried += 1
        if shot.reading.kind is not Kind.CARD:
            found.append(shot)
        if len(found) == _ACROSS:
            break
    return f"{title}: {len(found)} of {tried} not accepted", found


def _cards(taught: Sequence[Taught], kind: str, seed: int) -> Iterator[Shot]:
    for number in range(10**6):
        one = taught[number % len(taught)]
        rng = kinds.random_of(seed, one.faces.name, kind, number)
        card = CARDS[int(rng.integers(52))]
        face = one.faces.faces[card]
        if kind == "photo":
            image = photograph(face, PHOTO, rng)
        else:
            image = kinds.window(face, HARSH, 1 if kind == "look 1" else 2, rng)
        yield Shot(image, f"{one.faces.name} {card}", one.reader.read(image))


def _confused(taught: Sequence[Taught], cause: str, seed: int) -> Iterator[Shot]:
    for number in range(10**6):
        one = taught[number % len(taught)]
        assert one.reader.design is not None
        rng = kinds.random_of(seed, one.faces.name, cause, number)
        spoilt = confuse(one.faces.faces, pair_of(one.reader.design, rng), cause, rng)
        card = spoilt.cards[0]
        image = kinds.window(spoilt.faces[card], CLEAN, 1, rng)
        shows = f"{one.faces.name} {card} as {spoilt.other(card)}, {spoilt.strength:.2f}"
        yield Shot(image, shows, one.reader.read(image))


def _strangers(taught: Sequence[Taught], kind: str, seed: int) -> Iterator[Shot]:
    for number in range(10**6):
        one = taught[number % len(taught)]
        rng = kinds.random_of(seed, one.faces.name, kind, number)
        image = kinds.NO_CARDS[kind](one.scene, 1 + number % 2, rng)
        yield Shot(image, one.faces.name, one.reader.read(image))


def _taught(where: Where, other: Where, kept: Path) -> Taught:
    faces, reader = printed(where), reader_of(where.name, kept)
    assert reader.design is not None
    scene = kinds.Scene(faces, (printed(other),), kinds.index_on_card(reader.design))
    return Taught(faces, reader, scene)


def main() -> None:
    """Writes the three sheets."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--kept", type=Path, required=True)
    parser.add_argument("--art", type=Path)
    parser.add_argument("--seed", type=int, default=6)
    options = parser.parse_args()
    one_thread()
    designs = designs_in(options.art)
    pairs = zip(designs, (*designs[1:], designs[0]), strict=True)
    taught = [_taught(where, other, options.kept) for where, other in pairs]
    seed = options.seed
    sheets = {
        "cards": [
            _refused(title, _cards(taught, kind, seed))
            for title, kind in (
                ("worn, dirty, badly lit, look 1", "look 1"),
                ("the same, look 2", "look 2"),
                ("photos", "photo"),
            )
        ],
        "confused": [
            _refused(f"made alike, {cause}", _confused(taught, cause, seed)) for cause in CAUSES
        ],
        "strangers": [_refused(kind, _strangers(taught, kind, seed)) for kind in kinds.NO_CARDS],
    }
    for name, rows in sheets.items():
        path = options.out / f"refused-{name}.png"
        cv2.imwrite(str(path), sheet(rows), [cv2.IMWRITE_PNG_COMPRESSION, 9])
        print(path, path.stat().st_size)


if __name__ == "__main__":
    main()
