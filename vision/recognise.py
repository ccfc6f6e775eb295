"""Image in, CardReading out: places are tried from the likeliest on, and doubt is an answer.

Where the reader runs as a process of its own, that process calls `vision.threads.one_thread()` at its start.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from deals.cards import Card
from vision import barcode, locate, outline
from vision import corner as corners
from vision.align import Finder, nudged
from vision.answers import (
    CONTRADICTS,
    Codes,
    Look,
    agreed,
    fused,
    strain_of,
    unsure,
    without_corner,
)
from vision.design import Design
from vision.features import Seen, is_grey, look_at, reddened
from vision.geometry import CARD_HEIGHT_MM, CARD_WIDTH_MM, WINDOW_PX_PER_MM
from vision.patch import Corner, Matrix, Patch, cut, known_pixels
from vision.reading import CardReading, Kind
from vision.search import Search
from vision.sources import VisionError, as_pixels, on_white
from vision.stopcard import has_stop_mark, is_stop_corner
from vision.strip import see_all

_HOPELESS: Final = 6.0
"""Beyond so many times the limit no nudge will help."""
_ALIKE: Final = 0.6
"""Where an index is, even a poor one, it correlates with one of the taught by far more than that."""
_SAME_MM: Final = 0.3
"""A place so near to one that was looked at needs no look of its own."""
_GAIN: Final = 0.25
"""A step that takes away a smaller share of what is over the limits is the last one."""
_WINDOW_LOOKS: Final = 6
"""Places looked at in one window at most: a reading must be there before the card is at its gate."""
_ASTRAY_MM: Final = 2.5
"""An index so far from where the edges of the card in the window have it is another card's, that lies over it."""
_ASTRAY: Final = 1.5
"""The strain of such a look, at least: it is a proposal, and no reading."""
_TILTED_LOOKS: Final = 3
_TILTS: Final = (-3.0, 3.0, -6.0, 6.0)
"""Degrees by which a bare corner may lie askew."""
_FLAT_PX: Final = 6
"""Pixels a millimetre of a whole card laid flat to be searched."""


@dataclass(slots=True)
class _Patience:
    """How many more places may be looked at in one image."""

    looks: float = inf


