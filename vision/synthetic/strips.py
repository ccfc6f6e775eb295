"""Invented bar patterns as printed on coded cards: drawn at random for tests, after no maker's table."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from deals.cards import CARDS, Card
from vision.synthetic.canvas import PX_PER_MM, Face
from vision.synthetic.courts import BLACK

KINDS: Final = ("modules", "positions", "widths")
"""13 equal modules between two dark ones; a reference bar and six bars that are there or not; five bars and four
gaps of two widths, three of the nine wide."""
_MODULE_MM: Final = 0.7
_WIDE: Final = 2.4

Bars = tuple[tuple[float, float], ...]
"""Where dark bars begin and end, mm along the strip."""


@dataclass(frozen=True, slots=True)
class Print:
    """Where a strip is printed on an upright card, mm from its top left corner."""

    x: float = 19.0
    y: float = 1.0
    tall: float = 5.0
    """Length of the bars."""
    down: bool = False
    """Whether the bars follow each other down a long edge, not along the short one."""
    ends: str = "both"
    """"both": the same after half a turn; "one"; "mirrored": at the foot again, but read from the left too."""


def table(kind: str, seed: int, module_mm: float = _MODULE_MM, apart: int = 1) -> dict[Card, Bars]:
    """52 different codes of a kind, every two of them different in *apart* elements at least."""
    rng = np.random.default_rng(seed)
    every = _every(kind)
    kept: list[tuple[bool, ...]] = []
    for number in rng.permutation(len(every)):
        code = every[number]
        if all(_differences(code, other) >= apart for other in kept):
            kept.append(code)
        if len(kept) == len(CARDS):
            return {
                card: _bars(kind, code, module_mm) for card, code in zip(CARDS, kept, strict=True)
            }
    raise ValueError(f"no 52 codes of {kind} are {apart} apart")


def _every(kind: str) -> list[tuple[bool, ...]]:
    if kind == "modules":
        return list(product((False, True), repeat=11))
    if kind == "positions":
        return [code for code in product((False, True), repeat=6) if any(code)]
    if kind == "widths":
        return [tuple(k in wide for k in range(9)) for wide in combinations(range(9), 3)]
    raise ValueError(f"no kind of strip {kind!r}")


def _differences(one: tuple[bool, ...], other: tuple[bool, ...]) -> int:
    return sum(a != b for a, b in zip(one, other, strict=True))


def _bars(kind: str, code: tuple[bool, ...], module: float) -> Bars:
    if kind == "modules":
        return tuple(
            (k * module, (k + 1) * module) for k, dark in enumerate((True, *code, True)) if dark
        )
    if kind == "positions":
        places = (True, *code)
        return tuple(
            (2 * k * module, (2 * k + 1) * module) for k, dark in enumerate(places) if dark
        )
    ends = np.cumsum([0.0, *(module * (_WIDE if wide else 1.0) for wide in code)])
    return tuple((float(ends[k]), float(ends[k + 1])) for k in range(0, 9, 2))


def with_strip(face: Face, bars: Bars, where: Print = Print()) -> Face:
    """A copy of *face* with a strip of *bars*; white is printed under it and 1 mm around."""
    card = face.copy()
    _print(card, bars, where)
    if where.ends == "both":
        card = np.ascontiguousarray(card[::-1, ::-1])
        _print(card, bars, where)
        card = np.ascontiguousarray(card[::-1, ::-1])
    elif where.ends == "mirrored":
        card = np.ascontiguousarray(card[::-1])
        _print(card, bars, where)
        card = np.ascontiguousarray(card[::-1])
    return card


def _print(card: Face, bars: Bars, where: Print) -> None:
    view = card.transpose(1, 0, 2) if where.down else card
    along, across = (where.y, where.x) if where.down else (where.x, where.y)
    rows = slice(round(across * PX_PER_MM), round((across + where.tall) * PX_PER_MM))
    length = max(end for _, end in bars)
    left, right = round((along - 1) * PX_PER_MM), round((along + length + 1) * PX_PER_MM)
    dark = np.zeros(view.shape[1], np.float32)
    for start, end in bars:
        dark += _covered(view.shape[1], (along + start) * PX_PER_MM, (along + end) * PX_PER_MM)
    dark = np.minimum(dark, 1)[left:right, None]
    line = np.round(252 * (1 - dark) + np.array(BLACK) * dark)
    view[rows, left:right] = line[None]


def _covered(count: int, start: float, end: float) -> NDArray[np.float32]:
    """Which share of each of *count* pixels lies between two places."""
    pixel = np.arange(count)
    return np.clip(np.minimum(pixel + 1, end) - np.maximum(pixel, start), 0, 1).astype(np.float32)
