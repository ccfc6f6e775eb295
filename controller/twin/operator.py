"""The people of the simulated machine: staff who bring boards and packs, and operators who mend.

An operator acts on nothing but the remedy's fields and what a person can see. `none` does nothing
at a stop, `auto` does every step of the remedy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from controller.engine.stops import Step, Stop
from controller.jobs.people import SETTLED_US, Done, FaceSeen
from controller.twin.serving import SEATS, Serving
from controller.twin.world.deeds import Deed, Held
from controller.twin.world.world import World
from deals.cards import CARDS, Card

T = TypeVar("T")
NAMES = frozenset(map(str, CARDS))
START_US = 500_000
"""From the last deed of a remedy to the finger on the start button."""


class Staff:
    """Brings each board and its pack, and takes the finished one away. Mends nothing."""

    def __init__(self, world: World, idle: Callable[[int], None]) -> None:
        self._world = world
        self._idle = idle
        self._hands = world.hands
        self.serving = Serving(self._hands, self._do)

    def bring(self, board: int, copy: int, *, follows: bool = False) -> None:
        """Takes the dealt board out, empties the tray, puts the next board in, and a pack unless it
        was loaded already; then loads that of the board after it while the machine deals.
        """
        hands = self._hands
        self._do(hands.lid(False))
        if hands.sees_board() is not None:
            self._do(hands.take_board())
        if hands.sees_cards_in_tray():
            self._do(hands.take_tray())  # the stop card, which goes behind a pack again
        if not hands.sees_hopper_filled():
            self._do(hands.load_pack(stop_card_behind=True))
        self._do(hands.put_board(board))
        self._do(hands.lid(True))
        if follows:
            hands.load_pack(stop_card_behind=True, for_next=True)
        self._let_pass(SETTLED_US)

    def bring_any(self, boards: Sequence[int], *, follows: bool = False) -> None:
        """Brings what lies on top: the last of them."""
        self.bring(boards[-1], 0, follows=follows)

    def act(self, stop: Stop, board: int) -> Done | None:
        """Nobody is there to mend a stop."""
        return None

    def serve(self, request: Stop, board: int) -> bool:
        """Brings what a job that reads cards asks for."""
        for step in request.steps:
            self.serving.carry_out(step, request, board)
        self._let_pass(START_US)
        return True

    def _let_pass(self, for_us: int) -> None:
        until_us = self._world.now_us + for_us
        while self._world.now_us < until_us:
            self._idle(until_us)

    def _do(self, deed: Deed[T]) -> Deed[T]:
        while not deed.done:
            self._idle(deed.done_us)
        return deed


class Operator(Staff):
    """Staff who also mend: every step of every remedy, in its order (`--operator auto`)."""

    def __init__(self, world: World, idle: Callable[[int], None]) -> None:
        super().__init__(world, idle)
        self._held: list[Held] = []
        self._named: list[Card] = []
        self._turn = False
        self._without_stop_card = False
        self._rest_found = False

    def act(self, stop: Stop, board: int) -> Done | None:
        """Does the steps; cards taken up on the way go into the hopper at the end."""
        self._held, self._named = [], []
        # Turning the pack is something one does while putting it back, so look ahead for it.
        self._turn = Step.TURN_PACK in stop.steps
        self._without_stop_card = self._rest_found = False
        seen = self._hands.faces_seen
        for step in stop.steps:
            self._carry_out(step, stop, board)
        self._let_pass(START_US)
        faces = (FaceSeen("operator", plays=False),) if self._hands.faces_seen > seen else ()
        return Done(tuple(self._named), faces)

    def _carry_out(self, step: Step, stop: Stop, board: int) -> None:
        if self.serving.knows(step):
            self.serving.held, self._held = self._held, []
            self.serving.carry_out(step, stop, board)
        elif step in (Step.RIGHT_BOARD, Step.TURN_BOARD):
            self._right_board(board)
        else:
            getattr(self, f"_{step.value}")()

    # -- one method a step -----------------------------------------------------------------

    def _close_lid(self) -> None:
        self._do(self._hands.lid(True))

    def _press_stop(self) -> None:
        self._do(self._hands.press_estop())

    def _release_stop(self) -> None:
        self._do(self._hands.release_estop())

    def _plug_cable(self) -> None:
        self._do(self._hands.plug_cable())
        self._world.open_transport()

    def _free_jam(self) -> None:
        self._do(self._hands.free_feeder())
        if self._hands.sees_cards_on_belt():
            self._held += self._do(self._hands.clear_belt()).result

    def _put_board_back(self) -> None:
        pulled = self._hands.sees_pulled_board()
        if pulled is not None:
            self._do(self._hands.lid(False))
            self._do(self._hands.put_back(pulled))
            self._do(self._hands.lid(True))

    def _right_board(self, board: int) -> None:
        self._do(self._hands.lid(False))
        if self._hands.sees_board() is not None:
            self._do(self._hands.take_board())
        self._do(self._hands.put_board(board))
        self._do(self._hands.lid(True))

    def _empty_pockets(self) -> None:
        self._do(self._hands.lid(False))
        for seat in SEATS:
            if self._hands.sees_cards_at(seat):
                self._do(self._hands.empty_pocket(seat))
        self._do(self._hands.lid(True))

    def _empty_tray(self) -> None:
        """What ran into the tray belongs to the pack that lies in the hopper."""
        if self._hands.sees_cards_in_tray():
            self._held += self._do(self._hands.take_tray()).result
            self._put_held_in_front()

    def _camera_cards(self) -> None:
        self._do(self._hands.load_camera_cards())

    def _fill_hopper(self) -> None:
        self._do(self._hands.load_pack(stop_card_behind=True))

    def _collect_all(self) -> None:
        """Every card of the board, wherever it lies, back to the front of the hopper."""
        hands = self._hands
        self._do(hands.lid(False))
        for seat in SEATS:
            self._held += self._take_pocket(seat)
        if hands.sees_cards_on_belt():
            self._held += self._do(hands.clear_belt()).result
        if hands.sees_cards_in_tray():
            self._held += self._do(hands.take_tray()).result
        if hands.sees_cards_on_table():
            self._held += self._do(hands.take_table()).result
        self._do(hands.lid(True))
        self._put_held_in_front()

    def _take_pocket(self, seat: str) -> list[Held]:
        if not self._hands.sees_cards_at(seat):
            return []
        return self._do(self._hands.empty_pocket(seat)).result

    def _turn_pack(self) -> None:
        """Done while the pack was put back."""

    def _shuffle_pack(self) -> None:
        self._do(self._hands.shuffle_pack())

    def _call_technician(self) -> None:
        self._do(self._hands.mend())

    def _clean_glass(self) -> None:
        self._do(self._hands.clean_glass())

    def _wipe_label(self) -> None:
        self._do(self._hands.wipe_label())

    def _take_out_foreign(self) -> None:
        """Looks at what lies in the tray; what is none of the 52 does not come back."""
        self._held += self._of_the_pack(self._do(self._hands.take_tray()).result)

    def _take_out_stop_card(self) -> None:
        """A stop card in the tray is not put back: one lies behind the pack."""
        if self._hands.sees_cards_in_tray():
            held = self._do(self._hands.take_tray()).result
            self._held += [card for card in held if not self._hands.sees_stop_card(card)]

    def _of_the_pack(self, held: list[Held]) -> list[Held]:
        return [
            card
            for card in held
            if self._hands.sees_stop_card(card) or self._hands.look(card) in NAMES
        ]

    def _look_behind(self) -> None:
        """A few cards before another stop card are the rest of this pack, and the one that came was in it."""
        self._rest_found = self._hands.sees_rest_of_pack()
        self._without_stop_card |= self._rest_found

    def _replace_pack(self) -> None:
        if not self._rest_found:
            self._do(self._hands.replace_pack())

    def _refeed_set_aside(self) -> None:
        """Half a turn: perhaps the other index can be read."""
        self._turn = True
        self._held += self._do(self._hands.take_tray()).result
        self._put_held_in_front()

    def _name_set_aside(self) -> None:
        """Looks at each card that cannot be read; its stop card is known by its back."""
        self._held += self._of_the_pack(self._do(self._hands.take_tray()).result)
        self._named = [
            Card.parse(self._hands.look(card))
            for card in self._held
            if not self._hands.sees_stop_card(card)
        ]
        self._put_held_in_front()

    def _put_held_in_front(self) -> None:
        """Cards first, the stop card behind them if it had come out already."""
        stop_card = not self._without_stop_card and any(
            self._hands.sees_stop_card(card) for card in self._held
        )
        cards = [card for card in self._held if not self._hands.sees_stop_card(card)]
        self._held = []
        if cards or stop_card:
            self._do(self._hands.put_in_front(cards, stop_card=stop_card, turned=self._turn))
        self._turn = False
