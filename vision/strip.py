"""Reads printed bar patterns whose code-to-card table was learned when the design was taught; knows no maker's table.

A code is where print is dark along the strip. What is seen must fit a learned code in every stretch half as wide as the
narrowest element: one bar more or less is another card's code in many tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Final

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from deals.cards import CARDS, Card
from vision.features import Floats, darkest
from vision.geometry import CARD_HEIGHT_MM, CARD_WIDTH_MM
from vision.patch import Corner, cut

FINE: Final = 20
"""Samples a millimetre along a code."""
_PX_PER_MM: Final = 10
REACH_MM: Final = 0.6
"""How far a strip may lie from where it was taught, along itself; so much paper beyond its ends must be paper."""
_PAD: Final = round(REACH_MM * FINE)
MOST_BLUR_MM: Final = 0.2
"""Gauss blur across the bars (standard deviation) above which nothing is read; a smear of 0.7 mm is as much."""
_BLUR_SHARE: Final = 0.29
"""Or above this share of the narrowest element, if that is less."""
_BLURS: Final = (0.03, 0.06, 0.09, 0.12, 0.16, 0.2, 0.26, 0.34, 0.45)
_USUAL_BLUR: Final = 3
_SCALES: Final = (-0.045, -0.03, -0.015, 0.0, 0.015, 0.03, 0.045)
_CONTRASTS: Final = (0.3, 1.1)
"""Between bars and paper, as a share of the paper's light: too pale, and more than there can be."""
_OF_SPAN: Final = (0.78, 1.2)
"""Contrast of a fit as a share of what lies between the darkest and the brightest of the strip."""
_THERE: Final = 0.12
"""Change of light along a place, as a share of the paper's, above which something is printed there."""
_BLOCK_MM: Final = 0.5
_SKIP: Final = 2
_CANDIDATES: Final = 3
AHEAD: Final = 0.3
"""By how much, in shares of the contrast, any other card must fit worse than the one that is read."""
CONTRADICTS: Final = 0.6
"""A card whose code misfits by more is not the one that carries this strip."""
HALF_TURN: Final = np.array([[-1.0, 0, CARD_WIDTH_MM], [0, -1.0, CARD_HEIGHT_MM], [0, 0, 1]])
"""From millimetres of an upright card to those of the same card lying the other way up."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a strip is printed, mm from the top left corner of an upright card."""

    x0: float
    y0: float
    x1: float
    y1: float
    down: bool
    """Whether the bars follow each other down the card; across it otherwise."""

    @property
    def length(self) -> float:
        """Mm along the strip, with the paper at both ends."""
        return self.y1 - self.y0 if self.down else self.x1 - self.x0


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """How well one learned code explains a profile."""

    code: int
    misfit: float
    """Largest deviation of a stretch half as wide as the narrowest element, in shares of the contrast; 1 is a bar."""
    blur_mm: float
    contrast: float
    """Share of the paper's light that bars take away."""


