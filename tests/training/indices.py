"""Draws index corners of no design in particular: any hand, any place, any light; and what is none.

A sample is a patch as `vision.patch.cut` gives it (uint8 of 112 x 64 x 3) with the number of its rank sign
(`vision.general.GLYPHS`), of its suit (S H D C), and whether a whole index is there at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from deals.cards import CARDS, Card
from tests.training.prints import Prints, bent
from vision.general import GLYPHS
from vision.geometry import CARD_HEIGHT_MM, CARD_WIDTH_MM
from vision.patch import COLS, ROWS, Corner, Patch, cut

Sheet = NDArray[np.float32]
"""A patch at twice its size, 0..255."""

_FINE: Final = 2
_H, _W = ROWS * _FINE, COLS * _FINE
_SUITS: Final = "SHDC"
_LETTERS: Final = ("JOKER", "J", "JO", "N", "W", "X", "Z", "P", "S", "?", "*", "0", "18", "21", "M")


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """One patch and its truth; `glyph` and `suit` are -1 where no whole index is."""

    patch: Patch
    glyph: int
    suit: int


@dataclass(frozen=True, slots=True, eq=False)
class Art:
    """Faces of one design whose licence allows a model to be made from them."""

    faces: Mapping[Card, Patch]
    zoom: float
    """As `vision.layout.Layout.zoom`."""


def draw(prints: Prints, art: Sequence[Art], rng: np.random.Generator) -> Sample:
    """A sample; *art* lends whole indices now and then, and pieces that are none."""
    kind = rng.random()
    if kind < 0.2:
        return _none(prints, art, rng)
    if kind < 0.36 and art:
        return _from_art(art[int(rng.integers(len(art)))], rng)
    glyph, suit = int(rng.integers(len(GLYPHS))), int(rng.integers(4))
    sheet = _paper(rng)
    if not _index(sheet, prints, glyph, suit, rng):
        return _none(prints, art, rng)
    if kind > 0.9:  # the same index, but not where and how one is looked for
        return Sample(_expose(_misplaced(sheet, rng), rng), -1, -1)
    return Sample(_expose(_place(sheet, rng), rng), glyph, suit)


def _from_art(art: Art, rng: np.random.Generator) -> Sample:
    card = CARDS[int(rng.integers(52))]
    face = art.faces[card]
    rows, cols = face.shape[:2]
    scale = art.zoom / rng.uniform(0.68, 1.07)
    turn = np.deg2rad(np.clip(rng.normal(0, 3), -9, 9))
    origin = rng.normal(0, 0.7, 2) + (-rng.uniform(0, 2, 2) if rng.random() < 0.5 else 0)
    cos, sin = np.cos(turn) * scale, np.sin(turn) * scale
    mm = np.array([[cos, -sin, origin[0]], [sin, cos, origin[1]], [0, 0, 1.0]])
    to_px = np.diag([cols / CARD_WIDTH_MM, rows / CARD_HEIGHT_MM, 1.0])
    seen = cut(face, Corner(to_px @ mm, "art")).astype(np.float32)
    glyph = GLYPHS.index("10" if card.rank.letter == "T" else card.rank.letter)
    return Sample(_expose(seen, rng), glyph, int(card.suit))


def _none(prints: Prints, art: Sequence[Art], rng: np.random.Generator) -> Sample:
    sheet = _paper(rng)
    kind = rng.integers(5)
    if kind == 0:  # rank over rank, suit over suit
        number, suits = int(rng.integers(prints.count)), bool(rng.random() < 0.5)
        both = [
            prints.suit(_SUITS[int(rng.integers(4))], number)
            if suits
            else prints.rank(GLYPHS[int(rng.integers(len(GLYPHS)))], number)
            for _ in range(2)
        ]
        stamps = [one for one in both if one is not None]
        _stack(sheet, stamps, _ink_colour(int(rng.integers(4)), rng), rng)
    elif kind == 1:  # other words
        number = int(rng.integers(len(prints.fonts))) if prints.fonts else 0
        word = prints.rank(str(rng.choice(_LETTERS)), number)
        if word is not None:
            _stack(sheet, [word], _ink_colour(int(rng.integers(4)), rng), rng)
    elif kind == 2 and art:
        sheet = _part_of_card(art, rng)
    elif kind == 3:
        texture = rng.normal(rng.uniform(40, 220), rng.uniform(5, 70), (_H // 8, _W // 8, 3))
        sheet = np.asarray(cv2.resize(texture, (_W, _H), interpolation=cv2.INTER_CUBIC), np.float32)
    return Sample(_expose(_place(sheet, rng), rng), -1, -1)


def _paper(rng: np.random.Generator) -> Sheet:
    """Paper of any tone."""
    tone = rng.uniform(215, 255) * np.ones(3)
    if rng.random() < 0.25:
        tone = tone * rng.uniform(0.85, 1.0, 3)
    sheet = np.empty((_H, _W, 3), np.float32)
    sheet[:] = tone
    return sheet


def _part_of_card(art: Sequence[Art], rng: np.random.Generator) -> Sheet:
    """A piece of a card's middle, where no index is."""
    face = art[int(rng.integers(len(art)))].faces[CARDS[int(rng.integers(52))]]
    rows, cols = face.shape[:2]
    high = int(rows * rng.uniform(0.12, 0.3))
    wide = int(high * COLS / ROWS)
    top = int(rng.uniform(0.26, 0.74) * rows - high / 2)
    left = int(rng.uniform(0.25, 0.75) * cols - wide / 2)
    part = face[top : top + high, left : left + wide]
    if rng.random() < 0.5:
        part = np.rot90(part, 2)
    return np.asarray(cv2.resize(part, (_W, _H), interpolation=cv2.INTER_LINEAR), np.float32)


