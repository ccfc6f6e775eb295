"""Opening the store: keys, locks, permissions, full and failing disks, each with its sentence."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

import pytest

from controller.errors import StoreError
from controller.store import BoardEntry, Kind, Observation, Store
from controller.store.store import RESERVE_BYTES
from tests.unit.store.support import DEAL, StepClock, add_set, open_store


def begin_board(store: Store):
    return store.journal.open_board(add_set(store), 1, 1, profile="standard", design="standard")


def test_all_is_there_after_opening_again(tmp_path: Path):
    with open_store(tmp_path / "state") as store:
        machine, set_id = store.machine, add_set(store, 3)
    with open_store(tmp_path / "state") as store:
        assert store.machine == machine
        assert store.sets.boards(set_id) == [
            BoardEntry(number, "N", "None", DEAL) for number in (1, 2, 3)
        ]
        assert add_set(store, 3) == set_id


def test_another_set_of_the_same_code_is_refused(tmp_path: Path):
    with open_store() as store:
        add_set(store, 3)
        with pytest.raises(StoreError, match="^Another set with the code ABCD-2 is kept already"):
            add_set(store, 2)


def test_keys_differ_though_clock_and_random_source_are_replayed(tmp_path: Path):
    keys = []
    for _ in range(2):
        with open_store(tmp_path) as store:
            keys += [add_set(store, code=f"SET{len(keys)}")]
    assert keys[0] != keys[1]


def test_only_the_owner_can_read_the_files(tmp_path: Path):
    state = tmp_path / "state"
    with open_store(state) as store:
        begin_board(store)
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in state.iterdir()}
    assert stat.S_IMODE(state.stat().st_mode) == 0o700
    lock = modes.pop("lock")
    assert lock & 0o022 == 0
    assert modes.keys() >= {"machine.key", "predeal.db", "predeal.db-wal"}
    assert set(modes.values()) == {0o600}


def test_a_second_program_is_refused_and_the_first_frees_the_store(tmp_path: Path):
    with (
        open_store(tmp_path),
        pytest.raises(StoreError, match="is in use by another run of Predeal"),
    ):
        open_store(tmp_path)
    open_store(tmp_path).close()


def test_close_twice_and_use_after_close():
    store = open_store()
    store.close()
    store.close()
    with pytest.raises(StoreError, match="closed already"):
        store.logbook.entries()


def test_key_that_is_missing_is_not_made_anew(tmp_path: Path):
    open_store(tmp_path).close()
    (tmp_path / "machine.key").unlink()
    with pytest.raises(StoreError, match=r"The machine key .*machine\.key is missing"):
        open_store(tmp_path)
    assert not (tmp_path / "machine.key").exists()


def test_key_that_others_can_read_is_refused(tmp_path: Path):
    open_store(tmp_path).close()
    (tmp_path / "machine.key").chmod(0o640)
    with pytest.raises(StoreError, match=r"can be read by others \(mode 0640\)"):
        open_store(tmp_path)


def test_key_of_a_wrong_length_is_refused(tmp_path: Path):
    open_store(tmp_path).close()
    (tmp_path / "machine.key").write_bytes(b"short")
    with pytest.raises(StoreError, match="does not have the length of a key"):
        open_store(tmp_path)


def test_key_of_another_store_is_refused(tmp_path: Path):
    open_store(tmp_path / "a").close()
    open_store(tmp_path / "b").close()
    shutil.copy(tmp_path / "a" / "machine.key", tmp_path / "b" / "machine.key")
    with pytest.raises(StoreError, match="is not the one that this store was sealed with"):
        open_store(tmp_path / "b")


def test_twin_and_real_machine_do_not_share_a_store(tmp_path: Path):
    with open_store(tmp_path, twin=True) as store:
        add_set(store)
    # As long as only sets were kept it can become either.
    with open_store(tmp_path, twin=False) as store:
        begin_board(store)
    with pytest.raises(StoreError, match="the two are never mixed"):
        open_store(tmp_path, twin=True)


def test_a_failed_opening_leaves_nothing_locked(tmp_path: Path):
    with open_store(tmp_path, twin=False) as store:
        begin_board(store)
    for _ in range(2):
        with pytest.raises(StoreError, match="never mixed"):
            open_store(tmp_path, twin=True)
    open_store(tmp_path, twin=False).close()


def test_a_store_of_a_newer_program_is_refused(tmp_path: Path):
    with open_store(tmp_path) as store, store.context.database.transaction() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreError, match=r"newer Predeal \(revision 9999, this one knows 0003\)"):
        open_store(tmp_path)


def test_what_is_no_database_is_told(tmp_path: Path):
    open_store(tmp_path).close()
    (tmp_path / "predeal.db").write_bytes(b"deal me in " * 1000)
    with pytest.raises(StoreError, match=r"predeal\.db is damaged"):
        open_store(tmp_path)


def test_a_place_that_is_no_directory_is_told(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"cannot be opened \(Not a directory\)"):
        open_store(tmp_path / "file" / "state")


def test_disk_full_is_told_and_nothing_confirmed_is_lost(tmp_path: Path):
    with open_store(tmp_path) as store:
        dealing = begin_board(store)
        with store.context.database.transaction() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages + 2}")
        confirmed = 0
        with pytest.raises(StoreError, match=r"^The disk of .*predeal\.db is full") as caught:
            for confirmed in range(1_000):
                store.journal.intent(dealing, confirmed + 1, 0, 0)
        assert caught.value.code == "store.full"
        assert confirmed > 0
        assert len(store.journal.rows(dealing)) == confirmed
        with store.context.database.transaction() as connection:
            connection.exec_driver_sql("PRAGMA max_page_count = 100000")
        store.journal.record(dealing, [Observation(Kind.NOTE, detail="room again")])
        assert len(store.journal.rows(dealing)) == confirmed + 1


def test_read_only_is_told(tmp_path: Path):
    with open_store(tmp_path) as store:
        dealing = begin_board(store)
        with store.context.database.transaction() as connection:
            connection.exec_driver_sql("PRAGMA query_only = ON")
        with pytest.raises(StoreError, match=r"predeal\.db can only be read, not written"):
            store.journal.intent(dealing, 1, 0, 0)


def test_little_room_is_told_before_a_board(tmp_path: Path, monkeypatch):
    with open_store(tmp_path) as store:
        store.require_room()
        usage = shutil._ntuple_diskusage(10**9, 10**9 - 5_000_000, 5_000_000)
        monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)
        with pytest.raises(StoreError, match="^Only 5 MB are free at .* less than 33 MB"):
            store.require_room(RESERVE_BYTES)
    with open_store() as store:
        store.require_room()


def test_in_memory_nothing_is_written(tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with Store.open(None, StepClock(), os.urandom) as store:
        begin_board(store)
    assert list(tmp_path.iterdir()) == []
