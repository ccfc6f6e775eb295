"""From looks at corners and codes to the one answer; readers that contradict each other make it unsure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from deals.cards import CARDS, Card
from vision import locate
from vision.corner import Opinion
from vision.patch import Corner, Patch
from vision.reading import CardReading, Kind
from vision.strip import NOTHING, Strips, StripSight

ACCEPTED: Final = 0.9
"""Confidence of a reading that just reaches every limit."""
CONTRADICTS: Final = 2.5
"""An index within so many times its limits is present enough to contradict a code, or itself in another colour."""
_NEARLY: Final = 1.6
"""Within so many times its limits an index supports a strip that names the same card."""
_CODE_CONFIDENCE: Final = 0.99
_WITNESSED: Final = 0.1
"""What is left of each doubt when a second reader, which looks at other print, says the same."""
_DARK, _BRIGHT = 3, 90
"""Mean grey values between which an even image is the empty belt."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """One place in the image and what the model thinks of it."""

    corner: Corner
    patch: Patch
    opinion: Opinion
    strain: float
    """The largest measure as a share of its limit; 1 and below is accepted."""

    @property
    def card(self) -> Card:
        """The likeliest card."""
        return CARDS[int(self.opinion.order[0])]


def strain_of(look: Look) -> float:
    """For sorting."""
    return look.strain


@dataclass(frozen=True, slots=True)
class Codes:
    """What print beside the index says about a card, and what the design lets rest on it."""

    barcode: Card | None = None
    strip: StripSight = NOTHING
    coded: bool = False
    """The design was taught with our bar code on every card."""
    strips: Strips | None = None

    @property
    def named(self) -> set[Card]:
        """The cards that codes name."""
        return {card for card in (self.barcode, self.strip.card) if card is not None}

    @property
    def stripped(self) -> bool:
        """No strip is where every card of the design has one."""
        always = self.strips is not None and self.strips.always
        return always and self.strip.inside and not self.strip.there


def agreed(looks: Sequence[Look], codes: Codes) -> CardReading:
    """The card on which all accepted looks and the codes agree."""
    good = [look for look in looks if look.strain <= 1]
    best = min(good or looks, key=strain_of, default=None)
    if len({look.card for look in good}) > 1:
        return unsure("corners_differ", best)
    return fused(best, codes)


def fused(look: Look | None, codes: Codes) -> CardReading:
    """Index and codes together: readers that are present agree, or the card is unsure.

    A code alone counts only if the design was taught to let it.
    """
    if len(codes.named) > 1:
        return unsure("readers_differ", look)
    code = next(iter(codes.named), None)
    if look is not None and code not in (None, look.card) and look.strain <= CONTRADICTS:
        return unsure("readers_differ", look)
    if look is not None and look.strain <= 1:
        if codes.strip.contradicts:
            return unsure("readers_differ", look)
        return unsure("no_strip", look) if codes.stripped else _card(look, codes)
    return unsure("not_alike", look) if code is None else _by_code(code, look, codes)


def _by_code(code: Card, look: Look | None, codes: Codes) -> CardReading:
    """A card whose index is not read for certain."""
    if codes.barcode is None:
        nearly = look is not None and look.card is code and look.strain <= _NEARLY
        method, may = "strip", nearly or (codes.strips is not None and codes.strips.alone)
    else:
        method, may = "barcode", codes.coded
    corner = look.patch if look else None
    if not may:
        evidence = {"reason": "code_not_taught" if method == "barcode" else "strip_alone"}
        return CardReading(
            Kind.UNSURE, None, code, 0.5, method=method, evidence=evidence | {"corner": corner}
        )
    evidence = {
        "scores": {str(code): 1.0},
        "corner": corner,
        "readers": "+".join(codes_read(codes)),
    }
    return CardReading(Kind.CARD, code, code, _CODE_CONFIDENCE, None, method, evidence)


def codes_read(codes: Codes) -> list[str]:
    """Names of the readers of codes that have read one."""
    read = (("barcode", codes.barcode), ("strip", codes.strip.card))
    return [name for name, card in read if card is not None]


def without_corner(view: locate.View) -> CardReading:
    """An empty window if it is evenly dim; unsure if it is black, bright or confused."""
    if view.contrast < locate.MIN_CONTRAST and _DARK < view.level < _BRIGHT:
        return CardReading(Kind.NO_CARD, confidence=0.99, evidence={"level": view.level})
    reason = "dark" if view.level <= _DARK else "no_corner"
    return CardReading(Kind.UNSURE, evidence={"reason": reason, "level": view.level})


def confidence_of(strain: float) -> float:
    """1 for a perfect look, 0.9 at the limit, then falling."""
    if strain <= 1:
        return 1 - (1 - ACCEPTED) * max(strain, 0.0) ** 4
    return ACCEPTED / strain**2 * 0.99


def _scores(opinion: Opinion) -> dict[str, float]:
    """Likeness of the likeliest cards, 1 for a perfect one, by card text, best first."""
    top = opinion.order[:8]
    return {str(CARDS[i]): round(1 / (1 + float(opinion.distances[i])), 4) for i in top}


def _card(look: Look, codes: Codes) -> CardReading:
    scores, confidence = _scores(look.opinion), confidence_of(look.strain)
    readers = ["corner", *codes_read(codes)]
    if len(readers) > 1:
        confidence = 1 - _WITNESSED * (1 - confidence)
        own = str(look.card)
        scores = {c: s if c == own else round(_WITNESSED * s, 4) for c, s in scores.items()}
    return CardReading(
        Kind.CARD,
        look.card,
        look.card,
        round(confidence, 4),
        CARDS[int(look.opinion.order[1])],
        "corner",
        {
            "scores": scores,
            "corner": look.patch,
            "readers": "+".join(readers),
            "margin": round(1 - max(look.strain, 0.0), 4),
        },
    )


def unsure(reason: str, look: Look | None) -> CardReading:
    """No card; what looks likeliest is a proposal for a person."""
    if look is None:
        return CardReading(Kind.UNSURE, evidence={"reason": reason})
    return CardReading(
        Kind.UNSURE,
        None,
        look.card,
        round(min(confidence_of(max(look.strain, 1.0001)), 0.89), 4),
        CARDS[int(look.opinion.order[1])],
        "corner",
        {"reason": reason, "scores": _scores(look.opinion), "corner": look.patch},
    )
