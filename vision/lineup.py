"""Finds the index corner in every labelled picture so that all of them agree where it is.

One picture alone can deceive: the frame about a king is a fine rectangle too. Fifty-two cannot.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from deals.cards import CARDS, Card
from vision import locate, outline
from vision.features import Floats
from vision.geometry import CARD_HEIGHT_MM, CARD_WIDTH_MM
from vision.layout import CANVAS_PX_PER_MM, Box, Layout, canvas, find_layout
from vision.patch import Corner, cut
from vision.sources import as_pixels, on_white

_OPTIONS: Final = 5
_SAME_INDEX: Final = 0.75
"""Correlation above which the opposite corner carries the same index."""
_SLACK: Final = 2
"""Canvas pixels by which print may be off on one card against another."""
_END_SLACK: Final = 4
"""And at one end against the other: a print that lies askew of the middle is off twice."""
_GLYPH: Final = 0.3
"""Ink from which a pixel belongs to a rank or suit, as a share of its darkest."""
_AROUND_MM: Final = 4.0
_GROUND: Final = 0.8
"""So much of its paper's light at most has the ground about a card."""
_BORDERED: Final = 0.75
"""What takes more of a picture may be a card within its own dark border."""
_NEARLY_ALL: Final = 0.9
_INSET_MM: Final = 3.0
"""Printed borders wider than this are part of the picture."""


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """One picture with the corners at which its index lies."""

    card: Card
    name: str
    pixels: NDArray[np.uint8]
    corners: tuple[Corner, ...]
    clear: bool = False
    """Whether they show rank and suit for certain: as other cards of these do, or at both ends."""
    other_end: Corner | None = None
    """The other end of the card, if it is in the picture and no such index on it."""


@dataclass(slots=True, eq=False)
class _Candidate:
    card: Card
    name: str
    pixels: NDArray[np.uint8]
    options: list[tuple[Corner, ...]]
    views: list[Floats]
    """Canvas of the first corner of every option."""
    chosen: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Lineup:
    """All usable pictures, and how the design is laid out."""

    placed: tuple[Placed, ...]
    lost: tuple[tuple[Card, str], ...]
    """Card and name of the pictures in which no card was found."""
    layout: Layout
    inset_mm: tuple[float, float]
    canvases: Floats
    """(52, 176, 114): the mean canvas of every card; a missing one is stood in for by its rank."""


def line_up(pictures: Sequence[tuple[Card, str, object]]) -> Lineup:
    """Places the index in (card, name, image) of any kind; cards may be missing or come twice."""
    found: list[_Candidate] = []
    lost = []
    for card, name, image in pictures:
        pixels = as_pixels(image)
        options = _options(pixels)
        flat = on_white(pixels)
        if not options:
            lost.append((card, name))
            continue
        views = [canvas(flat, option[0]) for option in options]
        found.append(_Candidate(card, name, flat, options, views))
    _choose_alike(found)
    layout = find_layout(_mean_views(found)) if found else Layout(None, None)
    _choose_each(found, layout)
    canvases = _mean_views(found) if found else np.zeros((52, 1, 1), np.float32)
    placed = tuple(_ends(found, layout))
    return Lineup(placed, tuple(lost), layout, _inset(placed), canvases)


def _options(pixels: NDArray[np.uint8]) -> list[tuple[Corner, ...]]:
    if locate.is_window(pixels):
        corners = locate.look(pixels[:, :, :3]).corners
        if corners:
            return [(corner,) for corner in corners]
    pairs = list(islice(outline.cards_in(pixels, any_shape=True, sides=False), 3 * _OPTIONS))
    if pairs[0][0].source != "outline":
        pairs = list(islice(outline.cards_in(pixels, any_shape=True), 3 * _OPTIONS))
    wanted = [pair for pair in pairs if pair[0].source in ("outline", "sides")]
    plain = [pair for pair in pairs if pair[0].source in ("whole", "upright")]
    return [*wanted[: _OPTIONS - 2], *plain]


def _choose_alike(found: Sequence[_Candidate]) -> None:
    """One rule for all pictures: whole image, found outline or corner, whichever makes them agree."""
    best, best_score = "whole", -1.0
    rules: tuple[str, ...] = ("whole", "outline", "upright")
    if np.mean([_on_ground(one) for one in found] or [0.0]) > _NEARLY_ALL:
        # Taken from one place all pictures agree as they are: the ground is the same in all of them.
        rules = rules[:2]
    for rule in rules:
        _apply(found, rule)
        score = _agreement(found)
        if score > best_score + 0.01:
            best, best_score = rule, score
    _apply(found, best)


