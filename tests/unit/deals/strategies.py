"""Hypothesis strategies: deals, boards, sets of boards."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from deals.boards import Board, Vulnerability
from deals.cards import Seat
from deals.deal import Deal

OWNERS = bytes(seat for seat in range(4) for _ in range(13))


def shuffled(seed: int) -> Deal:
    """A deal from a seed; a hundred times cheaper than drawing a permutation."""
    owners = bytearray(OWNERS)
    random.Random(seed).shuffle(owners)
    return Deal(bytes(owners))


deals = st.one_of(
    st.integers(0, 2**64).map(shuffled),
    st.permutations(list(OWNERS)).map(lambda owners: Deal(bytes(owners))),
    # Whole suits and other order: the voids that break parsers.
    st.permutations(range(4)).map(lambda p: Deal(bytes(p[i // 13] for i in range(52)))),
    st.permutations(range(4)).map(lambda p: Deal(bytes(p[i % 4] for i in range(52)))),
)
numbers = st.integers(1, 120)
marked_boards = st.builds(
    Board, numbers, st.sampled_from(Seat), st.sampled_from(Vulnerability), deals
)


@st.composite
def sets(draw: st.DrawFn, highest: int = 99, first: int | None = None) -> list[Board]:
    """Standard boards without a gap, up to *highest*."""
    low = draw(st.integers(1, highest)) if first is None else first
    count = draw(st.integers(1, min(6, highest - low + 1)))
    return [Board.standard(low + i, draw(deals)) for i in range(count)]
