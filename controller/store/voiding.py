"""Taking dealt copies back: a set that replaces another, and copies to deal again."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, insert, select, update

from controller.errors import StoreError
from controller.store.boxes import Boxes
from controller.store.context import Context, Who
from controller.store.exports import Exports
from controller.store.journal import CopyDealt, DealingState, Journal, refuse_open
from controller.store.lineage import lineage
from controller.store.schema import DEAL_COPY, DEAL_SET, DEALING
from controller.store.sets import BoardEntry, SetId, SetInfo, Sets


@dataclass(frozen=True, slots=True)
class Replaced:
    """What a new deal, or another record, did to the store."""

    set_id: SetId
    voided: tuple[CopyDealt, ...]
    stale: tuple[str, ...]


class Voids:
    """Changes of what counts as dealt; each is one transaction."""

    def __init__(
        self, context: Context, sets: Sets, journal: Journal, boxes: Boxes, exports: Exports
    ) -> None:
        self._context = context
        self._sets = sets
        self._journal = journal
        self._boxes = boxes
        self._exports = exports

    def replace(
        self,
        old: SetInfo,
        board: int,
        boards: Sequence[BoardEntry],
        code: str,
        source: bytes,
        who: Who,
        reason: str,
        *,
        origin: str | None = None,
    ) -> Replaced:
        """A set with *board* dealt anew, or with another record of it, takes the place of *old*: every
        copy of the board is void, in the journal and in the boxes, and every export of *old* is
        stale. *origin* of the new set: None is that of *old*.
        """
        redealt = self._sets.redealt(old.id)
        redealt[board] = redealt.get(board, 0) + 1
        voided = tuple(self._journal.copies_dealt(old.id, board))
        stale: list[str] = []

        def also(connection: Connection, set_id: SetId) -> None:
            self._refuse_replaced(connection, old, set_id)
            family = lineage(connection, old.id, board)
            refuse_open(connection, family)
            self._void(connection, [copy.dealing for copy in voided], reason)
            self._boxes.void(connection, family, board)
            stale.extend(self._exports.mark_stale(connection, family))
            self._name_copies(connection, old.id, set_id)

        set_id = self._sets.add(
            code=code,
            name=old.name,
            source=source,
            boards=boards,
            who=who,
            laws=old.laws,
            origin=origin or old.origin,
            about=old.about,
            replaces=old.id,
            redealt=redealt,
            also=also,
        )
        return Replaced(set_id, voided, tuple(sorted(set(stale))))

    def take_back(
        self, set_id: SetId, board: int, copies: Collection[int], reason: str
    ) -> list[CopyDealt]:
        """Copies that were proven are void: they may be dealt again, with the same hands.

        StoreError when one of them was never dealt.
        """
        dealt = {copy.copy: copy for copy in self._journal.copies_dealt(set_id, board)}
        missing = sorted(set(copies) - set(dealt))
        if missing or not copies:
            raise StoreError("store.copy_not_dealt", board=board, copies=missing or "-")
        found = [dealt[copy] for copy in sorted(copies)]
        with self._context.database.transaction() as connection:
            family = lineage(connection, set_id, board)
            refuse_open(connection, family)
            self._void(connection, [copy.dealing for copy in found], reason)
            self._boxes.void(connection, family, board, copies)
        return found

    def _void(self, connection: Connection, dealings: Collection[str], reason: str) -> None:
        connection.execute(
            update(DEALING)
            .where(DEALING.c.id.in_(list(dealings)), DEALING.c.state == DealingState.PROVEN)
            .values(state=DealingState.VOID, reason=reason[:200])
        )

    def _refuse_replaced(self, connection: Connection, old: SetInfo, new: SetId) -> None:
        """Inside the transaction: two people may decide at the same time."""
        query = select(DEAL_SET.c.code).where(
            DEAL_SET.c.replaces_id == old.id, DEAL_SET.c.id != new
        )
        after = connection.execute(query).scalar()
        if after is not None:
            raise StoreError("store.set_replaced", set_code=old.code, after=after)

    def _name_copies(self, connection: Connection, old: SetId, new: SetId) -> None:
        rows = connection.execute(select(DEAL_COPY).where(DEAL_COPY.c.set_id == old)).all()
        for row in rows:
            values = {"copy": row.copy, "box": row.box, "section": row.section}
            connection.execute(
                insert(DEAL_COPY).values(id=self._context.keys.new(), set_id=new, **values)
            )
