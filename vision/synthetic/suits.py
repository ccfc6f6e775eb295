"""Outlines of the four suits, each about one unit high and centred on the origin."""

from __future__ import annotations

from functools import cache

from vision.synthetic.outlines import Shape, cubic, ellipse, mirrored, points


def _stem(top: float) -> Shape:
    half = cubic(points(0.025, top), 0.035, 0.36, 0.09, 0.46, 0.21, 0.5)
    return Shape([mirrored(half)])


@cache
def suit_shape(letter: str) -> Shape:
    """The suit named by S, H, D or C."""
    if letter == "S":
        half = cubic(
            points(0, -0.5),
            *(0.07, -0.30, 0.45, -0.10, 0.45, 0.15),
            *(0.45, 0.32, 0.33, 0.385, 0.235, 0.385),
            *(0.13, 0.385, 0.05, 0.33, 0.0, 0.2),
        )
        return Shape([mirrored(half), *_stem(0.1).solid])
    if letter == "H":
        half = cubic(
            points(0, -0.27),
            *(0.04, -0.41, 0.13, -0.47, 0.245, -0.47),
            *(0.37, -0.47, 0.47, -0.37, 0.47, -0.21),
            *(0.47, 0.06, 0.13, 0.24, 0.0, 0.5),
        )
        return Shape([mirrored(half)])
    if letter == "D":
        half = cubic(
            points(0, -0.5), 0.09, -0.31, 0.25, -0.12, 0.39, 0.0, 0.25, 0.12, 0.09, 0.31, 0.0, 0.5
        )
        return Shape([mirrored(half)])
    if letter == "C":
        leaves = [
            ellipse(0, -0.265, 0.225, 0.225),
            ellipse(-0.265, 0.115, 0.225, 0.225),
            ellipse(0.265, 0.115, 0.225, 0.225),
            ellipse(0, 0.0, 0.11, 0.12),
        ]
        return Shape([*leaves, *_stem(-0.1).solid])
    raise ValueError(f"no suit {letter!r}")
