"""Learns the strips of a design from its labelled pictures, holds labels against them, refuses what is too alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from deals.cards import CARDS, Card
from vision.features import Floats
from vision.lineup import Placed
from vision.patch import Corner, cut
from vision.strip import (
    FINE,
    REACH_MM,
    Place,
    Strip,
    Strips,
    blurred_code,
    frames_of,
    is_printed,
    profile_of,
)
from vision.stripfind import find_places, frame_of, has_bars

Bits = NDArray[np.bool_]
Finding = tuple[str, Mapping[str, object]]

_LEAST_LIMIT, _MOST_LIMIT = 0.16, 0.25
_RESERVE: Final = 0.2
"""Shares of a bar that must lie between the worst accepted reading and the best wrong one."""
_SAME: Final = 0.35
"""Below this difference in any stretch two codes are one."""
_FEW: Final = 3
"""So many pairs with one code are cards under wrong names; more, and the bars are no code of cards."""
_VARIATIONS: Final = 3
_MOST_NAMED: Final = 6
_TWO_BARS: Final = 1.5
_ONE_CODE: Final = 0.7
"""Narrowest elements by which print and sight of one code may differ in all; the next code is 1 away."""
_SHARED: Final = 0.85
"""Share of the codes that two designs have in common when they are of one system."""
_MOST_APART: Final = 2.0
"""Codes of which none is near another are taken to be so far apart."""


@dataclass(frozen=True, slots=True, eq=False)
class Learned:
    """The strips of a design and what was found about them."""

    strips: Strips | None = None
    wrong: tuple[Finding, ...] = ()
    """What speaks against labels."""
    refused: tuple[Finding, ...] = ()
    """Why bars that were seen are not used."""


@dataclass(slots=True, eq=False)
class _Code:
    """One code of one card, as seen in some pictures."""

    card: int
    votes: NDArray[np.int64]
    count: int

    @property
    def bits(self) -> Bits:
        return self.votes * 2 > self.count


@dataclass(frozen=True, slots=True, eq=False)
class _Sighted:
    """A strip as one picture shows it."""

    one: Placed
    corner: Corner
    turned: bool
    profile: Floats


def learn_strips(
    placed: Sequence[Placed], rng: np.random.Generator, alone: bool = False
) -> Learned:
    """What *placed* pictures of all 52 cards show of strips; nothing where there are no bars.

    With *alone* a strip shall name a card whose index cannot be read, if its codes are far enough apart for that.
    """
    first = {one.card: one for one in reversed(placed)}
    frames = [
        frame_of(one.card.index, one.pixels, corner)
        for one in first.values()
        for corner, _ in frames_of(one.corners[0])
    ]
    places = find_places(frames)
    strips: list[Strip] = []
    wrong: list[Finding] = []
    refused: list[Finding] = []
    turned_too = True
    shown: set[tuple[int, bool]] = set()
    for place in places:
        seen = list(_sighted(placed, place))
        if not seen:  # print that changes like bars where no picture has any
            continue
        shown |= {(id(one.one), one.turned) for one in seen}
        strip, faults, refusals = _learn(placed, place, seen, rng)
        wrong += faults
        refused += refusals
        if strip is not None:
            strips.append(strip)
            turned_too &= _both_ways(seen) or _told_reversed(strip)
    every = len(placed) * 2
    always = len(shown) == every and all(one.corners[0].source != "window" for one in placed)
    far = turned_too and all(_bars_apart(strip) >= _TWO_BARS for strip in strips)
    if strips and alone and not far:
        refused.append(("teach.strip_not_alone", {}))
    alone = alone and far
    found = Strips(tuple(strips), always, alone) if strips else None
    return Learned(found, tuple(wrong), tuple(refused))


def _sighted(placed: Sequence[Placed], place: Place) -> Iterator[_Sighted]:
    for one in placed:
        for corner, turned in frames_of(one.corners[0]):
            profile = profile_of(one.pixels, corner, place)
            if profile is None or not is_printed(profile):
                continue
            if has_bars(one.pixels, corner, place):
                yield _Sighted(one, corner, turned, profile)


def _both_ways(seen: Sequence[_Sighted]) -> bool:
    """Whether pictures showed the cards both ways up."""
    return all(one.one.corners[0].source != "window" for one in seen)


def _learn(
    placed: Sequence[Placed], place: Place, seen: Sequence[_Sighted], rng: np.random.Generator
) -> tuple[Strip | None, list[Finding], list[Finding]]:
    narrowest = _narrowest([_bits(one.profile, place) for one in seen])
    codes = _codes(seen, place, narrowest)
    faults = [*_absent(placed, place, seen), *_several(codes)]
    if faults:
        return None, faults, []
    bits = np.stack([code.bits for code in codes])
    cards = np.array([code.card for code in codes])
    strip = Strip(place, bits, cards, narrowest, _MOST_LIMIT, 0.0)
    apart, pairs = _pairs(strip)
    same = [(a, b) for a, b, _ in pairs if _one_code(strip, a, b)]
    if len(same) > _FEW:
        return None, [], [("teach.strip_tells_nothing", {})]
    if same:
        return None, [("teach.strip_same", {"one": a, "other": b}) for a, b in same], []
    worst, hard = _own(strip, seen, rng)
    limit = min(max(1.6 * worst, _LEAST_LIMIT), _MOST_LIMIT, (apart - _RESERVE) / 2)
    if limit < _LEAST_LIMIT:
        near = [f"{a} {b}" for a, b, gap in pairs if gap < 2 * _LEAST_LIMIT + _RESERVE]
        return None, [], [("teach.strip_too_alike", {"pairs": near[:_MOST_NAMED]})]
    if worst > limit:
        return None, [], [("teach.strip_unclear", {"cards": hard[:_MOST_NAMED]})]
    return Strip(place, bits, cards, narrowest, round(limit, 3), round(apart, 3)), [], []


def _absent(placed: Sequence[Placed], place: Place, seen: Sequence[_Sighted]) -> Iterator[Finding]:
    """Pictures that show the place without bars; a second look of a machine may not reach so far."""
    there = {id(one.one) for one in seen}
    for one in placed:
        views = (profile_of(one.pixels, corner, place) for corner, _ in frames_of(one.corners[0]))
        if id(one) not in there and any(view is not None for view in views):
            yield "teach.strip_absent", {"card": one.card, "file": one.name}


def _several(codes: Sequence[_Code]) -> Iterator[Finding]:
    """Cards whose pictures carry more codes than those of the others do: one of them is another card's."""
    counts = np.bincount([code.card for code in codes], minlength=52)
    usual = int(np.median(counts))
    for card in np.flatnonzero(counts > max(usual, 1)):
        # after half a turn a code may read otherwise, but for cards whose code is the same backwards
        if usual == 1 or counts[card] > 2:
            yield "teach.strip_differs", {"card": CARDS[int(card)]}