def _on_ground(one: _Candidate) -> bool:
    """Whether a whole card lies there on something darker than its paper; about a printed frame there is paper."""
    corner = one.options[0][0]
    if corner.source != "outline":
        return False
    share = CARD_WIDTH_MM * CARD_HEIGHT_MM * corner.px_per_mm() ** 2 / one.pixels[:, :, 0].size
    if share > _BORDERED:
        return False
    size = (CARD_WIDTH_MM + 2 * _AROUND_MM, CARD_HEIGHT_MM + 2 * _AROUND_MM)
    seen = cut(one.pixels, corner, size, (-_AROUND_MM, -_AROUND_MM), 1).max(axis=2)
    rim = round(_AROUND_MM) - 1
    around = np.concatenate([seen[:rim].ravel(), seen[-rim:].ravel(), seen[:, :rim].ravel()])
    paper = np.percentile(seen[2 * rim : -2 * rim, 2 * rim : -2 * rim], 75)
    return float(np.median(around)) < _GROUND * float(paper)


def _apply(found: Sequence[_Candidate], rule: str) -> None:
    for one in found:
        fits = [k for k, option in enumerate(one.options) if option[0].source == rule]
        one.chosen = fits[0] if fits else 0


def _agreement(found: Sequence[_Candidate]) -> float:
    """How well cards of one rank agree about the corner, on average."""
    by_rank: dict[int, list[Floats]] = {}
    for one in found:
        by_rank.setdefault(int(one.card.rank), []).append(one.views[one.chosen][:80, :60])
    scores = []
    for views in by_rank.values():
        middle = np.median(np.stack(views), axis=0)
        scores += [correlation(view, middle) for view in views if len(views) > 1]
    return float(np.mean(scores)) if scores else 0.0


def correlation(one: Floats, other: Floats) -> float:
    """Of two pictures of one size, -1..1."""
    a, b = one - one.mean(), other - other.mean()
    return float((a * b).sum() / max(float(np.sqrt((a * a).sum() * (b * b).sum())), 1e-6))


def _mean_views(found: Sequence[_Candidate]) -> Floats:
    """(52, ..) canvases; a missing card is stood in for by its rank or its suit."""
    shape = found[0].views[0].shape
    sums, counts = np.zeros((52, *shape), np.float32), np.zeros(52, np.float32)
    for one in found:
        sums[one.card.index] += one.views[one.chosen]
        counts[one.card.index] += 1
    means = sums / np.maximum(counts, 1)[:, None, None]
    for card in CARDS:
        if not counts[card.index]:
            kin = [c.index for c in CARDS if c.rank is card.rank and counts[c.index]]
            means[card.index] = means[kin].mean(axis=0) if kin else sums.sum(axis=0) / len(found)
    return np.asarray(means, np.float32)


def _choose_each(found: Sequence[_Candidate], layout: Layout) -> None:
    """Exceptions: a picture whose other option fits the common layout clearly better takes that."""
    if layout.rank is None or layout.suit is None or not found:
        return
    by_rank, by_suit = _kin(found)
    for one in found:
        scores = [
            correlation(
                part_of(view, layout.rank), part_of(by_rank[int(one.card.rank)], layout.rank)
            )
            + correlation(
                part_of(view, layout.suit), part_of(by_suit[int(one.card.suit)], layout.suit)
            )
            for view in one.views
        ]
        best = int(np.argmax(scores))
        if scores[best] > scores[one.chosen] + 0.2:
            one.chosen = best


def _kin(found: Sequence[_Candidate]) -> tuple[Floats, Floats]:
    """(13, ..) and (4, ..): what most cards of each rank and of each suit show."""
    grid = _mean_views(found).reshape(4, 13, *found[0].views[0].shape)
    return np.median(grid, axis=0), np.median(grid, axis=1)


def part_of(view: Floats, box: Box) -> Floats:
    """What a canvas has in *box*, with a pixel around it."""
    x0, y0, x1, y1 = (round(v * CANVAS_PX_PER_MM) for v in (box.x0, box.y0, box.x1, box.y1))
    return view[max(y0 - 1, 0) : y1 + 1, max(x0 - 1, 0) : x1 + 1]


