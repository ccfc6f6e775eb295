"""Double dummy by trying everything: slow, short, and written without a look at any solver."""

from __future__ import annotations

from functools import cache

Card = tuple[int, int]
"""Suit 0..3 and rank 2..14."""
Hands = tuple[frozenset[Card], ...]


def tricks(hands: Hands, declarer: int, trump: int) -> int:
    """Tricks of *declarer*'s side; trump 0..3 or 4 for none; the hand on declarer's left leads."""

    @cache
    def best(held: Hands, leader: int, played: tuple[Card, ...]) -> int:
        """Tricks still to come for north-south."""
        turn = (leader + len(played)) % 4
        if not played and not held[leader]:
            return 0
        choice = held[turn]
        if played:
            choice = frozenset(c for c in choice if c[0] == played[0][0]) or choice
        results = []
        for card in choice:
            rest = tuple(h - {card} if seat == turn else h for seat, h in enumerate(held))
            trick = (*played, card)
            if len(trick) < 4:
                results.append(best(rest, leader, trick))
            else:
                taker = (leader + winner(trick)) % 4
                results.append((taker % 2 == 0) + best(rest, taker, ()))
        return max(results) if turn % 2 == 0 else min(results)

    def winner(trick: tuple[Card, ...]) -> int:
        def power(place: int) -> int:
            suit, rank = trick[place]
            return rank + 100 * (suit == trump) + 50 * (suit == trick[0][0] and suit != trump)

        return max(range(4), key=power)

    for_ns = best(hands, (declarer + 1) % 4, ())
    return for_ns if declarer % 2 == 0 else len(hands[0]) - for_ns
