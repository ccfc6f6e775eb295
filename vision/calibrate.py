"""How well the window's camera is set: place, scale, focus, light, measured on the stop card, a blank card and nothing.

The stop card's mark is 12.6 mm wide and lies 3.2 mm from both edges of its card, so one picture of it tells where
the camera looks and at what scale. Every figure has the limits between which cards are read as designed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import (
    LEAD_ROW,
    LEAD_ROW_LOOK_2,
    RIGHT_MARGIN_MM,
    STOP_MARK_ID,
    STOP_MARK_OFFSET_MM,
    STOP_MARK_SIZE_MM,
    WINDOW_COLS,
    WINDOW_PX_PER_MM,
)
from vision.patch import Corner, cut
from vision.stopcard import find_marks

Window = NDArray[np.uint8]

_FINE: Final = 40
"""Pixels a millimetre at which an edge is looked at."""
_OWN_BLUR_MM: Final = 0.05
"""What pixels of a tenth of a millimetre and their interpolation add to a perfectly sharp edge."""
_RISE: Final = 2.563
"""From 10 % to 90 % of an edge blurred by a Gaussian, in its standard deviations."""
_SMEAR_MORE_MM: Final = 0.12
"""So much more than the belt's own way an edge may seem smeared; it is the difference of two blurs."""
_BLOCK: Final = 20
"""Pixels on a side of the blocks in which light is compared."""


@dataclass(frozen=True, slots=True)
class CameraFigure:
    """One measured value and the limits between which it must lie."""

    name: str
    value: float
    unit: str
    low: float
    high: float

    @property
    def within(self) -> bool:
        """Whether it is as it must be."""
        return self.low <= self.value <= self.high


@dataclass(frozen=True, slots=True, eq=False)
class Pictures:
    """What calibration looks at; window images, BGR."""

    marks: Sequence[Window]
    """The stop card at look 1, passed a few times."""
    marks_2: Sequence[Window]
    """The same passes at look 2."""
    blanks: Sequence[Window]
    """A blank white card at look 1, a few times."""
    dark: Sequence[Window]
    """The empty window without the strobe: whatever shines in."""


@dataclass(frozen=True, slots=True)
class MarkView:
    """One picture of the mark, in the window's own millimetres."""

    across_mm: float
    """From where the card's short edge should be; positive to the right."""
    along_mm: float
    """From where its leading edge should be; positive against the travel."""
    tilt_deg: float
    """Clockwise as the image is seen."""
    skew_deg: float
    """By how much the mark's corners differ from right angles."""
    px_per_mm: float
    blur_mm: float
    """Standard deviation of the blur across the travel: focus."""
    smear_mm: float
    """Length of the blur along the travel: belt speed times strobe."""


def see_mark(image: Window, lead_row: int = LEAD_ROW) -> MarkView | None:
    """What one picture of the stop card tells; None if its mark is not seen whole."""
    corners = find_marks(image).get(STOP_MARK_ID)
    if corners is None:
        return None
    near, far = STOP_MARK_OFFSET_MM, STOP_MARK_OFFSET_MM + STOP_MARK_SIZE_MM
    card = np.array([[near, near, 1], [far, near, 1], [far, far, 1], [near, far, 1]])
    fitted, *_ = np.linalg.lstsq(card, corners, rcond=None)
    right, down, origin = (
        fitted  # image pixels a millimetre to the card's right and down; its corner
    )
    tilt = np.rad2deg(np.arctan2(-right[0], right[1]))
    between = np.rad2deg(np.arctan2(down[1], -down[0]))
    size = float((np.hypot(*right) + np.hypot(*down)) / 2)
    edge = WINDOW_COLS - RIGHT_MARGIN_MM * WINDOW_PX_PER_MM
    matrix = np.eye(3)
    matrix[:2] = fitted.T
    across, along = _blurs(image, Corner(matrix, "mark"))
    return MarkView(
        float(origin[0] + 0.5 - edge) / WINDOW_PX_PER_MM,
        float(origin[1] + 0.5 - lead_row) / WINDOW_PX_PER_MM,
        float(tilt),
        float(tilt + between),
        size,
        across,
        float(np.sqrt(12 * max(along**2 - across**2, 0.0))),
    )


