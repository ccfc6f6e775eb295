"""Finds one whole card in a scan or photo: any turn, any plain background, light that is not even."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import CARD_HEIGHT_MM, CARD_WIDTH_MM
from vision.patch import Corner, Matrix
from vision.sides import ASPECTS, Quad, quads_of_sides

_WORK_PX: Final = 480
"""Outlines are sought in a copy whose longer side has at most so many pixels."""
_CLOSE_SHARE: Final = 0.6
"""A card that takes less of the image's longer side, with room, is looked at closer."""
_ROOM: Final = 0.2
_CLOSE_LOOKS_AT_SIDES: Final = 2
_CLOSE_LOOKS: Final = 3
_LEAST_SHARE: Final = 0.012
"""The card's area as a share of the image's, at least."""
_PAPER_LIGHT: Final = 0.6
_PAPER_HUE: Final = 0.16
"""Other paper has at least that share of the light of the card's own, in every channel nearly the same."""
_LEAST_PX: Final = 32
"""Pictures that are narrower show no card's sides."""
_COMPANY: Final = 0.12
"""So much paper beside a card, as a share of its area, is another card."""


def cards_in(
    image: NDArray[np.uint8], any_shape: bool = False, sides: bool = True
) -> Iterator[tuple[Corner, Corner]]:
    """Pairs of opposite index corners, one pair for each way in which a whole card may lie there.

    *image* is BGR or BGRA; the likeliest way comes first. The image as a whole may be the card too, and
    comes last; with *any_shape* also upright as it is, whatever its shape. Without *sides* only closed outlines
    are looked for, which is faster.
    """
    seen: list[Quad] = []
    ways = ((_quads(image), "outline"), (_quads_of_sides(image), "sides"))[: 1 + sides]
    for source, quad in ((source, quad) for quads, source in ways for quad in quads):
        if any(_alike(quad, other) for other in seen):
            continue
        seen.append(quad)
        yield from _readings(quad, source)
    frame = _frame(image)
    if not any(_alike(frame, other) for other in seen):
        yield from _readings(frame, "whole")
    if any_shape:
        yield _corner(frame, 0, "upright"), _corner(frame, 2, "upright")


def _frame(image: NDArray[np.uint8]) -> Quad:
    rows, cols = image.shape[:2]
    right, foot = cols - 0.5, rows - 0.5
    return np.array([[-0.5, -0.5], [right, -0.5], [right, foot], [-0.5, foot]])


def _alike(one: Quad, other: Quad) -> bool:
    size = float(np.linalg.norm(one[0] - one[2]))
    gaps = [np.linalg.norm(np.roll(one, k, axis=0) - other, axis=1).max() for k in range(4)]
    return min(float(gap) for gap in gaps) < 0.008 * size


def _readings(quad: Quad, source: str) -> Iterator[tuple[Corner, Corner]]:
    """The pair of index corners if the quad has a card's shape; short sides are top and bottom."""
    sides = [float(np.linalg.norm(quad[(k + 1) % 4] - quad[k])) for k in range(4)]
    first, second = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    if min(first, second) < 24:
        return
    aspect = max(first, second) / min(first, second)
    if not ASPECTS[0] <= aspect <= ASPECTS[1]:
        return
    start = 0 if first < second else 1
    yield _corner(quad, start, source), _corner(quad, start + 2, source)


def _corner(quad: Quad, start: int, source: str) -> Corner:
    card = np.array(
        [[0, 0], [CARD_WIDTH_MM, 0], [CARD_WIDTH_MM, CARD_HEIGHT_MM], [0, CARD_HEIGHT_MM]]
    )
    target = np.roll(quad, -start, axis=0)
    matrix: Any = cv2.getPerspectiveTransform(card.astype(np.float32), target.astype(np.float32))
    return Corner(np.asarray(matrix, float), source)


def _quads(image: NDArray[np.uint8]) -> Iterator[Quad]:
    """Outlines found in different ways, in pixels of *image*; a card that is small there is looked at closer."""
    for quad in _coarse_quads(image):
        yield from _looked_closer(quad, image, _coarse_quads, _CLOSE_LOOKS) or ()
        yield quad


