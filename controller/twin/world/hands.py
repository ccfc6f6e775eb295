"""What a person can do to the machine and see of it; each deed takes its seconds of virtual time.

Deeds are done one after the other by one pair of hands: a deed asked for while another is under
way begins when that ends. A person knows the cards he holds only when he looks at their faces
(`look`), and every look is counted. Nothing here says which cards lie face down.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

from controller.protocol.messages import ResetCause
from controller.twin.world.deeds import SECONDS, CannotError, Deed, Held
from controller.twin.world.things import Board, Kind, PhysicalCard, Smudge
from deals.cards import Card

if TYPE_CHECKING:
    from controller.twin.world.world import World

T = TypeVar("T")
FEW = 26


class Hands:
    """One person at the machine."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.free_at_us = 0
        """When the last deed asked for will be done."""
        self.faces_seen = 0

    # --- packs and single cards ---

    def load_pack(
        self, stop_card_behind: bool = False, for_next: bool = False, order: Sequence[Card] = ()
    ) -> Deed[int]:
        """A new pack, shuffled without *order*, behind what is in the hopper, a stop card before it
        if need be. `for_next`: for the board after the one in the slot, and counted apart till then.
        """

        def act() -> int:
            world = self._world
            pack = world.shop.pack(order or None)
            last = world.hopper.cards[-1] if world.hopper.cards else None
            if last and last.kind is not Kind.STOP and not world.mischief.omit_stop_card:
                pack.insert(0, world.shop.stop_card())
            if stop_card_behind and not world.mischief.omit_stop_card:
                pack.append(world.shop.stop_card())
            world.mischief.omit_stop_card = False
            world.hopper.load(pack, for_next=for_next)
            world.mischief.settle()
            return sum(card.kind is not Kind.STOP for card in pack)

        return self._do("load_pack", act)

    def load_camera_cards(self) -> Deed[int]:
        """Two stop cards and a blank one behind them, before whatever is in the hopper."""

        def act() -> int:
            shop = self._world.shop
            cards = [shop.stop_card(), shop.stop_card(), shop.blank()]
            self._world.hopper.load_in_front(cards)
            return len(cards)

        return self._do("load_camera_cards", act)

    def put_in_front(
        self, cards: Sequence[Held], stop_card: bool = True, turned: bool = False
    ) -> Deed[int]:
        """Cards to be fed next, face down, the first first; `turned` gives them half a turn."""

        def act() -> int:
            held = [card._card for card in cards]
            for card in held:
                card.face_up = False
                card.turned ^= turned
            end = [self._world.shop.stop_card()] if stop_card else []
            self._world.hopper.load_in_front([*held, *end])
            self._world.mischief.settle()
            return len(held)

        return self._do("put_in_front", act)

    def replace_pack(self) -> Deed[list[Held]]:
        """Takes the pack and its stop card from the feeder and puts correct ones there."""

        def act() -> list[Held]:
            taken = self._world.hopper.take_pack()
            self._world.hopper.load_in_front(
                [*self._world.shop.pack(), self._world.shop.stop_card()]
            )
            return _held(taken)

        return self._do("replace_pack", act)

    def shuffle_pack(self) -> Deed[int]:
        """Takes the pack at the feeder out, shuffles it and puts it back before its stop card."""

        def act() -> int:
            taken = self._world.hopper.take_pack()
            cards = [card for card in taken if card.kind is not Kind.STOP]
            self._world.shop.shuffle(cards)
            end = [card for card in taken if card.kind is Kind.STOP]
            self._world.hopper.load_in_front([*cards, *end])
            return len(cards)

        return self._do("shuffle_pack", act)

    def take_pack(self) -> Deed[list[Held]]:
        """Takes the pack at the feeder out, its stop card too."""
        return self._do("replace_pack", lambda: _held(self._world.hopper.take_pack()))

    def free_feeder(self) -> Deed[bool]:
        """Straightens the card that sticks in the feeder."""

        def act() -> bool:
            was, self._world.hopper.stuck = self._world.hopper.stuck, False
            self._world.hopper.settle()
            return was

        return self._do("free_feeder", act)

    def wipe(self, card: Held) -> Deed[bool]:
        """Wipes a card on both ends; result: nothing is left on it. Damage stays."""

        def act() -> bool:
            smudges = card._card.smudges
            smudges[:] = [Smudge.CLEAN if one is Smudge.DIRT else one for one in smudges]
            return not any(one is Smudge.DAMAGE for one in smudges)

        return self._do("wipe", act)

    def replace_card(self, card: Held) -> Deed[Held]:
        """Looks at a card and takes a new one of its kind from a spare pack."""

        def act() -> Held:
            old = card._card
            self.faces_seen += 1
            if old.card is None:
                raise CannotError("no spare card of its kind")
            new = self._world.shop.card(old.card, old.pack)
            new.turned = old.turned
            return Held(new)

        return self._do("replace_card", act)

    def look(self, card: Held) -> str:
        """The face of a card in the hand, as text; a person reads it from its pips if need be."""
        self.faces_seen += 1
        return card._card.name

    # --- the board, lid, tray and belt ---

    def put_board(self, number: int, box: str = "", backwards: bool = False) -> Deed[Board]:
        """An empty board into the slot."""
        return self._do("put_board", lambda: self._put(Board(number, box), backwards))

    def put_back(self, board: Board, backwards: bool = False) -> Deed[Board]:
        """A board that was taken or pulled out before, with what it holds."""
        return self._do("put_board", lambda: self._put(board, backwards))

    def take_board(self) -> Deed[Board]:
        """The board out of the slot with what it holds; it is kept in `World.finished`."""

        def act() -> Board:
            board = self._world.slot.take()
            if board is None:
                raise CannotError("no board in the slot")
            self._world.finished.append(board)
            return board

        return self._do("take_board", act)

    def lid(self, closed: bool) -> Deed[bool]:
        """Closes or opens the lid."""

        def act() -> bool:
            self._world.slot.lid(closed)
            return closed

        return self._do("lid", act)

    def take_tray(self) -> Deed[list[Held]]:
        """All cards out of the tray, in the order in which they came."""

        def act() -> list[Held]:
            taken = list(self._world.slot.tray)
            self._world.slot.tray.clear()
            self._world.slot.feel()
            return _held(taken)

        return self._do("take_tray", act)

    def clear_belt(self) -> Deed[list[Held]]:
        """All cards off the belt and out of the chutes, leading card first."""

        def act() -> list[Held]:
            taken = self._world.track.take()
            self._world.hopper.cleared()
            return _held(taken)

        return self._do("clear_belt", act)

    def take_table(self) -> Deed[list[Held]]:
        """Picks up what fell on the table."""

        def act() -> list[Held]:
            taken = list(self._world.slot.table)
            self._world.slot.table.clear()
            return _held(taken)

        return self._do("take_table", act)

    def empty_pocket(self, seat: str) -> Deed[list[Held]]:
        """All cards out of the pocket that stands at the gate of *seat*."""

        def act() -> list[Held]:
            pile = self._world.slot.pile(seat)
            if pile is None:
                raise CannotError("no board in the slot")
            taken = list(pile)
            pile.clear()
            self._world.slot.feel()
            return _held(taken)

        return self._do("empty_pocket", act)

    def put_into_pocket(self, seat: str, card: Held) -> Deed[bool]:
        """A card by hand into the pocket at the gate of *seat*, past every sensor but one."""

        def act() -> bool:
            pile = self._world.slot.pile(seat)
            if pile is None:
                raise CannotError("no board in the slot")
            pile.append(card._card)
            self._world.slot.feel()
            return True

        return self._do("put_into_pocket", act)

    def wipe_label(self) -> Deed[bool]:
        """Cleans the label of the board."""

        def act() -> bool:
            self._world.slot.label_readable = True
            return True

        return self._do("wipe_label", act)

    def clean_glass(self) -> Deed[bool]:
        """Wipes the glass over the camera, and shuts the blind against the sun."""

        def act() -> bool:
            self._world.camera.sight.clean()
            return True

        return self._do("clean_glass", act)

    # --- power and cables ---

    def press_estop(self) -> Deed[bool]:
        """Presses the emergency stop."""
        return self._do("press_estop", lambda: self._world.press_estop(True))

    def release_estop(self) -> Deed[bool]:
        """Releases the emergency stop."""
        return self._do("release_estop", lambda: self._world.press_estop(False))

    def plug_cable(self) -> Deed[bool]:
        """Plugs in the cable to the MCU, and the camera; the host has to open the port anew."""

        def act() -> bool:
            self._world.wire.plug()
            self._world.camera.unplugged = False
            return True

        return self._do("plug_cable", act)

    def restart_power(self) -> Deed[bool]:
        """Switches the machine off and on: the MCU starts anew."""
        return self._do("restart_power", lambda: self._world.reset_mcu(ResetCause.POWER_ON))

    def mend(self) -> Deed[bool]:
        """A technician mends gates, sensors and strobe, the machine standing."""

        def act() -> bool:
            world = self._world
            for gate in world.track.gates:
                gate.mend()
            world.inputs.mend()
            world.inputs.on_edge = None
            world.camera.sight.mend()
            return True

        return self._do("mend", act)

    # --- what a person sees ---

    def sees_board(self) -> tuple[int, str] | None:
        """Number and box on the board in the slot, also where the reader cannot read them."""
        board = self._world.slot.board
        return None if board is None else (board.number, board.box)

    def sees_backwards(self) -> bool:
        """The board is the wrong way round."""
        return self._world.slot.board is not None and self._world.slot.backwards

    def sees_cards_at(self, seat: str) -> bool:
        """Cards lie in the pocket that stands at the gate of *seat*."""
        return bool(self._world.slot.pile(seat))

    def sees_cards_in_tray(self) -> bool:
        """Cards lie in the tray."""
        return bool(self._world.slot.tray)

    def sees_cards_on_belt(self) -> bool:
        """Cards lie on the belt or in a chute."""
        return bool(self._world.track.cards)

    def sees_cards_on_table(self) -> bool:
        """Cards lie on the table."""
        return bool(self._world.slot.table)

    def sees_hopper_filled(self) -> bool:
        """Cards are in the hopper."""
        return bool(self._world.hopper.cards)

    def sees_rest_of_pack(self) -> bool:
        """A stop card shows in the hopper behind a few cards: less than half a pack."""
        for place, card in enumerate(self._world.hopper.cards):
            if card.kind is Kind.STOP:
                return 0 < place < FEW
        return False

    def sees_pulled_board(self) -> Board | None:
        """A board that somebody pulled out and that lies beside the machine."""
        return self._world.pulled_board

    def sees_lamp(self, name: str) -> str | None:
        """What a lamp shows, if the host has set it."""
        return self._world.lamps.get(name)

    def sees_dirt(self, card: Held) -> bool:
        """A card in the hand is dirty or damaged."""
        return any(one is not Smudge.CLEAN for one in card._card.smudges)

    def sees_stop_card(self, card: Held) -> bool:
        """A stop card is known from its back."""
        return card._card.kind is Kind.STOP

    def _put(self, board: Board, backwards: bool) -> Board:
        if self._world.slot.board is not None:
            raise CannotError("another board is in the slot")
        if board is self._world.pulled_board:
            self._world.pulled_board = None
        return self._world.put_board(board, backwards)

    def _do(self, what: str, act: Callable[[], T]) -> Deed[T]:
        begin = max(self.free_at_us, self._world.now_us)
        self.free_at_us = begin + round(SECONDS[what] * 1_000_000)
        deed: Deed[T] = Deed(what, self.free_at_us)

        def finish() -> None:
            self._world.note(f"hands {what}")
            try:
                deed.finish(act(), None)
            except CannotError as problem:
                deed.finish(None, str(problem))
            self._world.news()

        self._world.at(self.free_at_us, finish)
        return deed


def _held(cards: Iterable[PhysicalCard]) -> list[Held]:
    return [Held(card) for card in cards]