def _bits(profile: Floats, place: Place) -> Bits:
    """Where a profile is dark, over the length of the place."""
    start = round(REACH_MM * FINE)
    low, high = float(np.percentile(profile, 2)), float(np.percentile(profile, 95))
    count = round(place.length * FINE)
    return np.asarray(profile[start : start + count] < (low + high) / 2, np.bool_)


def _runs(bits: Bits) -> NDArray[np.int64]:
    """Lengths of bars and gaps, without the paper at both ends."""
    edges = np.flatnonzero(np.diff(np.r_[False, bits, False].astype(np.int8)))
    return np.diff(edges)


def _narrowest(codes: Sequence[Bits]) -> float:
    runs = np.concatenate([_runs(code) for code in codes])
    runs = runs[runs > 2]
    return float(np.percentile(runs, 8)) / FINE if len(runs) else 1.0


def _codes(seen: Sequence[_Sighted], place: Place, narrowest: float) -> list[_Code]:
    """The different codes of each card, each from all pictures that show it."""
    codes: list[_Code] = []
    width = max(1, round(narrowest * FINE / 2))
    for one in seen:
        bits = _cleaned(_bits(one.profile, place), width)
        for known in codes:
            if known.card != one.one.card.index:
                continue
            gap, shift = _difference(known.bits, bits, width)
            if gap < _SAME:
                known.votes += _shifted(bits, shift)
                known.count += 1
                break
        else:
            codes.append(_Code(one.one.card.index, bits.astype(np.int64), 1))
    return codes


