"""The logbook: who did what. Rows are only added; each carries the SHA-256 of the row before."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import astuple, dataclass
from hashlib import sha256
from typing import Final

from sqlalchemy import Connection, insert, select, update

from controller.store.context import SYSTEM, Context, Who
from controller.store.schema import LOGBOOK, MACHINE

_BEGINNING: Final = bytes(32)
_LEAST_DIGITS: Final = 8


@dataclass(frozen=True, slots=True)
class LogbookEntry:
    """One row. `details` never names a card; `previous` is the hash of the row before."""

    number: int
    actor: str
    role: str
    opening: int
    wall_us: int
    mono_us: int
    what: str
    details: str
    previous: bytes

    def digest(self, machine: str) -> bytes:
        """What the next row must carry."""
        *fields, previous = astuple(self)
        text = json.dumps([machine, *fields, previous.hex()], ensure_ascii=True)
        return sha256(text.encode()).digest()


class Logbook:
    """This machine's logbook."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def append(
        self, what: str, details: Mapping[str, object] | None = None, who: Who = SYSTEM
    ) -> LogbookEntry:
        """Adds one row; *details* are plain values without any card."""
        with self._context.database.transaction() as connection:
            last = self._rows(connection, last_only=True)
            entry = LogbookEntry(
                number=last[0].number + 1 if last else 1,
                actor=who.actor,
                role=who.role,
                opening=self._context.opening,
                wall_us=self._context.clock.wall_us(),
                mono_us=self._context.clock.now_us(),
                what=what,
                details=json.dumps(dict(details or {}), ensure_ascii=False, sort_keys=True),
                previous=last[0].digest(self._context.machine) if last else _BEGINNING,
            )
            connection.execute(
                insert(LOGBOOK).values(
                    id=self._context.keys.new(),
                    machine_id=self._context.machine,
                    **{name: getattr(entry, name) for name in LogbookEntry.__dataclass_fields__},
                )
            )
            connection.execute(
                update(MACHINE)
                .where(MACHINE.c.id == self._context.machine)
                .values(logbook_tag=self._end_tag(entry))
            )
        return entry

    def entries(self) -> list[LogbookEntry]:
        """All rows, oldest first."""
        with self._context.database.transaction() as connection:
            return self._rows(connection)

    def head(self) -> tuple[int, str]:
        """The last row's number and hash, 64 hexadecimal digits: printed on records, so that rows
        cut off at the end show too. (0, 64 zeros) for an empty logbook.
        """
        with self._context.database.transaction() as connection:
            last = self._rows(connection, last_only=True)
        if not last:
            return 0, _BEGINNING.hex()
        return last[0].number, last[0].digest(self._context.machine).hex()

    def holds(self, number: int, digest: str) -> bool:
        """Whether row *number* has the hash that was printed once; its first digits are enough.

        ValueError when less than 8 hexadecimal digits are given.
        """
        wanted = digest.replace("-", "").replace(" ", "").lower()
        if len(wanted) < _LEAST_DIGITS or wanted.strip("0123456789abcdef"):
            raise ValueError(digest)
        for entry in self.entries():
            if entry.number == number:
                return entry.digest(self._context.machine).hex().startswith(wanted)
        return False

    def broken(self) -> list[int]:
        """Numbers of rows that do not follow from the row before; none in an honest logbook.

        The number after the last stands for an end that is not as it was written: the last row was
        changed, or rows after it were cut off. Whoever has the machine key could hide even that,
        so the last hash is printed on records too.
        """
        found = []
        expected, number = _BEGINNING, 1
        query = select(MACHINE.c.logbook_tag).where(MACHINE.c.id == self._context.machine)
        # Together: a row that another program adds in between would look like a changed end.
        with self._context.database.transaction() as connection:
            entries = self._rows(connection)
            tag = connection.execute(query).scalar()
        for entry in entries:
            if entry.previous != expected or entry.number != number:
                found.append(entry.number)
            expected, number = entry.digest(self._context.machine), entry.number + 1
        if tag is not None and (not entries or tag != self._end_tag(entries[-1])):
            found.append(number)
        return found

    def _end_tag(self, entry: LogbookEntry) -> bytes:
        digest = entry.digest(self._context.machine)
        return self._context.vault.tag("logbook end", b"%d " % entry.number + digest)

    def _rows(self, connection: Connection, *, last_only: bool = False) -> list[LogbookEntry]:
        names = LogbookEntry.__dataclass_fields__
        query = select(*(LOGBOOK.c[name] for name in names)).where(
            LOGBOOK.c.machine_id == self._context.machine
        )
        query = (
            query.order_by(LOGBOOK.c.number.desc()).limit(1)
            if last_only
            else query.order_by(LOGBOOK.c.number)
        )
        return [LogbookEntry(*row) for row in connection.execute(query)]
