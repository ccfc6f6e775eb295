"""Outlines of the thirteen rank figures in two styles of our own: a book face and a bold poster face.

A glyph is one unit high (y 0 at its top, 1 at its foot) and `width` wide, its left side at x = 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from vision.synthetic.outlines import Points, Shape, box, cubic, cut, ellipse, points, stroke


@dataclass(frozen=True, slots=True)
class Style:
    """Stroke widths in units of the glyph's height; `serif` is 0 for none."""

    thick: float
    thin: float
    serif: float


BOOK = Style(thick=0.165, thin=0.075, serif=0.062)
POSTER = Style(thick=0.185, thin=0.15, serif=0.0)


@dataclass(frozen=True, slots=True)
class Glyph:
    """One figure."""

    shape: Shape
    width: float


def foot(style: Style, x: float, y: float, reach: float) -> list[Points]:
    """A serif centred on x, if the style has any; y is the outer side: 0 for the top line, 1 for the foot line."""
    if not style.serif:
        return []
    inner = style.serif if y == 0 else 1 - style.serif
    return [box(x - reach, min(y, inner), x + reach, max(y, inner))]


def _ace(s: Style) -> Glyph:
    left, right = s.thin, s.thick
    solid = [
        cut(stroke(points(0.36, -0.05, 0.06, 1.05), left), 0, 1),
        cut(stroke(points(0.34, -0.05, 0.625, 1.05), right), 0, 1),
        stroke(points(0.17, 0.68, 0.53, 0.68), s.thin),
        *foot(s, 0.08, 1, 0.12),
        *foot(s, 0.60, 1, 0.15),
    ]
    return Glyph(Shape(solid), 0.70)


def _king(s: Style) -> Glyph:
    stem = s.thick / 2 + 0.06
    solid = [
        box(stem - s.thick / 2, 0, stem + s.thick / 2, 1),
        cut(stroke(points(0.63, -0.03, stem, 0.62), s.thin), 0, 1),
        cut(stroke(points(0.27, 0.30, 0.655, 1.06), s.thick), 0, 1),
        *foot(s, stem, 0, 0.15),
        *foot(s, stem, 1, 0.15),
        *foot(s, 0.58, 0, 0.12),
        *foot(s, 0.62, 1, 0.13),
    ]
    return Glyph(Shape(solid), 0.73)


def _queen(s: Style) -> Glyph:
    rx, ry = 0.34, 0.445
    tail = cubic(points(0.27, 0.70), 0.42, 0.72, 0.47, 0.99, 0.70, 0.93)
    tongue = stroke(tail, (s.thin, s.thick * 0.8, s.thin))
    hole = ellipse(0.35, 0.445, rx - s.thick, ry - s.thin * 0.95)
    return Glyph(Shape([ellipse(0.35, 0.445, rx, ry)], [hole], [tongue]), 0.70)


def _jack(s: Style) -> Glyph:
    stem = 0.42
    hook = cubic(
        points(stem, 0.0, stem, 0.66),
        stem,
        0.90,
        0.34,
        0.945,
        0.23,
        0.945,
        0.12,
        0.945,
        0.06,
        0.88,
        0.06,
        0.74,
    )
    solid = [
        stroke(hook, (s.thick, s.thick, s.thick, s.thick * 0.95, s.thin, s.thin * 1.1)),
        *foot(s, stem, 0, 0.16),
    ]
    if s.serif:
        solid.append(ellipse(0.095, 0.74, 0.085, 0.075))
    return Glyph(Shape(solid), 0.58)


def _ten(s: Style) -> Glyph:
    one = 0.12
    wide = s.thick * 0.9
    solid = [
        box(one - wide / 2, 0, one + wide / 2, 1),
        cut(stroke(points(one + 0.06, -0.06, -0.02, 0.17), s.thin * 1.1), 0, 1),
        *foot(s, one, 1, 0.12),
        ellipse(0.535, 0.5, 0.225, 0.5),
    ]
    hole = [ellipse(0.535, 0.5, 0.225 - wide * 0.92, 0.5 - s.thin)]
    return Glyph(Shape(solid, hole), 0.76)


def _nine_polygons(s: Style) -> tuple[list[Points], list[Points]]:
    bowl = ellipse(0.30, 0.31, 0.29, 0.31)
    hole = ellipse(0.30, 0.31, 0.29 - s.thick * 0.92, 0.31 - s.thin)
    back = cubic(
        points(0.51, 0.30),
        0.53,
        0.62,
        0.44,
        0.955,
        0.24,
        0.955,
        0.15,
        0.955,
        0.10,
        0.90,
        0.09,
        0.80,
    )
    tail = stroke(back, (s.thick, s.thick, s.thick * 0.9, s.thin, s.thin * 1.2))
    return [bowl, tail], [hole]


def _nine(s: Style) -> Glyph:
    solid, holes = _nine_polygons(s)
    return Glyph(Shape(solid, holes), 0.60)


