"""Teaches a design from labelled images: fits the model, sets its limits, checks every label."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from deals import words
from deals.cards import CARDS, Card
from vision import barcode
from vision import corner as corners
from vision.align import step_of
from vision.augment import USUAL, vary
from vision.corner import Model, Opinion
from vision.crosscheck import chances_of, confirmed, exchanged
from vision.design import Design, Frame, Limits, check_name
from vision.ends import Form, forms_of, unseen_ends
from vision.features import Seen, look_at
from vision.foreign import foreign_patches
from vision.labels import check_labels
from vision.layout import Layout, index_area
from vision.limits import HELD_OUT, Finding, Likest, set_limits, weakest_pairs, weaknesses
from vision.lineup import Placed, by_card, line_up
from vision.patch import Patch
from vision.strip import Strips
from vision.striplearn import Learned, learn_strips, other_names

SAMPLES: Final = 40
SAMPLES_OF_TWO: Final = 28
"""Of each form of a card that has two."""
_SEED: Final = 52
_STEPS: Final = 3
_FITS: Final = 0.5
"""A misfit below that needs no better cut."""

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

    def text(self, lang: str | None = None) -> str:
        """For a person."""
        return words.text(self.code, self.values, lang)


@dataclass(frozen=True, slots=True, eq=False)
class TeachResult:
    """What came of teaching; `design` is None if there was too little to teach from."""

    design: Design | None
    cards: int
    images: int
    accepted: bool
    weakest: Likest
    """The pairs that look most alike: likeness 1 is the same."""
    reasons: tuple[Reason, ...]
    notes: tuple[Reason, ...] = ()
    """What is not used of the design, and why: bars that do not tell its cards apart."""


def teach(
    name: str,
    images: Iterable[Labelled],
    progress: Progress | None = None,
    *,
    strip_alone: bool = False,
    known: Sequence[Design] = (),
) -> TeachResult:
    """A design from labelled images of all 52 cards: windows, whole cards or corners, one or more each.

    With *strip_alone* printed bars may name a card whose index cannot be read, if they are fit for that. Strips are
    held against those of *known* designs: one system of codes is on many designs. VisionError for a bad name;
    whatever is wrong with the pictures is told in `reasons`.
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
    said = chances_of(lineup.placed, lineup.layout.zoom)
    checked = check_labels(lineup.canvases, lineup.layout, confirmed(said))
    reasons += [Reason(*found) for found in (*checked, *exchanged(said))]
    coded, learned, wrong = _beside_the_index(lineup.placed, strip_alone, known)
    reasons += wrong
    notes = tuple(Reason(*found) for found in learned.refused)
    if reasons:  # there is no sense in learning cards under wrong names
        return TeachResult(None, len(placed), len(labelled), False, (), tuple(reasons), notes)
    frame = Frame(lineup.layout.zoom, *lineup.inset_mm, source=lineup.placed[0].corners[0].source)
    forms = forms_of(placed, frame.zoom)
    notes += tuple(Reason(*found) for found in unseen_ends(placed, forms))
    model, limits, weakest, found = _learn(forms, lineup.layout, frame, tell)
    reasons += [Reason(*one) for one in found]
    accepted = not reasons
    about = {
        "cards": len(placed),
        "images": len(labelled),
        "accepted": accepted,
        "weakest": [[str(a), str(b), likeness] for a, b, likeness in weakest],
        "taught_with": SAMPLES,
        "two_ends": len(forms) - len(CARDS),
        **_readers(coded, learned.strips),
    }
    design = Design(name, model, limits, frame, about, learned.strips)
    return TeachResult(design, len(placed), len(labelled), accepted, weakest, tuple(reasons), notes)


def _beside_the_index(
    placed: Sequence[Placed], strip_alone: bool, known: Sequence[Design]
) -> tuple[bool, Learned, list[Reason]]:
    """Whether every card has our bar code, what was learned of strips, and the labels that either speaks against."""
    codes = _codes(placed)
    if len({card for card, code in codes if code is card}) == len(CARDS):
        return True, Learned(), _wrong_codes(codes)
    learned = learn_strips(placed, np.random.default_rng(_SEED), strip_alone)
    wrong = [Reason(*found) for found in (*learned.wrong, *_known_codes(learned, known))]
    return False, learned, _wrong_codes(codes) + wrong


def _known_codes(learned: Learned, known: Sequence[Design]) -> Iterator[Finding]:
    for other in known:
        if learned.strips is not None and other.strips is not None:
            for card, code in other_names(learned.strips, other.strips).items():
                values = {"card": card, "code": code, "design": other.name}
                yield "teach.strip_of_other", values


