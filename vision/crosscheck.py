"""Holds labels against the general reader: the one mistake that 52 pictures cannot show by themselves.

Where all spades are called clubs and all clubs spades, every card still shares its rank with three and its suit
with twelve. Only somebody who knows what a spade is can tell.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from deals.cards import CARDS, RANK_LETTERS, SUIT_LETTERS, Card
from vision.features import Floats
from vision.general import guesses
from vision.lineup import Placed

_MOST: Final = 0.7
"""Share of the cards of each kind that must look like the other kind, both ways."""

_CONFIRMS: Final = 0.6

Finding = tuple[str, Mapping[str, object]]


def chances_of(placed: Sequence[Placed], zoom: float) -> Floats:
    """(52, 52): for each labelled card what the general reader makes of its pictures, on average."""
    sums, counts = np.zeros((52, 52), np.float32), np.zeros((52, 1), np.float32)
    for one in placed:
        for guess in guesses(one.pixels, [corner.scaled(zoom) for corner in one.corners]):
            sums[one.card.index] += guess.there * guess.chances
            counts[one.card.index] += 1
    return np.asarray(sums / np.maximum(counts, 1), np.float32)


def confirmed(chances: Floats) -> frozenset[Card]:
    """Cards whose label the general reader gives by itself; poor pictures alone put those in no doubt."""
    return frozenset(card for card in CARDS if chances[card.index, card.index] >= _CONFIRMS)


def exchanged(chances: Floats) -> Iterator[Finding]:
    """Suits and ranks that seem to have changed names with each other, from `chances_of`."""
    grid = chances.reshape(4, 13, 4, 13)
    said_suits = grid.sum(axis=3).argmax(axis=2)  # by suit and rank of the label
    said_ranks = grid.sum(axis=2).argmax(axis=2)
    sure = chances.max(axis=1).reshape(4, 13) > 0.5
    suits = [_shares(said_suits[k], sure[k], 4) for k in range(4)]
    ranks = [_shares(said_ranks[:, k], sure[:, k], 13) for k in range(13)]
    for one, other in _both_ways(suits):
        yield "teach.suits_exchanged", {"one": SUIT_LETTERS[one], "other": SUIT_LETTERS[other]}
    for one, other in _both_ways(ranks):
        yield "teach.ranks_exchanged", {"one": RANK_LETTERS[one], "other": RANK_LETTERS[other]}


def _shares(said: Floats, sure: Floats, kinds: int) -> Floats:
    """Share of the cards of one label that are read for sure as each kind."""
    return np.bincount(said[sure], minlength=kinds) / len(said)


def _both_ways(shares: Sequence[Floats]) -> Iterator[tuple[int, int]]:
    for one in range(len(shares)):
        for other in range(one + 1, len(shares)):
            if min(shares[one][other], shares[other][one]) >= _MOST:
                yield one, other
