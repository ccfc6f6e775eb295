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

ACCEPTED: Final = 0.9
"""Confidence of a reading that just reaches every limit."""
_CONTRADICTS: Final = 2.5
"""An index within so many times its limits is present enough to contradict a code."""
_CODE_CONFIDENCE: Final = 0.99
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


def agreed(looks: Sequence[Look], code: Card | None, coded: bool) -> CardReading:
    """The card on which all accepted looks and the code agree."""
    good = [look for look in looks if look.strain <= 1]
    best = min(good or looks, key=strain_of, default=None)
    if len({look.card for look in good}) > 1:
        return unsure("corners_differ", best)
    return fused(best, code, coded)


def fused(look: Look | None, code: Card | None, coded: bool) -> CardReading:
    """Index and code together; a code alone counts only if the design was taught with codes."""
    accepted = look is not None and look.strain <= 1
    if code is None:
        return _card(look) if look is not None and accepted else unsure("not_alike", look)
    if look is not None and look.card is not code and look.strain <= _CONTRADICTS:
        return unsure("readers_differ", look)
    if look is not None and accepted:
        return _card(look)
    if not coded:
        return CardReading(
            Kind.UNSURE, None, code, 0.5, method="barcode", evidence={"reason": "code_not_taught"}
        )
    evidence = {"scores": {str(code): 1.0}, "corner": look.patch if look else None}
    return CardReading(Kind.CARD, code, code, _CODE_CONFIDENCE, None, "barcode", evidence)


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


def _card(look: Look) -> CardReading:
    return CardReading(
        Kind.CARD,
        look.card,
        look.card,
        round(confidence_of(look.strain), 4),
        CARDS[int(look.opinion.order[1])],
        "corner",
        {"scores": _scores(look.opinion), "corner": look.patch},
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