def _looked_closer(
    quad: Quad,
    image: NDArray[np.uint8],
    find: Callable[[NDArray[np.uint8]], Iterator[Quad]],
    looks: int,
) -> Iterator[Quad] | None:
    """What is found in the part of *image* about *quad*; None if that is most of it."""
    box = _closer(quad, image.shape)
    if box is None:
        return None
    rows, cols = box
    offset = np.array([cols.start, rows.start], float)
    return (found + offset for found in islice(find(image[rows, cols]), looks))


def _closer(quad: Quad, shape: tuple[int, ...]) -> tuple[slice, slice] | None:
    """Rows and columns about *quad* if they are much less than the whole image."""
    low, high = quad.min(axis=0), quad.max(axis=0)
    room = _ROOM * (high - low).max()
    x0, y0 = (int(v) for v in np.maximum(low - room, 0))
    x1, y1 = int(min(high[0] + room, shape[1])), int(min(high[1] + room, shape[0]))
    if max(x1 - x0, y1 - y0) > _CLOSE_SHARE * max(shape[:2]):
        return None
    return slice(y0, y1), slice(x0, x1)


def _coarse(image: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """A copy to seek outlines in, and how many pixels one of its pixels has across and down."""
    factor = max(1.0, max(image.shape[:2]) / _WORK_PX)
    size = (max(1, round(image.shape[1] / factor)), max(1, round(image.shape[0] / factor)))
    small = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    return small, np.array([image.shape[1] / size[0], image.shape[0] / size[1]])


def _coarse_quads(image: NDArray[np.uint8]) -> Iterator[Quad]:
    small, grow = _coarse(image)
    for mask in _masks(small):
        quad = _fit_quad(mask)
        if quad is not None:
            yield (quad + 0.5) * grow - 0.5


def _quads_of_sides(image: NDArray[np.uint8]) -> Iterator[Quad]:
    """Where pieces of sides are seen; a card that is small there is looked at closer."""
    for quad in _coarse_sides(image):
        near = _looked_closer(quad, image, _coarse_sides, _CLOSE_LOOKS_AT_SIDES)
        yield from [quad] if near is None else near


def _coarse_sides(image: NDArray[np.uint8]) -> Iterator[Quad]:
    small, grow = _coarse(image)
    if min(small.shape[:2]) >= _LEAST_PX:
        for quad in quads_of_sides(small[:, :, :3]):
            yield (quad + 0.5) * grow - 0.5


def _masks(small: NDArray[np.uint8]) -> Iterator[NDArray[np.uint8]]:
    if small.shape[2] == 4:
        if small[:, :, 3].min() < 200:
            yield np.where(small[:, :, 3] > 127, 255, 0).astype(np.uint8)
        small = np.ascontiguousarray(small[:, :, :3])
    away = _from_background(small)
    noise = float(np.median(np.concatenate([away[:3].ravel(), away[-3:].ravel()])))
    for least in (14.0, 32.0, 7.0):
        yield np.where(away > least + 3 * noise, 255, 0).astype(np.uint8)
    yield _from_edges(small)
    slope = _slope(small)
    calm = float(np.median(slope))
    for least in (5.0, 2.0, 12.0):
        yield _enclosed(slope, least + 2.5 * calm)


def has_company(image: NDArray[np.uint8], corner: Corner) -> bool:
    """Whether more paper lies beside or under the card that lies at *corner*: a second card."""
    factor = max(1.0, max(image.shape[:2]) / _WORK_PX)
    size = (round(image.shape[1] / factor), round(image.shape[0] / factor))
    small = np.asarray(cv2.resize(image[:, :, :3], size, interpolation=cv2.INTER_AREA), np.uint8)
    ends = (
        (0.0, 0.0),
        (CARD_WIDTH_MM, 0.0),
        (CARD_WIDTH_MM, CARD_HEIGHT_MM),
        (0.0, CARD_HEIGHT_MM),
    )
    quad = (np.array([corner.at(x, y) for x, y in ends]) + 0.5) / factor - 0.5
    own = np.zeros(small.shape[:2], np.uint8)
    cv2.fillConvexPoly(own, np.round(quad).astype(np.int32), 1)
    if not own.any():
        return False
    paper = np.percentile(small[own > 0], 75, axis=0)
    share = small / np.maximum(paper, 1.0)
    like = (share.min(axis=2) > _PAPER_LIGHT) & (np.ptp(share, axis=2) < _PAPER_HUE)
    slope = _slope(small)
    object_ = _enclosed(slope, 5.0 + 2.5 * float(np.median(slope))) > 0
    rim = round(0.05 * float(np.linalg.norm(quad[0] - quad[2]))) * 2 + 1
    about = cv2.dilate(own, np.ones((rim, rim), np.uint8)) > 0
    return float((object_ & like & ~about).sum()) > _COMPANY * float(own.sum())


def _slope(small: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Change of any channel from pixel to pixel."""
    soft = cv2.GaussianBlur(small, (0, 0), 1.0).astype(np.float32)
    gx, gy = cv2.Sobel(soft, cv2.CV_32F, 1, 0) / 8, cv2.Sobel(soft, cv2.CV_32F, 0, 1) / 8
    return np.asarray(np.hypot(gx, gy).max(axis=2), np.float32)


def _enclosed(slope: NDArray[np.float32], least: float) -> NDArray[np.uint8]:
    """What cannot be reached from the image's rim without crossing an edge.

    Shadows that end hard leave a line on the ground, but ground on both sides of it, which reaches the rim.
    """
    barrier = cv2.morphologyEx(
        (slope > least).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)
    )
    _, numbers = cv2.connectedComponents(1 - barrier, connectivity=4)
    rim = np.concatenate([numbers[0], numbers[-1], numbers[:, 0], numbers[:, -1]])
    outside = np.isin(numbers, np.setdiff1d(rim, [0]))
    # The edge itself is as wide as its blur: the ground takes half of it back.
    ground = cv2.dilate(outside.astype(np.uint8), np.ones((3, 3), np.uint8))
    inside = cv2.morphologyEx(1 - ground, cv2.MORPH_OPEN, np.ones((7, 7), np.uint8))
    return np.asarray(255 * inside, np.uint8)


def _from_background(small: NDArray[np.uint8]) -> NDArray[np.float32]:
    """How far each pixel is from a background that changes smoothly across the image."""
    rows, cols = small.shape[:2]
    y, x = np.mgrid[0:rows, 0:cols].astype(np.float32)
    x, y = x / cols - 0.5, y / rows - 0.5
    terms = np.stack([np.ones_like(x), x, y, x * y, x * x, y * y], axis=2)
    rim = np.zeros((rows, cols), bool)
    width = max(2, min(rows, cols) // 40)
    rim[:width] = rim[-width:] = True
    rim[:, :width] = rim[:, -width:] = True
    soft = cv2.blur(small, (3, 3)).astype(np.float32)
    basis, values = terms[rim], soft[rim]
    keep = np.ones(len(basis), bool)
    fit = np.zeros((6, 3), np.float32)
    for _ in range(4):
        some = basis[keep]
        fit = np.linalg.solve(
            some.T @ some + 1e-4 * np.eye(6, dtype=np.float32), some.T @ values[keep]
        )
        gap = np.abs(values - basis @ fit).max(axis=1)
        limit = max(4.0, 2.5 * float(np.median(gap)))
        keep = gap < limit
        if keep.sum() < 40:
            break
    return np.asarray(np.abs(soft - terms @ fit).max(axis=2), np.float32)


def _from_edges(small: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The inside of the outermost closed edge, for white cards on white."""
    grey = cv2.GaussianBlur(small.max(axis=2), (0, 0), 1.2)
    gx, gy = cv2.Scharr(grey, cv2.CV_16S, 1, 0), cv2.Scharr(grey, cv2.CV_16S, 0, 1)
    edges = cv2.Canny(gx, gy, 60, 180)
    return np.asarray(cv2.morphologyEx(edges, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)), np.uint8)


def _fit_quad(mask: NDArray[np.uint8]) -> Quad | None:
    """Four straight sides about the largest thing in *mask*, if it is nearly a rectangle."""
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    found, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    found = [contour for contour in found if len(contour) > 60]
    if not found:
        return None
    hulls = [cv2.convexHull(contour) for contour in found]
    best = max(range(len(hulls)), key=lambda k: cv2.contourArea(hulls[k]))
    hull = hulls[best]
    box = cv2.boxPoints(cv2.minAreaRect(hull))
    area = cv2.contourArea(box)
    if area < _LEAST_SHARE * mask.size or cv2.contourArea(hull) < 0.86 * area:
        return None
    contour = found[best].reshape(-1, 2).astype(float)
    return _sides(_clockwise(np.asarray(box, float)), contour, mask.shape)


def _clockwise(box: Quad) -> Quad:
    middle = box.mean(axis=0)
    angles = np.arctan2(box[:, 1] - middle[1], box[:, 0] - middle[0])
    return box[np.argsort(angles)]


def _sides(box: Quad, contour: NDArray[np.float64], shape: tuple[int, ...]) -> Quad | None:
    """The box with each side fitted to the contour's points along its middle part."""
    lines: list[tuple[NDArray[np.float64], NDArray[np.float64]]] = []
    reach = 0.07 * float(np.linalg.norm(box[0] - box[2]))
    centre = box.mean(axis=0)
    for k in range(4):
        a, b = box[k], box[(k + 1) % 4]
        length = float(np.linalg.norm(b - a))
        along = (b - a) / length
        outward = np.array([along[1], -along[0]])
        outward *= np.sign(float(outward @ (a - centre)))
        place = (contour - a) @ along / length
        off = (contour - a) @ outward
        near = (place > 0.12) & (place < 0.88) & (np.abs(off) < reach)
        if near.sum() < 12:
            return None
        fitted = _side(contour[near], off[near], along)
        if not _straight(contour[near] - fitted[0], fitted[1], place[near], length):
            return None
        # Contours run through pixel centres; the edge itself lies half a pixel further out.
        lines.append((fitted[0] + 0.5 * outward, fitted[1]))
    corners = []
    for k in range(4):
        (p, u), (q, v) = lines[k - 1], lines[k]
        cross = np.column_stack([u, -v])
        if abs(float(np.linalg.det(cross))) < 0.5:
            return None
        corners.append(p + np.linalg.solve(cross, q - p)[0] * u)
    return np.array(corners)


def _straight(
    points: Matrix, direction: NDArray[np.float64], place: NDArray[np.float64], length: float
) -> bool:
    """Whether contour points lie on the line nearly all along a side: a figure's sides are not so straight."""
    gap = np.abs(points @ np.array([-direction[1], direction[0]]))
    on_line = place[gap < max(1.3, 0.012 * length)]
    met = np.histogram(on_line, bins=10, range=(0.12, 0.88))[0] > 0
    return int(met.sum()) >= 8


def _side(points: Matrix, off: NDArray[np.float64], along: NDArray[np.float64]) -> tuple[Any, Any]:
    """A line through most of *points*: those near the outermost dense level first."""
    keep = np.abs(off - np.median(off)) < max(
        2.0, 2.5 * float(np.median(np.abs(off - np.median(off))))
    )
    for _ in range(3):
        middle = points[keep].mean(axis=0)
        spread = points[keep] - middle
        _, _, axes = np.linalg.svd(spread, full_matrices=False)
        direction = axes[0] * np.sign(float(axes[0] @ along))
        normal = np.array([-direction[1], direction[0]])
        gap = np.abs((points - middle) @ normal)
        better = gap < max(0.8, 2.5 * float(np.median(gap[keep])))
        if better.sum() < 8:
            break
        keep = better
    return middle, direction