def _blurs(image: Window, corner: Corner) -> tuple[float, float]:
    """Blur of the mark's edges across and along the travel, mm.

    The card's right is along the travel, so its mark's left edge is crossed by going along.
    """
    start, middle = STOP_MARK_OFFSET_MM - 1.2, STOP_MARK_OFFSET_MM + STOP_MARK_SIZE_MM * 0.3
    long = STOP_MARK_SIZE_MM * 0.4
    along = cut(image, corner, (2.4, long), (start, middle), _FINE).mean(axis=(0, 2))
    across = cut(image, corner, (long, 2.4), (middle, start), _FINE).mean(axis=(1, 2))
    return _sigma(across), _sigma(along)


def _sigma(profile: NDArray[np.float64]) -> float:
    """Standard deviation, mm, of the blur of an edge from bright to dark."""
    high, low = float(profile[:10].mean()), float(profile[-10:].mean())
    share = (profile - low) / max(high - low, 1.0)
    places = [int(np.argmax(share < level)) for level in (0.9, 0.1)]
    rise_mm = (places[1] - places[0]) / _FINE
    return float(np.sqrt(max((rise_mm / _RISE) ** 2 - _OWN_BLUR_MM**2, 0.0)))


def measure_camera(pictures: Pictures, smear_mm: float = 0.135) -> Iterator[CameraFigure]:
    """All figures that *pictures* allow; "mark_seen" alone where the stop card's mark never is.

    *smear_mm*: way of the belt during the strobe, which no picture can be sharper than.
    """
    views = [view for view in map(see_mark, pictures.marks) if view]
    seen = 100.0 * len(views) / max(len(pictures.marks), 1)
    yield CameraFigure("mark_seen", seen, "%", 100, 100)
    if views:
        yield from _geometry(views, smear_mm)
        later = [see_mark(image, LEAD_ROW_LOOK_2) for image in pictures.marks_2]
        gone = [view.along_mm for view in later if view]
        if gone:
            moved = np.median(gone) - np.median([view.along_mm for view in views])
            yield CameraFigure("look_offset", float(moved), "mm", -1.0, 1.0)
    if pictures.blanks:
        yield from _light(pictures.blanks)
    if pictures.dark:
        paper = _paper_level(pictures.blanks[0]) if pictures.blanks else 255.0
        yield from _darkness(pictures.dark, paper)


def _geometry(views: Sequence[MarkView], smear_mm: float) -> Iterator[CameraFigure]:
    def middle(name: str) -> float:
        return float(np.median([getattr(view, name) for view in views]))

    yield CameraFigure("window_across", middle("across_mm"), "mm", -1.0, 1.0)
    yield CameraFigure("window_along", middle("along_mm"), "mm", -1.0, 1.0)
    yield CameraFigure("window_tilt", middle("tilt_deg"), "°", -1.0, 1.0)
    yield CameraFigure("window_skew", middle("skew_deg"), "°", -1.0, 1.0)
    yield CameraFigure("window_scale", middle("px_per_mm"), "px/mm", 9.7, 10.3)
    yield CameraFigure("focus", middle("blur_mm"), "mm", 0.0, 0.14)
    yield CameraFigure("smear", middle("smear_mm"), "mm", 0.0, smear_mm + _SMEAR_MORE_MM)


