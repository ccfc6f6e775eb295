"""Figures of the eye: some thousand images of many kinds, read against the truth of what was drawn.

A card that is read as another one, or anything else that is read as a card, ends the measurement: there is no
median of that. `--only vision` measures all of these.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np

from controller.bench.figures import Figure
from deals.cards import CARDS, Card
from deals.errors import PredealError
from vision.reading import CardReading, Kind
from vision.recognise import Reader
from vision.synthetic import art
from vision.synthetic.optics import CLEAN, HARSH, Conditions, Piece, render_window, second_look
from vision.synthetic.photo import PHOTO, photograph
from vision.teach import Labelled, teach

_SEED: Final = 7100
_BATCH: Final = 100
"""Images of which one share is told."""
_ROW: Final = {"look 1": 40.0, "look 2": 225.0}


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """An image, and the card that it shows; None where there is no card of the design to be read."""

    image: Any
    card: Card | None


@cache
def _reader(design: str) -> Reader:
    result = teach("bench", [Labelled(card, art.face(design, card)) for card in CARDS])
    if result.design is None or not result.accepted:
        raise PredealError("bench.not_taught", design=design)
    reader = Reader(result.design)
    reader.warm_up()
    return reader


def _window(face: Any, conditions: Conditions, row: float, rng: np.random.Generator) -> Any:
    piece = Piece(face, row, turned=bool(rng.integers(2)))
    return render_window([piece], conditions, 1.0, rng)


def clean(design: str, n: int, seed: int, look: str = "look 1") -> Iterator[Shown]:
    """Windows of clean guided cards."""
    rng = np.random.default_rng([_SEED, seed])
    conditions = CLEAN if look == "look 1" else second_look(CLEAN)
    for number in range(n):
        card = CARDS[number % 52]
        yield Shown(_window(art.face(design, card), conditions, _ROW[look], rng), card)


def harsh(design: str, n: int, seed: int) -> Iterator[Shown]:
    """Windows of worn cards, dirt, poor light."""
    rng = np.random.default_rng([_SEED, 1, seed])
    for number in range(n):
        card = CARDS[number % 52]
        yield Shown(_window(art.face(design, card), HARSH, _ROW["look 1"], rng), card)


def photos(design: str, n: int, seed: int) -> Iterator[Shown]:
    """Photographs of one whole card at any turn."""
    rng = np.random.default_rng([_SEED, 2, seed])
    for _ in range(n):
        card = CARDS[int(rng.integers(52))]
        yield Shown(photograph(art.face(design, card), PHOTO, rng), card)


def strangers(design: str, n: int, seed: int) -> Iterator[Shown]:
    """What is no card of the design: jokers, backs, blanks, noise, even light, two cards, cards far out of place."""
    rng = np.random.default_rng([_SEED, 3, seed])
    for number in range(n):
        yield Shown(_stranger(design, number % 8, rng), None)


def _stranger(design: str, kind: int, rng: np.random.Generator) -> Any:
    card = CARDS[int(rng.integers(52))]
    if kind == 0:
        return _window(art.joker(str(rng.choice(["red", "black"]))), CLEAN, 40.0, rng)
    if kind == 1:
        return _window(art.back(str(rng.choice(["red", "blue"]))), CLEAN, 40.0, rng)
    if kind == 2:
        return _window(art.blank(), CLEAN, 40.0, rng)
    if kind == 3:
        return rng.integers(0, 256, (400, 640, 3), np.uint8)
    if kind == 4:
        tone = (0, 255, int(rng.integers(256)))[int(rng.integers(3))]
        return np.full((400, 640, 3), tone, np.uint8)
    if kind == 5:  # index half out of the window
        return _window(art.face(design, card), CLEAN, float(rng.uniform(-110, -80)), rng)
    if kind == 6:  # another design
        other = next(name for name in art.DESIGNS if name != design)
        return _window(art.face(other, card), CLEAN, 40.0, rng)
    below, above = art.face(design, card), art.face(design, CARDS[int(rng.integers(52))])
    aside = Piece(above, 40.0 + float(rng.uniform(20, 60)), float(rng.uniform(-12, -6)))
    return render_window([Piece(below, 40.0), aside], CLEAN, 1.0, rng)


def _held(reading: CardReading, shown: Shown) -> None:
    wrong = reading.kind is Kind.CARD and reading.card is not shown.card
    if wrong:
        raise PredealError("bench.misread", card=shown.card or "-", read=reading.card)


def _milliseconds(design: str, images: Iterator[Shown]) -> list[float]:
    reader, taken = _reader(design), []
    for shown in images:
        start = time.perf_counter()
        reading = reader.read(shown.image)
        taken.append((time.perf_counter() - start) * 1e3)
        _held(reading, shown)
    return taken


def vision_clean_ms(n: int) -> Sequence[float]:
    """Milliseconds of readings of clean cards at look 1, both designs."""
    return [x for name in art.DESIGNS for x in _milliseconds(name, clean(name, n // 2, 1))]


def vision_look_2_ms(n: int) -> Sequence[float]:
    """Milliseconds at look 2, both designs."""
    images = {name: clean(name, n // 2, 2, "look 2") for name in art.DESIGNS}
    return [x for name in art.DESIGNS for x in _milliseconds(name, images[name])]


def vision_harsh_ms(n: int) -> Sequence[float]:
    """Milliseconds of harsh windows, both designs."""
    return [x for name in art.DESIGNS for x in _milliseconds(name, harsh(name, n // 2, 3))]


def vision_strangers_ms(n: int) -> Sequence[float]:
    """Milliseconds until something that is no card is refused."""
    return [x for name in art.DESIGNS for x in _milliseconds(name, strangers(name, n // 2, 4))]


def _refused(images: Iterator[Shown], design: str, n: int) -> list[float]:
    """Percent refused in each batch."""
    reader, shares = _reader(design), []
    for _ in range(max(1, n // _BATCH)):
        unread = 0
        for _, shown in zip(range(_BATCH), images, strict=False):
            reading = reader.read(shown.image)
            _held(reading, shown)
            unread += reading.kind is not Kind.CARD
        shares.append(100.0 * unread / _BATCH)
    return shares


def vision_clean_refused(n: int) -> Sequence[float]:
    """Percent of clean cards refused at look 1, by batches of 100."""
    return [x for d in art.DESIGNS for x in _refused(clean(d, n // 2, 5), d, n // 2)]


def vision_harsh_refused(n: int) -> Sequence[float]:
    """Percent of harsh windows refused, by batches of 100."""
    return [x for d in art.DESIGNS for x in _refused(harsh(d, n // 2, 6), d, n // 2)]


def vision_photo_refused(n: int) -> Sequence[float]:
    """Percent of photos refused, by batches of 100."""
    return [x for d in art.DESIGNS for x in _refused(photos(d, n // 2, 7), d, n // 2)]


FIGURES = (
    Figure("vision_clean_ms", "ms", "clean window, look 1", vision_clean_ms, 1200, 100_000, 5.0),
    Figure("vision_look_2_ms", "ms", "clean window, look 2", vision_look_2_ms, 600, 20_000, 5.0),
    Figure("vision_harsh_ms", "ms", "harsh window", vision_harsh_ms, 600, 50_000, 5.0),
    Figure("vision_strangers_ms", "ms", "no card, refused", vision_strangers_ms, 800, 80_000, 10.0),
    Figure("vision_clean_refused", "%", "clean, refused", vision_clean_refused, 1000, 100_000, 0.1),
    Figure("vision_harsh_refused", "%", "harsh, refused", vision_harsh_refused, 600, 20_000, 5.0),
    Figure("vision_photo_refused", "%", "photo, refused", vision_photo_refused, 200, 2_000, 5.0),
)
