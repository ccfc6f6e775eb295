"""The logbook can only be added to, and a change anywhere shows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Connection

from controller.errors import StoreError
from controller.store import Store, Who
from tests.unit.store.support import StepClock, open_store, seeded


def fill(store: Store) -> None:
    for number in range(5):
        store.logbook.append("hands shown", {"board": number}, Who("Ann", "director"))


def beside(state_dir: Path) -> Store:
    return Store.beside(state_dir, StepClock(), seeded(5))


def change(store: Store, statement: str) -> None:
    with store.context.database.transaction() as connection:
        connection.exec_driver_sql(statement)


def test_entries_tell_who_did_what_and_follow_each_other(tmp_path: Path):
    with open_store(tmp_path) as store:
        fill(store)
    with open_store(tmp_path) as store:
        store.logbook.append("started")
        entries = store.logbook.entries()
        assert [entry.number for entry in entries] == [1, 2, 3, 4, 5, 6]
        assert [entry.opening for entry in entries] == [1, 1, 1, 1, 1, 2]
        assert (entries[2].actor, entries[2].role) == ("Ann", "director")
        assert (entries[2].what, entries[2].details) == ("hands shown", '{"board": 2}')
        assert entries[0].previous == bytes(32)
        assert entries[3].previous == entries[2].digest(store.machine)
        assert store.logbook.broken() == []


@pytest.mark.parametrize("statement", ["UPDATE logbook SET actor = 'x'", "DELETE FROM logbook"])
def test_rows_cannot_be_changed(statement):
    with open_store() as store:
        fill(store)
        with pytest.raises(StoreError, match="the logbook can only be added to"):
            change(store, statement)


@pytest.mark.parametrize(
    ("statement", "broken"),
    [
        ("UPDATE logbook SET actor = 'Bob' WHERE number = 2", [3]),
        ("UPDATE logbook SET details = '{}' WHERE number = 4", [5]),
        ("UPDATE logbook SET wall_us = 0 WHERE number = 1", [2]),
        ("UPDATE logbook SET previous = zeroblob(32) WHERE number = 3", [3, 4]),
        ("DELETE FROM logbook WHERE number = 3", [4]),
        ("DELETE FROM logbook WHERE number = 1", [2]),
        ("UPDATE logbook SET actor = 'Bob' WHERE number = 5", [6]),
        ("DELETE FROM logbook WHERE number = 5", [5]),
        ("DELETE FROM logbook", [1]),
    ],
)
def test_a_change_behind_the_programs_back_shows(statement, broken):
    with open_store() as store:
        fill(store)
        change(store, "DROP TRIGGER logbook_no_update")
        change(store, "DROP TRIGGER logbook_no_delete")
        change(store, statement)
        assert store.logbook.broken() == broken


def test_a_row_that_the_machine_adds_during_the_check_is_not_accused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    with open_store(tmp_path) as machine, beside(tmp_path) as reader:
        fill(machine)
        transaction = reader.context.database.transaction

        @contextmanager
        def then_a_row() -> Iterator[Connection]:
            with transaction() as connection:
                yield connection
            machine.logbook.append("meanwhile")  # at the first instant at which it can

        monkeypatch.setattr(reader.context.database, "transaction", then_a_row)
        assert reader.logbook.broken() == []
        assert machine.logbook.entries()[-1].what == "meanwhile"


def test_a_printed_head_is_found_again():
    with open_store() as store:
        assert store.logbook.head() == (0, "0" * 64)
        fill(store)
        number, digest = store.logbook.head()
        assert (number, digest) == (5, store.logbook.entries()[-1].digest(store.machine).hex())
        store.logbook.append("later")
        assert store.logbook.holds(5, digest)
        assert store.logbook.holds(5, f"{digest[:4].upper()}-{digest[4:8]}")
        assert not store.logbook.holds(4, digest)
        assert not store.logbook.holds(9, digest)
        for short in ("", digest[:7], "not hexadecimal"):
            with pytest.raises(ValueError):
                store.logbook.holds(5, short)