class Reader:
    """Reads images against one taught design, or only proposes when there is none.

    VisionError if the design's cards are coded and the library that reads codes is missing.
    """

    def __init__(self, design: Design | None) -> None:
        self.design = design
        self._finder = Finder(design.model) if design else None
        self._search = Search(design.model, design.frame.zoom) if design else None
        self._habits: dict[str, Matrix] = {}
        self._learned: set[str] = set()
        """Kinds of places at which a loose design has found its scale."""
        self._coded = bool(design and design.about.get("coded"))
        self._reads_codes = barcode.available()
        if self._coded and not self._reads_codes:
            raise VisionError("vision.no_zbar")

    def warm_up(self) -> None:
        """Makes what is made once, so that the first card is read as fast as the next."""
        rng = np.random.default_rng(0)
        self.read(rng.integers(90, 110, (300, 200, 3), np.uint8))

    def read(self, image: Any, *, search: bool = True) -> CardReading:
        """What *image* shows: a window image (400 x 640), one whole card, or a bare index corner.

        *image* is uint8 (or uint16), grey, BGR or BGRA. ValueError if it is no image at all. Without *search*
        only the places that edges and outlines tell are looked at, which is several times as fast.
        """
        pixels = as_pixels(image)
        if not locate.is_window(pixels):
            return self._picture(pixels, search)
        view = locate.look(pixels[:, :, :3])
        reading = self._window(pixels[:, :, :3], view, search)
        if reading.kind is Kind.UNSURE and len(view.corners) > 2:
            # Opposite edges do not fit into a window: it is a picture that happens to be of its size.
            return self._picture(pixels, False)
        return reading

    def _window(self, image: NDArray[np.uint8], view: locate.View, search: bool) -> CardReading:
        if not view.corners:
            return without_corner(view)
        looks = self._considered(image, view.corners, _Patience(_WINDOW_LOOKS))
        loose = search and self.design is not None and self.design.frame.loose
        loose = loose and "window" not in self._learned
        if loose and not any(look.strain <= 1 for look in looks):
            looks += self._searched(image, view.corners)
        best = _better(None, looks)
        codes = self._codes(image, view.corners, best)
        if codes.named or (best is not None and best.strain <= 1):
            return fused(best, codes)
        if any(is_stop_corner(image, corner) for corner in view.corners):
            return CardReading(Kind.STOP_CARD, confidence=1.0)
        return unsure("not_alike", best)

    def _picture(self, image: NDArray[np.uint8], search: bool) -> CardReading:
        flat = on_white(image)
        best: Look | None = None
        places: list[Corner] = []
        for pair in outline.cards_in(image, any_shape=True):
            places += pair if pair[0].source == "outline" else ()
            looks = [look for c in pair for look in self._considered(flat, [c], _Patience())]
            codes = self._codes(flat, pair, _better(None, looks))
            if codes.named or any(look.strain <= 1 for look in looks):
                return self._alone(flat, looks) or agreed(looks, codes)
            best = _better(best, looks)
        if has_stop_mark(flat):
            return CardReading(Kind.STOP_CARD, confidence=1.0)
        if search and self._search is not None:
            looks = self._searched(flat, places)
            if any(look.strain <= 1 for look in looks):
                return self._alone(flat, looks) or agreed(looks, Codes(coded=self._coded))
            best = _better(best, looks)
        return unsure("not_alike", best)

    def _alone(self, image: NDArray[np.uint8], looks: Sequence[Look]) -> CardReading | None:
        """None, or why the card of these looks may not be named: there is another one in the picture."""
        best = _better(None, looks)
        if self.design is None or best is None or best.strain > 1:
            return None
        source = best.corner.source
        loose = self.design.frame.loose and source not in self._learned
        if source in ("whole", "upright") or loose:
            return None
        card = best.corner.changed(np.linalg.inv(self._habit(source)))
        return unsure("two_cards", best) if outline.has_company(image, card) else None

    def _codes(
        self, image: NDArray[np.uint8], places: Sequence[Corner], best: Look | None
    ) -> Codes:
        """What bar code and strip say of the card that lies in one of *places*, and looks like *best*."""
        codes: set[Card | None] = set()
        if self._reads_codes:
            codes = {barcode.read_code(image, corner) for corner in places} - {None}
        code = codes.pop() if len(codes) == 1 else None
        strips = self.design.strips if self.design else None
        if strips is None:
            return Codes(code, coded=self._coded)
        asked = best.card if best is not None else None
        if best is not None and best.strain <= 1:
            places = [min(places, key=lambda place: _apart_mm(place, best.corner))]
        return Codes(code, see_all(strips, image, places, asked), self._coded, strips)

    def _considered(
        self, image: NDArray[np.uint8], places: Sequence[Corner], patience: _Patience
    ) -> list[Look]:
        """The best look at each of *places*, moved a little if that helps; ends with one that is accepted."""
        if self.design is None or self._finder is None:
            return []
        looks: list[Look] = []
        corners = [corner.changed(self._habit(corner.source)) for corner in places]
        for corner in corners:
            looks.append(self._in_place(corner, self._settle(image, corner, patience)))
            if looks[-1].strain <= 1:
                return looks
        for k in sorted(range(len(looks)), key=lambda k: looks[k].strain):
            for likeness, other in self._finder.near(image, corners[k], 2.5, 2):
                if likeness < _ALIKE or patience.looks <= 0:
                    break
                if _apart_mm(corners[k], other) >= _SAME_MM:
                    look = self._in_place(corners[k], self._settle(image, other, patience))
                    looks[k] = min(looks[k], look, key=strain_of)
                if looks[k].strain <= 1:
                    return looks
        return looks

    def _in_place(self, place: Corner, look: Look) -> Look:
        """The look, beyond its limits if no print and no tilt can have moved the index so far from *place*."""
        assert self.design is not None  # noqa: S101 - the caller has checked
        if place.source != "window" or self.design.frame.loose:
            return look
        away = np.subtract(place.at(0, 0), look.corner.at(0, 0))
        if np.hypot(*away) <= _ASTRAY_MM * WINDOW_PX_PER_MM:
            return look
        return replace(look, strain=max(look.strain, _ASTRAY))

    def _habit(self, source: str) -> Matrix:
        """From the edges of a card, as *source* finds them, to where the taught patch lies."""
        assert self.design is not None  # noqa: S101 - the caller has checked
        if source not in self._habits:
            frame = self.design.frame
            inset = (0.0, 0.0)
            if source == "window" != frame.source:
                inset = (-frame.inset_x_mm, -frame.inset_y_mm)
            zoom = frame.zoom
            self._habits[source] = np.array([[zoom, 0, inset[0]], [0, zoom, inset[1]], [0, 0, 1]])
        return self._habits[source]

    def _searched(self, image: NDArray[np.uint8], places: Sequence[Corner]) -> list[Look]:
        """Looks at the likeliest indices anywhere; a loose design learns its scale by that."""
        assert self.design is not None  # noqa: S101 - the caller has checked
        assert self._search is not None  # noqa: S101
        looks = self._hits(image)
        if self.design.frame.loose and places and places[0].source == "outline":
            card = cut(image, places[0], (CARD_WIDTH_MM, CARD_HEIGHT_MM), px_per_mm=_FLAT_PX)
            back = places[0].matrix @ np.diag([1 / _FLAT_PX, 1 / _FLAT_PX, 1.0])
            hits = (replace(hit, matrix=back @ hit.matrix) for hit in self._search.hits(card))
            looks += [self._settle(image, corner, _Patience()) for corner in hits]
        best = _better(None, looks)
        if self.design.frame.loose and best is not None and best.strain <= 1:
            for place in places:
                habit = np.linalg.inv(place.matrix) @ best.corner.matrix
                if _plausible(habit / habit[2, 2]):
                    self._habits[place.source] = habit / habit[2, 2]
                    self._learned.add(place.source)
        return looks

    def _hits(self, image: NDArray[np.uint8]) -> list[Look]:
        """Looks where the search says; the likeliest also tilted, as it only knows quarter turns."""
        assert self._search is not None  # noqa: S101 - the caller has checked
        patience = _Patience()
        looks = [self._settle(image, corner, patience) for corner in self._search.hits(image)]
        if any(look.strain <= 1 for look in looks):
            return looks
        for look in sorted(looks, key=strain_of)[:_TILTED_LOOKS]:
            for degrees in _TILTS:
                tilted = self._settle(image, look.corner.turned(degrees), patience)
                looks.append(tilted)
                if tilted.strain <= 1:
                    return looks
        return looks

    def _settle(self, image: NDArray[np.uint8], corner: Corner, patience: _Patience) -> Look:
        """The look at *corner*, which is moved by small steps while that helps."""
        look = self._look(image, corner)
        patience.looks -= 1
        for _ in range(3):
            if look.strain <= 1 or look.strain > _HOPELESS or not look.opinion.nudge.any():
                break
            if patience.looks <= 0:
                break
            again = self._look(image, nudged(look.corner, look.opinion))
            patience.looks -= 1
            if again.strain >= look.strain:
                break
            gain = (look.strain - again.strain) / (look.strain - 1)
            look = again
            if gain < _GAIN:
                break
        return look

    def _look(self, image: NDArray[np.uint8], corner: Corner) -> Look:
        """What lies at *corner*; in a picture without colour it may be black or red."""
        patch = cut(image, corner)
        seen = look_at(patch, known_pixels(image.shape, corner))
        look = self._judged(corner, patch, seen)
        if not is_grey(patch):
            return look
        red = self._judged(corner, patch, reddened(seen))
        better, worse = sorted((look, red), key=strain_of)
        if better.card is not worse.card and worse.strain <= CONTRADICTS:
            return replace(better, strain=max(better.strain, _HOPELESS))
        return better

    def _judged(self, corner: Corner, patch: Patch, seen: Seen) -> Look:
        assert self.design is not None  # noqa: S101
        opinion = corners.judge(self.design.model, seen)
        return Look(corner, patch, opinion, self.design.limits.strain(opinion))


def _apart_mm(one: Corner, other: Corner) -> float:
    """How far apart the origins of two corners are that lie the same way."""
    return float(np.hypot(*np.subtract(one.at(0, 0), other.at(0, 0)))) / one.px_per_mm()


def _plausible(habit: Matrix) -> bool:
    """Whether an index lies in its corner's quarter of the card, upright and at a credible size."""
    scale = float(np.hypot(habit[0, 0], habit[1, 0]))
    upright = habit[0, 0] > 0.97 * scale
    return upright and 0.2 < scale < 2.5 and abs(habit[0, 2]) < 8 and abs(habit[1, 2]) < 8


def _better(best: Look | None, looks: Sequence[Look]) -> Look | None:
    return min([*looks, *([best] if best else [])], key=strain_of, default=None)
