"""What the staff of the simulated machine do for a job that reads cards: bring boards, hands, packs.

Like a remedy a request is a list of steps; nothing else of the job is known here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from controller.engine.stops import Step, Stop
from controller.twin.world.deeds import Held
from controller.twin.world.hands import Hands
from controller.twin.world.things import Board
from deals.cards import CARDS, Card

SEATS = ("N", "E", "S", "W")


class Does(Protocol):
    """Lets a deed take its time."""

    def __call__(self, deed: Any) -> Any:
        """The deed, done."""
        ...


class Serving:
    """One pair of hands that serves. `dealt` makes a board with its cards by number and copy."""

    def __init__(self, hands: Hands, do: Does) -> None:
        self.dealt: Callable[[int, str], Board] = lambda number, copy: Board(number)
        self.order: Sequence[Card] = ()
        """In which order a new pack lies, whatever is asked for; empty: as it is asked for."""
        self.held: list[Held] = []
        """Cards that were taken up on the way here."""
        self._hands = hands
        self._do = do

    def carry_out(self, step: Step, request: Stop, board: int) -> None:
        """One step, with the pocket or copy that the request names."""
        getattr(self, f"_{step.value}")(request, board)

    def knows(self, step: Step) -> bool:
        """Whether it is a step of such jobs."""
        return hasattr(self, f"_{step.value}")

    # -- one method a step -----------------------------------------------------------------

    def _bring_dealt(self, request: Stop, board: int) -> None:
        self._put(self._hands.put_back, self.dealt(board, request.copy))

    def _bring_empty(self, request: Stop, board: int) -> None:
        self._put(self._hands.put_board, board or 1)

    def _clear_tray(self, request: Stop, board: int) -> None:
        """What lies there belongs to nothing that is read now."""
        if self._hands.sees_cards_in_tray():
            self._do(self._hands.take_tray())

    def _feed_hand(self, request: Stop, board: int) -> None:
        self._to_hopper(self._out_of(request), turned=Step.TURN_HAND in request.steps)

    def _collect_hand(self, request: Stop, board: int) -> None:
        """All cards of the hand under way, wherever they lie; the other pockets are left alone."""
        held = [*self.held, *self._out_of(request)]
        self.held = []
        if self._hands.sees_cards_on_belt():
            held += self._do(self._hands.clear_belt()).result
        if self._hands.sees_cards_in_tray():
            held += self._do(self._hands.take_tray()).result
        if self._hands.sees_cards_on_table():
            held += self._do(self._hands.take_table()).result
        self._to_hopper(held, turned=False)

    def _turn_hand(self, request: Stop, board: int) -> None:
        """Done while the hand was put in."""

    def _put_hand_back(self, request: Stop, board: int) -> None:
        """The hand in the hopper goes back into the pocket that is empty, unseen."""
        if not self._hands.sees_hopper_filled() or request.pocket is None:
            return
        held = self._do(self._hands.take_pack()).result
        self._do(self._hands.lid(False))
        for card in held:
            self._do(self._hands.put_into_pocket(request.pocket.name, card))
        self._do(self._hands.lid(True))

    def _may_be_empty(self, request: Stop, board: int) -> None:
        """It came so from the table; nobody knows better."""

    def _feed_pack(self, request: Stop, board: int) -> None:
        order = CARDS if Step.SORTED_PACK in request.steps else ()
        self._do(self._hands.load_pack(stop_card_behind=True, order=self.order or order))

    def _sorted_pack(self, request: Stop, board: int) -> None:
        """Done while the pack was put in."""

    def _feed_piles(self, request: Stop, board: int) -> None:
        """Pocket by pocket, each pile as it lies: the card that came first is fed first."""
        self._do(self._hands.lid(False))
        held: list[Held] = []
        for seat in SEATS:
            if self._hands.sees_cards_at(seat):
                held += self._do(self._hands.empty_pocket(seat)).result
        self._do(self._hands.lid(True))
        self._with_stop_card(held)

    def _feed_tray(self, request: Stop, board: int) -> None:
        """The cards of the tray as they lie: the one that came first is fed first."""
        self._with_stop_card([], turned=Step.TURN_HAND in request.steps)

    def _sort_tray(self, request: Stop, board: int) -> None:
        """Looks at the faces, which the job allows: its cards are of no set."""
        held = self._do(self._hands.take_tray()).result
        order = {str(card): card.index for card in CARDS}
        known = [card for card in held if not self._hands.sees_stop_card(card)]
        faces = {card: order.get(self._hands.look(card), len(order)) for card in known}
        self._do(self._hands.put_in_front(sorted(known, key=faces.__getitem__), stop_card=True))

    # -- inside ----------------------------------------------------------------------------

    def _put(self, put: Callable[[Any], Any], board: Any) -> None:
        hands = self._hands
        self._do(hands.lid(False))
        if hands.sees_board() is not None:
            self._do(hands.take_board())
        if hands.sees_cards_in_tray():
            self._do(hands.take_tray())
        self._do(put(board))
        self._do(hands.lid(True))

    def _out_of(self, request: Stop) -> list[Held]:
        seat = request.pocket.name if request.pocket is not None else ""
        self._do(self._hands.lid(False))
        held: list[Held] = []
        if seat and self._hands.sees_cards_at(seat):
            held = self._do(self._hands.empty_pocket(seat)).result
        return held

    def _to_hopper(self, held: list[Held], *, turned: bool) -> None:
        cards = [card for card in held if not self._hands.sees_stop_card(card)]
        self._do(self._hands.lid(True))
        if cards:
            self._do(self._hands.put_in_front(cards, stop_card=False, turned=turned))

    def _with_stop_card(self, held: list[Held], *, turned: bool = False) -> None:
        """What lies in the tray comes behind, its stop card last."""
        if self._hands.sees_cards_in_tray():
            held = [*held, *self._do(self._hands.take_tray()).result]
        cards = [card for card in held if not self._hands.sees_stop_card(card)]
        if cards:
            self._do(self._hands.put_in_front(cards, stop_card=True, turned=turned))
