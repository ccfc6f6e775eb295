"""An operator who does one step in five wrong (`--operator careless`): he must never get a wrong
board proven.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

from controller.engine.stops import Step, Stop
from controller.jobs.packs import HANDS
from controller.jobs.people import Done
from controller.twin.operator import Operator
from controller.twin.serving import SEATS
from controller.twin.world.deeds import Held
from controller.twin.world.world import World
from deals.cards import CARDS

WRONG = 5
"""One step in so many goes wrong."""
STEPS_WITH_CARDS = (Step.COLLECT_ALL, Step.REFEED_SET_ASIDE, Step.NAME_SET_ASIDE)


class Careless(Operator):
    """Leaves steps out, forgets a pocket or the stop card, turns the pack, names the wrong card,
    puts a card into a pocket by hand. Like any operator he acts on the remedy and on what he sees.
    """

    def __init__(self, world: World, idle: Callable[[int], None], seed: int = 1) -> None:
        super().__init__(world, idle)
        self._random = random.Random(f"{seed} careless")
        self._forgotten: str | None = None

    def act(self, stop: Stop, board: int) -> Done | None:
        """Does the steps, some of them wrong."""
        self._forgotten = None
        done = super().act(stop, board)
        if done is not None and done.named and self._slips():
            return replace(done, named=tuple(self._random.choice(CARDS) for _ in done.named))
        return done

    def serve(self, request: Stop, board: int) -> bool:
        """Brings what is asked for, or another hand, or nothing, or leaves a card on the table."""
        if not self._slips():
            return super().serve(request, board)
        slip = self._random.choice(["nothing", "other pocket", "forget a card"])
        if slip == "other pocket" and request.pocket is not None:
            return super().serve(replace(request, pocket=self._random.choice(HANDS)), board)
        if slip == "forget a card" and request.pocket is not None:
            self._do(self._hands.lid(False))
            if self._hands.sees_cards_at(request.pocket.name):
                held = self._do(self._hands.empty_pocket(request.pocket.name)).result
                self._do(self._hands.lid(True))
                self._do(self._hands.put_in_front(held[1:], stop_card=False))
            return True
        return slip == "nothing" or super().serve(request, board)

    def _carry_out(self, step: Step, stop: Stop, board: int) -> None:
        if not self._slips():
            super()._carry_out(step, stop, board)
        elif step in STEPS_WITH_CARDS:
            self._slip_with_cards(step, stop, board)
        # Any other step he simply leaves out.

    def _slips(self) -> bool:
        return self._random.randrange(WRONG) == 0

    def _slip_with_cards(self, step: Step, stop: Stop, board: int) -> None:
        slip = self._random.choice(["leave out", "forget", "stop card", "turn", "by hand"])
        if slip == "leave out":
            return
        if slip == "by hand" and step is not Step.COLLECT_ALL:
            self._put_into_a_pocket()
            return
        if slip == "forget":
            self._forgotten = self._random.choice(SEATS)
        self._without_stop_card |= slip == "stop card"
        self._turn ^= slip == "turn"
        super()._carry_out(step, stop, board)

    def _take_pocket(self, seat: str) -> list[Held]:
        return [] if seat == self._forgotten else super()._take_pocket(seat)

    def _put_into_a_pocket(self) -> None:
        """What no remedy asks for: the card from the tray goes straight into a pocket."""
        for card in self._do(self._hands.take_tray()).result:
            if not self._hands.sees_stop_card(card):
                self._do(self._hands.put_into_pocket(self._random.choice(SEATS), card))
