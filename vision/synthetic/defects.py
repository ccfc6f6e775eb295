"""Dirt, wear, reflections and dust, drawn from a random generator; images are changed in place or copied."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]


def _soft_spot(
    rows: int, cols: int, y: float, x: float, ry: float, rx: float
) -> NDArray[np.float32]:
    """A Gauss hill of height 1."""
    v = np.exp(-0.5 * ((np.arange(rows, dtype=np.float32) - y) / ry) ** 2)
    h = np.exp(-0.5 * ((np.arange(cols, dtype=np.float32) - x) / rx) ** 2)
    return np.outer(v, h).astype(np.float32)


def reflections(
    image: Pixels, glare: float, sun: float, level: float, rng: np.random.Generator
) -> None:
    """A soft bright reflection and a patch of daylight with a hard border, added to *image*."""
    rows, cols = image.shape[:2]
    extra = np.zeros((rows, cols), np.float32)
    if glare:
        y, x = rng.uniform(0, rows), rng.uniform(0, cols)
        ry, rx = rng.uniform(15, 90), rng.uniform(20, 140)
        extra += _soft_spot(rows, cols, y, x, ry, rx) * (glare * level * rng.uniform(0.3, 1.0))
    if sun:
        y0 = rng.uniform(-100, rows)
        slope = rng.uniform(-0.5, 0.5)
        patch: Any = np.zeros((rows, cols), np.uint8)
        height = rng.uniform(60, 260)
        corners = [
            [0, y0],
            [cols, y0 + slope * cols],
            [cols, y0 + height + slope * cols],
            [0, y0 + height],
        ]
        cv2.fillPoly(patch, [np.round(corners).astype(np.int32)], 255)
        extra += patch.astype(np.float32) * (sun * level * rng.uniform(0.3, 1.0) / 255)
    bright = np.asarray(np.clip(extra, 0, 255), np.uint8)
    image[:] = cv2.add(image, cv2.merge([bright, bright, bright]))


def lens_dust(image: Pixels, mean: float, rng: np.random.Generator) -> None:
    """Dark soft specks and hairs, as many as a Poisson draw of *mean* says."""
    rows, cols = image.shape[:2]
    for _ in range(int(rng.poisson(mean))):
        x, y = int(rng.integers(cols)), int(rng.integers(rows))
        size = float(rng.uniform(1.0, 5.0))
        reach = int(4 * size) + 12
        top, left = max(0, y - reach), max(0, x - reach)
        part = image[top : y + reach, left : x + reach]
        stain: Any = np.zeros(part.shape[:2], np.uint8)
        if rng.random() < 0.3:
            ends = rng.integers(-reach, reach, 4)
            cv2.line(
                stain,
                (x - left + int(ends[0]), y - top + int(ends[1])),
                (x - left + int(ends[2]), y - top + int(ends[3])),
                255,
                1,
            )
        else:
            cv2.circle(stain, (x - left, y - top), max(1, round(size)), 255, cv2.FILLED)
        soft = cv2.GaussianBlur(stain, (0, 0), 1.2).astype(np.float32) / 255
        depth = float(rng.uniform(0.2, 0.7))
        part[:] = np.round(part * (1 - depth * soft[:, :, None])).astype(np.uint8)


@lru_cache(maxsize=1)
def _film(rows: int, cols: int) -> NDArray[np.float32]:
    """How thick the film lies where: 0.5 to 1.5, in spots and in streaks."""
    rng = np.random.default_rng(1925)
    field = np.zeros((rows, cols), np.float32)
    for across, along, weight in ((9, 9, 0.5), (40, 5, 0.3), (120, 90, 0.2)):
        coarse = rng.random((rows // along + 2, cols // across + 2), dtype=np.float32)
        field += weight * cv2.resize(coarse, (cols, rows), interpolation=cv2.INTER_CUBIC)
    low, high = np.percentile(field, (1, 99))
    return np.asarray(0.5 + np.clip((field - low) / (high - low), 0, 1), np.float32)


def grime(image: Pixels, share: float) -> Pixels:
    """Seen through a film that takes *share* of the light and scatters it: contrast goes, and edges with it."""
    film = np.clip(_film(*image.shape[:2]) * share, 0, 1)[:, :, None]
    haze = cv2.blur(image, (81, 81)).astype(np.float32) * 0.8
    return np.asarray(np.round(image * (1 - film) + haze * film), np.uint8)


def worn(card: Pixels, wear: float, fade: float, rng: np.random.Generator) -> Pixels:
    """A copy of a printed card (BGR or BGRA, 10 px/mm): ink paler by *fade*, paper dirty by *wear*.

    A fourth channel is worn like the others: a card is opaque.
    """
    if fade:
        share = fade * float(rng.uniform(0.5, 1.0))
        paler = cv2.addWeighted(card, 1 - share, np.full_like(card, 245), share, 0)
        card = np.asarray(paler, np.uint8)
    if wear:
        card = _dirty(card, wear, rng)
        _scratches(card, wear, rng)
    return card if fade or wear else card.copy()


def _dirty(card: Pixels, wear: float, rng: np.random.Generator) -> Pixels:
    rows, cols, channels = card.shape
    coarse = rng.random((rows // 60 + 2, cols // 60 + 2), dtype=np.float32)
    keep = np.asarray(255 * (1 - 0.35 * wear * coarse), np.uint8)
    grey = cv2.resize(keep, (cols, rows), interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.multiply(card, cv2.merge([grey] * channels), scale=1 / 255), np.uint8)


def _scratches(colour: Pixels, wear: float, rng: np.random.Generator) -> None:
    rows, cols = colour.shape[:2]
    for _ in range(int(rng.poisson(10 * wear))):
        x, y = rng.integers(cols), rng.integers(rows)
        dx, dy = rng.normal(0, 60, 2)
        grey = int(rng.uniform(120, 245))
        cv2.line(
            colour,
            (int(x), int(y)),
            (int(x + dx), int(y + dy)),
            (grey,) * 3,
            int(rng.integers(1, 3)),
        )
    for _ in range(int(rng.poisson(6 * wear))):
        spot = (int(rng.integers(cols)), int(rng.integers(rows)))
        cv2.circle(colour, spot, int(rng.integers(2, 9)), (235, 238, 238), cv2.FILLED)
