"""Which sets hold the very same deal of a board, and whether a set may be dealt at all."""

from __future__ import annotations

from sqlalchemy import Connection, select

from controller.errors import StoreError
from controller.store.schema import DEAL_SET, SET_BOARD


def lineage(connection: Connection, set_id: str, board: int) -> list[str]:
    """Keys of sets, newest first, as far back as *board* was not dealt anew (Law 6D)."""
    found = [set_id]
    redealt = _redealt(connection, set_id, board)
    while (before := _replaced(connection, found[-1])) is not None:
        if before in found or _redealt(connection, before, board) != redealt:
            break
        found.append(before)
    return found


def refuse_barred(connection: Connection, set_id: str) -> None:
    """StoreError when a set is retired, or was replaced after a new deal. The last guard before an
    attempt is opened: people may have decided it while a job was under way.
    """
    query = select(DEAL_SET.c.code, DEAL_SET.c.retired_wall_us).where(DEAL_SET.c.id == set_id)
    row = connection.execute(query).first()
    if row is None:
        return  # the database itself refuses an attempt without a set
    after = connection.execute(
        select(DEAL_SET.c.code).where(DEAL_SET.c.replaces_id == set_id)
    ).scalar()
    if after is not None:
        raise StoreError("store.set_replaced", set_code=row.code, after=after)
    if row.retired_wall_us is not None:
        raise StoreError("store.set_retired", set_code=row.code)


def _replaced(connection: Connection, set_id: str) -> str | None:
    query = select(DEAL_SET.c.replaces_id).where(DEAL_SET.c.id == set_id)
    before: str | None = connection.execute(query).scalar()
    return before


def _redealt(connection: Connection, set_id: str, board: int) -> int | None:
    query = select(SET_BOARD.c.redealt).where(
        SET_BOARD.c.set_id == set_id, SET_BOARD.c.number == board
    )
    count: int | None = connection.execute(query).scalar()
    return count
