"""What the camera at the window sees of the cards before it: 400 x 640 BGR images, 10 px/mm.

Geometry as in docs/decisions/0020: the card's long edge leads and lies at `Piece.lead_row`, the card's
body below it; the short edge next to the index lies 4 mm inside the right border, so the index corner is
at the top right and its figures are turned a quarter clockwise.

Not modelled: sensor mosaic, rolling shutter, bent cards, the thickness of the card, reflections of one
card in another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import (
    CARD_HEIGHT_MM,
    CARD_WIDTH_MM,
    LEAD_ROW,
    RIGHT_MARGIN_MM,
    WINDOW_COLS,
    WINDOW_PX_PER_MM,
    WINDOW_ROWS,
)
from vision.synthetic import defects
from vision.synthetic.canvas import COLS, ROWS, Face

Window = NDArray[np.uint8]

PAPER_LEVEL: Final = 148.0
"""Grey value of white paper at exposure 1 in the middle of the window; look 2 is brighter."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """How well the machine sees; the defaults are a clean guided machine. Spreads are drawn per image.

    Millimetres and degrees are standard deviations about the piece's own place, cut off at 2.5 times.
    """

    shift_mm: float = 0.15
    tilt_deg: float = 0.4
    skew: float = 0.002
    scale: float = 0.004
    zoom: float = 1.0
    """How much larger than drawn all is seen, about the middle of the window: of the camera, no spread."""
    motion_blur_mm: float = 0.135
    """Belt speed times strobe time of look 1; grows with the exposure."""
    defocus_mm: float = 0.04
    noise: float = 2.0
    """Standard deviation of the sensor noise in grey values of 255; never below 0.5."""
    gain_spread: float = 0.03
    gain: float = 1.0
    gradient: float = 0.10
    """Share of light lost from one side of the window to the other."""
    glare: float = 0.0
    """Peak of a bright reflection, as a share of the paper's level; where it lies is drawn."""
    dust: float = 0.0
    """Specks and hairs on the lens, mean number an image."""
    wear: float = 0.0
    """0 new .. 1 worn out: grey dirt, scratches, rubbed edges on the card."""
    fade: float = 0.0
    """0 fresh .. 1 no ink left."""
    sun: float = 0.0
    """A patch of daylight with a hard border, as a share of the paper's level."""
    flicker: float = 0.0
    """Depth of lamp bands across the travel."""
    grime: float = 0.0
    """A film on the glass, at the same places of each image: 0 clean .. 1 nothing can be seen."""
    cast: float = 0.02
    """Spread of the colour balance."""


CLEAN: Final = Conditions()
HARSH: Final = Conditions(
    shift_mm=0.5,
    tilt_deg=1.6,
    skew=0.01,
    scale=0.02,
    motion_blur_mm=0.25,
    defocus_mm=0.12,
    noise=5.0,
    gain_spread=0.15,
    gradient=0.35,
    glare=0.35,
    dust=2.0,
    wear=0.35,
    fade=0.25,
    sun=0.15,
    flicker=0.08,
    cast=0.06,
)
"""Dirty, worn and badly lit, though still guided: refusals are expected here, misreads never."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One card before the window: its printed face and how it lies; later pieces cover earlier ones."""

    face: Face
    lead_row: float = LEAD_ROW
    shift_mm: float = 0.0
    """Across the travel, positive to the right."""
    tilt_deg: float = 0.0
    turned: bool = False
    """Turned by half a turn in its own plane, so that the other index corner shows."""


def render_window(
    pieces: Sequence[Piece], conditions: Conditions, exposure: float, rng: np.random.Generator
) -> Window:
    """The window image of *pieces* at *exposure* (1.0 is look 1); the same for the same state of *rng*."""
    belt = _belt().copy()
    for piece in pieces:
        _lay(belt, piece, conditions, rng)
    image = _blur(cv2.cvtColor(belt, cv2.COLOR_BGRA2BGR), conditions, exposure)
    image = _light(image, conditions, exposure, rng)
    if conditions.glare or conditions.sun:
        defects.reflections(image, conditions.glare, conditions.sun, PAPER_LEVEL, rng)
    if conditions.grime:
        image = defects.grime(image, conditions.grime)
    if conditions.dust:
        defects.lens_dust(image, conditions.dust, rng)
    return _noise(image, max(conditions.noise, 0.5), rng)


