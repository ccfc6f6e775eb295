"""Variations of a taught corner: what placing, blur, light, ink and dirt may do to it before the camera.

Teaching fits the model to one set of variations and sets its thresholds on another. This is not the
optics of the simulator, on purpose: a reader that had learned the simulator would prove nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.features import ROUNDED_MM
from vision.patch import COLS, PX_PER_MM, ROWS, Corner, Matrix, Patch, cut

SOURCE_PX_PER_MM: Final = 6
MARGIN_MM: Final = 2.0


@dataclass(frozen=True, slots=True)
class Spread:
    """How far variations reach; standard deviations, cut off at 2.5 times."""

    shift_mm: float = 0.22
    tilt_deg: float = 0.7
    scale: float = 0.012
    shear: float = 0.008
    blur_mm: float = 0.16
    """Largest Gauss blur."""
    smear_mm: float = 0.35
    """Longest motion blur, along either side of the card."""
    fade: float = 0.35
    noise: float = 0.03
    """Largest standard deviation of the noise as a share of the paper's level."""
    gradient: float = 0.25
    cast: float = 0.05
    specks: float = 0.6
    """Mean number of specks and scratches."""


USUAL: Final = Spread()


def source_of(image: NDArray[np.uint8], corner: Corner) -> Patch:
    """The corner with a margin, at 6 px/mm, background replaced by the paper next to it."""
    size = (COLS / PX_PER_MM + 2 * MARGIN_MM, ROWS / PX_PER_MM + 2 * MARGIN_MM)
    raw = cut(image, corner, size, (-MARGIN_MM, -MARGIN_MM), SOURCE_PX_PER_MM)
    return _without_background(raw)


def _without_background(raw: Patch) -> Patch:
    rows, cols = raw.shape[:2]
    y, x = (np.mgrid[0:rows, 0:cols] + 0.5) / SOURCE_PX_PER_MM - MARGIN_MM
    edge = 0.5
    away = np.hypot(ROUNDED_MM - x, ROUNDED_MM - y) > ROUNDED_MM - edge
    outside = (x < edge) | (y < edge) | ((x < ROUNDED_MM) & (y < ROUNDED_MM) & away)
    ring = (
        ~outside
        & (np.hypot(ROUNDED_MM - x, ROUNDED_MM - y) > ROUNDED_MM - edge - 1.2)
        & (x < ROUNDED_MM)
        & (y < ROUNDED_MM)
    )
    first = int(np.ceil((MARGIN_MM + edge) * SOURCE_PX_PER_MM))
    clean = raw.copy()
    clean[:first] = clean[first]
    clean[:, :first] = clean[:, first : first + 1]
    paper = np.median(raw[ring], axis=0)
    in_corner = outside & (x < ROUNDED_MM) & (y < ROUNDED_MM)
    clean[in_corner] = np.round(paper).astype(np.uint8)
    return clean


def plain(source: Patch) -> Patch:
    """The patch of *source* (from `source_of`) as it is."""
    return _warp(source, np.eye(2), np.zeros(2))


def vary(
    source: Patch, spread: Spread, rng: np.random.Generator, step: Matrix | None = None
) -> Patch:
    """One variation of *source* (from `source_of`) as a patch, cut elsewhere by *step* (`vision.align.step_of`)."""
    patch = _place(source, spread, rng, step)
    patch = _blur(patch, spread, rng)
    return _expose(patch, spread, rng)


def _warp(
    source: Patch,
    turn: NDArray[np.float64],
    shift_mm: NDArray[np.float64],
    step: Matrix | None = None,
) -> Patch:
    """Patch pixel -> source pixel: turn about the middle of the index, then shift."""
    pivot = np.array([5.0, 10.0])
    finer = SOURCE_PX_PER_MM / PX_PER_MM
    to_mm = np.array([0.5, 0.5]) / PX_PER_MM
    offset = turn @ (to_mm - pivot) + pivot + shift_mm + MARGIN_MM
    matrix = np.column_stack([turn * finer, offset * SOURCE_PX_PER_MM - 0.5])
    if step is not None:
        mm = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, PX_PER_MM]]) / PX_PER_MM
        matrix = (matrix @ np.linalg.inv(mm) @ step @ mm)[:2]
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen = cv2.warpAffine(
        source, matrix, (COLS, ROWS), flags=flags, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(seen, np.uint8)


def _place(source: Patch, s: Spread, rng: np.random.Generator, step: Matrix | None) -> Patch:
    draws = np.clip(rng.standard_normal(6), -2.5, 2.5)
    tilt = np.deg2rad(s.tilt_deg * draws[0])
    turn = np.array([[np.cos(tilt), -np.sin(tilt)], [np.sin(tilt), np.cos(tilt)]])
    turn = turn @ np.array([[1, s.shear * draws[1]], [0, 1 + 0.5 * s.scale * draws[2]]])
    return _warp(source, turn * (1 + s.scale * draws[3]), s.shift_mm * draws[4:6], step)


def _box(length: float) -> NDArray[np.float32]:
    """A box of *length* pixels, whole or not."""
    half = int(np.ceil(max(length, 1.0) / 2))
    taps = np.clip(length / 2 - np.abs(np.arange(-half, half + 1)) + 0.5, 0, 1)
    taps[half] = max(taps[half], 1e-3)
    return np.asarray(taps / taps.sum(), np.float32)


def _blur(patch: Patch, s: Spread, rng: np.random.Generator) -> Patch:
    out: Any = patch
    smear = rng.uniform(0, s.smear_mm) * PX_PER_MM
    if smear > 0.3:
        kernels = (_box(smear), np.ones(1, np.float32))
        along, across = kernels if rng.random() < 0.75 else kernels[::-1]
        out = cv2.sepFilter2D(out, -1, along, across)
    sigma = rng.uniform(0, s.blur_mm) * PX_PER_MM
    if sigma > 0.15:
        out = cv2.GaussianBlur(out, (0, 0), sigma)
    return np.asarray(out, np.uint8)


def _expose(patch: Patch, s: Spread, rng: np.random.Generator) -> Patch:
    light = np.asarray(patch / np.float32(255), np.float32)
    fade = rng.uniform(0, s.fade) * rng.uniform(0, 1)
    light = np.asarray(light * (1 - fade) + fade * 0.97, np.float32)
    for _ in range(int(rng.poisson(s.specks))):
        _speck(light, rng)
    gain = rng.uniform(0.35, 1.06)
    balance = gain * (1 + s.cast * np.clip(rng.standard_normal(3), -2.5, 2.5))
    fall = rng.uniform(-s.gradient, s.gradient, 2)
    slope = (
        1
        + fall[0] * (np.arange(ROWS, dtype=np.float32)[:, None] / ROWS - 0.5)
        + fall[1] * (np.arange(COLS, dtype=np.float32)[None, :] / COLS - 0.5)
    )
    light = light * balance.astype(np.float32) * slope[:, :, None]
    noise = rng.standard_normal(light.shape, dtype=np.float32)
    light += noise * (rng.uniform(0.002, s.noise) * gain)
    return np.asarray(np.clip(light * 255, 0, 255), np.uint8)


def _speck(light: NDArray[np.float32], rng: np.random.Generator) -> None:
    x, y = int(rng.integers(COLS)), int(rng.integers(ROWS))
    tone = float(rng.uniform(0.4, 1.0))
    if rng.random() < 0.5:
        cv2.circle(light, (x, y), 1, (tone,) * 3, cv2.FILLED)
    else:
        dx, dy = (int(v) for v in rng.normal(0, 14, 2))
        cv2.line(light, (x, y), (x + dx, y + dy), (tone,) * 3, 1)
