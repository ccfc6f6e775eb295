"""What anybody may do in the room at any instant, asked for or not; none of it takes any time."""

from __future__ import annotations

import random
from collections.abc import Callable

from controller.protocol.messages import ResetCause
from controller.twin.world.deeds import Held
from controller.twin.world.things import Board, PhysicalCard
from controller.twin.world.world import World

SEATS = "NESW"


class Anybody:
    """One pair of hands that nobody has asked."""

    def __init__(self, world: World, boards: int) -> None:
        self.touched = 0
        """How often cards or boards were moved where no machine could see which."""
        self._world = world
        self._boards = boards
        self._held: list[Held] = []
        self._taken: list[Board] = []

    def does(self, rng: random.Random) -> str:
        """Something, by chance; gives its name."""
        deed = rng.choice(DEEDS)
        deed(self, rng)
        return deed.__name__

    def lid(self, rng: random.Random) -> None:
        """Opens or closes the lid."""
        self._world.hands.lid(rng.random() < 0.5)

    def pull_board(self, rng: random.Random) -> None:
        """The board out of its slot, lid or no lid."""
        board = self._world.slot.take()
        if board is not None:
            self.touched += 1
            self._taken.append(board)

    def put_board(self, rng: random.Random) -> None:
        """A fresh board with some number, if the slot is free."""
        number = rng.randint(1, self._boards + 1)
        self._world.hands.put_board(number, backwards=rng.random() < 0.2)

    def put_back(self, rng: random.Random) -> None:
        """The board that was pulled out last."""
        if self._taken:
            self._world.hands.put_back(self._taken.pop())

    def take_from_pocket(self, rng: random.Random) -> None:
        """Cards from the top of a pocket into the hand; only with the lid open."""
        pile = self._pile(rng.choice(SEATS))
        if pile:
            self.touched += 1
            taken = [pile.pop() for _ in range(min(rng.randint(1, 14), len(pile)))]
            self._held += [Held(card) for card in taken]
            self._world.slot.feel()

    def exchange(self, rng: random.Random) -> None:
        """The top cards of two pockets change places: no switch can feel it."""
        first, second = self._pile(rng.choice(SEATS)), self._pile(rng.choice(SEATS))
        if first and second:
            self.touched += 1
            first[-1], second[-1] = second[-1], first[-1]

    def put_into_pocket(self, rng: random.Random) -> None:
        """A card from the hand into any pocket."""
        pile = self._pile(rng.choice(SEATS))
        if pile is not None and self._held:
            self.touched += 1
            pile.append(self._held.pop()._card)
            self._world.slot.feel()

    def put_into_hopper(self, rng: random.Random) -> None:
        """What is held, before all others."""
        stop_card, turned = rng.random() < 0.5, rng.random() < 0.5
        self._world.hands.put_in_front(self._held, stop_card=stop_card, turned=turned)
        self._held = []

    def take_tray(self, rng: random.Random) -> None:
        """The cards of the tray into the hand."""
        tray = self._world.slot.tray
        self._held += [Held(card) for card in tray]
        tray.clear()
        self._world.slot.feel()

    def load_pack(self, rng: random.Random) -> None:
        """A pack more."""
        self._world.hands.load_pack(stop_card_behind=True)

    def take_pack(self, rng: random.Random) -> None:
        """The pack at the feeder away."""
        self._world.hands.take_pack()

    def estop(self, rng: random.Random) -> None:
        """Presses the emergency stop, or releases it."""
        self._world.press_estop(rng.random() < 0.5)

    def cable(self, rng: random.Random) -> None:
        """The cable to the MCU, in or out."""
        if rng.random() < 0.6:
            self._world.hands.plug_cable()
        else:
            self._world.wire.pull()

    def restart_mcu(self, rng: random.Random) -> None:
        """Its supply dips."""
        self._world.reset_mcu(ResetCause.BROWN_OUT)

    def clear_belt(self, rng: random.Random) -> None:
        """All cards off the belt."""
        self._world.hands.clear_belt()

    def _pile(self, seat: str) -> list[PhysicalCard] | None:
        slot = self._world.slot
        return None if slot.lid_closed else slot.pile(seat)


DEEDS: tuple[Callable[[Anybody, random.Random], None], ...] = (
    Anybody.lid,
    Anybody.pull_board,
    Anybody.put_board,
    Anybody.put_back,
    Anybody.take_from_pocket,
    Anybody.exchange,
    Anybody.put_into_pocket,
    Anybody.put_into_hopper,
    Anybody.take_tray,
    Anybody.load_pack,
    Anybody.take_pack,
    Anybody.estop,
    Anybody.cable,
    Anybody.restart_mcu,
    Anybody.clear_belt,
)