def _readers(coded: bool, strips: Strips | None) -> dict[str, Any]:
    """Which readers the design has, and which of them may name a card alone."""
    readers, alone = ["corner"], ["corner"]
    if coded:
        readers, alone = [*readers, "barcode"], [*alone, "barcode"]
    told: dict[str, Any] = {"coded": coded, "readers": readers, "alone": alone}
    if strips is None:
        return told
    return told | {
        "readers": [*readers, "strip"],
        "alone": [*alone, "strip"] if strips.alone else alone,
        "strip": {
            "limit": max(strip.limit for strip in strips.strips),
            "apart": min(strip.apart for strip in strips.strips),
            "reserve": round(min(strip.reserve for strip in strips.strips), 3),
            "most_blur_mm": min(strip.most_blur_mm for strip in strips.strips),
            "on_every_card": strips.always,
        },
    }


def _learn(
    forms: Sequence[Form], layout: Layout, frame: Frame, tell: Progress
) -> tuple[Model, Limits, Likest, list[Finding]]:
    """The model, its limits, its most similar cards, and what stands against the design."""
    rng = np.random.default_rng(_SEED)
    seen, labels = _vary_all(forms, rng, tell)
    cards = np.array([form.card.index for form in forms])
    model = corners.fit(seen, labels, index_area(layout, frame.zoom), cards)
    sources: dict[Card, list[Patch]] = {card: [] for card in CARDS}
    for form in forms:
        sources[form.card] += form.sources
    opinions, settled, truth = _hold_out(model, sources, rng, tell)
    strange = foreign_patches(sources, layout, frame.zoom, rng)
    strangers = [corners.judge(model, look_at(patch)) for patch in strange]
    limits = set_limits(opinions, settled, truth, strangers)
    weakest = weakest_pairs(model)
    return model, limits, weakest, weaknesses(settled, truth, strangers, limits, weakest)


def _hold_out(
    model: Model, sources: Mapping[Card, list[Patch]], rng: np.random.Generator, tell: Progress
) -> tuple[list[Opinion], list[Opinion], list[int]]:
    """Opinions of new variations as they are, and after the patch was cut better as a reader would do."""
    opinions: list[Opinion] = []
    settled: list[Opinion] = []
    truth: list[int] = []
    for card in CARDS:
        tell("prove", card.index, len(CARDS))
        own = sources[card]
        for k in range(HELD_OUT):
            source, before = own[k % len(own)], copy.deepcopy(rng)
            opinions.append(corners.judge(model, look_at(vary(source, USUAL, rng))))
            settled.append(_settled(model, source, before, opinions[-1]))
            truth.append(card.index)
    return opinions, settled, truth


def _settled(model: Model, source: Patch, rng: np.random.Generator, opinion: Opinion) -> Opinion:
    step = np.eye(3)
    for _ in range(_STEPS):
        if opinion.misfit < _FITS or not opinion.nudge.any():
            break
        step = step @ step_of(opinion)
        patch = vary(source, USUAL, copy.deepcopy(rng), step)
        again = corners.judge(model, look_at(patch))
        if again.misfit >= opinion.misfit:
            break
        opinion = again
    return opinion


def _wrong_codes(codes: Sequence[tuple[Card, Card]]) -> list[Reason]:
    return [
        Reason("teach.wrong_code", {"card": card, "code": code})
        for card, code in codes
        if code is not card
    ]


def _codes(placed: Sequence[Placed]) -> list[tuple[Card, Card]]:
    """Card by name and card by bar code of every picture that shows a code."""
    if not barcode.available():
        return []
    codes = []
    for one in placed:
        read = {barcode.read_code(one.pixels, corner) for corner in one.corners} - {None}
        codes += [(one.card, code) for code in read if code is not None]
    return codes


def _vary_all(
    forms: Sequence[Form], rng: np.random.Generator, tell: Progress
) -> tuple[list[Seen], list[int]]:
    """Variations, and the row of the form that each is of."""
    seen: list[Seen] = []
    labels: list[int] = []
    twice = {form.card for form in forms[len(CARDS) :]}
    for row, form in enumerate(forms):
        tell("fit", row, len(forms))
        for k in range(SAMPLES_OF_TWO if form.card in twice else SAMPLES):
            seen.append(look_at(vary(form.sources[k % len(form.sources)], USUAL, rng)))
            labels.append(row)
    return seen, labels
