"""The hopper and its feeder: one card at a time is pushed out, the others wait behind it."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterable
from typing import Final

from controller.geometry import steps
from controller.twin.world.inputs import Inputs
from controller.twin.world.layout import GRIP
from controller.twin.world.pins import In
from controller.twin.world.things import Kind, PhysicalCard

SLIP: Final = steps(1.5)
"""A card may start this much early or late."""


class Hopper:
    """Front first. While a card that the belt has gripped is under the feeder, that turns free."""

    def __init__(self, inputs: Inputs, rng: random.Random) -> None:
        self.cards: deque[PhysicalCard] = deque()
        self.stuck = False
        """The front card does not follow the feeder; a fault."""
        self.feeder = 0
        """Feeder steps that really turned the feeder."""
        self.for_next: set[PhysicalCard] = set()
        """Cards of packs that were loaded for boards after the one in the slot."""
        self._inputs = inputs
        self._rng = rng
        self._under_feeder = 0
        self._grip_at: int | None = None

    def next_step(self) -> int | None:
        """The feeder step at which the belt grips the front card."""
        return None if self.stuck or not self.cards else self._grip_at

    def pull(self) -> PhysicalCard:
        """The front card leaves the hopper: the belt has it, or it sticks to the one before."""
        card = self.cards.popleft()
        self._under_feeder += 1
        self._grip_at = None
        self.feel()
        return card

    def left(self) -> None:
        """The trailing edge of a card has left the feeder; the next one lies against it."""
        self._under_feeder -= 1
        self.settle()

    def cleared(self) -> None:
        """A person has taken all cards off the belt."""
        self._under_feeder = 0
        self.settle()

    def settle(self) -> None:
        """A new front card lies ready."""
        if self._under_feeder == 0:
            self._grip_at = self.feeder + GRIP + self._rng.randint(-SLIP, SLIP)

    def load(self, cards: Iterable[PhysicalCard], *, for_next: bool = False) -> None:
        """Puts cards behind all others."""
        was_empty, before = not self.cards, len(self.cards)
        self.cards.extend(cards)
        if for_next:
            self.for_next.update(list(self.cards)[before:])
        if was_empty:
            self.settle()
        self.feel()

    def load_in_front(self, cards: Iterable[PhysicalCard]) -> None:
        """Puts cards before all others, the first of them to be fed first."""
        self.cards.extendleft(reversed(list(cards)))
        self.stuck = False
        self.settle()
        self.feel()

    def take_pack(self) -> list[PhysicalCard]:
        """Takes the cards up to the first stop card, and that one."""
        taken = []
        while self.cards:
            card = self.cards.popleft()
            taken.append(card)
            if card.kind is Kind.STOP:
                break
        self.stuck = False
        self.settle()
        self.feel()
        return taken

    def feel(self) -> None:
        """The switch under the pile."""
        if self._inputs.level(In.HOPPER) != bool(self.cards):
            self._inputs.set(In.HOPPER, int(bool(self.cards)))