@dataclass(frozen=True, eq=False)
class Strip:
    """One strip of a design: where it is, and what it says for each card."""

    place: Place
    codes: NDArray[np.bool_]
    """(k, length x 20): where it is dark."""
    cards: NDArray[np.int64]
    """(k,): whose code that is; a card has two where its strip reads otherwise after half a turn."""
    narrowest_mm: float
    limit: float
    """Largest misfit of an accepted reading; set from data at teaching."""
    apart: float
    """Least misfit of any code on a strip of another card."""

    @property
    def most_blur_mm(self) -> float:
        """Blur above which it is not read."""
        return min(MOST_BLUR_MM, _BLUR_SHARE * self.narrowest_mm)

    @property
    def reserve(self) -> float:
        """What lies between the worst accepted reading and the best wrong one, in shares of a bar."""
        return self.apart - 2 * self.limit

    @cached_property
    def _templates(self) -> Floats:
        """(k, blurs, n): codes as seen at each blur with paper at both ends, constant and slope taken out."""
        codes = np.pad(self.codes, ((0, 0), (_PAD, _PAD)))
        blurred = np.stack([blurred_code(codes, blur) for blur in _BLURS], axis=1)
        return _without_slope(blurred)

    @cached_property
    def _coarse(self) -> Floats:
        flat = _without_slope(self._templates[:, _USUAL_BLUR, ::_SKIP])
        return np.asarray(flat / np.linalg.norm(flat, axis=1, keepdims=True), np.float32)

    @cached_property
    def _stretched(self) -> list[NDArray[np.int64]]:
        """For each scale where the samples of a template lie, from the code's first sample on."""
        count = self.codes.shape[1]
        steps = np.arange(-_PAD, count + _PAD) - (count - 1) / 2
        middle = (count - 1) / 2
        return [np.round(middle + steps * (1 + scale)).astype(np.int64) for scale in _SCALES]

    def fits(self, profile: Floats, wanted: Sequence[int] = ()) -> list[Fit]:
        """The likeliest codes and those that are *wanted*, best first; *profile* is of `profile_of`."""
        count = self.codes.shape[1]
        shifts = len(profile) - count
        starts = np.arange(0, shifts + 1, 3)
        scores = np.full(len(self.codes), -1.0, np.float32)
        places = np.zeros((len(self.codes), 2), np.int64)
        for number in range(0, len(_SCALES), 2):
            views = self._views(profile, starts, number, _SKIP)
            views /= np.maximum(np.linalg.norm(views, axis=1, keepdims=True), 1e-6)
            found = -(self._coarse @ views.T)  # dark bars: less light
            best = found.argmax(axis=1)
            here = found[np.arange(len(found)), best]
            better = here > scores
            scores[better] = here[better]
            places[better, 0], places[better, 1] = starts[best[better]], number
        chosen = list(dict.fromkeys([*np.argsort(-scores)[:_CANDIDATES], *wanted]))
        levels = np.percentile(profile, (2, 98))
        fitted = [self._fit(profile, int(k), *places[k], levels) for k in chosen]
        return sorted(fitted, key=lambda fit: fit.misfit)

    def _views(
        self, profile: Floats, starts: NDArray[np.int64], scale: int, skip: int = 1
    ) -> Floats:
        """(starts, n): what lies at each place, stretched, constant and slope taken out."""
        steps = self._stretched[scale][::skip]
        places = np.clip(starts[:, None] + steps, 0, len(profile) - 1)
        return _without_slope(profile[places])

    def _fit(self, profile: Floats, code: int, start: int, scale: int, levels: Floats) -> Fit:
        last = len(profile) - self.codes.shape[1]
        starts = np.unique(np.clip(np.arange(start - 3, start + 4), 0, last))
        templates = self._templates[code]
        squares = np.einsum("ij,ij->i", templates, templates)
        best: tuple[float, Floats, Floats, int] | None = None
        for number in range(max(scale - 1, 0), min(scale + 2, len(_SCALES))):
            views = self._views(profile, starts, number)
            shared = -(views @ templates.T)
            alike = shared / np.sqrt(
                np.maximum(np.einsum("ij,ij->i", views, views)[:, None] * squares, 1e-9)
            )
            row, blur = np.unravel_index(int(alike.argmax()), alike.shape)
            if best is None or alike[row, blur] > best[0]:
                best = (float(alike[row, blur]), views[row], templates[blur], int(blur))
        assert best is not None  # noqa: S101 - there is always a scale
        _, view, template, blur = best
        contrast = float(-(view @ template) / max(float(template @ template), 1e-9))
        low, high = (float(level) for level in levels)
        least, most = (share * max(high - low, 1e-3) for share in _OF_SPAN)
        contrast = min(max(contrast, least), most)
        rest = np.abs(_stretches(view / contrast + template, self.narrowest_mm))
        return Fit(code, float(rest.max()), _BLURS[blur], contrast / max(high, 1e-3))

    def is_clear(self, fit: Fit) -> bool:
        """Whether a fit is of bars sharp and dark enough to be read."""
        return fit.blur_mm <= self.most_blur_mm and _CONTRASTS[0] <= fit.contrast <= _CONTRASTS[1]

    def is_sharp(self, profile: Floats) -> bool:
        """Whether edges, whatever their code, are as steep and deep as those that are read."""
        low, high = (float(level) for level in np.percentile(profile, (2, 98)))
        step = FINE // 10
        steepest = float(np.abs(profile[step:] - profile[:-step]).max()) * FINE / step
        deep = high - low > _CONTRASTS[0] * high
        return deep and steepest * np.sqrt(2 * np.pi) * self.most_blur_mm > high - low

    def codes_of(self, card: Card) -> tuple[int, ...]:
        """The numbers of a card's codes."""
        return tuple(int(k) for k in np.flatnonzero(self.cards == card.index))


