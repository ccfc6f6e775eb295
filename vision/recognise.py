"""Image in, CardReading out: places are tried from the likeliest on, and doubt is an answer.

Where the reader runs as a process of its own, that process calls `cv2.setNumThreads(1)` at its start.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from deals.cards import CARDS, Card
from vision import corner as corners
from vision import locate, outline
from vision.align import Finder, nudged
from vision.corner import Opinion
from vision.design import Design
from vision.features import look_at
from vision.patch import Corner, Patch, cut, known_pixels
from vision.reading import CardReading, Kind
from vision.search import Search
from vision.sources import as_pixels, on_white
from vision.stopcard import has_stop_mark, is_stop_corner

ACCEPTED: Final = 0.9
"""Confidence of a reading that just reaches every limit."""
_HOPELESS: Final = 6.0
"""Beyond so many times the limit no nudge will help."""


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """One place in the image and what the model thinks of it."""

    corner: Corner
    patch: Patch
    opinion: Opinion
    strain: float
    """The largest measure as a share of its limit; 1 and below is accepted."""

    @property
    def card(self) -> int:
        return int(self.opinion.order[0])


class Reader:
    """Reads images against one taught design, or only proposes when there is none."""

    def __init__(self, design: Design | None) -> None:
        self.design = design
        self._finder = Finder(design.model) if design else None
        self._search = Search(design.model, design.frame.zoom) if design else None

    def warm_up(self) -> None:
        """Makes what is made once, so that the first card is read as fast as the next."""
        rng = np.random.default_rng(0)
        self.read(rng.integers(90, 110, (300, 200, 3), np.uint8))

    def read(self, image: Any) -> CardReading:
        """What *image* shows: a window image (400 x 640), one whole card, or a bare index corner.

        *image* is uint8 (or uint16), grey, BGR or BGRA. ValueError if it is no image at all.
        """
        pixels = as_pixels(image)
        if locate.is_window(pixels):
            view = locate.look(pixels[:, :, :3])
            if len(view.corners) < 3:  # opposite edges do not fit into a window
                return self._window(pixels[:, :, :3], view)
        return self._picture(pixels)

    def _window(self, image: NDArray[np.uint8], view: locate.View) -> CardReading:
        if not view.corners:
            return _without_corner(view)
        looks = []
        for corner in view.corners:
            look = self._consider(image, corner)
            if look is not None:
                looks.append(look)
                if look.strain <= 1:
                    break
        best = min(looks, key=_strain, default=None)
        if best is not None and best.strain <= 1:
            return _card(best)
        if any(is_stop_corner(image, corner) for corner in view.corners):
            return CardReading(Kind.STOP_CARD, confidence=1.0)
        return _unsure("not_alike", best)

    def _picture(self, image: NDArray[np.uint8]) -> CardReading:
        flat = on_white(image)
        best: _Look | None = None
        for pair in outline.cards_in(image, any_shape=True):
            looks = [look for look in (self._consider(flat, c) for c in pair) if look is not None]
            if any(look.strain <= 1 for look in looks):
                return _agreed(looks)
            best = min([*looks, *([best] if best else [])], key=_strain, default=None)
        if has_stop_mark(flat):
            return CardReading(Kind.STOP_CARD, confidence=1.0)
        if self._search is not None:
            looks = [self._settle(flat, corner) for corner in self._search.hits(flat)]
            if any(look.strain <= 1 for look in looks):
                return _agreed(looks)
            best = min([*looks, *([best] if best else [])], key=_strain, default=None)
        return _unsure("not_alike", best)

    def _consider(self, image: NDArray[np.uint8], corner: Corner) -> _Look | None:
        """The best look at a corner, moved a little if that helps."""
        if self.design is None or self._finder is None:
            return None
        frame = self.design.frame
        if corner.source == "window" != frame.source:
            corner = corner.moved(-frame.inset_x_mm, -frame.inset_y_mm)
        corner = corner.scaled(frame.zoom)
        best = self._settle(image, corner)
        if best.strain > 1:
            for other in self._finder.near(image, corner, 2.5, 2):
                look = self._settle(image, other)
                best = min(best, look, key=_strain)
                if best.strain <= 1:
                    break
        return best

    def _settle(self, image: NDArray[np.uint8], corner: Corner) -> _Look:
        look = self._look(image, corner)
        for _ in range(3):
            if look.strain <= 1 or look.strain > _HOPELESS or not look.opinion.nudge.any():
                break
            again = self._look(image, nudged(look.corner, look.opinion))
            if again.strain >= look.strain:
                break
            look = again
        return look

    def _look(self, image: NDArray[np.uint8], corner: Corner) -> _Look:
        assert self.design is not None  # noqa: S101
        patch = cut(image, corner)
        known = known_pixels(image.shape, corner)
        opinion = corners.judge(self.design.model, look_at(patch, known))
        limits = self.design.limits
        strain = max(
            opinion.distance / limits.distance,
            opinion.misfit / limits.misfit,
            opinion.doubt / limits.doubt,
            opinion.lean / limits.lean,
        )
        return _Look(corner, patch, opinion, float(strain))


def _strain(look: _Look) -> float:
    return look.strain


def _agreed(looks: Sequence[_Look]) -> CardReading:
    """The card on which all accepted looks agree."""
    good = [look for look in looks if look.strain <= 1]
    best = min(good, key=_strain)
    if len({look.card for look in good}) > 1:
        return _unsure("corners_differ", best)
    return _card(best)


def _without_corner(view: locate.View) -> CardReading:
    if view.contrast < locate.MIN_CONTRAST and 3 < view.level < 90:
        return CardReading(Kind.NO_CARD, confidence=0.99, evidence={"level": view.level})
    reason = "dark" if view.level <= 3 else "no_corner"
    return CardReading(Kind.UNSURE, evidence={"reason": reason, "level": view.level})


def confidence_of(strain: float) -> float:
    """1 for a perfect look, 0.9 at the limit, then falling."""
    if strain <= 1:
        return 1 - (1 - ACCEPTED) * max(strain, 0.0) ** 4
    return ACCEPTED / strain**2 * 0.99


def _scores(opinion: Opinion) -> dict[str, float]:
    """Likeness of the likeliest cards, 1 for a perfect one, by card text, best first."""
    top = opinion.order[:6]
    return {str(CARDS[i]): round(1 / (1 + float(opinion.distances[i])), 4) for i in top}


def _card(look: _Look) -> CardReading:
    card = CARDS[look.card]
    evidence = {"scores": _scores(look.opinion), "corner": look.patch}
    return CardReading(
        Kind.CARD,
        card,
        card,
        round(confidence_of(look.strain), 4),
        CARDS[int(look.opinion.order[1])],
        "corner",
        evidence,
    )


def _unsure(reason: str, look: _Look | None) -> CardReading:
    if look is None:
        return CardReading(Kind.UNSURE, evidence={"reason": reason})
    near: Iterator[Card] = (CARDS[int(i)] for i in look.opinion.order[:2])
    return CardReading(
        Kind.UNSURE,
        None,
        next(near),
        round(confidence_of(max(look.strain, 1.0001)), 4),
        next(near),
        "corner",
        {"reason": reason, "scores": _scores(look.opinion), "corner": look.patch},
    )