def _lay(image: Window, piece: Piece, conditions: Conditions, rng: np.random.Generator) -> None:
    printed = _landscape(_key(piece.face), piece.turned)
    if conditions.wear or conditions.fade:
        printed = defects.worn(printed, conditions.wear, conditions.fade, rng)
    matrix = _placement(piece, conditions, rng)
    size = (WINDOW_COLS, WINDOW_ROWS)
    inside, before = _rounding(matrix, image)
    flags, border = cv2.INTER_LINEAR, cv2.BORDER_TRANSPARENT
    cv2.warpAffine(printed, matrix, size, dst=image, flags=flags, borderMode=border)
    for (rows, cols), round_off, old in zip(inside, _wedges(), before, strict=True):
        if old.size:
            _cut_round(image[rows, cols], old, matrix, round_off, (cols.start, rows.start))


_RADIUS_PX: Final = 3.2 * WINDOW_PX_PER_MM


@lru_cache(maxsize=1)
def _wedges() -> tuple[NDArray[np.float64], ...]:
    """What is rounded off the corners of the landscape card, as polygons in its pixels."""
    wide, high = CARD_HEIGHT_MM * WINDOW_PX_PER_MM, CARD_WIDTH_MM * WINDOW_PX_PER_MM
    wedges = []
    for x, y, sx, sy in ((0, 0, 1, 1), (wide, 0, -1, 1), (0, high, 1, -1), (wide, high, -1, -1)):
        t = np.linspace(0, np.pi / 2, 12)
        arc = np.column_stack([1 - np.sin(t), 1 - np.cos(t)]) * _RADIUS_PX
        beyond = np.array([[-3.0, _RADIUS_PX], [-3.0, -3.0], [_RADIUS_PX, -3.0]])
        wedges.append(np.vstack([arc, beyond]) * (sx, sy) + (x - 0.5, y - 0.5))
    return tuple(wedges)


def _rounding(
    matrix: NDArray[np.float64], image: Window
) -> tuple[list[tuple[slice, slice]], list[Window]]:
    """Where the card's four corners lie in the image, and what was there before."""
    places, before = [], []
    for wedge in _wedges():
        spots = wedge @ matrix[:, :2].T + matrix[:, 2]
        x0, y0 = (max(0, int(v)) for v in np.floor(spots.min(axis=0)))
        x1, y1 = (max(0, int(v)) for v in np.ceil(spots.max(axis=0)) + 1)
        place = (slice(y0, max(y0, y1)), slice(x0, max(x0, x1)))
        places.append(place)
        before.append(image[place].copy())
    return places, before


def _cut_round(
    part: Window,
    old: Window,
    matrix: NDArray[np.float64],
    wedge: NDArray[np.float64],
    origin: tuple[int, int],
) -> None:
    spots = wedge @ matrix[:, :2].T + matrix[:, 2] - origin
    mask: Any = np.zeros(part.shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.round(spots * 16).astype(np.int32)], 255, cv2.LINE_8, shift=4)
    hidden = mask > 0
    part[hidden] = old[hidden]


def _placement(piece: Piece, c: Conditions, rng: np.random.Generator) -> NDArray[np.float64]:
    """2x3 matrix from the landscape card (top right corner = index corner) to the image."""
    draws = np.clip(rng.standard_normal(5), -2.5, 2.5)
    tilt = np.deg2rad(piece.tilt_deg + c.tilt_deg * draws[0])
    scale = 1 + c.scale * draws[1]
    skew = c.skew * draws[2]
    turn = np.array([[np.cos(tilt), -np.sin(tilt)], [np.sin(tilt), np.cos(tilt)]])
    turn = c.zoom * scale * turn @ np.array([[1, skew], [0, 1]])
    lead_middle = np.array([CARD_HEIGHT_MM * WINDOW_PX_PER_MM / 2, 0.0])
    across = WINDOW_COLS / WINDOW_PX_PER_MM - RIGHT_MARGIN_MM - CARD_HEIGHT_MM / 2
    across += piece.shift_mm + c.shift_mm * draws[3]
    along = piece.lead_row + WINDOW_PX_PER_MM * c.shift_mm * draws[4]
    # The tilt turns the card about the visible part of its leading edge, 25 mm from the index corner.
    pivot = np.array([(CARD_HEIGHT_MM - 25.0) * WINDOW_PX_PER_MM, 0.0])
    target = np.array([across * WINDOW_PX_PER_MM, along]) + pivot - lead_middle
    middle = np.array([WINDOW_COLS / 2, WINDOW_ROWS / 2])
    offset = middle + c.zoom * (target - middle) - turn @ pivot
    return np.column_stack([turn, offset])


