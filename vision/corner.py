"""The taught model of 52 index corners: fitting it to labelled patches, and judging one patch.

Two independent opinions must agree before a patch counts as a card: a linear discriminant on edge
directions and colour, and a pixel-by-pixel comparison with what that card has looked like.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.features import Floats, Seen, describe
from vision.patch import COLS, ROWS

COMPONENTS: Final = 256
RIDGE: Final = 0.15
"""Share of the mean variance added to every direction, so that few samples cannot fake certainty."""
PIXEL_NOISE: Final = 0.08
"""Standard deviation of ink that every pixel is granted."""
BLOCK: Final = 16
"""Pixels (4 mm) on a side of the blocks in which a patch must look like its card."""
LEAST_KNOWN: Final = 0.93
"""Share of the index that the image must show."""
INDEX: Final = 0.999
"""Pixels of the zone above this belong to the index."""
RIVALS: Final = 7
EXCUSES: Final = 7
_CONTRAST: Final = 5
MIN_STRENGTH: Final = 0.35
"""Ink paler than this share of the taught ink is no print any more."""


Cards = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Model:
    """What teaching leaves behind; all arrays float32.

    A *form* is how one card looks: row *i* below 52 is that of card index *i*, and a card whose two ends differ has
    another one behind them.
    """

    centre: Floats
    """(LENGTH,): mean feature vector."""
    whiten: Floats
    """(k, LENGTH): to a space where variations of one card have unit variance."""
    means: Floats
    """(forms, k): the cards there."""
    pictures: Floats
    """(forms, 112, 64): mean ink."""
    spreads: Floats
    """(forms, 112, 64): standard deviation of the ink."""
    zone: Floats
    """(112, 64): how much a pixel tells which card it is, 0..1; 1 on rank and suit."""
    cards: Cards = field(default_factory=lambda: np.arange(52))
    """(forms,): the card index of each form."""

    @cached_property
    def mean_picture(self) -> Floats:
        """(112, 64): the mean of all cards' ink."""
        return np.asarray(self.pictures.mean(axis=0), np.float32)

    def forms(self, distances: Floats) -> Cards:
        """(52,): the likelier form of each card, from the distances of all forms."""
        rows = np.arange(52)
        others = self.cards[52:]
        nearer = distances[52:] < distances[others]
        rows[others[nearer]] = 52 + np.flatnonzero(nearer)
        return rows


@dataclass(frozen=True, slots=True, eq=False)
class Opinion:
    """How one patch looks to a model; lower figures are better."""

    order: NDArray[np.intp]
    """Card indices, likeliest first."""
    distances: Floats
    """(52,): squared distance to each card over the number of dimensions."""
    distance: float
    doubt: float
    """Where the features lie on the way from the card (0) to the runner-up (1)."""
    misfit: float
    """Largest mean squared deviation of a block of the index from the card's picture."""
    lean: float
    """Where the pixels lie on the way from the card (0) to the most similar other (1)."""
    nudge: Floats
    """(4,): right and down in px, turn in radians and growth that would fit the picture better."""


def fit(samples: Sequence[Seen], labels: Sequence[int], index: Floats, cards: Cards) -> Model:
    """A model from variations of all forms; *labels* are their rows, each needs two samples at least.

    *index* (112, 64) is 1 where rank and suit are printed, 0 elsewhere; *cards* as in `Model`.
    """
    vectors = np.stack([describe(seen) for seen in samples])
    forms, rows = np.asarray(labels), range(len(cards))
    centre = vectors.mean(axis=0)
    means = np.stack([vectors[forms == row].mean(axis=0) for row in rows])
    whiten = _whitening(vectors - centre, means - centre, forms)
    ink = np.stack([seen.ink for seen in samples])
    pictures = np.stack([ink[forms == row].mean(axis=0) for row in rows])
    spreads = np.stack([ink[forms == row].std(axis=0) for row in rows])
    telling = _telling(pictures[:52], spreads[:52])
    if len(cards) > 52:
        other = np.arange(52)
        other[cards[52:]] = np.arange(52, len(cards))
        telling = np.maximum(telling, _telling(pictures[other], spreads[other]))
    return Model(
        centre.astype(np.float32),
        whiten.astype(np.float32),
        ((means - centre) @ whiten.T).astype(np.float32),
        pictures.astype(np.float32),
        spreads.astype(np.float32),
        np.maximum(telling, index).astype(np.float32),
        cards,
    )


def _whitening(vectors: Floats, means: Floats, index: NDArray[np.intp]) -> Floats:
    """Principal directions of all samples, scaled so that a card's own variations have unit variance."""
    within = vectors - means[index]
    total = vectors.T @ vectors / len(vectors)
    _, directions = np.linalg.eigh(total)
    basis = directions[:, ::-1][:, :COMPONENTS]
    inner = within @ basis
    scatter = inner.T @ inner / max(1, len(vectors) - len(means))
    ridge = RIDGE * np.trace(scatter) / len(scatter)
    values, axes = np.linalg.eigh(scatter + ridge * np.eye(len(scatter)))
    return np.asarray((axes / np.sqrt(values)).T @ basis.T, np.float32)