def _cleaned(bits: Bits, least: int) -> Bits:
    """Without bars and gaps shorter than *least* samples."""
    kernel = np.ones((1, max(1, least)), np.uint8)
    line: Any = bits[None].astype(np.uint8)
    line = cv2.morphologyEx(line, cv2.MORPH_OPEN, kernel)
    return np.asarray(cv2.morphologyEx(line, cv2.MORPH_CLOSE, kernel)[0] > 0, np.bool_)


def _shifted(bits: Bits, by: int) -> Bits:
    moved = np.zeros_like(bits)
    if by >= 0:
        moved[by:] = bits[: len(bits) - by]
    else:
        moved[:by] = bits[-by:]
    return moved


def _difference(one: Bits, other: Bits, width: int) -> tuple[float, int]:
    """The largest share of a stretch that differs, and the shift of *other* at which it is least."""
    reach = round(REACH_MM * FINE)
    best = (np.inf, 0)
    for shift in range(-reach, reach + 1):
        differs = (one ^ _shifted(other, shift)).astype(np.float32)
        most = float(np.convolve(differs, np.ones(width) / width, "same").max())
        if (most, abs(shift)) < (best[0], abs(best[1])):
            best = (most, shift)
    return float(best[0]), best[1]


def _pairs(strip: Strip) -> tuple[float, list[tuple[Card, Card, float]]]:
    """How far the nearest other card's code is from each strip, as the reader measures it; pairs, nearest first."""
    found: dict[tuple[int, int], float] = {}
    for bits, card in zip(strip.codes, strip.cards, strict=True):
        for shift in (-REACH_MM, 0.0, REACH_MM):
            for fit in strip.fits(_ideal(bits, strip.most_blur_mm, shift)):
                other = int(strip.cards[fit.code])
                if other != card and strip.is_clear(fit):
                    pair = (min(int(card), other), max(int(card), other))
                    found[pair] = min(found.get(pair, np.inf), fit.misfit)
    pairs = [(CARDS[a], CARDS[b], gap) for (a, b), gap in found.items()]
    pairs.sort(key=lambda one: one[2])
    return (min(pairs[0][2], _MOST_APART) if pairs else _MOST_APART), pairs


def _one_code(strip: Strip, one: Card, other: Card) -> bool:
    """Whether the strips of two cards are the same print."""
    width = max(1, round(strip.narrowest_mm * FINE / 2))
    return any(
        _difference(strip.codes[a], strip.codes[b], width)[0] < _SAME
        for a in strip.codes_of(one)
        for b in strip.codes_of(other)
    )


def _ideal(bits: Bits, blur_mm: float, shift_mm: float) -> Floats:
    """The profile of a code without noise."""
    reach = round(REACH_MM * FINE)
    dark = np.zeros(len(bits) + 2 * reach, np.bool_)
    start = reach + round(shift_mm * FINE)
    dark[start : start + len(bits)] = bits
    return np.asarray(0.9 - 0.8 * blurred_code(dark, blur_mm)[0], np.float32)


def _told_reversed(strip: Strip) -> bool:
    """Whether no code read backwards is another card's."""
    width = max(1, round(strip.narrowest_mm * FINE / 2))
    for bits, card in zip(strip.codes, strip.cards, strict=True):
        for other, its in zip(strip.codes, strip.cards, strict=True):
            if its != card and _difference(bits, _centred(other[::-1], bits), width)[0] < _SAME:
                return False
    return True


def _centred(bits: Bits, like: Bits) -> Bits:
    """Moved so that its bars begin where those of *like* do."""
    if not bits.any() or not like.any():
        return bits
    return np.roll(bits, int(like.argmax()) - int(bits.argmax()))


def _bars_apart(strip: Strip) -> float:
    """Least difference of two cards' codes, in narrowest elements."""
    others = strip.cards[:, None] != strip.cards[None]
    return float(_differences(strip.codes, strip.codes)[others].min()) / strip.narrowest_mm


def _differences(codes: Bits, others: Bits) -> Floats:
    """(k, m): mm along which each code differs from each of the others, laid on it at best."""
    flat = codes.astype(np.float32)
    reach = round(REACH_MM * FINE)
    least = np.full((len(flat), len(others)), np.inf, np.float32)
    for shift in range(-reach, reach + 1, 2):
        moved = np.stack([_shifted(bits, shift) for bits in others]).astype(np.float32)
        here = flat.sum(axis=1)[:, None] + moved.sum(axis=1)[None] - 2 * flat @ moved.T
        least = np.minimum(least, here)
    return np.asarray(least / FINE, np.float32)


