"""Which sets hold the very same deal of a board: a set, and those it replaces after a new deal."""

from __future__ import annotations

from sqlalchemy import Connection, select

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