class _Key:
    """A face by identity, so that a cache may hold what is derived from it."""

    __slots__ = ("face",)

    def __init__(self, face: Face) -> None:
        self.face = face

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and other.face is self.face

    def __hash__(self) -> int:
        return id(self.face)


_key = _Key


@lru_cache(maxsize=128)
def _landscape(key: _Key, turned: bool) -> NDArray[np.uint8]:
    """The face a quarter turn clockwise, BGRA: four channels are turned twice as fast as three."""
    face = key.face[::-1, ::-1] if turned else key.face
    if face.shape[:2] != (ROWS, COLS):
        raise ValueError(f"a face of shape {face.shape}, not of ({ROWS}, {COLS}, 3)")
    upright: Any = np.ascontiguousarray(np.rot90(face[:, :, :3], k=-1))
    return np.asarray(cv2.cvtColor(upright, cv2.COLOR_BGR2BGRA), np.uint8)


@lru_cache(maxsize=1)
def card_outline() -> NDArray[np.uint8]:
    """255 on a portrait card with rounded corners, 0 beyond: (880, 570)."""
    radius = round(3.2 * WINDOW_PX_PER_MM)
    shape: Any = np.zeros((ROWS, COLS), np.uint8)
    cv2.rectangle(shape, (radius, 0), (COLS - 1 - radius, ROWS - 1), 255, cv2.FILLED)
    cv2.rectangle(shape, (0, radius), (COLS - 1, ROWS - 1 - radius), 255, cv2.FILLED)
    for x in (radius, COLS - 1 - radius):
        for y in (radius, ROWS - 1 - radius):
            cv2.circle(shape, (x, y), radius, 255, cv2.FILLED)
    return np.asarray(shape)


@lru_cache(maxsize=1)
def _belt() -> Window:
    """The dark belt behind the cards, BGRA, in the scale where white paper is 255."""
    rng = np.random.default_rng(1961)
    weave = rng.normal(0, 1, (WINDOW_ROWS, WINDOW_COLS)).astype(np.float32)
    weave = cv2.GaussianBlur(weave, (0, 0), 2.0) * 12 + cv2.GaussianBlur(weave, (0, 0), 14.0) * 40
    grey = np.clip(34 + weave, 10, 70)
    belt = np.dstack([grey * 1.02, grey, grey * 0.98, np.full_like(grey, 255)]).astype(np.uint8)
    belt.flags.writeable = False
    return belt


def _kernel(box_px: float, sigma_px: float) -> NDArray[np.float32]:
    """A moving-box blur of *box_px* joined with a Gauss blur of *sigma_px*, on whole pixels."""
    half = max(1, int(np.ceil(box_px / 2 + 3 * sigma_px)))
    fine = np.arange(-half * 20, half * 20 + 1) / 20
    shape = np.exp(-0.5 * (fine / max(sigma_px, 0.05)) ** 2)
    if box_px > 0.05:
        steps = max(1, round(box_px * 20))
        shape = np.convolve(shape, np.ones(steps), "same")
    bins = np.round(fine).astype(int) + half
    taps = np.bincount(bins, weights=shape, minlength=2 * half + 1)
    return np.asarray(taps / taps.sum(), np.float32)


@lru_cache(maxsize=256)
def _kernels(motion_px: float, sigma_px: float) -> tuple[Any, Any]:
    return _kernel(0.0, sigma_px), _kernel(motion_px, sigma_px)


_FEW_TAPS: Final = 16
"""With more, one filter after the other takes half the time of both at once."""