def _eight(s: Style) -> Glyph:
    solid = [ellipse(0.30, 0.255, 0.255, 0.255), ellipse(0.30, 0.715, 0.30, 0.285)]
    holes = [
        ellipse(0.30, 0.255, 0.255 - s.thick * 0.8, 0.255 - s.thin),
        ellipse(0.30, 0.72, 0.30 - s.thick * 0.95, 0.285 - s.thin),
    ]
    return Glyph(Shape(solid, holes), 0.60)


def _seven(s: Style) -> Glyph:
    bar = max(s.thin * 1.5, 0.12)
    leg = cubic(points(0.50, bar * 0.6), 0.36, 0.34, 0.25, 0.60, 0.24, 1.0)
    solid = [box(0.02, 0, 0.58, bar), stroke(leg, (s.thin, s.thick, s.thick * 1.05))]
    if s.serif:
        solid.append(box(0.02, 0, 0.02 + s.thin, 0.23))
    return Glyph(Shape(solid), 0.60)


def _five(s: Style) -> Glyph:
    bar = max(s.thin * 1.5, 0.12)
    bowl = cubic(
        points(0.12, 0.47),
        *(0.20, 0.36, 0.50, 0.36, 0.50, 0.66),
        *(0.50, 0.88, 0.36, 0.955, 0.24, 0.955),
        *(0.14, 0.955, 0.07, 0.90, 0.06, 0.80),
    )
    solid = [
        box(0.10, 0, 0.53, bar),
        box(0.08, 0, 0.08 + max(s.thin, 0.09), 0.52),
        stroke(bowl, (s.thin, s.thick * 0.9, s.thick, s.thick, s.thin, s.thin * 1.2)),
    ]
    return Glyph(Shape(solid), 0.60)


def _four(s: Style) -> Glyph:
    stem = 0.42
    solid = [
        box(stem - s.thick / 2, 0, stem + s.thick / 2, 1),
        cut(stroke(points(stem, -0.04, 0.03, 0.74), s.thin), 0, 0.7),
        box(0.0, 0.66, 0.62, 0.66 + max(s.thin, 0.09)),
        *foot(s, stem, 1, 0.14),
    ]
    return Glyph(Shape(solid), 0.62)


def _three(s: Style) -> Glyph:
    upper = cubic(
        points(0.07, 0.18),
        0.09,
        0.09,
        0.17,
        0.045,
        0.27,
        0.045,
        0.42,
        0.045,
        0.47,
        0.14,
        0.47,
        0.23,
        0.47,
        0.36,
        0.38,
        0.45,
        0.22,
        0.46,
    )
    lower = cubic(
        points(0.22, 0.46),
        0.42,
        0.46,
        0.50,
        0.58,
        0.50,
        0.70,
        0.50,
        0.88,
        0.38,
        0.955,
        0.25,
        0.955,
        0.14,
        0.955,
        0.06,
        0.90,
        0.05,
        0.80,
    )
    solid = [
        stroke(upper, (s.thin * 1.2, s.thin, s.thick * 0.85, s.thick * 0.9, s.thin)),
        stroke(lower, (s.thin, s.thick * 0.85, s.thick, s.thick, s.thin, s.thin * 1.2)),
    ]
    return Glyph(Shape(solid), 0.60)


def _two(s: Style) -> Glyph:
    bar = max(s.thin * 1.5, 0.13)
    neck = cubic(
        points(0.07, 0.26),
        0.07,
        0.12,
        0.16,
        0.05,
        0.28,
        0.05,
        0.42,
        0.05,
        0.50,
        0.14,
        0.50,
        0.27,
        0.50,
        0.48,
        0.20,
        0.62,
        0.10,
        0.93,
    )
    solid = [
        cut(
            stroke(neck, (s.thin * 1.2, s.thin * 1.1, s.thick, s.thick, s.thin * 1.1, s.thin)), 0, 1
        ),
        box(0.03, 1 - bar, 0.56, 1),
    ]
    if s.serif:
        solid.append(box(0.56 - s.thin, 0.76, 0.56, 1))
    return Glyph(Shape(solid), 0.60)


def _six(s: Style) -> Glyph:
    solid, holes = _nine_polygons(s)
    upside_down = Shape(solid, holes).moved(-1, -1, 0.60, 1.0)
    return Glyph(upside_down, 0.60)


_MAKERS = {
    "A": _ace,
    "K": _king,
    "Q": _queen,
    "J": _jack,
    "T": _ten,
    "9": _nine,
    "8": _eight,
    "7": _seven,
    "6": _six,
    "5": _five,
    "4": _four,
    "3": _three,
    "2": _two,
}


@cache
def glyph(rank_letter: str, style: Style) -> Glyph:
    """The figure of one rank, named by its letter (T for ten)."""
    return _MAKERS[rank_letter](style)
