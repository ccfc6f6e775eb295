"""The slot with its board, the lid over it, the label reader, and where cards come to rest."""

from __future__ import annotations

from controller.devices.ports import Label
from controller.twin.world.inputs import Inputs
from controller.twin.world.layout import TRAY_GATE, Layout
from controller.twin.world.pins import In
from controller.twin.world.things import Board, PhysicalCard


class Slot:
    """Cards fall into the board that is in the slot, or on the table when there is none."""

    def __init__(self, plan: Layout, inputs: Inputs) -> None:
        self.board: Board | None = None
        self.backwards = False
        self.label_readable = True
        self.lid_closed = False
        self.tray: list[PhysicalCard] = []
        self.table: list[PhysicalCard] = []
        self._plan = plan
        self._inputs = inputs

    def put(self, board: Board, backwards: bool) -> None:
        """A board comes into the slot."""
        self.board = board
        self.backwards = backwards
        self._inputs.set(In.BOARD, 1)
        self.feel()

    def take(self) -> Board | None:
        """The board leaves the slot with what it holds."""
        board, self.board = self.board, None
        self._inputs.set(In.BOARD, 0)
        self.feel()
        return board

    def lid(self, closed: bool) -> None:
        """The lid is opened or closed."""
        self.lid_closed = closed
        self._inputs.set(In.LID, int(closed))

    def land(self, card: PhysicalCard, gate: int) -> None:
        """A card has passed the sensor of a gate's chute, or the tray's (TRAY_GATE)."""
        if gate == TRAY_GATE:
            self.tray.append(card)
        else:
            seat = self._seat(gate)
            pile = self.table if self.board is None else self.board.pockets[seat]
            pile.append(card)
        self.feel()

    def feel(self) -> None:
        """The presence switches show what lies on them."""
        for gate in range(len(self._plan.order)):
            held = self.board is not None and bool(self.board.pockets[self._seat(gate)])
            self._set(self._plan.present_pins[gate], held)
        self._set(self._plan.present_pins[TRAY_GATE], bool(self.tray))

    def read(self) -> Label | None:
        """The label there now (this is the `LabelReader`); None without one that can be read."""
        if self.board is None or not self.label_readable:
            return None
        return Label(self.board.number, self.board.box, self.backwards)

    def pile(self, seat: str) -> list[PhysicalCard] | None:
        """What lies in the pocket that stands at the gate of *seat*; None without a board."""
        if self.board is None:
            return None
        return self.board.pockets[self._seat(self._plan.order.index(seat))]

    def _seat(self, gate: int) -> str:
        # A board the wrong way round shows its pockets to the gates in reverse.
        return self._plan.order[-1 - gate if self.backwards else gate]

    def _set(self, pin: int, held: bool) -> None:
        if self._inputs.level(pin) != held:
            self._inputs.set(pin, int(held))
