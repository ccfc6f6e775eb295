"""Patches that are no card of the design, made from the design's own: what the limits must keep out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import cv2
import numpy as np

from deals.cards import CARDS, Card
from vision.augment import USUAL, vary
from vision.features import darkest
from vision.layout import Box, Layout
from vision.patch import COLS, PX_PER_MM, ROWS, Patch

_HALF: Final = 0.5


def foreign_patches(
    sources: Mapping[Card, list[Patch]], layout: Layout, zoom: float, rng: np.random.Generator
) -> Iterator[Patch]:
    """Some 260 patches: upside down, moved away, rank over rank, half covered rank or suit."""
    for card in CARDS:
        one = vary(sources[card][0], USUAL, rng)
        other = vary(sources[CARDS[int(rng.integers(52))]][0], USUAL, rng)
        yield np.ascontiguousarray(one[::-1, ::-1])
        yield np.roll(one, (int(rng.integers(24, 60)), int(rng.integers(-12, 13))), (0, 1))
        yield _stacked(one, other, layout.suit, zoom)
        for box in (layout.rank, layout.suit):
            yield _covered(one, box or Box(2, 3, 8, 12), zoom, rng)


def _pixels(box: Box, zoom: float) -> tuple[int, int, int, int]:
    scale = PX_PER_MM / zoom
    x0, y0, x1, y1 = (round(v * scale) for v in (box.x0, box.y0, box.x1, box.y1))
    return min(x0, COLS - 4), min(y0, ROWS - 4), min(x1, COLS), min(y1, ROWS)


def _stacked(one: Patch, other: Patch, suit: Box | None, zoom: float) -> Patch:
    """A rank where the suit should be, as in the corner of a joker."""
    row = _pixels(suit, zoom)[1] if suit else ROWS // 2
    mixed = one.copy()
    mixed[row:] = cv2.resize(other, (COLS, ROWS))[: ROWS - row]
    return mixed


def _covered(one: Patch, box: Box, zoom: float, rng: np.random.Generator) -> Patch:
    """Paper or dirt over half of what is printed of the rank or of the suit."""
    x0, y0, x1, y1 = _pixels(box, zoom)
    hidden = one.copy()
    paper = np.percentile(one.reshape(-1, 3), 80, axis=0)
    tone = np.round(paper * rng.choice([1.0, 0.95, 0.5, 0.25])).astype(np.uint8)
    middle_x, middle_y = _middle_of_print(one[y0:y1, x0:x1])
    halves = (
        (slice(y0, y0 + middle_y), slice(x0, x1)),
        (slice(y0 + middle_y, y1), slice(x0, x1)),
        (slice(y0, y1), slice(x0, x0 + middle_x)),
        (slice(y0, y1), slice(x0 + middle_x, x1)),
    )
    hidden[halves[int(rng.integers(4))]] = tone
    return np.asarray(cv2.GaussianBlur(hidden, (0, 0), 0.7), np.uint8)


def _middle_of_print(part: Patch) -> tuple[int, int]:
    """Column and row with as much ink on either side: the box fits the widest card, and a six may lie in half of it."""
    dark = darkest(part).astype(np.float32)
    ink = np.maximum(np.percentile(dark, 90) - dark, 0)
    ink[ink < _HALF * ink.max()] = 0
    middles = []
    for axis in (0, 1):
        grown = ink.sum(axis=axis).cumsum()
        middles.append(int(np.searchsorted(grown, _HALF * grown[-1])) + 1)
    return middles[0], middles[1]
