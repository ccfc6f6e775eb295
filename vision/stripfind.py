"""Finds where a design prints bars: a place where every card has parallel edges, and no two cards the same ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.features import Floats, darkest
from vision.geometry import CARD_HEIGHT_MM, CARD_WIDTH_MM
from vision.patch import Corner, cut
from vision.strip import Place

_PX: Final = 5
"""Pixels a millimetre of the search."""
_LONG_MM: Final = 2.0
"""Bars are as long as that at least."""
_ACROSS_MM: Final = 4.0
"""And a strip reaches so far at least."""
_EDGY: Final = 0.02
"""Mean squared slope (ink a pixel) where bars are."""
_PARALLEL: Final = 0.06
"""Largest slope along bars as a share of that across them."""
_SHARE: Final = 0.7
"""Share of the pictures that must have bars about each spot of a place."""
SHARE: Final = 0.85
"""Share of the pictures that must have bars somewhere at a place; the others are then asked after by name."""
_SOME: Final = 0.12
"""Share of a place that must have bars about it."""
_TELLING: Final = 0.1
"""Least standard deviation of the ink from card to card."""
_QUIET_MM: Final = 1.8
"""Paper that ends a strip."""
_MARGIN_MM: Final = 0.5
"""Paper at either end that belongs to a code."""
_DARK: Final = 0.4
_RIM_MM: Final = 0.6
_MOST: Final = 4


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One card, upright from one of its corners: 5 px/mm."""

    picture: int
    """Which picture it is of."""
    corner: Corner
    ink: Floats
    """(440, 285): 0 paper, 1 black."""
    known: NDArray[np.bool_]
    """What the picture shows of it."""


def frame_of(picture: int, image: NDArray[np.uint8], corner: Corner) -> Frame:
    """The card in *image* as *corner* has it."""
    size = (CARD_WIDTH_MM, CARD_HEIGHT_MM)
    return Frame(picture, corner, _ink(image, corner, size, (0.0, 0.0)), _known(image, corner))


def _ink(
    image: NDArray[np.uint8],
    corner: Corner,
    size_mm: tuple[float, float],
    origin_mm: tuple[float, float],
) -> Floats:
    dark = darkest(cut(image, corner, size_mm, origin_mm, _PX))
    paper = cv2.blur(cv2.dilate(dark, np.ones((31, 31), np.uint8)), (31, 31)).astype(np.float32)
    return np.clip(1 - dark / np.maximum(paper, 12), 0, 1).astype(np.float32)


def _known(image: NDArray[np.uint8], corner: Corner) -> NDArray[np.bool_]:
    shape = (round(CARD_HEIGHT_MM * _PX), round(CARD_WIDTH_MM * _PX))
    ends = [corner.at(x, y) for x in (0, CARD_WIDTH_MM) for y in (0, CARD_HEIGHT_MM)]
    right, foot = image.shape[1] - 0.5, image.shape[0] - 0.5
    if all(-0.6 <= x <= right and -0.6 <= y <= foot for x, y in ends):
        return np.ones(shape, np.bool_)
    y, x = (np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32) + 0.5) / _PX
    m = corner.matrix.astype(np.float32)
    w = m[2, 0] * x + m[2, 1] * y + m[2, 2]
    px, py = ((m[k, 0] * x + m[k, 1] * y + m[k, 2]) / w for k in range(2))
    return np.asarray((px > -0.6) & (py > -0.6) & (px < right) & (py < foot))


def find_places(frames: Sequence[Frame]) -> list[Place]:
    """Where bars are printed, the most telling place first."""
    by_picture: dict[int, list[Frame]] = {}
    for frame in frames:
        by_picture.setdefault(frame.picture, []).append(frame)
    found: list[tuple[float, Place]] = []
    for down in (False, True):
        found += _places(by_picture, down)
    found = [
        (told, place)
        for told, place in found
        if sum(any(_shown_at(one, place) for one in each) for each in by_picture.values())
        >= SHARE * len(by_picture)
    ]
    found.sort(key=lambda one: -one[0])
    apart: list[Place] = []
    for _, place in found:
        if len(apart) < _MOST and not any(overlap(place, other) for other in apart):
            apart.append(place)
    return _one_way_up(apart)


def _one_way_up(places: Sequence[Place]) -> list[Place]:
    """Without those that are others of them seen the other way up; the half of the index is kept."""
    kept: list[Place] = []
    for place in sorted(places, key=lambda one: one.y0 + one.y1):
        if not any(overlap(half_turned(place), other) for other in kept):
            kept.append(place)
    return kept


def half_turned(place: Place) -> Place:
    """Where that paper lies when the card lies the other way up."""
    x0, x1 = CARD_WIDTH_MM - place.x1, CARD_WIDTH_MM - place.x0
    return Place(x0, CARD_HEIGHT_MM - place.y1, x1, CARD_HEIGHT_MM - place.y0, place.down)


def overlap(one: Place, other: Place) -> bool:
    """Whether two places share paper."""
    return one.x0 < other.x1 and other.x0 < one.x1 and one.y0 < other.y1 and other.y0 < one.y1


