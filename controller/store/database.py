"""SQLite as the store uses it: one connection, WAL, every commit on the disk before it returns."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import StaticPool

from controller.errors import StoreError
from controller.store.files import sync_directory
from controller.store.migrations import upgrade

DATABASE_FILE: Final = "predeal.db"
PATIENCE_MS: Final = 2_000
LOG_PAGES: Final = 16_384
"""A log of 64 MiB is moved whatever goes on. One board writes about one; `settle` comes after each."""
LOG_KEPT_BYTES: Final = 8 * 1024 * 1024
"""The log's file is cut to this when it is begun again."""

# The parts of SQLite's error names that a person can act upon, most telling first.
_CAUSES: Final = {
    "SQLITE_FULL": "store.full",
    "SQLITE_READONLY": "store.read_only",
    "SQLITE_CANTOPEN": "store.cannot_open",
    "SQLITE_CORRUPT": "store.damaged",
    "SQLITE_NOTADB": "store.damaged",
    "SQLITE_BUSY": "store.in_use",
    "SQLITE_LOCKED": "store.in_use",
    "SQLITE_IOERR": "store.disk_error",
}


class Database:
    """One connection. `transaction` is the only way in."""

    def __init__(self, path: Path | None, *, beside: bool = False) -> None:
        """Opens or creates the file (None: in memory) and brings its tables up to date.

        *beside*: another connection, perhaps of this very process, works in the file. It must not
        be opened and closed by other means then: that would take away that connection's locks.
        """
        self.path = path
        if path is not None and not beside:
            _touch_private(path)
        self._engine = create_engine(
            "sqlite://" if path is None else f"sqlite:///{path}", poolclass=StaticPool
        )
        event.listen(self._engine, "connect", _prepare)
        event.listen(self._engine, "begin", _begin)
        self._connection: Connection | None = None
        try:
            with _named_errors(path):
                self._connection = self._engine.connect()
            with self.transaction() as connection:
                upgrade(connection)
        except BaseException:
            self.close()
            raise

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """All or nothing; on the disk when it ends. Any failure of the disk is a StoreError."""
        if self._connection is None:
            raise StoreError("store.closed")
        with _named_errors(self.path), self._connection.begin():
            yield self._connection

    def settle(self, *, erase: bool = False, patience_ms: int = PATIENCE_MS) -> bool:
        """Moves the write-ahead log into the database; with *erase* nothing is left in the log.

        The log else stays as it is and is written over from its start, which costs less than a file
        that grows again. False if something has to wait: another connection reads there, longer
        than *patience_ms*, or the disk refuses. Nothing is lost by it; the log keeps all.
        """
        raw = self._raw()
        how = "TRUNCATE" if erase else "PASSIVE"
        try:
            raw.execute(f"PRAGMA busy_timeout = {patience_ms}").close()
            try:
                busy, pages, moved = raw.execute(f"PRAGMA wal_checkpoint({how})").fetchone()
            finally:
                raw.execute(f"PRAGMA busy_timeout = {PATIENCE_MS}").close()
        except sqlite3.Error:
            return False  # all is written already: the next thing that is to be kept will tell
        return not busy and pages == moved

    def copy_to(self, path: Path) -> None:
        """A copy of the whole database as it is at one instant, whoever writes meanwhile."""
        raw = self._raw()
        with _named_errors(path):
            copy = sqlite3.connect(path)
            try:
                raw.backup(copy)
                # One file without a log beside it, so that it can be carried away as it is.
                copy.execute("PRAGMA journal_mode = DELETE")
            finally:
                copy.close()

    def _raw(self) -> sqlite3.Connection:
        """The driver's connection, for what SQLAlchemy has no words for."""
        if self._connection is None:
            raise StoreError("store.closed")
        raw: sqlite3.Connection | None = self._connection.connection.driver_connection
        if raw is None:
            raise StoreError("store.closed")
        return raw

    def close(self) -> None:
        """Lets go of the file; safe to call again."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        self._engine.dispose()


def _touch_private(path: Path) -> None:
    # SQLite gives its other files the mode of the first one.
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise StoreError("store.cannot_open", path=path, reason=error.strerror) from error
    os.close(handle)
    sync_directory(path.parent)


def _prepare(raw: Any, _record: object) -> None:
    raw.isolation_level = None  # the driver would begin late and never around DDL: we begin
    for pragma in (
        "journal_mode = WAL",
        "synchronous = FULL",
        "foreign_keys = ON",
        "trusted_schema = OFF",
        "secure_delete = ON",  # what a director had erased is not left in free pages
        f"busy_timeout = {PATIENCE_MS}",
        f"wal_autocheckpoint = {LOG_PAGES}",
        f"journal_size_limit = {LOG_KEPT_BYTES}",
    ):
        raw.execute(f"PRAGMA {pragma}").close()


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


@contextmanager
def _named_errors(path: Path | None) -> Iterator[None]:
    try:
        yield
    except DBAPIError as error:
        raise _named(error.orig, path) from error
    except sqlite3.Error as error:
        raise _named(error, path) from error


def _named(error: BaseException | None, path: Path | None) -> StoreError:
    name = getattr(error, "sqlite_errorname", "") or ""
    for start, code in _CAUSES.items():
        if name.startswith(start):
            return StoreError(code, path=path or "memory", reason=str(error))
    # The text of other errors names tables and columns, never values.
    return StoreError("store.refused", path=path or "memory", reason=f"{name} {error}".strip())