def best_match(first: Floats, second: Floats, box: Box) -> float:
    """Best correlation of what *first* has in *box* with *second* within a millimetre of it."""
    template = part_of(first, box)
    x0, y0 = (round(v * CANVAS_PX_PER_MM) - 1 for v in (box.x0, box.y0))
    top, left = max(y0 - _SLACK, 0), max(x0 - _SLACK, 0)
    around = second[top : max(y0, 0) + template.shape[0] + _SLACK, :]
    around = around[:, left : max(x0, 0) + template.shape[1] + _SLACK]
    scores = cv2.matchTemplate(around, template, cv2.TM_CCOEFF_NORMED)
    return float(scores.max())


def _ends(found: Sequence[_Candidate], layout: Layout) -> Iterator[Placed]:
    """The chosen corners; the second only if it shows the same rank and suit.

    What is printed beside these may differ from end to end.
    """
    if not found:
        return
    by_rank, by_suit = _kin(found)
    for one in found:
        corners = one.options[one.chosen]
        if layout.rank is None or layout.suit is None:
            yield Placed(one.card, one.name, one.pixels, corners[:1])
            continue
        first = one.views[one.chosen]
        signs = (
            (by_rank[int(one.card.rank)], layout.rank),
            (by_suit[int(one.card.suit)], layout.suit),
        )
        clear, other = _shows(first, signs), None
        if len(corners) > 1:
            second = canvas(one.pixels, corners[1])
            alike = [best_match(first, second, box) for _, box in signs]
            if min(alike) <= _SAME_INDEX and not (clear and _shows(second, signs)):
                corners, other = corners[:1], corners[1]
        clear = clear or len(corners) > 1
        yield Placed(one.card, one.name, one.pixels, corners, clear, other)


def _shows(view: Floats, signs: Sequence[tuple[Floats, Box]]) -> bool:
    """Whether a canvas has every sign about its box; only the sign and the paper next to it are compared."""
    return min(_likeness(view, mean, box) for mean, box in signs) > _SAME_INDEX


def _likeness(view: Floats, mean: Floats, box: Box) -> float:
    sign = part_of(mean, box)
    near: Any = cv2.dilate((sign > _GLYPH * sign.max()).astype(np.float32), np.ones((3, 3)))
    x0, y0 = (max(round(v * CANVAS_PX_PER_MM) - 1, 0) for v in (box.x0, box.y0))
    wide = np.pad(view, _END_SLACK)
    rows, cols = (size + 2 * _END_SLACK for size in sign.shape)
    scores = cv2.matchTemplate(
        np.asarray(wide[y0 : y0 + rows, x0 : x0 + cols]), sign, cv2.TM_CCOEFF_NORMED, mask=near
    )
    return float(np.where(np.isfinite(scores), scores, -1).max())


def _inset(placed: Sequence[Placed]) -> tuple[float, float]:
    """Width of a dark printed border at the left and at the top edge, mm; 0 without one."""
    sides = []
    for one in placed:
        corner = one.corners[0]
        if corner.source == "window":
            continue
        sides.append((_dark_rim(one.pixels, corner, False), _dark_rim(one.pixels, corner, True)))
    if not sides:
        return 0.0, 0.0
    across, down = (float(v) for v in np.median(np.array(sides), axis=0))
    return round(across, 2), round(down, 2)


def _dark_rim(pixels: NDArray[np.uint8], corner: Corner, top: bool) -> float:
    fine = 10
    long = CARD_WIDTH_MM * 0.7
    size, origin = ((long, _INSET_MM), (8.0, 0.0)) if top else ((_INSET_MM, long), (0.0, 8.0))
    strip = cut(pixels, corner, size, origin, fine).max(axis=2)
    profile = np.median(strip, axis=1 if top else 0).astype(float)
    paper = float(np.percentile(profile, 90))
    dark = np.flatnonzero(profile[2:] > 0.55 * paper)
    if profile[2:6].min() > 0.55 * paper or not len(dark):
        # no border at all, or one that never ends
        return 0.0
    first = int(np.flatnonzero(profile[2:] <= 0.55 * paper)[0])
    after = dark[dark > first]
    return float(after[0] + 2) / fine if len(after) else 0.0


def by_card(placed: Sequence[Placed]) -> Mapping[Card, list[Placed]]:
    """The pictures of each card."""
    found: dict[Card, list[Placed]] = {}
    for one in placed:
        found.setdefault(one.card, []).append(one)
    return found
