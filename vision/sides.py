"""Finds a card by straight pieces of its sides, where no closed outline is to be had.

A thumb or the picture's border covers a part of it, the ground is as bright as the paper or has a pattern.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Quad = Floats
"""Four corners, clockwise on the screen, in pixels: (4, 2)."""

_BOOSTS: Final = (1.0, 4.0)
"""Contrast of the picture that lines are sought in; white on white shows a line of a few grey values."""
_LEAST_PX: Final = 9.0
_LINES: Final = 24
_OFF_PX: Final = 1.6
_PARALLEL: Final = float(np.cos(np.deg2rad(9.0)))
_UPRIGHT: Final = float(np.sin(np.deg2rad(13.0)))
ASPECTS: Final = (1.22, 1.75)
"""Long side over short side of cards, seen a little aslant at worst."""
_MADE: Final = (88 / 57, 88 / 63)
"""Of bridge and of poker cards, for a side that cannot be seen."""
_SEEN: Final = 0.22
"""Of each side so much is seen at least."""
_SEEN_ALL: Final = 0.5
"""And so much of all of them together."""
_SHORTEST_PX: Final = 24.0
_MOST: Final = 4


@dataclass(slots=True, eq=False)
class _Line:
    """Pieces on one line: a point, a unit direction, and from where to where the pieces reach."""

    point: Floats
    way: Floats
    pieces: list[tuple[float, float]]
    ends: list[Floats]

    @property
    def length(self) -> float:
        return sum(b - a for a, b in self.pieces)

    def off(self, spot: Floats) -> float:
        gap = spot - self.point
        return abs(float(gap[0] * self.way[1] - gap[1] * self.way[0]))

    def seen(self, one: Floats, other: Floats) -> float:
        """Share of the way between two places on the line that pieces cover."""
        a, b = sorted(
            (float((one - self.point) @ self.way), float((other - self.point) @ self.way))
        )
        if b - a < 1:
            return 0.0
        return min(1.0, sum(max(0.0, min(b, q) - max(a, p)) for p, q in self.pieces) / (b - a))


def quads_of_sides(picture: NDArray[np.uint8]) -> Iterator[Quad]:
    """Where a card may lie in a small BGR picture (480 px or so), the likeliest first."""
    for boost in _BOOSTS:
        lines = _lines(_pieces(picture, boost))
        found = sorted(_rectangles(lines, picture.shape), key=lambda one: -one[0])
        kept: list[Quad] = []
        for _, quad in found:
            if len(kept) == _MOST:
                break
            size = float(np.linalg.norm(quad[0] - quad[2]))
            if all(_gap(quad, other) > 0.02 * size for other in kept):
                kept.append(quad)
                yield quad


def _gap(one: Quad, other: Quad) -> float:
    return min(
        float(np.linalg.norm(np.roll(one, k, axis=0) - other, axis=1).max()) for k in range(4)
    )


def _pieces(picture: NDArray[np.uint8], boost: float) -> Floats:
    """Straight pieces of edges, (n, 4) as x, y, x, y; the longest first."""
    paper = cv2.medianBlur(np.ascontiguousarray(picture.min(axis=2)), 3)
    if boost > 1:
        soft = cv2.GaussianBlur(paper, (0, 0), 1.0).astype(np.float32)
        level = cv2.GaussianBlur(soft, (0, 0), 0.04 * max(paper.shape))
        paper = np.clip(128 + boost * (soft - level), 0, 255).astype(np.uint8)
    detector: Any = cv2.createLineSegmentDetector(cv2.LSD_REFINE_STD, 1.0)
    found = detector.detect(paper)[0]
    if found is None:
        return np.zeros((0, 4))
    pieces = np.asarray(found, float).reshape(-1, 4)
    lengths = np.hypot(pieces[:, 2] - pieces[:, 0], pieces[:, 3] - pieces[:, 1])
    order = np.argsort(-lengths)[:400]
    return pieces[order[lengths[order] >= _LEAST_PX]]


def _lines(pieces: Floats) -> list[_Line]:
    """Pieces that lie on one line, together; the lines that most is seen of."""
    lines: list[_Line] = []
    for x0, y0, x1, y1 in pieces:
        a, b = np.array([x0, y0]), np.array([x1, y1])
        way = (b - a) / np.linalg.norm(b - a)
        for line in lines:
            if abs(float(way @ line.way)) < 0.99:
                continue
            if line.off(a) < _OFF_PX and line.off(b) < _OFF_PX:
                _joined(line, a, b)
                break
        else:
            length = float(np.linalg.norm(b - a))
            lines.append(_Line(a, way, [(0.0, length)], [a, b]))
    return sorted(lines, key=lambda line: -line.length)[:_LINES]


def _joined(line: _Line, a: Floats, b: Floats) -> None:
    """The line with one more piece, fitted anew."""
    line.ends += [a, b]
    ends = np.array(line.ends)
    sizes = np.linalg.norm(ends[::2] - ends[1::2], axis=1).repeat(2)
    middle = (ends * sizes[:, None]).sum(axis=0) / sizes.sum()
    _, _, axes = np.linalg.svd((ends - middle) * np.sqrt(sizes)[:, None], full_matrices=False)
    line.point, line.way = middle, axes[0]
    along = ((ends - middle) @ line.way).reshape(-1, 2)
    line.pieces = []
    for low, high in sorted((min(pair), max(pair)) for pair in along.tolist()):
        if line.pieces and low <= line.pieces[-1][1]:
            line.pieces[-1] = (line.pieces[-1][0], max(high, line.pieces[-1][1]))
        else:
            line.pieces.append((low, high))


def _rectangles(lines: Sequence[_Line], shape: tuple[int, ...]) -> Iterator[tuple[float, Quad]]:
    """Quads between two pairs of lines, with what speaks for each; the last side may lie outside the picture."""
    pairs = [
        (one, other)
        for one, other in combinations(lines, 2)
        if abs(float(one.way @ other.way)) > _PARALLEL and one.off(other.point) > _SHORTEST_PX * 0.8
    ]
    for first, second in combinations(pairs, 2):
        if abs(float(first[0].way @ second[0].way)) < _UPRIGHT:
            quad = _between(first, second)
            if quad is not None:
                seen = _support(quad, (first[0], second[1], first[1], second[0]))
                if min(seen) >= _SEEN:
                    yield from _judged(quad, seen, shape)
    for pair in pairs:
        for across in lines:
            if abs(float(pair[0].way @ across.way)) < _UPRIGHT:
                yield from _open_ended(pair, across, shape)


def _support(quad: Quad, sides: Sequence[_Line]) -> list[float]:
    return [side.seen(quad[k], quad[(k + 1) % 4]) for k, side in enumerate(sides)]


def _judged(
    quad: Quad, seen: Sequence[float], shape: tuple[int, ...]
) -> Iterator[tuple[float, Quad]]:
    lengths = [float(np.linalg.norm(quad[(k + 1) % 4] - quad[k])) for k in range(4)]
    one, other = (lengths[0] + lengths[2]) / 2, (lengths[1] + lengths[3]) / 2
    share = float(np.dot(seen, lengths[: len(seen)]) / sum(lengths[: len(seen)]))
    if min(one, other) < _SHORTEST_PX or share < _SEEN_ALL:
        return
    if ASPECTS[0] <= max(one, other) / min(one, other) <= ASPECTS[1]:
        # Frames inside a card are rectangles too: the larger is the likelier one.
        yield share + 0.6 * np.sqrt(one * other / (shape[0] * shape[1])), _clockwise(quad)


def _clockwise(quad: Quad) -> Quad:
    (ax, ay), (bx, by) = quad[1] - quad[0], quad[2] - quad[1]
    return quad if ax * by - ay * bx > 0 else quad[::-1].copy()


def _meeting(one: _Line, other: _Line) -> Floats | None:
    cross = np.column_stack([one.way, -other.way])
    if abs(float(np.linalg.det(cross))) < 0.5:
        return None
    return np.asarray(one.point + np.linalg.solve(cross, other.point - one.point)[0] * one.way)


def _between(first: tuple[_Line, _Line], second: tuple[_Line, _Line]) -> Quad | None:
    """Sides: first[0], second[1], first[1], second[0]."""
    order = ((0, 0), (0, 1), (1, 1), (1, 0))
    corners = [_meeting(first[i], second[j]) for i, j in order]
    found = [corner for corner in corners if corner is not None]
    return np.array(found) if len(found) == 4 else None


def _open_ended(
    pair: tuple[_Line, _Line], across: _Line, shape: tuple[int, ...]
) -> Iterator[tuple[float, Quad]]:
    """Quads whose fourth side is cut off by the picture's border."""
    a, b = _meeting(pair[0], across), _meeting(pair[1], across)
    if a is None or b is None:
        return
    wide = float(np.linalg.norm(b - a))
    if wide < _SHORTEST_PX or across.seen(a, b) < _SEEN_ALL:
        return
    for sense in (1.0, -1.0):
        for ratio in (*_MADE, *(1 / made for made in _MADE)):
            ways = [sense * line.way * np.sign(line.way @ pair[0].way) for line in pair]
            quad = np.array([a, b, b + ratio * wide * ways[1], a + ratio * wide * ways[0]])
            if not _cut_off(quad[2:], shape):
                continue
            seen = [across.seen(a, b)]
            inside = [_within(quad[k], quad[3 - k], shape) for k in (0, 1)]
            seen += [line.seen(*part) for line, part in zip(pair, inside, strict=True)]
            if min(seen) >= _SEEN_ALL:
                yield from ((score - 0.1, found) for score, found in _judged(quad, seen, shape))


def _cut_off(ends: Floats, shape: tuple[int, ...]) -> bool:
    """Whether a side lies beyond the picture's border, or along it."""
    rows, cols = shape[:2]
    out = np.maximum.reduce([-ends[:, 0], -ends[:, 1], ends[:, 0] - cols, ends[:, 1] - rows])
    return bool(out.max() > -2)


def _within(start: Floats, end: Floats, shape: tuple[int, ...]) -> tuple[Floats, Floats]:
    """The part of a side that the picture can show, from *start* on."""
    rows, cols = shape[:2]
    way, part = end - start, 1.0
    for axis, limit in ((0, cols), (1, rows)):
        if end[axis] > limit and way[axis] > 0:
            part = min(part, (limit - start[axis]) / way[axis])
        if end[axis] < 0 and way[axis] < 0:
            part = min(part, -start[axis] / way[axis])
    return start, start + max(part, 0.0) * way
