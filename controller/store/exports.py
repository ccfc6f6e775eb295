"""Files that were made of a set: after a new deal they are stale, and people must be told which."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import Connection, insert, select, update

from controller.store.context import SYSTEM, Context, Who
from controller.store.schema import EXPORT
from controller.store.sets import SetId


@dataclass(frozen=True, slots=True)
class Export:
    """One file that went out."""

    path: str
    format: str
    wall_us: int
    stale: bool


class Exports:
    """The exports of one machine's sets."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def add(self, set_id: SetId, path: str, kind: str, who: Who = SYSTEM) -> None:
        """A file was written; the same path again is the newer one alone."""
        with self._context.database.transaction() as connection:
            values = {
                "actor": who.actor,
                "role": who.role,
                "format": kind,
                "wall_us": self._context.clock.wall_us(),
                "stale": False,
            }
            same = (EXPORT.c.set_id == set_id) & (EXPORT.c.path == path[:400])
            if connection.execute(update(EXPORT).where(same).values(**values)).rowcount:
                return
            values |= {"id": self._context.keys.new(), "set_id": set_id, "path": path[:400]}
            connection.execute(insert(EXPORT).values(**values))

    def of(self, set_id: SetId) -> list[Export]:
        """Every file of a set, oldest first."""
        query = select(EXPORT).where(EXPORT.c.set_id == set_id).order_by(EXPORT.c.wall_us)
        with self._context.database.transaction() as connection:
            rows = connection.execute(query).all()
        return [Export(row.path, row.format, row.wall_us, row.stale) for row in rows]

    def mark_stale(self, connection: Connection, set_ids: Collection[str]) -> list[str]:
        """Inside a new deal's transaction; gives the paths that are stale now."""
        here = EXPORT.c.set_id.in_(list(set_ids))
        paths = connection.execute(select(EXPORT.c.path).where(here, ~EXPORT.c.stale)).scalars()
        found = sorted(paths)
        connection.execute(update(EXPORT).where(here).values(stale=True))
        return found
