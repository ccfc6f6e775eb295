"""Opening the store of one machine: the directory, its key, its database, and the parts."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self

from sqlalchemy import insert, select, update

from controller.errors import StoreError
from controller.store.boxes import Boxes
from controller.store.clock import StoreClock
from controller.store.context import SYSTEM, Context, Who
from controller.store.database import DATABASE_FILE, Database
from controller.store.director import Directors
from controller.store.exports import Exports
from controller.store.files import lock, make_private_directory
from controller.store.ids import Keys, RandomBytes, machine_id
from controller.store.journal import Journal
from controller.store.logbook import Logbook
from controller.store.schema import DEALING, MACHINE
from controller.store.sets import Sets
from controller.store.setstate import SetStates
from controller.store.settling import settle
from controller.store.vault import KEY_FILE, Vault, load_key, new_key
from controller.store.voiding import Voids

__all__ = ["SYSTEM", "Store", "Who"]

RESERVE_BYTES: Final = 32 * 1024 * 1024
"""No board is started with less room than this; one board writes well under 1 MiB."""
_KEY_CHECK: Final = b"predeal machine key"


class Store:
    """The open store: `journal`, `sets` and `logbook`. One program has it at a time."""

    def __init__(self, context: Context, state_dir: Path | None, locked: IO[bytes] | None) -> None:
        self.context = context
        """For the other modules of the store."""
        self.state_dir = state_dir
        self._locked = locked
        self.machine = context.machine
        self.sets = Sets(context)
        self.journal = Journal(context)
        self.logbook = Logbook(context)
        self.directors = Directors(context, self.logbook)
        self.states = SetStates(context, self.sets, self.logbook)
        self.boxes = Boxes(context, self.logbook)
        self.exports = Exports(context)
        self.voids = Voids(context, self.sets, self.journal, self.boxes, self.exports)

    @classmethod
    def beside(cls, state_dir: Path, clock: StoreClock, random: RandomBytes) -> Self:
        """Opens a store that is there, also while its machine works with it: for short changes.

        Each change is a transaction of its own, so the two never see half of one; nothing here may
        deal. StoreError "store.not_there" when there is none.
        """
        path = state_dir / DATABASE_FILE
        if state_dir.is_dir() and not os.access(state_dir, os.R_OK | os.X_OK):
            reason = os.strerror(errno.EACCES)
            raise StoreError("store.cannot_open", path=state_dir, reason=reason)
        if not path.exists():
            raise StoreError("store.not_there", path=state_dir)
        key = load_key(state_dir / KEY_FILE, may_create=False)
        database = Database(path, beside=True)
        try:
            return cls(_begin(database, key, clock, random, None), state_dir, None)
        except BaseException:
            database.close()
            raise

    @classmethod
    def open(
        cls,
        state_dir: Path | None,
        clock: StoreClock,
        random: RandomBytes,
        *,
        twin: bool = False,
    ) -> Self:
        """Opens or makes the store in *state_dir*, for one program at a time; None is in memory."""
        if state_dir is None:
            return cls(_begin(Database(None), new_key(), clock, random, twin), None, None)
        path = state_dir / DATABASE_FILE
        try:
            make_private_directory(state_dir)
            locked = lock(state_dir)
        except StoreError:
            raise
        except OSError as error:
            raise StoreError(
                "store.cannot_open", path=error.filename or state_dir, reason=error.strerror
            ) from error
        try:
            key = load_key(state_dir / KEY_FILE, may_create=not path.exists())
            database = Database(path)
            try:
                return cls(_begin(database, key, clock, random, twin), state_dir, locked)
            except BaseException:
                database.close()
                raise
        except BaseException:
            locked.close()
            raise

    def require_room(self, bytes_needed: int = RESERVE_BYTES) -> None:
        """Refuses, with a StoreError, when the disk is too full to begin a board."""
        if self.state_dir is None:
            return
        free = shutil.disk_usage(self.state_dir).free
        if free < bytes_needed:
            raise StoreError(
                "store.little_room",
                path=self.state_dir,
                free_mb=free // 1_000_000,
                needed_mb=bytes_needed // 1_000_000,
            )

    def close(self) -> None:
        """Lets go of the files; safe to call again."""
        with contextlib.suppress(StoreError):  # closed before, or a disk that has failed already
            settle(self.context)
        self.context.database.close()
        if self._locked is not None:
            self._locked.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _check_key(vault: Vault, check: bytes, name: str, path: Path | None) -> None:
    try:
        vault.unseal(check, name)
    except StoreError as error:
        raise StoreError("store.key_wrong", path=path) from error


def _begin(
    database: Database, key: bytes, clock: StoreClock, random: RandomBytes, twin: bool | None
) -> Context:
    """The context of a new opening; *twin* None takes the store for what it is."""
    vault = Vault(key)
    with database.transaction() as connection:
        row = connection.execute(select(MACHINE)).first()
        if row is None:
            twin = bool(twin)
            name, opening = machine_id(random), 1
            connection.execute(
                insert(MACHINE).values(
                    id=name,
                    twin=twin,
                    created_wall_us=clock.wall_us(),
                    openings=opening,
                    key_check=vault.seal(_KEY_CHECK, name),
                )
            )
        else:
            name, opening = row.id, row.openings + 1
            _check_key(vault, row.key_check, name, database.path)
            if twin is None:
                twin = row.twin
            if row.twin != twin and connection.execute(select(DEALING.c.id)).first() is None:
                # Only sets were kept so far: the first dealing says what kind of store it is.
                connection.execute(update(MACHINE).values(twin=twin))
            elif row.twin != twin:
                raise StoreError("store.twin_mixed", path=database.path, twin=row.twin)
            connection.execute(update(MACHINE).values(openings=opening))
    return Context(database, vault, Keys(name, opening, clock, random), clock, name, opening, twin)
