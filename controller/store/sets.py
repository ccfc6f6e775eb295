"""Sets of boards: what is to be dealt. The deals are sealed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NewType

from sqlalchemy import insert, select

from controller.errors import StoreError
from controller.store.context import SYSTEM, Context, Who
from controller.store.schema import DEAL_SET, SET_BOARD
from deals.setcode import NO_CODE

SetId = NewType("SetId", str)


@dataclass(frozen=True, slots=True)
class BoardEntry:
    """One board of a set; `deal` is the whole deal as one text, North first."""

    number: int
    dealer: str
    vulnerable: str
    deal: str


class Sets:
    """The sets that this machine knows."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def add(
        self,
        *,
        code: str,
        name: str,
        source: bytes,
        boards: Sequence[BoardEntry],
        edition: int = 1,
        who: Who = SYSTEM,
    ) -> SetId:
        """Keeps a set as it was read from *source*; the same set again is the one already kept."""
        tag = self._context.vault.tag("source", source)
        if code == NO_CODE:
            # Only here, and keyed: from outside nobody can compute it to try deals against.
            code = f"{NO_CODE} {tag.hex()[:32]}"
        prints = [self._context.vault.tag("deal", board.deal.encode()) for board in boards]
        known = self._find(code, edition)
        if known is not None:
            if self._same(known, boards, prints):
                return known
            raise StoreError("store.set_differs", set_code=code, edition=edition)
        set_id = SetId(self._context.keys.new())
        with self._context.database.transaction() as connection:
            connection.execute(
                insert(DEAL_SET).values(
                    id=set_id,
                    machine_id=self._context.machine,
                    actor=who.actor,
                    role=who.role,
                    code=code,
                    name=name,
                    source_tag=tag,
                    board_count=len(boards),
                    edition=edition,
                    added_wall_us=self._context.clock.wall_us(),
                )
            )
            if boards:
                rows = zip(boards, prints, strict=True)
                connection.execute(
                    insert(SET_BOARD), [self._row(set_id, board, tag) for board, tag in rows]
                )
        return set_id

    def boards(self, set_id: SetId) -> list[BoardEntry]:
        """The boards of a set in order of number, opened."""
        query = select(SET_BOARD).where(SET_BOARD.c.set_id == set_id).order_by(SET_BOARD.c.number)
        with self._context.database.transaction() as connection:
            rows = connection.execute(query).all()
        return [
            BoardEntry(
                row.number,
                row.dealer,
                row.vulnerable,
                self._context.vault.unseal(row.sealed_deal, row.id).decode(),
            )
            for row in rows
        ]

    def _find(self, code: str, edition: int) -> SetId | None:
        query = select(DEAL_SET.c.id).where(
            DEAL_SET.c.machine_id == self._context.machine,
            DEAL_SET.c.code == code,
            DEAL_SET.c.edition == edition,
        )
        with self._context.database.transaction() as connection:
            found = connection.execute(query).scalar()
        return None if found is None else SetId(found)

    def _same(self, set_id: SetId, boards: Sequence[BoardEntry], prints: Sequence[bytes]) -> bool:
        columns = SET_BOARD.c
        query = select(columns.number, columns.dealer, columns.vulnerable, columns.fingerprint)
        with self._context.database.transaction() as connection:
            kept = connection.execute(query.where(columns.set_id == set_id)).all()
        given = [
            (board.number, board.dealer, board.vulnerable, tag)
            for board, tag in zip(boards, prints, strict=True)
        ]
        return sorted(map(tuple, kept)) == sorted(given)

    def _row(self, set_id: SetId, board: BoardEntry, tag: bytes) -> dict[str, object]:
        key = self._context.keys.new()
        return {
            "id": key,
            "set_id": set_id,
            "number": board.number,
            "dealer": board.dealer,
            "vulnerable": board.vulnerable,
            "sealed_deal": self._context.vault.seal(board.deal.encode(), key),
            "fingerprint": tag,
        }
