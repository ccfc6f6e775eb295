"""Masks of ranks and suits from many hands: fonts of the system, our own glyphs, suits of both.

Only fonts under free licences may train a model that we ship: pass their folders by hand (docs/general-reader.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from vision.general import GLYPHS
from vision.synthetic.glyphs import BOOK, POSTER, Style, glyph
from vision.synthetic.outlines import Mask, mask
from vision.synthetic.suits import suit_shape

HEIGHT: Final = 96
"""Pixels of a rank's mask from top to foot."""
_SUITS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_OWN: Final = {"10": "T"}
_BLANK: Final = "￿"


def _tight(ink: NDArray[np.float32]) -> Mask | None:
    rows, cols = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    if len(rows) < 8 or len(cols) < 4:
        return None
    return np.ascontiguousarray(ink[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1])


def _written(font: Any, text: str) -> Mask | None:
    sheet = Image.new("L", (HEIGHT * 4, HEIGHT * 3), 0)
    ImageDraw.Draw(sheet).text((HEIGHT // 2, HEIGHT // 2), text, fill=255, font=font)
    return _tight(np.asarray(sheet, np.float32) / 255)


@dataclass(eq=False)
class Prints:
    """What indices are printed with."""

    fonts: Sequence[Path]
    _open: dict[Path, Any] = field(default_factory=dict)

    @classmethod
    def from_folders(cls, folders: Sequence[Path]) -> Prints:
        """All upright fonts below *folders* that can write every rank."""
        found = []
        for folder in folders:
            for path in sorted([*folder.rglob("*.ttf"), *folder.rglob("*.otf")]):
                if not any(word in path.stem for word in ("Italic", "Oblique", "Mono")):
                    found.append(path)
        return cls([path for path in found if _usable(path)])

    def rank(self, text: str, number: int) -> Mask | None:
        """The rank *text* in font *number*; the last two are our own glyphs."""
        if number >= len(self.fonts):
            return _own_rank(text, (BOOK, POSTER)[number - len(self.fonts)])
        return _font_rank(self.fonts[number], text)

    @property
    def count(self) -> int:
        """Fonts and our own two hands."""
        return len(self.fonts) + 2

    def suit(self, letter: str, number: int) -> Mask:
        """The suit in font *number*, or our own where the font has none."""
        if number < len(self.fonts):
            written = _font_suit(self.fonts[number], _SUITS[letter])
            if written is not None:
                return written
        return _own_suit(letter)


def _usable(path: Path) -> bool:
    try:
        font = ImageFont.truetype(str(path), HEIGHT)
    except OSError:
        return False
    masks = [_written(font, text) for text in ("Q", "8", "K", _BLANK)]
    if any(one is None for one in masks[:3]):
        return False
    # Symbol fonts write one box, or one sign, for whatever is asked.
    shapes = {one.tobytes() for one in masks if one is not None}
    return len(shapes) >= 3


@lru_cache(maxsize=20000)
def _font_rank(path: Path, text: str) -> Mask | None:
    font = ImageFont.truetype(str(path), HEIGHT)
    return _known(font, text)


@lru_cache(maxsize=4000)
def _font_suit(path: Path, sign: str) -> Mask | None:
    font = ImageFont.truetype(str(path), HEIGHT)
    return _known(font, sign)


def _known(font: Any, text: str) -> Mask | None:
    written, missing = _written(font, text), _written(font, _BLANK * len(text))
    if written is None or (missing is not None and written.shape == missing.shape):
        return None
    return written


@lru_cache(maxsize=64)
def _own_rank(text: str, style: Style) -> Mask | None:
    letter = _OWN.get(text, text)
    try:
        figure = glyph(letter, style)
    except (KeyError, ValueError):
        return None
    size = (HEIGHT + 2, round(figure.width * HEIGHT) + 2)
    return _tight(mask(figure.shape.moved(1, 1, 0.01, 0.01), size, HEIGHT))


@lru_cache(maxsize=4)
def _own_suit(letter: str) -> Mask:
    shape = suit_shape(letter).moved(1, 1, 0.6, 0.6)
    found = _tight(mask(shape, (round(1.2 * HEIGHT),) * 2, HEIGHT))
    assert found is not None
    return found


def bent(stamp: Mask, rng: np.random.Generator) -> Mask:
    """The stamp pressed a little out of shape, fatter or thinner: no two printers draw one suit alike."""
    rows, cols = stamp.shape
    pad = 8
    wide = np.pad(stamp, pad)
    y, x = np.mgrid[0 : rows + 2 * pad, 0 : cols + 2 * pad].astype(np.float32)
    waves = rng.uniform(-1, 1, 4) * 0.045 * np.array([cols, rows, cols, rows])
    v, u = y / y.shape[0] * np.pi * 2, x / x.shape[1] * np.pi * 2
    dx = waves[0] * np.sin(v + rng.uniform(0, 6)) + waves[2] * np.cos(u)
    dy = waves[1] * np.cos(v) + waves[3] * abs(np.sin(u / 2 + 0.0))
    moved = cv2.remap(
        wide, (x + dx).astype(np.float32), (y + dy).astype(np.float32), cv2.INTER_LINEAR
    )
    weight = float(rng.uniform(-0.05, 0.05)) * HEIGHT / 2
    size = int(abs(weight)) * 2 + 1
    if size > 1:
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
        moved = (cv2.dilate if weight > 0 else cv2.erode)(moved, kernel)
    found = _tight(np.asarray(moved, np.float32))
    return stamp if found is None else found


assert set("AKQJ") <= set(GLYPHS)
