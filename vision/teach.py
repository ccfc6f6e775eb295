"""Teaches a design from labelled images: fits the model, sets its limits, checks every label."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from deals import words
from deals.cards import CARDS, Card
from vision import corner as corners
from vision.augment import USUAL, source_of, vary
from vision.corner import Model, Opinion
from vision.design import Design, Frame, Limits, check_name
from vision.features import Floats, Seen, look_at
from vision.foreign import foreign_patches
from vision.labels import check_labels
from vision.layout import index_area
from vision.lineup import by_card, line_up
from vision.patch import Patch

SAMPLES: Final = 40
HELD_OUT: Final = 12
_SEED: Final = 52
_TOO_ALIKE: Final = 0.35
"""Least mean squared distance of two cards, in units of a card's own variation."""
_MOST_DISTANCE: Final = 3.0
_MOST_MISFIT: Final = 1.5
_LEAST_ACCEPTED: Final = 0.9
"""Share of hard variations of its own that a design must still accept."""
_STRANGERS: Final = 0.004
"""Share of made-up strangers that may pass: some are half covered and still the right card."""

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """One picture and the card that it is said to show."""

    card: Card
    image: Any
    name: str = ""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a design is not accepted: a code of the catalogue and its values."""

    code: str
    values: Mapping[str, object] = field(default_factory=dict)

    def text(self, lang: str = "en") -> str:
        """For a person."""
        return words.text(self.code, self.values, lang)


@dataclass(frozen=True, slots=True, eq=False)
class TeachResult:
    """What came of teaching; `design` is None if there was too little to teach from."""

    design: Design | None
    cards: int
    images: int
    accepted: bool
    weakest: tuple[tuple[Card, Card, float], ...]
    """The pairs that look most alike: likeness 1 is the same."""
    reasons: tuple[Reason, ...]


def teach(name: str, images: Iterable[Labelled], progress: Progress | None = None) -> TeachResult:
    """A design from labelled images of all 52 cards: windows, whole cards or corners, one or more each.

    VisionError for a bad name; whatever is wrong with the pictures is told in `reasons`.
    """
    check_name(name)
    tell = progress or (lambda step, done, of: None)
    labelled = list(images)
    tell("find", 0, len(labelled))
    lineup = line_up([(one.card, one.name, one.image) for one in labelled])
    reasons = [Reason("teach.no_corner", {"card": c, "file": name}) for c, name in lineup.lost]
    placed = by_card(lineup.placed)
    missing = [card for card in CARDS if card not in placed]
    if missing:
        reasons.append(Reason("teach.missing", {"cards": missing}))
        return TeachResult(None, len(placed), len(labelled), False, (), tuple(reasons))
    frame = Frame(lineup.layout.zoom, *lineup.inset_mm, source=lineup.placed[0].corners[0].source)
    sources = {
        card: [
            source_of(one.pixels, corner.scaled(frame.zoom))
            for one in placed[card]
            for corner in one.corners
        ]
        for card in CARDS
    }
    rng = np.random.default_rng(_SEED)
    seen, labels = _vary_all(sources, SAMPLES, rng, tell, "fit")
    model = corners.fit(seen, labels, index_area(lineup.layout, frame.zoom))
    held, truth = _vary_all(sources, HELD_OUT, rng, tell, "prove")
    opinions = [corners.judge(model, one) for one in held]
    strangers = [
        corners.judge(model, look_at(p))
        for p in foreign_patches(sources, lineup.layout, frame.zoom, rng)
    ]
    limits = set_limits(opinions, truth, strangers)
    found = check_labels(lineup.canvases, lineup.layout)
    reasons += [Reason(code, values) for code, values in found]
    weakest = _weakest(model)
    reasons += _weaknesses(opinions, truth, strangers, limits, weakest)
    accepted = not reasons
    about = {
        "cards": len(placed),
        "images": len(labelled),
        "accepted": accepted,
        "weakest": [[str(a), str(b), likeness] for a, b, likeness in weakest],
        "taught_with": SAMPLES,
    }
    design = Design(name, model, limits, frame, about)
    return TeachResult(design, len(placed), len(labelled), accepted, weakest, tuple(reasons))


def _vary_all(
    sources: Mapping[Card, list[Patch]],
    samples: int,
    rng: np.random.Generator,
    tell: Progress,
    step: str,
) -> tuple[list[Seen], list[int]]:
    seen: list[Seen] = []
    labels: list[int] = []
    for card in CARDS:
        tell(step, card.index, len(CARDS))
        own = sources[card]
        for k in range(samples):
            seen.append(look_at(vary(own[k % len(own)], USUAL, rng)))
            labels.append(card.index)
    return seen, labels


def set_limits(opinions: list[Opinion], truth: list[int], strangers: list[Opinion]) -> Limits:
    """As wide as the cards' own variations ask, then as narrow as it takes to keep strangers out."""
    own = [o for o, card in zip(opinions, truth, strict=True) if o.order[0] == card] or opinions
    distance = min(1.5 * _quantile([o.distance for o in own], 0.995), _MOST_DISTANCE)
    misfit = min(1.2 * _quantile([o.misfit for o in own], 0.995), _MOST_MISFIT)
    limits = Limits(distance, misfit, doubt=0.33, lean=0.4)
    for share in np.linspace(1.0, 0.4, 13):
        narrower = Limits(distance * float(share), misfit * float(share), limits.doubt, limits.lean)
        if sum(_passes(o, narrower) for o in own) < _LEAST_ACCEPTED * len(own):
            break
        limits = narrower
        if sum(_passes(o, limits) for o in strangers) <= _STRANGERS * len(strangers):
            break
    return limits