def other_names(strips: Strips, known: Strips) -> dict[Card, Card]:
    """Cards whose strip is another card's in a design that shares the codes of nearly all others."""
    named: dict[Card, Card] = {}
    for strip, its in product(strips.strips, known.strips):
        ours, theirs = _begun(strip.codes), _begun(its.codes)
        length = max(ours.shape[1], theirs.shape[1])
        ours, theirs = (
            np.pad(codes, ((0, 0), (0, length - codes.shape[1]))) for codes in (ours, theirs)
        )
        gaps = _differences(ours, theirs) / strip.narrowest_mm
        nearest = its.cards[gaps.argmin(axis=1)]
        found = gaps.min(axis=1) < _ONE_CODE
        if (found & (nearest == strip.cards)).mean() < _SHARED:
            continue
        wrong = found & (nearest != strip.cards)
        named |= {
            CARDS[int(card)]: CARDS[int(code)]
            for card, code in zip(strip.cards[wrong], nearest[wrong], strict=True)
        }
    return named


def _begun(codes: Bits) -> Bits:
    """Without the paper before the first bar of any, but for as much as codes may be moved."""
    first = int(codes.any(axis=0).argmax())
    reach = round(REACH_MM * FINE)
    return np.pad(codes[:, first:], ((0, 0), (reach, reach)))


def _own(
    strip: Strip, seen: Sequence[_Sighted], rng: np.random.Generator
) -> tuple[float, list[Card]]:
    """Misfit that nearly all variations of the design's own strips keep, and the cards that fit worst."""
    worst: dict[int, float] = {}
    misfits = []
    for one in seen:
        card = one.one.card
        wanted = strip.codes_of(card)
        for _ in range(_VARIATIONS):
            profile = _varied(one, strip, rng)
            fits = [fit for fit in strip.fits(profile, wanted) if fit.code in wanted]
            misfits.append(min(fit.misfit for fit in fits))
            worst[card.index] = max(worst.get(card.index, 0.0), misfits[-1])
    hard = sorted(worst, key=lambda card: -worst[card])
    return float(np.quantile(misfits, 0.98)), [CARDS[card] for card in hard]


def _varied(one: _Sighted, strip: Strip, rng: np.random.Generator) -> Floats:
    """The profile as blur, light, noise and a card that lies a little otherwise would make it."""
    place, room = strip.place, 1.5
    px = 10
    origin = (place.x0 - room, place.y0 - room)
    size = (place.x1 - place.x0 + 2 * room, place.y1 - place.y0 + 2 * room)
    lies = one.corner.moved(*rng.uniform(-0.3, 0.3, 2))
    seen: Any = cut(one.one.pixels, lies, size, origin, px).astype(np.float32)
    blur = rng.uniform(0.02, 0.8) * strip.most_blur_mm * px
    seen = cv2.GaussianBlur(seen, (0, 0), max(blur, 0.2))
    fall = np.linspace(1 - rng.uniform(0, 0.25), 1.0, seen.shape[1 - int(place.down)])
    seen *= rng.uniform(0.4, 1.0)
    seen *= fall[:, None, None] if place.down else fall[None, :, None]
    seen += rng.standard_normal(seen.shape) * rng.uniform(1.0, 6.0)
    matrix = np.array([[px, 0, -origin[0] * px - 0.5], [0, px, -origin[1] * px - 0.5], [0, 0, 1.0]])
    tilted = Corner(matrix, "window").changed(_tilt(rng.uniform(-0.015, 0.015), place))
    varied = np.clip(seen, 0, 255).astype(np.uint8)
    profile = profile_of(varied, tilted, place)
    return one.profile if profile is None else profile


def _tilt(angle: float, place: Place) -> NDArray[np.float64]:
    """Turns millimetres about the middle of a place."""
    x, y = (place.x0 + place.x1) / 2, (place.y0 + place.y1) / 2
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array(
        [[cos, -sin, x - cos * x + sin * y], [sin, cos, y - sin * x - cos * y], [0, 0, 1]]
    )
