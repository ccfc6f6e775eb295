"""Capital letters of court cards in other languages, in the styles of `glyphs`; measures as there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from vision.synthetic.glyphs import Glyph, Style, foot
from vision.synthetic.outlines import Points, Shape, box, cubic, cut, points, stroke

_STEM: Final = 0.06


def _stem(s: Style, x: float) -> list[Points]:
    """An upright stroke centred on x, with its serifs."""
    upright = box(x - s.thick / 2, 0, x + s.thick / 2, 1)
    return [upright, *foot(s, x, 0, 0.15), *foot(s, x, 1, 0.15)]


def _bowl(s: Style, top: float, end: float, reach: float) -> Points:
    """A round stroke from the stem at *top* to the stem at *end*, as far right as *reach*."""
    left, edge = _STEM + s.thick / 2, s.thin / 2
    upper, lower = top + edge, end - edge
    corner = reach - s.thick / 2
    far = corner + 0.33 * (corner - left)
    path = cubic(points(left, upper), far, upper, far, lower, left, lower)
    return stroke(path, (s.thin, s.thick * 0.8, s.thick, s.thick * 0.8, s.thin))


def _b(s: Style) -> Glyph:
    bowls = [_bowl(s, 0, 0.49 + s.thin / 2, 0.56), _bowl(s, 0.49 - s.thin / 2, 1, 0.63)]
    return Glyph(Shape([*_stem(s, _STEM + s.thick / 2), *bowls]), 0.66)


def _d(s: Style) -> Glyph:
    return Glyph(Shape([*_stem(s, _STEM + s.thick / 2), _bowl(s, 0, 1, 0.68)]), 0.70)


def _e(s: Style) -> Glyph:
    bar, left = max(s.thin, 0.09), _STEM + s.thick / 2
    bars = [box(left, y, x, y + bar) for y, x in ((0, 0.56), (0.46, 0.47), (1 - bar, 0.58))]
    ends = [box(0.56 - s.thin, 0, 0.56, 0.2), box(0.58 - s.thin, 0.8, 0.58, 1)] if s.serif else []
    return Glyph(Shape([*_stem(s, left), *bars, *ends]), 0.60)


def _h(s: Style) -> Glyph:
    left, right = _STEM + s.thick / 2, 0.66 - s.thick / 2
    bar = max(s.thin, 0.09)
    between = box(left, 0.48 - bar / 2, right, 0.48 + bar / 2)
    return Glyph(Shape([*_stem(s, left), *_stem(s, right), between]), 0.72)


def _v(s: Style) -> Glyph:
    solid = [
        cut(stroke(points(0.07, -0.05, 0.36, 1.05), s.thick), 0, 1),
        cut(stroke(points(0.34, 1.05, 0.64, -0.05), s.thin), 0, 1),
        *foot(s, 0.10, 0, 0.14),
        *foot(s, 0.60, 0, 0.12),
    ]
    return Glyph(Shape(solid), 0.70)


LETTERS: Final[dict[str, Callable[[Style], Glyph]]] = {"B": _b, "D": _d, "E": _e, "H": _h, "V": _v}
