"""Patches that are no card of the design, made from the design's own: what the limits must keep out."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np

from deals.cards import CARDS, Card
from vision.augment import USUAL, vary
from vision.patch import COLS, ROWS, Patch


def foreign_patches(
    sources: Mapping[Card, list[Patch]], rng: np.random.Generator, count: int = 52
) -> list[Patch]:
    """About six times *count* patches: turned, moved away, two ranks in a row, covered, blank, noise."""
    patches: list[Patch] = []
    for k in range(count):
        one = vary(sources[CARDS[k % 52]][0], USUAL, rng)
        other = vary(sources[CARDS[int(rng.integers(52))]][0], USUAL, rng)
        patches.append(np.ascontiguousarray(one[::-1, ::-1]))
        patches.append(np.ascontiguousarray(one[:, ::-1]))
        patches.append(
            np.roll(one, (int(rng.integers(24, 60)), int(rng.integers(-12, 13))), (0, 1))
        )
        patches.append(_stacked(one, other, rng))
        patches.append(_covered(one, rng))
        patches.append(_without_print(one, rng))
    return patches


def _stacked(one: Patch, other: Patch, rng: np.random.Generator) -> Patch:
    """A rank over a rank, as in the corner of a joker."""
    row = ROWS // 2 + int(rng.integers(-6, 7))
    mixed = one.copy()
    mixed[row:] = cv2.resize(other[: ROWS - row], (COLS, ROWS - row))
    return mixed


def _covered(one: Patch, rng: np.random.Generator) -> Patch:
    """A thumb's worth of paper or dirt over the upper or the lower half of the index."""
    hidden = one.copy()
    tone = np.median(one.reshape(-1, 3), axis=0) * rng.uniform(0.2, 1.0)
    middle = (int(rng.integers(12, 28)), int(rng.integers(20, 70)))
    axes = (int(rng.integers(12, 20)), int(rng.integers(12, 22)))
    cv2.ellipse(hidden, middle, axes, 0, 0, 360, tuple(float(v) for v in tone), cv2.FILLED)
    return hidden


def _without_print(one: Patch, rng: np.random.Generator) -> Patch:
    paper = np.percentile(one.reshape(-1, 3), 80, axis=0)
    noise = rng.normal(0, rng.uniform(1, 25), one.shape)
    return np.asarray(np.clip(paper + noise, 0, 255), np.uint8)
