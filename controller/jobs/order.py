"""Which copies of which boards a job deals, in which order, and into which boxes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, runtime_checkable

from controller.devices.ports import Label
from controller.jobs.errors import JobError
from controller.store.sets import SetId
from controller.store.store import SYSTEM, Store, Who
from deals.boards import Board


class Order(StrEnum):
    """In which order boards and copies come."""

    BOARD = "board"
    """Board by board: all copies of board 1, then all of board 2."""
    SET = "set"
    """Set by set: the whole first copy, then the whole second."""
    LABEL = "label"
    """As people bring them: the label says which board it is, the next copy of it is dealt."""


@dataclass(frozen=True, slots=True)
class Copies:
    """`count` copies of each board from copy `first` on; `only` names the copies of each board
    one by one instead. `boxes` are the copies' boxes in their order, `section` who plays them.
    """

    count: int = 1
    first: int = 1
    order: Order = Order.BOARD
    only: Mapping[int, Sequence[int]] | None = None
    boxes: tuple[str, ...] = ()
    section: str = ""

    def plan(self, boards: Sequence[Board]) -> list[tuple[Board, int]]:
        """Every copy that is to be dealt, in its order."""
        if self.only is not None:
            wanted = [(b, copy) for b in boards for copy in self.only.get(b.number, ())]
        else:
            copies = range(self.first, self.first + self.count)
            wanted = [(board, copy) for board in boards for copy in copies]
        if self.order is Order.SET:
            wanted.sort(key=lambda one: one[1])  # stable: boards keep their order
        return wanted

    def choice(self, left: Sequence[tuple[Board, int]]) -> Choice:
        """What may come next where the labels say which board it is."""
        boxes = {copy: self.box(copy) or "" for _, copy in left}
        return Choice(tuple((board.number, copy) for board, copy in left), boxes)

    def box(self, copy: int) -> str | None:
        """Which box a copy goes into; None where nobody said."""
        place = copy - self.first
        return self.boxes[place] if 0 <= place < len(self.boxes) else None


@dataclass(frozen=True, slots=True)
class Choice:
    """Copies of boards that may come next, in any order: (number, copy) each, the first to be asked
    for first. `boxes`: the box of each copy number that has one.
    """

    left: tuple[tuple[int, int], ...]
    boxes: Mapping[int, str]

    def of(self, label: Label | None) -> tuple[int, int] | None:
        """The copy that is dealt into the board with this label; None where none is. A label that names
        a box stands for no other box's copy.
        """
        if label is None:
            return None
        found = [
            one
            for one in self.left
            if one[0] == label.board
            and (not label.box or self.boxes.get(one[1], "") in ("", label.box))
        ]
        own = [one for one in found if self.boxes.get(one[1], "") == label.box]
        return next(iter(own or found), None)


@runtime_checkable
class BringsAny(Protocol):
    """People who may bring the boards in any order."""

    def bring_any(self, boards: Sequence[int], *, follows: bool = False) -> None:
        """Puts any one of *boards* in, a pack and its stop card into the hopper, closes the lid."""
        ...


def prepare_boxes(
    store: Store,
    set_id: SetId,
    copies: Copies,
    boards: Sequence[Board],
    *,
    over: bool,
    who: Who = SYSTEM,
) -> None:
    """Names the copies by their boxes. StoreError "box.unplayed" when a box holds boards that
    nobody has called played, unless they are to be dealt *over*, which is then in the logbook.
    """
    if len(copies.boxes) not in (0, copies.count):
        raise JobError("job.boxes", boxes=len(copies.boxes), copies=copies.count)
    if len(set(copies.boxes)) < len(copies.boxes):
        raise JobError("job.box_twice")
    numbers = [board.number for board in boards]
    for box in copies.boxes:
        if not over:
            store.boxes.require_played(box, numbers)
        elif unplayed := store.boxes.unplayed(box, numbers):
            details = {"box": box, "boards": [one.board for one in unplayed]}
            store.logbook.append("dealt over unplayed boards", details, who)
    for place, box in enumerate(copies.boxes):
        store.boxes.name(set_id, copies.first + place, box, copies.section)


def note_proven(store: Store, set_id: SetId, board: int, copy: int, who: Who = SYSTEM) -> None:
    """A copy was proven: it is in the logbook, and its box, if it has one, is loaded with it."""
    name = store.boxes.names(set_id).get(copy)
    box = name.box if name is not None else ""
    details = {"set": store.sets.info(set_id).code, "board": board, "copy": copy, "box": box}
    store.logbook.append("copy proven", details, who)
    if box:
        store.boxes.load(box, board, set_id, copy, who)
