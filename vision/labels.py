"""Checks 52 labelled pictures against each other: every card shares its rank with three and its suit with
twelve, so a picture under a wrong name stands out whatever letters the design uses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from deals.cards import CARDS, RANK_LETTERS, SUIT_LETTERS, Card
from vision.features import Floats
from vision.layout import Box, Layout
from vision.lineup import best_match, correlation, part_of

SAME_PICTURE: Final = 0.995
_CLEARLY: Final = 0.1
"""By how much more a picture must correlate with another rank or suit before a label is doubted."""
_SHARE: Final = 0.35
"""Or, if it matches that very well, by this share of the difference between the two."""
_SURE: Final = 0.9
_LEAST: Final = 0.01
_MANY: Final = 8
"""More doubtful labels than this: the pictures do not fit together, whatever their names are."""

Finding = tuple[str, Mapping[str, object]]


def check_labels(
    canvases: Floats, layout: Layout, confirmed: frozenset[Card] = frozenset()
) -> Iterator[Finding]:
    """Codes and values of what is wrong with (52, 176, 114) canvases in index order.

    Labels that somebody else has *confirmed* are not doubted for a likeness.
    """
    if layout.rank is None or layout.suit is None:
        yield "teach.no_index", {}
        return
    doubled = list(_doubled(canvases, layout))
    yield from doubled
    said = {card for _, values in doubled for card in (values["one"], values["other"])}
    grid = canvases.reshape(4, 13, *canvases.shape[1:])
    wrong = [
        finding
        for card in CARDS
        if card not in said and card not in confirmed
        for finding in _check(card.index, grid, layout)
    ]
    if len(wrong) > _MANY:
        yield "teach.confused", {"cards": [values["card"] for _, values in wrong]}
    else:
        yield from wrong


def _check(index: int, grid: Floats, layout: Layout) -> Iterator[Finding]:
    """One card against the ranks of the other suits and the suits of the other ranks."""
    assert layout.rank is not None  # noqa: S101 - the caller has checked
    assert layout.suit is not None  # noqa: S101
    suit, rank = divmod(index, 13)
    own = grid[suit, rank]
    by_rank = np.median(grid[[s for s in range(4) if s != suit]], axis=0)
    by_suit = np.median(grid[:, [r for r in range(13) if r != rank]], axis=1)
    ranks = np.array([best_match(picture, own, layout.rank) for picture in by_rank])
    suits = np.array([best_match(picture, own, layout.suit) for picture in by_suit])
    wrong_rank = _wrong(ranks, rank, _gaps(by_rank, rank, layout.rank))
    wrong_suit = _wrong(suits, suit, _gaps(by_suit, suit, layout.suit))
    if wrong_rank is not None or wrong_suit is not None:
        like = SUIT_LETTERS[suit if wrong_suit is None else wrong_suit]
        like += RANK_LETTERS[rank if wrong_rank is None else wrong_rank]
        yield "teach.wrong_label", {"card": CARDS[index], "like": like}


def _gaps(pictures: Floats, said: int, box: Box) -> NDArray[np.float64]:
    """How far the other ranks or suits are from the one that is said, 0 for no difference."""
    return 1 - np.array([best_match(pictures[said], picture, box) for picture in pictures])


def _wrong(likeness: NDArray[np.float64], said: int, gaps: NDArray[np.float64]) -> int | None:
    """The rank or suit that a picture is clearly more like than the one that is said."""
    more = likeness - likeness[said]
    clear = (more > _CLEARLY) | ((more > _SHARE * gaps) & (likeness > _SURE) & (more > _LEAST))
    return int(likeness.argmax()) if clear[likeness.argmax()] else None


def _doubled(canvases: Floats, layout: Layout) -> Iterator[Finding]:
    for a in range(52):
        for b in range(a + 1, 52):
            if correlation(canvases[a], canvases[b]) > SAME_PICTURE and all(
                box is not None
                and correlation(part_of(canvases[a], box), part_of(canvases[b], box)) > SAME_PICTURE
                for box in (layout.rank, layout.suit)
            ):
                yield "teach.doubled", {"one": CARDS[a], "other": CARDS[b]}