def _blur(image: Window, c: Conditions, exposure: float) -> Window:
    motion = round(c.motion_blur_mm * exposure * WINDOW_PX_PER_MM, 2)
    across, along = _kernels(motion, round(c.defocus_mm * WINDOW_PX_PER_MM + 0.3, 2))
    if len(across) + len(along) <= _FEW_TAPS:
        return np.asarray(cv2.sepFilter2D(image, -1, across, along), np.uint8)
    image = np.asarray(cv2.filter2D(image, -1, across.reshape(1, -1)), np.uint8)
    return np.asarray(cv2.filter2D(image, -1, along.reshape(-1, 1)), np.uint8)


@lru_cache(maxsize=64)
def _shade(angle_16: int, loss_32: int) -> NDArray[np.uint8]:
    """How much light falls where, 255 for all of it."""
    angle = angle_16 * np.pi / 8
    y, x = np.mgrid[0:WINDOW_ROWS, 0:WINDOW_COLS].astype(np.float32)
    x, y = x / WINDOW_COLS - 0.5, y / WINDOW_COLS - 0.3
    side = x * np.cos(angle) + y * np.sin(angle) + 0.5
    falloff = 1 - 0.12 * (x * x + y * y)
    light = (1 - loss_32 / 32 * np.clip(side, 0, 1)) * falloff
    return np.repeat((255 * light)[:, :, None], 3, axis=2).astype(np.uint8)


_TINT: Final = 190
"""A factor of 1 in the picture of a tint: two pictures are multiplied faster than a picture and three numbers."""


def _tint(cast: NDArray[np.float64]) -> NDArray[np.uint8]:
    """The colour balance 1 + *cast* as a picture, in steps of half a percent."""
    colour = np.clip(np.round((1 + cast) * _TINT), 0, 255).astype(np.uint8)
    picture = np.empty((WINDOW_ROWS, WINDOW_COLS, 3), np.uint8)
    picture.reshape(WINDOW_ROWS, -1)[:] = np.tile(colour, WINDOW_COLS)
    return picture


def _light(image: Window, c: Conditions, exposure: float, rng: np.random.Generator) -> Window:
    draws = np.clip(rng.standard_normal(5), -2.5, 2.5)
    level = PAPER_LEVEL * exposure * c.gain * max(0.05, 1 + c.gain_spread * draws[0]) / 255
    shade = _shade(
        int(rng.integers(16)), round(32 * c.gradient * min(1.0, 0.6 + abs(draws[1]) / 4))
    )
    image = np.asarray(cv2.multiply(image, shade, scale=level / 255), np.uint8)
    image = np.asarray(cv2.multiply(image, _tint(c.cast * draws[2:5]), scale=1 / _TINT), np.uint8)
    if c.flicker:
        phase, period = rng.uniform(0, 2 * np.pi), rng.uniform(120, 400)
        bands = 1 - c.flicker * (
            0.5 + 0.5 * np.sin(np.arange(WINDOW_ROWS) * 2 * np.pi / period + phase)
        )
        lamp = np.empty_like(image)
        lamp.reshape(WINDOW_ROWS, -1)[:] = np.round(255 * bands)[:, None]
        image = np.asarray(cv2.multiply(image, lamp, scale=1 / 255), np.uint8)
    return image


@lru_cache(maxsize=1)
def _grain() -> NDArray[np.uint8]:
    """A large field of Gauss noise about 128 with a standard deviation of 24."""
    rng = np.random.default_rng(1984)
    field = rng.standard_normal((900, 1200, 3), dtype=np.float32) * 24 + 128
    return np.asarray(np.clip(np.round(field), 0, 255), np.uint8)


def _noise(image: Window, sigma: float, rng: np.random.Generator) -> Window:
    field = _grain()
    top = int(rng.integers(field.shape[0] - WINDOW_ROWS))
    left = int(rng.integers(field.shape[1] - WINDOW_COLS))
    grain = field[top : top + WINDOW_ROWS, left : left + WINDOW_COLS]
    share = sigma / 24
    return np.asarray(cv2.addWeighted(image, 1.0, grain, share, -128 * share), np.uint8)


def second_look(conditions: Conditions) -> Conditions:
    """The same machine a moment later: the reflections move with the card, the light does not."""
    return replace(conditions, glare=conditions.glare * 0.6)