def _paper(image: Window) -> NDArray[np.float64]:
    """Mean colour of blocks (n, 3) that are paper all over, BGR."""
    rows, cols = (size // _BLOCK * _BLOCK for size in image.shape[:2])
    blocks = image[:rows, :cols].reshape(rows // _BLOCK, _BLOCK, cols // _BLOCK, _BLOCK, 3)
    means = blocks.mean(axis=(1, 3)).reshape(-1, 3)
    grey = means.mean(axis=1)
    darkest = blocks.min(axis=(1, 3)).reshape(-1, 3).mean(axis=1)
    fair = grey > 0.5 * float(np.percentile(grey, 95))
    return np.asarray(means[fair & (darkest > 0.6 * grey)], np.float64)


def _paper_level(image: Window) -> float:
    """Grey value of the paper; 0 where none is seen."""
    paper = _paper(image)
    return float(np.median(paper.mean(axis=1))) if len(paper) else 0.0


def _light(blanks: Sequence[Window]) -> Iterator[CameraFigure]:
    paper = [_paper(image) for image in blanks]
    if not all(len(one) for one in paper):  # nothing more can be said of light that is not there
        level = float(np.median([image.mean() for image in blanks]))
        yield CameraFigure("light", level, "", 110, 190)
        return
    levels = np.array([np.median(one.mean(axis=1)) for one in paper])
    colours = np.median(np.concatenate(paper), axis=0)
    grey = np.concatenate(paper).mean(axis=1)
    uneven = float(np.percentile(grey, 2) / max(np.percentile(grey, 98), 1.0))
    clipped = 100 * float(np.mean([(image >= 255).any(axis=2).mean() for image in blanks]))
    yield CameraFigure("light", float(np.median(levels)), "", 110, 190)
    yield CameraFigure("light_even", 100 * uneven, "%", 70, 100)
    away = float(np.abs(colours / colours.mean() - 1).max())
    yield CameraFigure("white_balance", 100 * away, "%", 0, 8)
    yield CameraFigure("overexposed", clipped, "%", 0, 0.5)
    yield CameraFigure("glare", _glare(blanks), "%", 0, 12)
    yield CameraFigure("noise", float(np.median([_noise(image) for image in blanks])), "", 0, 6)
    if len(blanks) > 1:
        spread = float(levels.max() - levels.min()) / max(float(np.median(levels)), 1.0)
        yield CameraFigure("flicker", 100 * spread, "%", 0, 12)


def _glare(blanks: Sequence[Window]) -> float:
    """Percent by which the brightest spot of the paper is above the light's own smooth slope."""
    found = []
    for image in blanks:
        small = cv2.resize(image, (32, 20), interpolation=cv2.INTER_AREA).mean(axis=2)
        rows, cols = np.nonzero(small > 0.7 * np.percentile(small, 90))
        terms = np.column_stack([np.ones(len(rows)), rows, cols])
        values = small[rows, cols]
        keep = np.ones(len(rows), bool)
        fit = np.zeros(3)
        for _ in range(3):
            fit, *_ = np.linalg.lstsq(terms[keep], values[keep], rcond=None)
            gap = values - terms @ fit
            keep = gap < max(2.0, 1.5 * float(np.median(np.abs(gap))))
        found.append(float(np.percentile(values - terms @ fit, 98) / max(np.median(values), 1.0)))
    return 100 * max(float(np.median(found)), 0.0)


def _noise(image: Window) -> float:
    """Standard deviation of single pixels, grey values, from the differences of neighbours on the paper."""
    inner = image[120:380, 60:560].astype(np.float32)
    difference = inner[:, 1:] - inner[:, :-1]
    return float(np.median(np.abs(difference)) / 0.6745 / np.sqrt(2))


def _darkness(dark: Sequence[Window], paper: float) -> Iterator[CameraFigure]:
    level = float(np.median([image.mean() for image in dark]))
    brightest = [
        np.percentile(cv2.blur(image, (_BLOCK, _BLOCK)).mean(axis=2), 99) for image in dark
    ]
    yield CameraFigure("dark", level, "", 0, 12)
    yield CameraFigure("daylight", 100 * float(np.max(brightest)) / max(paper, 1.0), "%", 0, 12)
    frames: Any = np.stack(dark).astype(np.float32)
    stuck = frames.min(axis=0).max(axis=2) > np.median(frames) + 60
    yield CameraFigure("bright_pixels", float(stuck.sum()), "", 0, 20)