def _telling(pictures: Floats, spreads: Floats) -> Floats:
    between = pictures.reshape(4, 13, ROWS, COLS)
    by_rank = between.mean(axis=0).var(axis=0)
    by_suit = between.mean(axis=1).var(axis=0)
    telling = (by_rank + by_suit) / (spreads.mean(axis=0) ** 2 + PIXEL_NOISE**2)
    return np.asarray(
        np.clip(telling / max(float(np.percentile(telling, 95)), 1e-6), 0, 0.99), np.float32
    )


def index_extent(model: Model) -> tuple[slice, slice]:
    """Rows and columns of the patch that hold rank and suit."""
    index = model.zone > INDEX
    rows, cols = np.flatnonzero(index.any(axis=1)), np.flatnonzero(index.any(axis=0))
    if not len(rows):
        return slice(0, ROWS), slice(0, COLS)
    return slice(int(rows[0]), int(rows[-1]) + 1), slice(int(cols[0]), int(cols[-1]) + 1)


def judge(model: Model, seen: Seen) -> Opinion:
    """What *model* makes of one patch.

    What the image did not show is taken to be as on the mean card when cards are told apart, and as on
    the likeliest card when it is asked how well that fits; too much of that, and nothing fits.
    """
    of_forms = _distances(model, seen.filled(model.mean_picture))
    forms = model.forms(of_forms)
    distances = of_forms[forms]
    order = np.argsort(distances)
    best, second = (int(forms[card]) for card in order[:2])
    apart = model.means[best] - model.means[second]
    share = (of_forms[second] - of_forms[best]) / max(float(apart @ apart) / apart.size, 1e-6)
    distance = float(of_forms[best])
    if seen.known is not None:
        if float(seen.known[model.zone > INDEX].mean()) < LEAST_KNOWN:
            distance = np.inf
        else:
            seen = seen.filled(model.pictures[best])
            distance = float(_distances(model, seen)[best])
    pixels = _compare(model, seen.ink, best, forms[order[1 : 1 + RIVALS]])
    return Opinion(order, distances, distance, float(1 - share) / 2, *pixels)


def _distances(model: Model, seen: Seen) -> Floats:
    place = model.whiten @ (describe(seen) - model.centre)
    away = model.means - place
    return np.asarray(np.einsum("ij,ij->i", away, away) / place.size, np.float32)


def _compare(model: Model, ink: Floats, form: int, rivals: Cards) -> tuple[float, float, Floats]:
    """Misfit, lean and nudge of *ink* against the form's picture.

    What small moves, blur, contrast and stray light could explain is taken out of the deviation first.
    """
    picture = model.pictures[form]
    scale = np.sqrt(model.spreads[form] ** 2 + PIXEL_NOISE**2)
    excuses = (_excuses(picture) / scale).reshape(EXCUSES, -1)
    rest = ((ink - picture) / scale).reshape(-1)
    towards = ((model.pictures[rivals] - picture) / scale).reshape(len(rivals), -1)
    both = excuses @ np.vstack([rest, towards]).T
    fitted = np.linalg.solve(excuses @ excuses.T + 1e-3 * np.eye(EXCUSES, dtype=np.float32), both)
    rest -= fitted[:, 0] @ excuses
    towards -= fitted[:, 1:].T @ excuses
    length = np.einsum("ij,ij->i", towards, towards)
    lean = float((towards @ rest / np.maximum(length, 1e-3)).max())
    if 1 + float(fitted[_CONTRAST, 0]) < MIN_STRENGTH:
        return np.inf, lean, np.zeros(4, np.float32)
    return _worst_block(rest, model.zone), lean, np.asarray(fitted[:4, 0], np.float32)


def _worst_block(rest: Floats, zone: Floats) -> float:
    """The largest mean square of a block of the patch."""
    squared = (rest * rest).reshape(ROWS, COLS) * zone
    blocks = cv2.blur(squared, (BLOCK, BLOCK))[BLOCK // 2 :: BLOCK // 2, BLOCK // 2 :: BLOCK // 2]
    return float(blocks.max())


def unlike(one: Floats, other: Floats) -> float:
    """How much the ink of two clean patches differs where it differs most, but for what one look may do.

    0 is the same; 1 is a mean deviation of a tenth of full ink over 4 x 4 mm.
    """
    excuses = _excuses(one).reshape(EXCUSES, -1)
    rest = (other - one).reshape(-1)
    ridge = 1e-3 * np.eye(EXCUSES, dtype=np.float32)
    rest = rest - np.linalg.solve(excuses @ excuses.T + ridge, excuses @ rest) @ excuses
    return _worst_block(rest * np.float32(10), np.ones((ROWS, COLS), np.float32))


def _excuses(picture: Floats) -> Floats:
    """How the picture would change by a px to the right and down, a unit of turn and of growth, ...

    ... a little blur, more contrast and more light. Turn and growth are about the patch's middle.
    """
    gx = cv2.Sobel(picture, cv2.CV_32F, 1, 0, ksize=3) / 8
    gy = cv2.Sobel(picture, cv2.CV_32F, 0, 1, ksize=3) / 8
    x, y = _places()
    blur = cv2.Laplacian(picture, cv2.CV_32F)
    return np.stack(
        [gx, gy, gx * y - gy * x, gx * x + gy * y, blur, picture, np.ones_like(picture)]
    )


@cache
def _places() -> tuple[Floats, Floats]:
    y, x = np.mgrid[0:ROWS, 0:COLS].astype(np.float32)
    return x - COLS / 2 + 0.5, y - ROWS / 2 + 0.5