_BLACKS: Final = ((20, 20, 20), (50, 40, 35), (60, 45, 40))
_REDS: Final = ((35, 25, 205), (45, 40, 225), (30, 20, 170), (40, 60, 235))


def _ink_colour(suit: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """BGR: two colours mostly, four often, anything at times, the same for all as in grey pictures."""
    kind = rng.random()
    if kind < 0.66:
        base = _REDS[int(rng.integers(4))] if suit in (1, 2) else _BLACKS[int(rng.integers(3))]
    elif kind < 0.86:  # S H D C in the colours that four-colour packs use
        four = (
            ((20, 20, 20), (170, 90, 50), (60, 140, 50)),
            ((35, 30, 210), (45, 40, 230), (60, 60, 240)),
            ((220, 60, 20), (20, 130, 235), (60, 190, 225)),
            ((60, 140, 30), (30, 100, 20), (20, 20, 20)),
        )
        base = four[suit][int(rng.integers(3))]
    elif kind < 0.94:
        base = (int(rng.integers(20, 80)),) * 3
    else:
        base = tuple(int(v) for v in rng.integers(0, 190, 3))
    return np.clip(np.array(base) + rng.normal(0, 12, 3), 0, 200)


def _print(sheet: Sheet, stamp: Any, box: tuple[float, float, float, float], ink: Any) -> None:
    """Prints *stamp* into a box (x, y, width, height) in sheet pixels; what lies outside is cut."""
    x, y, w, h = (round(v) for v in box)
    if w < 2 or h < 2:
        return
    how = cv2.INTER_AREA if h < stamp.shape[0] else cv2.INTER_LINEAR
    small = np.asarray(cv2.resize(stamp, (w, h), interpolation=how), np.float32)
    top, left = max(y, 0), max(x, 0)
    part = small[top - y : max(_H - y, 0), left - x : max(_W - x, 0), None]
    if not part.size:
        return
    area = sheet[top : top + part.shape[0], left : left + part.shape[1]]
    area += (np.asarray(ink, np.float32) - area) * part


def _index(sheet: Sheet, prints: Prints, glyph: int, suit: int, rng: np.random.Generator) -> bool:
    """Prints rank and suit as some design might, filling about the patch; and what may stand beside."""
    number = int(rng.integers(prints.count))
    rank = prints.rank(GLYPHS[glyph], number)
    if rank is None:
        return False
    other = number if rng.random() < 0.3 else int(rng.integers(prints.count + 30))
    pip = prints.suit(_SUITS[suit], other)
    rank, pip = bent(rank, rng), bent(pip, rng)
    ink = _ink_colour(suit, rng)
    beside = rng.random() < 0.08
    wide = rank.shape[1] / rank.shape[0] * rng.uniform(0.62, 1.15)
    wide = float(np.clip(wide, 0.16, 1.5 if beside else 1.25))
    pip_high = float(rng.uniform(0.45, 1.15))
    pip_wide = pip_high * pip.shape[1] / pip.shape[0] * rng.uniform(0.85, 1.1)
    gap = float(rng.uniform(0.02, 0.45))
    full_w = wide + gap + pip_wide if beside else max(wide, pip_wide)
    full_h = max(1, pip_high) if beside else 1 + gap + pip_high
    # The patch holds just the index: its right or its foot is near the patch's.
    left, top = rng.uniform(0.06, 0.42), rng.uniform(0.05, 0.2)
    unit = min(_W * (0.93 - left) / full_w, _H * (0.96 - top) / full_h)
    if full_w * unit > 0.93 * _W:
        unit = 0.93 * _W / full_w
    x, y = left * _W, top * _H
    _distract(sheet, x + full_w * unit, y, pip, ink, rng)
    middle = x + full_w * unit / 2
    if beside:
        _print(sheet, rank, (x, y, wide * unit, unit), ink)
        place = (x + (wide + gap) * unit, y + rng.uniform(0, 0.4) * unit)
        _print(sheet, pip, (*place, pip_wide * unit, pip_high * unit), ink)
    else:
        _print(sheet, rank, (middle - wide * unit / 2, y, wide * unit, unit), ink)
        place = (middle - pip_wide * unit / 2, y + (1 + gap) * unit)
        _print(sheet, pip, (*place, pip_wide * unit, pip_high * unit), ink)
    return True


def _stack(sheet: Sheet, stamps: list[Any], ink: Any, rng: np.random.Generator) -> None:
    """Prints stamps one under another."""
    left, top = rng.uniform(0.08, 0.3) * _W, rng.uniform(0.06, 0.2) * _H
    high = (0.9 * _H - top) / max(len(stamps), 1) * rng.uniform(0.6, 0.95)
    for one in stamps:
        wide = min(high * one.shape[1] / one.shape[0], 0.9 * _W - left)
        _print(sheet, one, (left, top, wide, high), ink)
        top += high * rng.uniform(1.05, 1.2)


def _distract(
    sheet: Sheet, right: float, top: float, pip: Any, ink: Any, rng: np.random.Generator
) -> None:
    """What cards print near an index: frames, pips, courts; and the table beyond the card's edge."""
    gap = rng.uniform(0.05, 0.3) * _W
    start = min(right + gap, _W + 1.0)
    kind = rng.random()
    if kind < 0.35:
        high = rng.uniform(0.25, 0.7) * _H
        place = (start, rng.uniform(-0.3, 0.8) * _H)
        for _ in range(int(rng.integers(1, 3))):
            _print(sheet, pip, (*place, high * 0.9, high), ink)
            place = (place[0], place[1] + high * 1.2)
    elif kind < 0.75:
        x = int(start)
        edge = tuple(float(v) for v in rng.uniform(0, 200, 3))
        y = int(rng.uniform(-0.2, 0.25) * _H)
        for _ in range(int(rng.integers(2, 12))):
            spot = (int(rng.integers(x, x + _W)), int(rng.integers(0, _H)))
            tone = tuple(float(v) for v in rng.uniform(0, 255, 3))
            if rng.random() < 0.5:
                cv2.ellipse(
                    sheet,
                    spot,
                    (int(rng.integers(3, 40)), int(rng.integers(3, 40))),
                    float(rng.uniform(0, 180)),
                    0,
                    360,
                    tone,
                    -1,
                )
            else:
                end = (spot[0] + int(rng.integers(-60, 60)), spot[1] + int(rng.integers(-60, 60)))
                cv2.line(sheet, spot, end, tone, int(rng.integers(1, 9)))
        sheet[:, : max(min(x, _W), 0)] = sheet[0, 0]
        cv2.rectangle(sheet, (x, y), (x + 3 * _W, y + 3 * _H), edge, int(rng.integers(1, 5)))
    if rng.random() < 0.45:  # the table, or the dark rim of the card
        tone = rng.uniform(0, 255, 3) if rng.random() < 0.6 else rng.uniform(0, 60, 3)
        sheet[: max(0, int(rng.normal(0, 0.02) * _H))] = tone
        sheet[:, : max(0, int(rng.normal(0, 0.035) * _W))] = tone


def _warp(sheet: Sheet, matrix: Any) -> Sheet:
    """*matrix* (2x3) takes pixels of the sheet to pixels of the patch."""
    soft = cv2.GaussianBlur(sheet, (0, 0), 0.8)
    seen = cv2.warpAffine(
        soft, matrix, (COLS, ROWS), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(seen, np.float32)


def _about_middle(turn: Any, dx: float, dy: float) -> Any:
    """The linear map *turn* of the sheet about its middle, then onto the patch, moved by (dx, dy) of it."""
    middle = np.array([_W, _H]) / 2
    linear = np.asarray(turn, float) / _FINE
    offset = np.array([COLS * (0.5 + dx), ROWS * (0.5 + dy)]) - linear @ middle
    return np.column_stack([linear, offset])


def _turned(degrees: float, scale: float, rng: np.random.Generator) -> Any:
    a = np.deg2rad(degrees)
    shear = rng.normal(0, 0.04)
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    return turn @ np.array([[scale, shear], [0, scale * rng.uniform(0.93, 1.07)]])


def _place(sheet: Sheet, rng: np.random.Generator) -> Sheet:
    scale = rng.uniform(0.68, 1.07)
    room = 1 - scale
    dx = rng.normal(0, 0.045) - rng.uniform(0, 0.35) * room
    dy = rng.normal(0, 0.035) - rng.uniform(0, 0.5) * room
    degrees = float(np.clip(rng.normal(0, 3.0), -9, 9))
    return _warp(sheet, _about_middle(_turned(degrees, scale, rng), dx, dy))


def _misplaced(sheet: Sheet, rng: np.random.Generator) -> Sheet:
    kind = rng.integers(4)
    if kind == 0:
        turn = _turned(float(rng.choice([90.0, 180.0, 270.0])) + rng.normal(0, 4), 0.9, rng)
        return _warp(sheet, _about_middle(turn, 0, 0))
    if kind == 1:
        away = rng.choice([-1.0, 1.0]) * rng.uniform(0.42, 0.8)
        dx, dy = (away, 0.0) if rng.random() < 0.5 else (0.0, away)
        return _warp(sheet, _about_middle(_turned(0, 0.95, rng), dx, dy))
    scale = rng.uniform(0.25, 0.42) if kind == 2 else rng.uniform(1.6, 2.6)
    return _warp(sheet, _about_middle(_turned(0, scale, rng), 0, 0))


def _expose(seen: Sheet, rng: np.random.Generator) -> Patch:
    """Blur, light, noise, glare, compression."""
    light: Any = seen
    if rng.random() < 0.75:
        light = cv2.GaussianBlur(light, (0, 0), float(rng.uniform(0.2, 1.7)))
    if rng.random() < 0.3:
        length = int(rng.integers(2, 7))
        kernel = np.zeros((length, length), np.float32)
        if rng.random() < 0.5:
            kernel[length // 2] = 1 / length
        else:
            kernel[:, length // 2] = 1 / length
        light = cv2.filter2D(light, -1, kernel)
    fade = rng.uniform(0, 0.35) if rng.random() < 0.3 else 0.0
    light = light * (1 - fade) + 235 * fade
    gain = rng.uniform(0.3, 1.05) * rng.normal(1, 0.06, 3)
    fall = rng.uniform(-0.35, 0.35, 2)
    slope = (
        1 + fall[0] * np.linspace(-0.5, 0.5, ROWS)[:, None] + fall[1] * np.linspace(-0.5, 0.5, COLS)
    )
    light = light * gain * slope[:, :, None]
    if rng.random() < 0.12:
        y, x = np.mgrid[0:ROWS, 0:COLS]
        spot = np.exp(
            -(((y - rng.uniform(0, ROWS)) / rng.uniform(8, 50)) ** 2)
            - ((x - rng.uniform(0, COLS)) / rng.uniform(8, 50)) ** 2
        )
        light = light + rng.uniform(20, 130) * spot[:, :, None]
    light = light + rng.normal(0, rng.uniform(0.5, 9.0), light.shape)
    patch = np.clip(light, 0, 255).astype(np.uint8)
    if rng.random() < 0.3:
        _, packed = cv2.imencode(
            ".jpg", patch, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 90))]
        )
        patch = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    if rng.random() < 0.08:
        grey = cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY)
        patch = np.dstack([grey] * 3).astype(np.uint8)
    return patch
