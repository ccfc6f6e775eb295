"""Checks, backups and restores: damage is named, keys are told apart, nothing is lost on the way."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from controller.errors import StoreError
from controller.store import DealingState, Store, Who
from controller.store.upkeep import backup, check, examine, restore
from tests.unit.store.support import StepClock, add_set, open_store, quick_passphrases, seeded
from tests.unit.store.test_sets import PHRASE, deal_board, director

WHO = Who("Bo", "operate")


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A store with two sets, a proven board, and a logbook."""
    state = tmp_path / "state"
    with open_store(state) as store:
        set_id = add_set(store, 3)
        add_set(store, 2, code="OTHER")
        store.journal.close_board(deal_board(store, set_id), DealingState.PROVEN)
        store.logbook.append("something", {"board": 1})
    return state


def damage(state: Path, statement: str) -> None:
    database = sqlite3.connect(state / "predeal.db")
    with database:
        database.execute("PRAGMA writable_schema = OFF")
        database.execute(statement)
    database.close()


def test_a_sound_store_is_called_sound(state: Path):
    with open_store(state) as store:
        found = check(store)
        assert found.problems == ()
        assert (found.sets, found.boards, found.dealings, found.entries) == (2, 5, 1, 1)
        assert found.head == store.logbook.head()[1]


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("UPDATE set_board SET sealed_deal = zeroblob(90) WHERE number = 3", "store.check_set"),
        ("DELETE FROM set_board WHERE number = 3", "store.check_set"),
        ("UPDATE journal SET sealed = zeroblob(44) WHERE number = 9", "store.check_journal"),
        ("UPDATE dealing SET set_id = 'gone'", "store.check_reference"),
        ("UPDATE machine SET logbook_tag = zeroblob(32)", "logbook.broken_at"),
    ],
)
def test_damage_is_named(state: Path, statement: str, code: str):
    damage(state, statement)
    with open_store(state) as store:
        assert code in [problem for problem, _ in check(store).problems]


def test_damaged_pages_are_named(state: Path):
    path = state / "predeal.db"
    with open_store(state) as store, store.context.database.transaction() as connection:
        root = connection.exec_driver_sql(
            "SELECT rootpage FROM sqlite_master WHERE name = 'ix_set_board_fingerprint'"
        ).scalar_one()
        size = connection.exec_driver_sql("PRAGMA page_size").scalar_one()
    content = bytearray(path.read_bytes())
    content[(root - 1) * size + 8 : (root - 1) * size + 40] = bytes(32)
    path.write_bytes(content)
    with open_store(state) as store:
        assert "store.check_pages" in [problem for problem, _ in check(store).problems]


def test_a_backup_is_made_while_a_board_is_dealt(state: Path, tmp_path: Path):
    copy, key = tmp_path / "copy.db", tmp_path / "copy.key"
    with open_store(state) as store:
        set_id = store.sets.find("ABCD-2").id
        dealing = deal_board(store, set_id, 2)
        with Store.beside(state, StepClock(), seeded(2)) as beside:
            found = backup(beside, copy, key)
        store.journal.close_board(dealing, DealingState.PROVEN)
    assert (found.open_dealings, found.dealings) == (1, 2)
    assert [path.stat().st_mode & 0o777 for path in (copy, key)] == [0o600, 0o600]
    assert key.read_bytes() == (state / "machine.key").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.db", "copy.key", "state"]
    assert key.read_bytes() not in copy.read_bytes()


def test_a_restore_brings_all_of_it_back_and_keeps_what_was_there(state: Path, tmp_path: Path):
    copy = tmp_path / "copy.db"
    with open_store(state) as store:
        machine = store.machine
        backup(store, copy)
        store.logbook.append("after the backup")
    found, aside = restore(copy, state / "machine.key", state, StepClock(), seeded(3), WHO)
    assert (found.sets, found.boards) == (2, 5)
    with open_store(state) as store:
        assert store.machine == machine
        assert [entry.what for entry in store.logbook.entries()] == ["something", "store restored"]
        assert len(store.journal.copies_dealt(store.sets.find("ABCD-2").id, 1)) == 1
        assert check(store).problems == ()
    assert aside is not None
    with open_store(aside) as old:
        assert [entry.what for entry in old.logbook.entries()] == ["something", "after the backup"]


