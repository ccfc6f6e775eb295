"""The write-ahead log is moved into the database between boards, never beside moving cards."""

from __future__ import annotations

import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from controller.store import DealingState, Kind, Observation, Store, Who
from controller.store import database as database_module
from controller.store.director import Directors
from controller.store.settling import settle
from tests.unit.store.support import StepClock, add_set, open_store, quick_passphrases, seeded

ANNA = Who("anna", "operate")
PAGE = 4_096
SQLITE_S_OWN = 1_000 * PAGE
"""By itself SQLite moves a log of this size in whichever transaction fills it."""
WRITTEN_AT_LEAST = 50 * 900
"""Of details, by one `write`."""


def begin(store: Store, set_id, board: int = 1):
    dealing = store.journal.open_board(set_id, board, 1, profile="standard", design="standard")
    store.journal.begin_run(dealing, 1)
    return dealing


def write_much(store: Store, dealing, size: int = SQLITE_S_OWN * 5 // 4) -> None:
    """Observations that take *size* bytes of the log and more."""
    for _ in range(size // WRITTEN_AT_LEAST + 1):
        write(store, dealing)


def write(store: Store, dealing) -> None:
    seen = [Observation(Kind.SEEN, 1, detail="x" * 900) for _ in range(50)]
    store.journal.record(dealing, seen)


def log(store: Store) -> int:
    assert store.state_dir is not None
    return (store.state_dir / "predeal.db-wal").stat().st_size


def database(state: Path) -> bytes:
    # By another process: to close the file here would take away the locks of the connection.
    return subprocess.run(["cat", state / "predeal.db"], capture_output=True, check=True).stdout


def alone(state: Path, file: Path) -> list[str]:
    """States of the boards that the database tells without its log; none while half is moved."""
    file.write_bytes(database(state))
    with closing(sqlite3.connect(file)) as copy:
        try:
            return [row[0] for row in copy.execute("SELECT state FROM dealing ORDER BY board")]
        except sqlite3.DatabaseError:
            return []


def enter(directors: Directors):
    return directors.enter("eva", "a long enough passphrase", "seal")


def test_no_page_moves_while_a_board_is_under_way_and_all_do_after_it(tmp_path: Path):
    with open_store(tmp_path / "state") as store:
        set_id = add_set(store)
        dealing = begin(store, set_id)
        before = database(tmp_path / "state")
        write_much(store, dealing)
        assert database(tmp_path / "state") == before
        assert log(store) > SQLITE_S_OWN
        store.journal.close_board(dealing, DealingState.PROVEN)
        assert alone(tmp_path / "state", tmp_path / "a") == ["proven"]
        assert log(store) > database_module.LOG_KEPT_BYTES
        store.journal.close_board(begin(store, set_id, 2), DealingState.PROVEN)
        assert alone(tmp_path / "state", tmp_path / "b") == ["proven", "proven"]
        assert log(store) <= database_module.LOG_KEPT_BYTES, "the log is begun again, and cut"


def test_a_second_connection_moves_none_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Not with what it writes, not with what it erases, and not when it closes."""
    quick_passphrases(monkeypatch)
    state = tmp_path / "state"
    with open_store(state) as store:
        store.directors.set("eva", "a long enough passphrase")
        other = add_set(store, code="OTHER-2")
        dealing = begin(store, add_set(store))
        before = database(state)
        write_much(store, dealing)
        with Store.beside(state, StepClock(), seeded(2)) as beside:
            beside.logbook.append("something", {}, ANNA)
            beside.states.seal(other, enter(beside.directors))
            beside.logbook.append("something", {}, ANNA)
        assert database(state) == before
        store.journal.close_board(dealing, DealingState.STOPPED, "jam")
        assert alone(state, tmp_path / "a") == ["stopped"]
        assert log(store) < 20 * PAGE, "what was sealed is erased from the log as soon as may be"


def test_a_second_connection_moves_what_it_wrote_between_boards(tmp_path: Path):
    state = tmp_path / "state"
    with open_store(state) as store:
        add_set(store)
        with Store.beside(state, StepClock(), seeded(2)) as beside:
            set_id = add_set(beside, code="LATER-2")
        (tmp_path / "alone.db").write_bytes(database(state))
        with closing(sqlite3.connect(tmp_path / "alone.db")) as copy:
            assert (set_id,) in copy.execute("SELECT id FROM deal_set").fetchall()


def test_a_board_ends_although_somebody_reads_and_the_next_end_makes_up_for_it(tmp_path: Path):
    state = tmp_path / "state"
    with open_store(state) as store:
        set_id = add_set(store)
        dealing = begin(store, set_id)
        with closing(sqlite3.connect(state / "predeal.db", isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM journal").fetchone()
            store.journal.close_board(dealing, DealingState.PROVEN)
            assert alone(state, tmp_path / "a") != ["proven"]
        store.journal.close_board(begin(store, set_id, 2), DealingState.PROVEN)
        assert alone(state, tmp_path / "b") == ["proven", "proven"]


def test_what_could_not_be_erased_is_owed(tmp_path: Path):
    with open_store(tmp_path) as store:
        set_id = add_set(store)
        write_much(store, dealing := begin(store, set_id), 100 * PAGE)
        assert not settle(store.context, erase=True)
        store.journal.close_board(dealing, DealingState.PROVEN)
        assert log(store) < 20 * PAGE
        write_much(store, dealing := begin(store, set_id, 2), 100 * PAGE)
        store.journal.close_board(dealing, DealingState.PROVEN)
        assert log(store) > 100 * PAGE, "what is owed is owed once"


def test_a_log_that_cannot_be_moved_leaves_the_patience_with_others_as_it_was(tmp_path: Path):
    def refuse(_action: int, what: str | None, *_rest: str | None) -> int:
        return sqlite3.SQLITE_DENY if what == "wal_checkpoint" else sqlite3.SQLITE_OK

    with open_store(tmp_path) as store:
        with store.context.database.transaction() as connection:
            raw = connection.connection.driver_connection
        assert isinstance(raw, sqlite3.Connection)
        patience = raw.execute("PRAGMA busy_timeout").fetchone()
        raw.set_authorizer(refuse)
        assert not store.context.database.settle(patience_ms=7)
        assert raw.execute("PRAGMA busy_timeout").fetchone() == patience
        raw.set_authorizer(None)
        assert store.context.database.settle(patience_ms=7)
        assert raw.execute("PRAGMA busy_timeout").fetchone() == patience


def test_a_board_that_never_ends_does_not_fill_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(database_module, "LOG_PAGES", 300)
    with open_store(tmp_path) as store:
        dealing = begin(store, add_set(store))
        for _ in range(60):
            write(store, dealing)
        assert (tmp_path / "predeal.db").stat().st_size > 600 * PAGE
        assert log(store) < 450 * PAGE


def test_a_store_that_was_killed_is_settled_when_its_board_is_closed(tmp_path: Path):
    state, left = tmp_path / "state", tmp_path / "left"
    with open_store(state) as store:
        write_much(store, begin(store, add_set(store)), 100 * PAGE)
        # As a program that is killed leaves it.
        subprocess.run(["cp", "-a", state, left], check=True)
    with open_store(left) as store:
        (board,) = store.journal.interrupted()
        assert alone(left, tmp_path / "a") != ["stopped"]
        store.journal.close_board(board.dealing, DealingState.STOPPED, "interrupted")
        assert alone(left, tmp_path / "b") == ["stopped"]
        assert len(store.journal.rows(board.dealing)) > 50