def has_bars(image: NDArray[np.uint8], corner: Corner, place: Place) -> bool:
    """Whether a card has parallel edges at *place*, and nothing that crosses them."""
    x0, y0, x1, y1 = place.x0 - 1, place.y0 - 1, place.x1 + 1, place.y1 + 1
    return _some(_barred(_ink(image, corner, (x1 - x0, y1 - y0), (x0, y0)), place.down))


def _some(barred: NDArray[np.bool_]) -> bool:
    return bool(barred.size) and float(barred.mean()) > _SOME


def _shown_at(frame: Frame, place: Place) -> bool:
    y0, y1, x0, x1 = (round(v * _PX) for v in (place.y0, place.y1, place.x0, place.x1))
    part = (slice(max(y0 - _PX, 0), y1 + _PX), slice(max(x0 - _PX, 0), x1 + _PX))
    return _some(_barred(frame.ink[part], place.down) & frame.known[part])


def _barred(ink: Floats, down: bool) -> NDArray[np.bool_]:
    """Where there are bars about a pixel: strong slopes, all of them across."""
    soft = cv2.GaussianBlur(ink, (0, 0), 0.7)
    across = cv2.Sobel(soft, cv2.CV_32F, 1, 0, ksize=3) / 8
    along = cv2.Sobel(soft, cv2.CV_32F, 0, 1, ksize=3) / 8
    size = (round(_ACROSS_MM * _PX) | 1, round(_LONG_MM * _PX) | 1)
    if down:
        across, along, size = along, across, size[::-1]
    strong, weak = cv2.blur(across * across, size), cv2.blur(along * along, size)
    return np.asarray((strong > _EDGY * _EDGY) & (weak < _PARALLEL * strong), np.bool_)


def _places(by_picture: Mapping[int, Sequence[Frame]], down: bool) -> list[tuple[float, Place]]:
    shape = next(iter(by_picture.values()))[0].ink.shape
    shown = np.zeros(shape, np.float32)
    counts = np.zeros(shape, np.float32)
    total, squares, seen = (np.zeros(shape, np.float32) for _ in range(3))
    darkest_ink = np.zeros(shape, np.float32)
    blur = (1, round(_LONG_MM * _PX) | 1)
    for frames in by_picture.values():
        barred = [_barred(frame.ink, down) & frame.known for frame in frames]
        counts += np.any([frame.known for frame in frames], axis=0)
        shown += np.any(barred, axis=0)
        for frame, here in zip(frames, barred, strict=True):
            ink = cv2.blur(frame.ink, blur[::-1] if down else blur)
            near = cv2.dilate(here.astype(np.uint8), np.ones((25, 25), np.uint8)) > 0
            total, squares = total + ink * near, squares + ink * ink * near
            seen += near
            darkest_ink = np.maximum(darkest_ink, np.where(near, ink, 0))
    most = float(counts.max())
    fair = (counts > 0.9 * most) & (shown > _SHARE * np.maximum(counts, 1))
    spread = np.sqrt(
        np.maximum(squares / np.maximum(seen, 1) - (total / np.maximum(seen, 1)) ** 2, 0)
    )
    found = []
    count, numbers = cv2.connectedComponents(fair.astype(np.uint8))
    for number in range(1, count):
        rows, cols = np.nonzero(numbers == number)
        place = _extent(rows, cols, darkest_ink, spread, down)
        if place is not None:
            found.append(place)
    return found


def _extent(
    rows: NDArray[np.intp], cols: NDArray[np.intp], dark: Floats, spread: Floats, down: bool
) -> tuple[float, Place] | None:
    """Grows a core of bars to where paper begins; None if it tells no cards apart."""
    if down:
        rows, cols, dark, spread = cols, rows, dark.T, spread.T
    middle_row, middle_col = int(np.median(rows)), int(np.median(cols))
    line = slice(max(middle_row - 2, 0), middle_row + 3)
    told = spread[line].mean(axis=0)
    inked = dark[line].mean(axis=0) > _DARK
    left, right = (_end(inked, middle_col, step) for step in (-1, 1))
    within = told[left : right + 1]
    if right - left < _ACROSS_MM * _PX or float(within.mean()) < _TELLING:
        return None
    core = dark[:, left : right + 1].mean(axis=1)
    level = 0.75 * float(core[line].mean())
    top, foot = middle_row, middle_row
    while top > 0 and core[top - 1] > level:
        top -= 1
    while foot + 1 < len(core) and core[foot + 1] > level:
        foot += 1
    top_mm, foot_mm = top / _PX + _RIM_MM, (foot + 1) / _PX - _RIM_MM
    if foot_mm - top_mm < _LONG_MM - 2 * _RIM_MM:
        return None
    start, end = left / _PX - _MARGIN_MM, (right + 1) / _PX + _MARGIN_MM
    x0, x1, y0, y1 = (round(float(v), 2) for v in (start, end, top_mm, foot_mm))
    place = Place(y0, x0, y1, x1, True) if down else Place(x0, y0, x1, y1, False)
    return float(np.median(within)) * (right - left), place


def _end(inked: NDArray[np.bool_], start: int, step: int) -> int:
    """The last dark pixel before so much paper that the strip is over."""
    last, gap = start, 0
    for place in range(start, len(inked) if step > 0 else -1, step):
        if inked[place]:
            last, gap = place, 0
        else:
            gap += 1
            if gap > _QUIET_MM * _PX:
                break
    return last