@dataclass(frozen=True, slots=True, eq=False)
class Strips:
    """All strips of a design, and what may rest on them: decided when it is taught."""

    strips: tuple[Strip, ...]
    always: bool
    """Every card shows a strip, whichever way up it lies: what shows none is of another design."""
    alone: bool
    """Two bars at least lie between any two cards, so that a strip may name a card whose index cannot be read."""


@dataclass(frozen=True, slots=True, eq=False)
class StripSight:
    """What the strips of a design say about one card."""

    card: Card | None
    """Read for certain."""
    there: bool = False
    """Something is printed where a strip should be."""
    inside: bool = False
    """The image shows the place of every strip."""
    misfits: tuple[float, ...] = ()
    """Of the card that was asked about, in each strip that is sharp and dark enough to speak against it."""

    @property
    def contradicts(self) -> bool:
        """Whether the card that was asked about cannot carry this strip."""
        return bool(self.misfits) and min(self.misfits) > CONTRADICTS


NOTHING: Final = StripSight(None)


def see_all(
    strips: Strips, image: NDArray[np.uint8], corners: Sequence[Corner], asked: Card | None = None
) -> StripSight:
    """What *strips* say about the card that lies with its upright top left in one of *corners*.

    *image* is BGR. A card is read if a strip reads it and no strip reads another, in whichever corner; *asked* is
    the card whose code the strips may contradict.
    """
    sights = [see(strips, image, corner, asked) for corner in corners]
    cards = {sight.card for sight in sights} - {None}
    return StripSight(
        cards.pop() if len(cards) == 1 else None,
        any(sight.there for sight in sights),
        any(sight.inside for sight in sights),
        tuple(misfit for sight in sights for misfit in sight.misfits),
    )


def see(
    strips: Strips, image: NDArray[np.uint8], corner: Corner, asked: Card | None = None
) -> StripSight:
    """What *strips* say about the card whose upright top left is *corner*, as `see_all`."""
    cards: set[Card] = set()
    misfits: list[float] = []
    profiles = [profile_of(image, corner, strip.place) for strip in strips.strips]
    for strip, profile in zip(strips.strips, profiles, strict=True):
        if profile is None or not is_printed(profile):
            continue
        wanted = strip.codes_of(asked) if asked is not None else ()
        fits = strip.fits(profile, wanted)
        card = read_fits(strip, fits)
        if card is not None:
            cards.add(card)
        if wanted and strip.is_sharp(profile):
            misfits.append(min(fit.misfit for fit in fits if fit.code in wanted))
    return StripSight(
        cards.pop() if len(cards) == 1 else None,
        any(profile is not None and is_printed(profile) for profile in profiles),
        all(profile is not None for profile in profiles),
        tuple(misfits),
    )


