"""Sets what a design's readings may reach at most, and finds what stands against the design."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from deals.cards import CARDS, Card
from vision.corner import Model, Opinion
from vision.design import Limits
from vision.features import Floats

HELD_OUT: Final = 12
"""Variations of each card on which the limits are set; the model was fitted to others."""
TOO_ALIKE: Final = 0.35
"""Least mean squared distance of two cards, in units of a card's own variation."""
_MOST_DISTANCE: Final = 3.0
_MOST_MISFIT: Final = 1.5
_LEAST_ACCEPTED: Final = 0.9
"""Share of hard variations of its own that a design must still accept."""
_STRANGERS: Final = 0.004
"""Share of made-up strangers that may pass: some are half covered and still the right card."""

Finding = tuple[str, Mapping[str, object]]
Likest = tuple[tuple[Card, Card, float], ...]
"""Pairs of cards that look most alike, with their likeness; 1 is the same."""


def set_limits(
    opinions: list[Opinion], settled: list[Opinion], truth: list[int], strangers: list[Opinion]
) -> Limits:
    """As wide as the cards' own variations ask, then as narrow as it takes to keep strangers out.

    *settled* are the same variations after their patches were cut better, as a reader does before it gives up.
    """
    own = [o for o, card in zip(opinions, truth, strict=True) if o.order[0] == card] or opinions
    distance = min(1.5 * _quantile([o.distance for o in own], 0.995), _MOST_DISTANCE)
    misfit = min(1.2 * _quantile([o.misfit for o in own], 0.995), _MOST_MISFIT)
    limits = Limits(distance, misfit, doubt=0.33, lean=0.4)
    for share in np.linspace(1.0, 0.4, 13):
        narrower = Limits(distance * float(share), misfit * float(share), limits.doubt, limits.lean)
        if _kept(narrower, settled) < _LEAST_ACCEPTED * len(settled):
            break
        limits = narrower
        if _kept(limits, strangers) <= _STRANGERS * len(strangers):
            break
    return limits


def _kept(limits: Limits, opinions: list[Opinion]) -> int:
    """How many keep every limit."""
    return sum(limits.strain(opinion) <= 1 for opinion in opinions)


def _quantile(values: list[float], share: float) -> float:
    return float(np.quantile(np.array(values), share))


def weakest_pairs(model: Model, count: int = 5) -> Likest:
    """The pairs of cards that look most alike, with their likeness."""
    apart = _distances(model)
    pairs = [(float(apart[a, b]), a, b) for a in range(52) for b in range(a + 1, 52)]
    pairs.sort()
    return tuple((CARDS[a], CARDS[b], round(_likeness(d), 3)) for d, a, b in pairs[:count])


def _distances(model: Model) -> Floats:
    """(52, 52): squared distance of the cards, of those forms of theirs that are nearest."""
    squares = (model.means**2).sum(axis=1)
    mixed = squares[:, None] + squares[None, :] - 2 * model.means @ model.means.T
    forms = np.maximum(mixed, 0) / model.means.shape[1]
    apart = np.full((52, 52), np.inf)
    np.minimum.at(apart, (model.cards[:, None], model.cards[None, :]), forms)
    return np.asarray(apart, np.float32)


def _likeness(distance: float) -> float:
    return float(np.exp(-distance / 10))


def weaknesses(
    opinions: list[Opinion],
    truth: list[int],
    strangers: list[Opinion],
    limits: Limits,
    weakest: Likest,
) -> list[Finding]:
    """Codes and values of what stands against the design."""
    reasons: list[Finding] = []
    for a, b, likeness in weakest:
        if likeness > _likeness(TOO_ALIKE):
            reasons.append(("teach.too_alike", {"one": a, "other": b}))
    unread: dict[int, int] = {}
    for opinion, card in zip(opinions, truth, strict=True):
        fine = limits.strain(opinion) <= 1
        if fine and opinion.order[0] != card:
            other = CARDS[int(opinion.order[0])]
            reasons.append(("teach.misread", {"one": CARDS[card], "other": other}))
        if not fine:
            unread[card] = unread.get(card, 0) + 1
    faint = [CARDS[card] for card, times in unread.items() if times > HELD_OUT // 2]
    if faint:
        reasons.append(("teach.hard_to_read", {"cards": faint}))
    if _kept(limits, strangers) > 10 * _STRANGERS * len(strangers):
        reasons.append(("teach.not_distinct", {}))
    return reasons
