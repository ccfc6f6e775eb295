"""The two ends of a card: where they look different the reader learns both, as two forms of one card.

An ornament may lie beside one index only, and a print that is not in the middle of the card lies nearer to one end.
The mean of two such looks is neither of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from deals.cards import CARDS, Card
from vision.augment import plain, source_of
from vision.corner import unlike
from vision.features import look_at
from vision.geometry import WINDOW_PX_PER_MM
from vision.lineup import Placed
from vision.patch import Patch

_UNLIKE: Final = 2.0
"""Two looks at one print differ by less (`vision.corner.unlike`), an ornament or 0.7 mm make more."""
_LOOK_MM: Final = 6.0
"""Leading edges of windows further apart than this are of different looks."""

Finding = tuple[str, Mapping[str, object]]


@dataclass(frozen=True, slots=True, eq=False)
class Form:
    """One look of a card, and the corners that show it, ready to be varied."""

    card: Card
    sources: tuple[Patch, ...]


def forms_of(placed: Mapping[Card, Sequence[Placed]], zoom: float) -> list[Form]:
    """The forms of all cards: 52 in index order, then the second ones of cards whose ends differ."""
    first: list[Form] = []
    second: list[Form] = []
    for card in CARDS:
        sources: list[Patch] = []
        clear: list[bool] = []
        for one in placed[card]:
            sources += [source_of(one.pixels, corner.scaled(zoom)) for corner in one.corners]
            clear += [one.clear] * len(one.corners)
        groups = _groups(sources, clear)
        first.append(Form(card, groups[0]))
        second += [Form(card, group) for group in groups[1:]]
    return first + second


def _groups(sources: Sequence[Patch], clear: Sequence[bool]) -> list[tuple[Patch, ...]]:
    """One group, or two: all that are more like the source that differs most from the first.

    A picture that may not show the index at all is no form of its own.
    """
    inks = [look_at(plain(source)).ink for source in sources]
    away = np.array([unlike(inks[0], ink) for ink in inks])
    away[~np.array(clear)] = 0
    other = int(away.argmax())
    if away[other] < _UNLIKE or not clear[0]:
        return [tuple(sources)]
    nearer = away > np.array([unlike(inks[other], ink) for ink in inks])
    nearer &= np.array(clear)
    return [_picked(sources, ~nearer), _picked(sources, nearer)]


def _picked(sources: Sequence[Patch], which: NDArray[np.bool_]) -> tuple[Patch, ...]:
    return tuple(source for source, wanted in zip(sources, which, strict=True) if wanted)


def unseen_ends(
    placed: Mapping[Card, Sequence[Placed]], forms: Sequence[Form]
) -> Iterator[Finding]:
    """Cards of which only one end was learned: the other may look different."""
    bare = [card for card in CARDS if any(one.other_end is not None for one in placed[card])]
    if bare and len(bare) < len(CARDS):
        yield "teach.end_without_index", {"cards": bare}
    if len(forms) > len(CARDS):
        return
    single = [card for card in CARDS if card not in bare and _one_end(placed[card])]
    if len(single) == len(CARDS):
        yield "teach.one_end_each", {}
    elif single:
        yield "teach.one_end", {"cards": single}


def _one_end(pictures: Sequence[Placed]) -> bool:
    """Whether the pictures of a card can only be of one end: one corner, or two looks of one pass."""
    if any(len(one.corners) > 1 for one in pictures):
        return False
    edges = [one.corners[0].at(0, 0)[1] for one in pictures]
    if any(one.corners[0].source != "window" for one in pictures):
        return len(pictures) == 1
    apart = np.abs(np.subtract.outer(edges, edges))[np.triu_indices(len(edges), 1)]
    return bool((apart > _LOOK_MM * WINDOW_PX_PER_MM).all())