def read_fits(strip: Strip, fits: Sequence[Fit]) -> Card | None:
    """The card that a strip's fits (best first) read for certain; None where there is any doubt."""
    best = fits[0]
    index = strip.cards[best.code]
    if best.misfit > strip.limit or not strip.is_clear(best):
        return None
    others = [fit.misfit for fit in fits if strip.cards[fit.code] != index]
    if others and min(others) < best.misfit + AHEAD:
        return None
    return CARDS[int(index)]


def profile_of(
    image: NDArray[np.uint8], corner: Corner, place: Place, reach_mm: float = REACH_MM
) -> Floats | None:
    """Light along the strip, 0..1, 20 samples/mm, with *reach_mm* at both ends; None if the image does not show it.

    The median over blocks along the bars, so that specks and scratches count little.
    """
    if not _shows(image, corner, place):
        return None
    size, origin = (place.x1 - place.x0, place.y1 - place.y0), (place.x0, place.y0)
    if place.down:
        size, origin = (size[0], size[1] + 2 * reach_mm), (origin[0], origin[1] - reach_mm)
    else:
        size, origin = (size[0] + 2 * reach_mm, size[1]), (origin[0] - reach_mm, origin[1])
    band: Any = darkest(cut(image, corner, size, origin, _PX_PER_MM))
    if place.down:
        band = np.ascontiguousarray(band.T)
    blocks = max(3, round(band.shape[0] / _PX_PER_MM / _BLOCK_MM))
    lines = cv2.resize(
        band.astype(np.float32), (band.shape[1], blocks), interpolation=cv2.INTER_AREA
    )
    line = np.median(lines, axis=0) / 255
    count = round((place.length + 2 * reach_mm) * FINE)
    where = (np.arange(count) + 0.5) * _PX_PER_MM / FINE - 0.5
    return np.interp(where, np.arange(len(line)), line).astype(np.float32)


def is_printed(profile: Floats) -> bool:
    """Whether there is more than paper."""
    low, high = np.percentile(profile, (5, 95))
    return bool(high - low > _THERE * max(high, 0.02))


def _shows(image: NDArray[np.uint8], corner: Corner, place: Place) -> bool:
    spots = [corner.at(x, y) for x in (place.x0, place.x1) for y in (place.y0, place.y1)]
    rows, cols = image.shape[:2]
    return all(0 <= x <= cols - 1 and 0 <= y <= rows - 1 for x, y in spots)


def blurred_code(codes: NDArray[np.bool_], blur_mm: float) -> Floats:
    """Codes, dark as 1, seen with a Gauss blur of *blur_mm*; beyond their ends lies paper."""
    sigma = blur_mm * FINE
    size = (2 * int(np.ceil(4 * sigma)) + 1, 1)
    flat = np.atleast_2d(codes).astype(np.float32)
    return np.asarray(
        cv2.GaussianBlur(flat, size, sigma, borderType=cv2.BORDER_CONSTANT), np.float32
    )


def _without_slope(lines: Floats) -> Floats:
    """Lines (.., n) less their own mean and slope, which is the light's."""
    ramp = _ramp(lines.shape[-1])
    flat = lines - lines.mean(axis=-1, keepdims=True)
    return np.asarray(flat - (flat @ ramp)[..., None] * ramp, np.float32)


@cache
def _ramp(count: int) -> Floats:
    ramp = np.linspace(-1, 1, count, dtype=np.float32)
    return np.asarray(ramp / np.linalg.norm(ramp), np.float32)


def _stretches(rest: Floats, width_mm: float) -> Floats:
    """Means of every stretch of half of *width_mm*: a bar that is wrong fills two of them."""
    width = max(1, round(width_mm * FINE / 2))
    return np.asarray(sliding_window_view(rest, width).mean(axis=1), np.float32)


def frames_of(corner: Corner) -> Iterator[tuple[Corner, bool]]:
    """The card as *corner* has it and, where the picture may show it, the other way up (True)."""
    yield corner, False
    if corner.source != "window":
        yield corner.changed(HALF_TURN), True