def test_a_restore_to_another_machine_needs_its_key(state: Path, tmp_path: Path):
    copy, key, place = tmp_path / "copy.db", tmp_path / "copy.key", tmp_path / "new"
    with open_store(state) as store:
        backup(store, copy, key)
    with pytest.raises(StoreError, match="machine.key is missing"):
        restore(copy, place / "machine.key", place, StepClock(), seeded(), WHO)
    wrong = tmp_path / "wrong.key"
    wrong.write_bytes(os.urandom(32))
    wrong.chmod(0o600)
    with pytest.raises(StoreError) as caught:
        restore(copy, wrong, place, StepClock(), seeded(), WHO)
    assert caught.value.code == "store.key_wrong"
    assert [path.name for path in place.iterdir()] == []
    _, aside = restore(copy, key, place, StepClock(), seeded(), WHO)
    assert aside is None
    with open_store(place) as store:
        assert len(store.sets.boards(store.sets.find("ABCD-2").id)) == 3


def test_a_sealed_set_comes_back_sealed(state: Path, tmp_path: Path, monkeypatch):
    quick_passphrases(monkeypatch)
    copy, key, place = tmp_path / "copy.db", tmp_path / "copy.key", tmp_path / "new"
    with open_store(state) as store:
        store.states.seal(store.sets.find("ABCD-2").id, director(store))
        assert backup(store, copy, key).sealed == 1
    restore(copy, key, place, StepClock(), seeded(), WHO)
    with open_store(place) as store:
        set_id = store.sets.find("ABCD-2").id
        with pytest.raises(StoreError, match="is sealed"):
            store.sets.boards(set_id)
        permit = store.directors.enter("Ann", PHRASE, "test")
        assert len(store.sets.boards(set_id, permit)) == 3


def test_a_damaged_backup_is_not_restored(state: Path, tmp_path: Path):
    copy = tmp_path / "copy.db"
    with open_store(state) as store:
        backup(store, copy)
    damage_file = sqlite3.connect(copy)
    with damage_file:
        damage_file.execute("UPDATE set_board SET sealed_deal = zeroblob(90) WHERE number = 3")
    damage_file.close()
    before = (state / "predeal.db").read_bytes()
    with pytest.raises(StoreError, match=r"is damaged \(1 faults\); the store was left as it is"):
        restore(copy, state / "machine.key", state, StepClock(), seeded(), WHO)
    copy.write_bytes(b"no database " * 500)
    with pytest.raises(StoreError, match="is damaged"):
        restore(copy, state / "machine.key", state, StepClock(), seeded(), WHO)
    with pytest.raises(StoreError, match="There is no backup at"):
        examine(tmp_path / "none.db", state / "machine.key", tmp_path)
    assert (state / "predeal.db").read_bytes() == before
    assert sorted(path.name for path in state.iterdir()) == ["lock", "machine.key", "predeal.db"]


def test_a_store_in_use_is_not_replaced(state: Path, tmp_path: Path):
    copy = tmp_path / "copy.db"
    with open_store(state) as store:
        backup(store, copy)
        with pytest.raises(StoreError, match="in use by another run"):
            restore(copy, state / "machine.key", state, StepClock(), seeded(), WHO)


def test_nothing_is_written_over(state: Path, tmp_path: Path):
    (tmp_path / "there").write_text("mine")
    with open_store(state) as store:
        for places in ((tmp_path / "there", None), (tmp_path / "new", tmp_path / "there")):
            with pytest.raises(StoreError, match="is there already and is not written over"):
                backup(store, *places)
        with pytest.raises(StoreError, match="cannot be opened"):
            backup(store, tmp_path / "none" / "copy.db")
    assert (tmp_path / "there").read_text() == "mine"
    with open_store() as store, pytest.raises(StoreError, match="in memory only"):
        backup(store, tmp_path / "memory.db")