def _quantile(values: list[float], share: float) -> float:
    return float(np.quantile(np.array(values), share))


def _weakest(model: Model, count: int = 5) -> tuple[tuple[Card, Card, float], ...]:
    apart = _distances(model)
    pairs = [(float(apart[a, b]), a, b) for a in range(52) for b in range(a + 1, 52)]
    pairs.sort()
    return tuple((CARDS[a], CARDS[b], round(_likeness(d), 3)) for d, a, b in pairs[:count])


def _distances(model: Model) -> Floats:
    squares = (model.means**2).sum(axis=1)
    mixed = squares[:, None] + squares[None, :] - 2 * model.means @ model.means.T
    return np.asarray(np.maximum(mixed, 0) / model.means.shape[1], np.float32)


def _likeness(distance: float) -> float:
    return float(np.exp(-distance / 10))


def _weaknesses(
    opinions: list[Opinion],
    truth: list[int],
    strangers: list[Opinion],
    limits: Limits,
    weakest: tuple[tuple[Card, Card, float], ...],
) -> list[Reason]:
    reasons = []
    for a, b, likeness in weakest:
        if likeness > _likeness(_TOO_ALIKE):
            reasons.append(Reason("teach.too_alike", {"one": a, "other": b}))
    unread: dict[int, int] = {}
    for opinion, card in zip(opinions, truth, strict=True):
        fine = _passes(opinion, limits)
        if fine and opinion.order[0] != card:
            other = CARDS[int(opinion.order[0])]
            reasons.append(Reason("teach.misread", {"one": CARDS[card], "other": other}))
        if not fine:
            unread[card] = unread.get(card, 0) + 1
    faint = [CARDS[card] for card, times in unread.items() if times > HELD_OUT // 2]
    if faint:
        reasons.append(Reason("teach.hard_to_read", {"cards": faint}))
    if sum(_passes(o, limits) for o in strangers) > 10 * _STRANGERS * len(strangers):
        reasons.append(Reason("teach.not_distinct", {}))
    return reasons


def _passes(o: Opinion, limits: Limits) -> bool:
    return (
        o.distance <= limits.distance
        and o.misfit <= limits.misfit
        and o.doubt <= limits.doubt
        and o.lean <= limits.lean
    )
