"""When the write-ahead log is moved into the database: between boards, never while one is under way.

SQLite would do it in whichever transaction fills the log, and a card would wait for it on the belt.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, select

from controller.store.context import Context
from controller.store.database import PATIENCE_MS
from controller.store.schema import DEALING

BRIEFLY_MS: Final = 100


def settle(context: Context, *, erase: bool = False) -> bool:
    """Moves the log unless a board is under way on any connection; False if that has to wait.

    *erase*: what was overwritten shall be gone from the log too. If that has to wait, it is owed: the
    next call does it, in whichever program (that which ends the board, as a rule).
    """
    with context.database.transaction() as connection:
        owed = bool(connection.exec_driver_sql("PRAGMA user_version").scalar())
        if erase and not owed:
            _owe(connection, True)
        if _under_way(connection):
            return False
    erase = erase or owed
    done = context.database.settle(erase=erase, patience_ms=PATIENCE_MS if erase else BRIEFLY_MS)
    if done and erase:
        with context.database.transaction() as connection:
            _owe(connection, False)
    return done


def _under_way(connection: Connection) -> bool:
    query = select(DEALING.c.id).where(DEALING.c.state == "open").limit(1)
    return connection.execute(query).first() is not None


def _owe(connection: Connection, owed: bool) -> None:
    # A number that SQLite keeps for its user in the file; nothing else here uses it.
    connection.exec_driver_sql(f"PRAGMA user_version = {int(owed)}")
