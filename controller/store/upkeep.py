"""Looking after a store: is all of it sound, a copy of it elsewhere, and back from such a copy.

A backup is one file: the database as it was at one instant, whoever wrote meanwhile. The machine key
is not in it (`key_to` copies it to a place of its own), so a backup that is lost or lent tells no card.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from sqlalchemy import select

from controller.errors import StoreError
from controller.store.clock import StoreClock
from controller.store.context import Context, Who
from controller.store.database import DATABASE_FILE
from controller.store.files import lock, make_private_directory, sync_directory, write_whole
from controller.store.ids import RandomBytes
from controller.store.journal import DealingState
from controller.store.schema import DEAL_SET, DEALING
from controller.store.sets import SetId, Sets
from controller.store.store import Store
from controller.store.vault import KEY_FILE, load_key

_LOGS: Final = ("-wal", "-shm", "-journal")


@dataclass(frozen=True, slots=True)
class Soundness:
    """What a check found; `problems` are codes with values for `deals.words.text`."""

    sets: int
    sealed: int
    boards: int
    dealings: int
    open_dealings: int
    entries: int
    head: str
    problems: tuple[tuple[str, dict[str, object]], ...] = field(default=())


def check(store: Store) -> Soundness:
    """Reads everything: pages, references, each sealed value, the chain of the logbook.

    Deals of sealed sets cannot be opened here and are counted apart.
    """
    context = store.context
    problems: list[tuple[str, dict[str, object]]] = []
    with context.database.transaction() as connection:
        pages = connection.exec_driver_sql("PRAGMA integrity_check(20)").scalars().all()
        loose = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
        dealings = connection.execute(select(DEALING.c.id, DEALING.c.state)).all()
    problems += [("store.check_pages", {"reason": page}) for page in pages if page != "ok"]
    problems += [("store.check_reference", {"table": row[0]}) for row in loose]
    boards, sealed = _check_sets(context, store.sets, problems)
    for dealing in dealings:
        try:
            store.journal.rows(dealing.id)
        except (StoreError, ValueError):
            problems.append(("store.check_journal", {"key": dealing.id}))
    broken = store.logbook.broken()
    problems += [("logbook.broken_at", {"number": number}) for number in broken]
    number, head = store.logbook.head()
    return Soundness(
        sets=len(store.sets.infos()),
        sealed=sealed,
        boards=boards,
        dealings=len(dealings),
        open_dealings=sum(dealing.state == DealingState.OPEN for dealing in dealings),
        entries=number,
        head=head,
        problems=tuple(problems),
    )


def _check_sets(
    context: Context, sets: Sets, problems: list[tuple[str, dict[str, object]]]
) -> tuple[int, int]:
    boards = sealed = 0
    with context.database.transaction() as connection:
        rows = connection.execute(select(DEAL_SET)).all()
    for row in rows:
        if row.sealed:
            sealed += 1
            continue
        try:
            found = sets.boards(SetId(row.id))
        except StoreError:
            problems.append(("store.check_set", {"set_code": row.code}))
            continue
        boards += len(found)
        if len(found) != row.board_count:
            problems.append(("store.check_set", {"set_code": row.code}))
    return boards, sealed


def backup(store: Store, path: Path, key_to: Path | None = None) -> Soundness:
    """Writes a copy that was read again before it got its name. StoreError if the place is taken."""
    source = store.state_dir
    if source is None:
        raise StoreError("store.no_backup")
    for taken in (path, key_to):
        if taken is not None and taken.exists():
            raise StoreError("store.place_taken", path=taken)
    part = path.with_name(f"{path.name}.part")
    try:
        part.unlink(missing_ok=True)
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        store.context.database.copy_to(part)
        _sync(part)
        found = examine(part, source / KEY_FILE, source)
        part.replace(path)
        sync_directory(path.parent)
    except OSError as error:
        if isinstance(error, StoreError):
            raise
        raise _named(error, path) from error
    finally:
        part.unlink(missing_ok=True)
    if key_to is not None:
        write_whole(key_to, (source / KEY_FILE).read_bytes(), mode=0o600)
    return found


def examine(path: Path, key_file: Path, room: Path) -> Soundness:
    """Checks a backup with its key, in a directory under *room*; the backup stays as it is.

    Not where the backup is: the key is copied for it, and shall never come to lie on that disk.
    """
    if not path.is_file():
        raise StoreError("store.no_such_backup", path=path)
    folder = Path(tempfile.mkdtemp(prefix="look-", dir=room))
    try:
        shutil.copyfile(path, folder / DATABASE_FILE)
        with _copied_key(key_file, folder), Store.beside(folder, _Still(), os.urandom) as copy:
            return check(copy)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def restore(
    path: Path, key_file: Path, state_dir: Path, clock: StoreClock, random: RandomBytes, who: Who
) -> tuple[Soundness, Path | None]:
    """Puts a backup into *state_dir*, after all of it was checked; gives where the old store is now.

    StoreError: the key is not the one of this backup ("store.key_wrong"), the backup is damaged
    ("store.backup_damaged"), the directory is in use ("store.in_use").
    """
    make_private_directory(state_dir)
    found = examine(path, key_file, state_dir)
    if found.problems:
        raise StoreError("store.backup_damaged", path=path, count=len(found.problems))
    locked = lock(state_dir)
    try:
        key = load_key(key_file, may_create=False)
        aside = _put_aside(state_dir, clock)
        # The key first: a key without its database is told when the store is opened, and a
        # database of another key is not opened, so no half of this can be taken for a whole.
        write_whole(state_dir / KEY_FILE, key, mode=0o600)
        for log in _LOGS:
            (state_dir / f"{DATABASE_FILE}{log}").unlink(missing_ok=True)
        sync_directory(state_dir)
        write_whole(state_dir / DATABASE_FILE, path.read_bytes(), mode=0o600)
    finally:
        locked.close()
    with Store.beside(state_dir, clock, random) as store:
        store.logbook.append("store restored", {"backup": path.name}, who)
    return found, aside


def _put_aside(state_dir: Path, clock: StoreClock) -> Path | None:
    """Copies what is there into a directory beside; nothing is taken away yet."""
    names = [DATABASE_FILE, *(DATABASE_FILE + log for log in _LOGS), KEY_FILE]
    there = [state_dir / name for name in names if (state_dir / name).exists()]
    if not there:
        return None
    aside = state_dir / f"before-restore-{clock.wall_us() // 1_000_000}"
    number = 0
    while aside.exists():
        number += 1
        aside = aside.with_name(f"{aside.name}.{number}")
    aside.mkdir(mode=0o700)
    for old in there:
        shutil.copy2(old, aside / old.name)
        _sync(aside / old.name)
    sync_directory(aside)
    sync_directory(state_dir)
    return aside


@contextmanager
def _copied_key(key_file: Path, folder: Path) -> Iterator[None]:
    key = load_key(key_file, may_create=False)
    write_whole(folder / KEY_FILE, key, mode=0o600)
    try:
        with closing(sqlite3.connect(folder / DATABASE_FILE)) as database:
            database.execute("SELECT id FROM machine").fetchone()
        yield
    except sqlite3.DatabaseError as error:
        raise StoreError("store.damaged", path=folder / DATABASE_FILE, reason=str(error)) from error


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _named(error: OSError, path: Path) -> StoreError:
    return StoreError("store.cannot_open", path=error.filename or path, reason=error.strerror)


class _Still:
    """No time passes while a copy is looked at."""

    def now_us(self) -> int:
        return 0

    def wall_us(self) -> int:
        return 0
