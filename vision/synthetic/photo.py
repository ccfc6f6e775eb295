"""A whole card as a scanner or a telephone sees it: any turn, a plain ground, light that is not even."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synthetic.canvas import COLS, ROWS, Face
from vision.synthetic.optics import card_outline

Picture = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Setting:
    """How a photo is taken. Ranges are drawn evenly per photo."""

    turn_deg: tuple[float, float] = (0.0, 360.0)
    card_share: tuple[float, float] = (0.45, 0.9)
    """The card's diagonal as a share of the picture's short side, at most."""
    short_side_px: tuple[int, int] = (400, 1600)
    perspective: float = 0.03
    gradient: float = 0.35
    blur_px: float = 0.8
    noise: float = 4.0
    ground: tuple[int, int] = (10, 200)
    """Grey values of the ground, tinted a little."""
    shadow: float = 0.25
    hard_shadow: float = 0.0
    """Share of light lost beyond a hard line somewhere across the picture."""


SCAN: Final = Setting(
    turn_deg=(-3.0, 3.0), perspective=0.0, gradient=0.03, blur_px=0.4, noise=1.5, shadow=0.1
)
PHOTO: Final = Setting()


def photograph(face: Face, setting: Setting, rng: np.random.Generator) -> Picture:
    """A picture of one card lying face up; BGR uint8, three by four or four by three."""
    short = int(rng.integers(setting.short_side_px[0], setting.short_side_px[1] + 1))
    size = (short * 4 // 3, short) if rng.random() < 0.5 else (short, short * 4 // 3)
    matrix = _placement(size, setting, rng)
    tint = 1 + rng.uniform(-0.15, 0.15, 3)
    ground = np.clip(rng.uniform(*setting.ground) * tint, 0, 255)
    printed: Any = np.dstack([face, card_outline()])
    shrink = float(np.sqrt(abs(np.linalg.det(matrix[:2, :2]))))
    if shrink < 1:
        printed = cv2.GaussianBlur(printed, (0, 0), 0.45 / shrink)
    seen: Any = cv2.warpPerspective(printed, matrix, size, flags=cv2.INTER_LINEAR)
    cover = seen[:, :, 3:] / np.float32(255)
    image: Any = np.empty((size[1], size[0], 3), np.float32)
    image[:] = ground
    if setting.shadow:
        image *= 1 - setting.shadow * _shadow(cover[:, :, 0], 0.006 * short)[:, :, None]
    image = image * (1 - cover) + seen[:, :, :3] * cover
    image *= _light(size, setting.gradient, rng)[:, :, None]
    if setting.hard_shadow:
        image *= _hard_shadow(size, setting.hard_shadow, rng)[:, :, None]
    image = cv2.GaussianBlur(image, (0, 0), max(0.2, rng.uniform(0.2, setting.blur_px)))
    image += rng.standard_normal(image.shape, dtype=np.float32) * setting.noise
    return np.asarray(np.clip(image, 0, 255), np.uint8)


def _shadow(cover: Any, drop_px: float) -> NDArray[np.float32]:
    move = np.array([[1, 0, drop_px], [0, 1, drop_px]])
    moved = cv2.warpAffine(cover, move, (cover.shape[1], cover.shape[0]))
    return np.asarray(cv2.GaussianBlur(moved, (0, 0), max(1.0, drop_px)), np.float32)


def _placement(
    size: tuple[int, int], setting: Setting, rng: np.random.Generator
) -> NDArray[np.float64]:
    """3x3 matrix from face pixels to picture pixels."""
    reach = rng.uniform(*setting.card_share) * min(size)
    scale = reach / float(np.hypot(ROWS, COLS))
    angle = np.deg2rad(rng.uniform(*setting.turn_deg))
    cos, sin = scale * np.cos(angle), scale * np.sin(angle)
    middle = np.array(size) / 2 + rng.uniform(-0.5, 0.5, 2) * (np.array(size) - reach) * 0.8
    to_middle = np.array([[1, 0, -COLS / 2], [0, 1, -ROWS / 2], [0, 0, 1.0]])
    turn = np.array([[cos, -sin, middle[0]], [sin, cos, middle[1]], [0, 0, 1.0]])
    lean = np.eye(3)
    lean[2, :2] = rng.uniform(-1, 1, 2) * setting.perspective / (ROWS / 2)
    return np.asarray(turn @ lean @ to_middle)


def _light(size: tuple[int, int], loss: float, rng: np.random.Generator) -> NDArray[np.float32]:
    angle = rng.uniform(0, 2 * np.pi)
    y, x = np.mgrid[0 : size[1], 0 : size[0]].astype(np.float32)
    side = (x / size[0] - 0.5) * np.cos(angle) + (y / size[1] - 0.5) * np.sin(angle)
    return np.asarray(rng.uniform(0.75, 1.0) * (1 - loss * (side + 0.5)), np.float32)


def _hard_shadow(
    size: tuple[int, int], loss: float, rng: np.random.Generator
) -> NDArray[np.float32]:
    """1 on one side of a line near the middle, less on the other."""
    angle, offset = rng.uniform(0, 2 * np.pi), rng.uniform(-0.3, 0.3)
    y, x = np.mgrid[0 : size[1], 0 : size[0]].astype(np.float32)
    side = (x / size[0] - 0.5) * np.cos(angle) + (y / size[1] - 0.5) * np.sin(angle) - offset
    return np.asarray(1 - loss * np.clip(0.5 + 100 * side, 0, 1), np.float32)
