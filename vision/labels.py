"""Checks 52 labelled pictures against each other: every card shares its rank with three and its suit with
twelve, so a picture under a wrong name stands out whatever letters the design uses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from deals.cards import CARDS, RANK_LETTERS, SUIT_LETTERS
from vision.features import Floats
from vision.patch import COLS, ROWS

SAME_PICTURE: Final = 0.995
_CLEARLY: Final = 0.12
"""By how much more a picture must correlate with another rank or suit before a label is doubted."""

Finding = tuple[str, Mapping[str, object]]


def check_labels(ink: Floats) -> Iterator[Finding]:
    """Codes and values of what is wrong with (52, 112, 64) ink pictures in index order."""
    grid = ink.reshape(4, 13, ROWS, COLS)
    ranks = _zone(np.median(grid, axis=0), grid.var(axis=0).mean(axis=0))
    suits = _zone(np.median(grid, axis=1), grid.var(axis=1).mean(axis=0))
    doubled = list(_doubled(ink))
    yield from doubled
    said = {card for _, values in doubled for card in (values["one"], values["other"])}
    for card in CARDS:
        if card in said:
            continue
        suit, rank = int(card.suit), int(card.rank)
        others = [s for s in range(4) if s != suit]
        by_rank = _correlate(ink[card.index], np.median(grid[others], axis=0), ranks)
        others = [r for r in range(13) if r != rank]
        by_suit = _correlate(ink[card.index], np.median(grid[:, others], axis=1), suits)
        like_rank, like_suit = int(by_rank.argmax()), int(by_suit.argmax())
        wrong_rank = by_rank[like_rank] - by_rank[rank] > _CLEARLY
        wrong_suit = by_suit[like_suit] - by_suit[suit] > _CLEARLY
        if wrong_rank or wrong_suit:
            like = SUIT_LETTERS[like_suit] if wrong_suit else SUIT_LETTERS[suit]
            like += RANK_LETTERS[like_rank] if wrong_rank else RANK_LETTERS[rank]
            yield "teach.wrong_label", {"card": card, "like": like}


def _zone(wanted: Floats, rest: Floats) -> Floats:
    """Where pictures differ by what is wanted (13 ranks or 4 suits) and by little else."""
    signal = wanted.var(axis=0)
    weight = signal / (signal + rest + 0.01)
    return np.asarray(np.where(weight > 0.4, weight * np.sqrt(signal), 0), np.float32)


def _correlate(picture: Floats, templates: Floats, weight: Floats) -> NDArray[np.float32]:
    total = max(float(weight.sum()), 1e-6)

    def centred(images: Floats) -> Floats:
        mean = (images * weight).sum(axis=(-2, -1), keepdims=True) / total
        return np.asarray((images - mean) * np.sqrt(weight), np.float32)

    a, b = centred(picture), centred(templates)
    norms = np.sqrt((a * a).sum()) * np.sqrt((b * b).sum(axis=(1, 2)))
    return np.asarray((b * a).sum(axis=(1, 2)) / np.maximum(norms, 1e-6), np.float32)


def _doubled(ink: Floats) -> Iterator[Finding]:
    flat = ink.reshape(52, -1)
    flat = flat - flat.mean(axis=1, keepdims=True)
    flat = flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-6)
    alike = flat @ flat.T
    for a in range(52):
        for b in range(a + 1, 52):
            if alike[a, b] > SAME_PICTURE:
                yield "teach.doubled", {"one": CARDS[a], "other": CARDS[b]}
