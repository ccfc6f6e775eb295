"""Deck test: a sorted pack over and over. The machine knows which card comes next, so every misreading
shows, and nothing hides behind a census.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from controller.devices.happenings import Happening
from controller.devices.ports import Clock
from controller.engine.ledger import FedCard
from controller.engine.stops import Step
from controller.jobs.feeding import Feeding, GivenUpError, Progress
from controller.jobs.packs import tray_lot
from controller.jobs.people import Servers
from controller.machine.machine import Machine
from deals.cards import CARDS, Card

SORTED_AT_LEAST: Final = 40
"""So many cards must come in their places; else the pack is not sorted, and nothing can be said."""

Pair = tuple[Card | None, FedCard | None]
"""The card that was due, and what came; None: nothing was due, or nothing came."""


@dataclass(slots=True)
class DeckTestResult(Progress):
    """What came of it, all rounds together."""

    rounds: int = 0
    """Rounds that count."""
    readings: int = 0
    misread: Counter[tuple[Card, Card]] = field(default_factory=Counter)
    """Card that was due, card that was read."""
    unread: Counter[Card] = field(default_factory=Counter)
    """Cards that could not be read; no fault of reading is as harmless."""
    missing: Counter[Card] = field(default_factory=Counter)
    """Cards that did not come where they were due."""
    surplus: int = 0
    unsorted: bool = False
    """The pack is not in order: nothing can be said of it."""

    @property
    def right(self) -> bool:
        """Every round was read, and no card as another."""
        whole = not self.waiting and not self.unsorted and self.rounds > 0
        return whole and not self.misread and not self.missing and not self.surplus

    def findings(self) -> list[tuple[str, dict[str, object]]]:
        """Codes and values for `deals.words.text`; its cards are of no set, so they are named."""
        if self.unsorted:
            return [("deck.unsorted", {})]
        return [
            *(
                ("deck.misread", {"card": due, "read": read, "times": times})
                for (due, read), times in sorted(self.misread.items())
            ),
            *(
                ("deck.missing", {"card": card, "times": times})
                for card, times in sorted(self.missing.items())
            ),
        ]

    def document(self) -> dict[str, object]:
        """As it is kept with the design; plain JSON values."""
        return {
            "rounds": self.rounds,
            "readings": self.readings,
            "second_looks": self.second_looks,
            "misread": [
                {"card": str(due), "read": str(read), "times": times}
                for (due, read), times in sorted(self.misread.items())
            ],
            "unread": {str(card): times for card, times in sorted(self.unread.items())},
            "missing": {str(card): times for card, times in sorted(self.missing.items())},
            "surplus": self.surplus,
        }


class DeckTest:
    """Reads a sorted pack `rounds` times; half of the rounds it comes turned half round."""

    def __init__(
        self,
        rounds: int,
        machine: Machine,
        people: Servers,
        clock: Clock,
        *,
        progress: Callable[[Progress], None] | None = None,
        on_happening: Callable[[Happening], None] | None = None,
    ) -> None:
        self.result = DeckTestResult()
        self._rounds = rounds
        self._feeding = Feeding(machine, people, clock, progress, on_happening)

    def run(self) -> DeckTestResult:
        """All rounds, or to where nobody goes on or the pack proves not to be sorted."""
        steps: tuple[Step, ...] = (Step.BRING_EMPTY, Step.FEED_PACK, Step.SORTED_PACK)
        try:
            while self.result.rounds < self._rounds and not self.result.unsorted:
                before = len(self.result.stops)
                pairs = _best(self._feeding.read(tray_lot(*steps), self.result))
                if len(self.result.stops) > before and _hits(pairs) < len(pairs):
                    # Collected cards may lie in another order: no word about the design then.
                    steps = (Step.SORT_TRAY,)
                    continue
                self._count(pairs)
                steps = (Step.FEED_TRAY, Step.TURN_HAND)
        except GivenUpError:
            self.result.waiting = True
        return self.result

    def _count(self, pairs: Sequence[Pair]) -> None:
        result = self.result
        if _hits(pairs) < SORTED_AT_LEAST:
            result.unsorted = True
            return
        result.rounds += 1
        for due, came in pairs:
            result.readings += came is not None
            if due is None:
                result.surplus += 1
            elif came is None:
                result.missing[due] += 1
            elif came.card is None:
                result.unread[due] += 1
            elif came.card is not due:
                result.misread[due, came.card] += 1


def aligned(order: Sequence[Card], entries: Sequence[FedCard]) -> list[Pair]:
    """What came beside what was due, so that one card missing or too many does not make every card
    behind it look misread: the fewest differences, a gap counting more than a misreading.
    """
    rows, columns = len(order) + 1, len(entries) + 1
    cost = [[row * _GAP + column * _GAP for column in range(columns)] for row in range(rows)]
    for row in range(1, rows):
        for column in range(1, columns):
            cost[row][column] = min(
                cost[row - 1][column - 1] + _differs(order[row - 1], entries[column - 1]),
                cost[row - 1][column] + _GAP,
                cost[row][column - 1] + _GAP,
            )
    pairs: list[Pair] = []
    row, column = rows - 1, columns - 1
    while row or column:
        here = cost[row][column]
        both = row and column
        if both and here == cost[row - 1][column - 1] + _differs(
            order[row - 1], entries[column - 1]
        ):
            row, column = row - 1, column - 1
            pairs.append((order[row], entries[column]))
        elif row and here == cost[row - 1][column] + _GAP:
            row -= 1
            pairs.append((order[row], None))
        else:
            column -= 1
            pairs.append((None, entries[column]))
    return pairs[::-1]


def _best(entries: Sequence[FedCard]) -> list[Pair]:
    """From the ace of spades on, or from the two of clubs back."""
    return max((aligned(order, entries) for order in (CARDS, CARDS[::-1])), key=_hits)


_GAP: Final = 3
_UNREAD: Final = 1
_MISREAD: Final = 2


def _differs(due: Card, came: FedCard) -> int:
    if came.card is None:
        return _UNREAD
    return 0 if came.card is due else _MISREAD


def _hits(pairs: Sequence[Pair]) -> int:
    return sum(came is not None and came.card is due for due, came in pairs)
