"""Named copies of a set, and the ledger of boxes: what lies in each board of each box.

A *box* is numbered boards kept together. A board of it is loaded when a copy was proven in it, then it
goes out to the room, is played, and comes back. A board that is loaded or out has not been played, as
far as anybody said: dealing over it has to be meant.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from sqlalchemy import Connection, Row, insert, select, update

from controller.errors import StoreError
from controller.store.context import SYSTEM, Context, Who
from controller.store.logbook import Logbook
from controller.store.schema import BOX, DEAL_COPY, DEAL_SET
from controller.store.sets import SetId
from deals.files import ranges

_LONGEST: Final = 40


class BoxState(StrEnum):
    """Where a board of a box is in its round."""

    LOADED = "loaded"
    OUT = "out"
    PLAYED = "played"
    BACK = "back"
    VOID = "void"
    """Its deal was voided by a new deal: it must be dealt again before it is played."""


UNPLAYED: Final = (BoxState.LOADED, BoxState.OUT)


@dataclass(frozen=True, slots=True)
class CopyName:
    """How people call a copy: the box it lies in, and the section that plays it."""

    copy: int
    box: str
    section: str = ""


@dataclass(frozen=True, slots=True)
class BoxBoard:
    """What lies in one board of a box."""

    box: str
    board: int
    set_id: SetId
    set_code: str
    copy: int
    state: BoxState
    changed_wall_us: int


class Boxes:
    """The copies and boxes of one machine."""

    def __init__(self, context: Context, logbook: Logbook) -> None:
        self._context = context
        self._logbook = logbook

    def name(self, set_id: SetId, copy: int, box: str, section: str = "") -> None:
        """Says in which box a copy of a set lies; anew if it was said before."""
        box, section = _line(box), section.strip()[:_LONGEST]
        here = (DEAL_COPY.c.set_id == set_id) & (DEAL_COPY.c.copy == copy)
        with self._context.database.transaction() as connection:
            values = {"box": box, "section": section}
            if connection.execute(update(DEAL_COPY).where(here).values(**values)).rowcount:
                return
            values |= {"id": self._context.keys.new(), "set_id": set_id}
            connection.execute(insert(DEAL_COPY).values(copy=copy, **values))

    def names(self, set_id: SetId) -> dict[int, CopyName]:
        """The copies of a set that have a name."""
        query = select(DEAL_COPY).where(DEAL_COPY.c.set_id == set_id).order_by(DEAL_COPY.c.copy)
        with self._context.database.transaction() as connection:
            rows = connection.execute(query).all()
        return {row.copy: CopyName(row.copy, row.box, row.section) for row in rows}

    def contents(self, box: str | None = None) -> list[BoxBoard]:
        """What lies where, by box and board; of one box or of all."""
        with self._context.database.transaction() as connection:
            return [_board(row) for row in connection.execute(self._query(box))]

    def unplayed(self, box: str, boards: Collection[int]) -> list[BoxBoard]:
        """Boards of a box that would be dealt over although nobody said that they were played."""
        return [
            found
            for found in self.contents(box)
            if found.board in boards and found.state in UNPLAYED
        ]

    def require_played(self, box: str, boards: Collection[int]) -> None:
        """StoreError "box.unplayed" names what lies in the way."""
        found = self.unplayed(box, boards)
        if found:
            raise StoreError(
                "box.unplayed",
                box=box,
                boards=[one.board for one in found],
                set_code=", ".join(sorted({one.set_code for one in found})),
            )

    def load(self, box: str, board: int, set_id: SetId, copy: int, who: Who = SYSTEM) -> None:
        """A copy was proven in this board."""
        box = _line(box)
        values: dict[str, Any] = {
            "set_id": set_id,
            "copy": copy,
            "state": BoxState.LOADED.value,
            "changed_wall_us": self._context.clock.wall_us(),
        }
        with self._context.database.transaction() as connection:
            if not connection.execute(self._change(box, [board]).values(**values)).rowcount:
                values |= {"id": self._context.keys.new(), "machine_id": self._context.machine}
                connection.execute(insert(BOX).values(name=box, board=board, **values))
        self._logbook.append("board loaded", {"box": box, "board": board, "copy": copy}, who)

    def move(
        self, box: str, state: BoxState, boards: Collection[int] | None = None, who: Who = SYSTEM
    ) -> list[BoxBoard]:
        """Boards of a box (all that are there) are out, played or back; gives them as they are now.

        StoreError when the box, or one of the boards, is not known. A void board stays void.
        """
        known = {found.board for found in self.contents(box)}
        missing = sorted(set(boards or ()) - known)
        if not known or missing:
            raise self.unknown(box, missing if known else ())
        moved = known if boards is None else set(boards)
        values = {"state": state.value, "changed_wall_us": self._context.clock.wall_us()}
        change = self._change(box, sorted(moved)).where(BOX.c.state != BoxState.VOID.value)
        with self._context.database.transaction() as connection:
            connection.execute(change.values(**values))
        details = {"box": box, "boards": sorted(moved), "state": state.value}
        self._logbook.append("box moved", details, who)
        return [found for found in self.contents(box) if found.board in moved]

    def unknown(self, box: str, boards: Collection[int] = ()) -> StoreError:
        """What to say of a box, or of boards of it, that nobody has loaded: which there are."""
        if boards:
            return StoreError("box.no_boards", box=box, boards=ranges(sorted(boards)))
        there = sorted({found.box for found in self.contents()})
        if not there:
            return StoreError("box.none_yet", box=box)
        return StoreError("box.unknown", box=box, boxes=there)

    def void(
        self,
        connection: Connection,
        set_ids: Collection[str],
        board: int,
        copies: Collection[int] | None = None,
    ) -> None:
        """Marks copies of a deal (None: all) as void wherever they lie, inside a transaction."""
        values = {"state": BoxState.VOID.value, "changed_wall_us": self._context.clock.wall_us()}
        change = update(BOX).where(BOX.c.set_id.in_(list(set_ids)), BOX.c.board == board)
        if copies is not None:
            change = change.where(BOX.c.copy.in_(list(copies)))
        connection.execute(change.values(**values))

    def _query(self, box: str | None) -> Any:
        query = (
            select(BOX, DEAL_SET.c.code)
            .join(DEAL_SET, DEAL_SET.c.id == BOX.c.set_id)
            .where(BOX.c.machine_id == self._context.machine)
            .order_by(BOX.c.name, BOX.c.board)
        )
        return query if box is None else query.where(BOX.c.name == box)

    def _change(self, box: str, boards: Collection[int]) -> Any:
        return update(BOX).where(
            BOX.c.machine_id == self._context.machine, BOX.c.name == box, BOX.c.board.in_(boards)
        )


def _line(name: str) -> str:
    name = name.strip()
    if not name or len(name) > _LONGEST or not name.isprintable():
        raise StoreError("box.bad_name", most=_LONGEST)
    return name


def _board(row: Row[Any]) -> BoxBoard:
    return BoxBoard(
        row.name,
        row.board,
        SetId(row.set_id),
        row.code,
        row.copy,
        BoxState(row.state),
        row.changed_wall_us,
    )
