"""The journal: one piece per card, states only move forward, nothing is dealt twice unknowingly."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from controller.errors import StoreError
from controller.store import (
    BoardJournal,
    DealingId,
    DealingState,
    Journal,
    Kind,
    Observation,
    SetId,
    Store,
    Who,
)
from tests.unit.store.support import add_set, open_store


@pytest.fixture
def store():
    with open_store() as opened:
        yield opened


@pytest.fixture
def journal(store: Store) -> Journal:
    return store.journal


@pytest.fixture
def set_id(store: Store) -> SetId:
    return add_set(store)


def open_board(journal: Journal, set_id: SetId, board: int = 1, copy: int = 1) -> DealingId:
    return journal.open_board(set_id, board, copy, profile="standard", design="standard")


def test_intent_keeps_what_was_seen_before_it_in_order(journal, set_id):
    dealing = open_board(journal, set_id)
    journal.begin_run(dealing, 7)
    journal.intent(dealing, 1, 51, 3, [Observation(Kind.SEEN, 1), Observation(Kind.READ, 1, 51)])
    journal.record(dealing, [Observation(Kind.LANDED, 1, pocket=3, detail="late", mono_us=99)])
    rows = journal.rows(dealing)
    assert [(row.number, row.run, row.kind, row.feed, row.card, row.pocket) for row in rows] == [
        (1, 7, Kind.RUN, None, None, None),
        (2, 7, Kind.SEEN, 1, None, None),
        (3, 7, Kind.READ, 1, 51, None),
        (4, 7, Kind.INTENT, 1, 51, 3),
        (5, 7, Kind.LANDED, 1, None, 3),
    ]
    assert (rows[4].detail, rows[4].mono_us) == ("late", 99)


def test_intent_is_all_or_nothing(journal, set_id):
    dealing = open_board(journal, set_id)
    bad = Observation(Kind.SEEN, feed=object())  # type: ignore[arg-type]
    with pytest.raises(StoreError):
        journal.intent(dealing, 1, 0, 0, [Observation(Kind.SEEN, 1), bad])
    assert journal.rows(dealing) == []
    journal.intent(dealing, 1, 0, 0, [Observation(Kind.SEEN, 1)])
    assert [row.number for row in journal.rows(dealing)] == [1, 2]


def test_intent_is_committed_when_it_returns(tmp_path: Path):
    with open_store(tmp_path) as store:
        dealing = open_board(store.journal, add_set(store))
        store.journal.intent(dealing, 1, 0, 0, [Observation(Kind.SEEN, 1)])
        other = sqlite3.connect(tmp_path / "predeal.db")
        try:
            assert other.execute("SELECT count(*) FROM journal").fetchone() == (2,)
            assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        finally:
            other.close()


def test_unknown_card_has_an_intent_too(journal, set_id):
    board = BoardJournal(journal, open_board(journal, set_id))
    board.begin_run(1)
    board.intent(1, None, 4)
    board.record([Observation(Kind.LANDED, 1, pocket=4)])
    assert [(row.card, row.pocket) for row in journal.rows(board.dealing)][1:] == [
        (None, 4),
        (None, 4),
    ]
    board.close(DealingState.STOPPED, "unreadable card")
    assert journal.interrupted() == []


def test_one_board_at_a_time(journal, set_id):
    open_board(journal, set_id, board=2, copy=3)
    with pytest.raises(StoreError, match="^Board 2, copy 3 is still under way on this machine"):
        open_board(journal, set_id, board=1)


def test_the_database_itself_refuses_a_second_open_board(tmp_path: Path):
    with open_store(tmp_path) as store:
        open_board(store.journal, add_set(store))
    database = sqlite3.connect(tmp_path / "predeal.db")
    try:
        names = [row[1] for row in database.execute("PRAGMA table_info(dealing)")]
        columns = ", ".join(names)
        changed = ", ".join({"id": "'x'", "board": "2"}.get(name, name) for name in names)
        with pytest.raises(sqlite3.IntegrityError, match="UNIQUE"):
            database.execute(f"INSERT INTO dealing ({columns}) SELECT {changed} FROM dealing")
    finally:
        database.close()


def test_a_proven_copy_is_not_dealt_again(journal, set_id):
    journal.close_board(open_board(journal, set_id), DealingState.PROVEN)
    with pytest.raises(StoreError, match="^Copy 1 of board 1 was dealt and proven before"):
        open_board(journal, set_id)
    open_board(journal, set_id, copy=2)


def test_a_void_copy_is_dealt_again_as_the_next_attempt(journal, set_id):
    first = open_board(journal, set_id)
    journal.close_board(first, DealingState.PROVEN)
    journal.close_board(first, DealingState.VOID, "lid opened unwatched")
    assert journal.copies_dealt(set_id, 1) == []
    second = open_board(journal, set_id)
    journal.close_board(second, DealingState.PROVEN)
    [dealt] = journal.copies_dealt(set_id, 1)
    assert (dealt.dealing, dealt.copy, dealt.attempt, dealt.design) == (second, 1, 2, "standard")


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (DealingState.STOPPED, DealingState.PROVEN),
        (DealingState.VOID, DealingState.PROVEN),
        (DealingState.PROVEN, DealingState.STOPPED),
        (DealingState.PROVEN, DealingState.PROVEN),
        (DealingState.PROVEN, DealingState.OPEN),
        (DealingState.STOPPED, DealingState.VOID),
    ],
)
def test_states_only_move_forward(journal, set_id, first, then):
    dealing = open_board(journal, set_id)
    journal.close_board(dealing, first)
    with pytest.raises(StoreError, match=f"cannot become “{then}”"):
        journal.close_board(dealing, then)


def test_copies_dealt_are_told_in_order(journal, set_id):
    for copy in (2, 1, 3):
        dealing = open_board(journal, set_id, copy=copy)
        state = DealingState.STOPPED if copy == 3 else DealingState.PROVEN
        journal.close_board(dealing, state)
    assert [dealt.copy for dealt in journal.copies_dealt(set_id, 1)] == [1, 2]
    assert journal.copies_dealt(set_id, 2) == []


def test_a_dealing_of_another_life_is_found_and_goes_on(tmp_path: Path):
    with open_store(tmp_path) as store:
        set_id = add_set(store)
        dealing = store.journal.open_board(
            set_id, 3, 2, profile="fast", design="d", who=Who("Ann", "operate")
        )
        store.journal.begin_run(dealing, 5)
        store.journal.record(dealing, [Observation(Kind.CREDIT, 2)])
        store.journal.intent(dealing, 1, 9, 2)
    with open_store(tmp_path) as store:
        [found] = store.journal.interrupted()
        assert (found.dealing, found.set_id, found.board, found.copy) == (dealing, set_id, 3, 2)
        assert (found.attempt, found.profile, found.design) == (1, "fast", "d")
        assert [card.where for card in found.cards[:3]] == ["in flight", "in flight", "hopper"]
        store.journal.record(dealing, [Observation(Kind.LANDED, 1, pocket=2)])
        rows = store.journal.rows(dealing)
        assert [(row.number, row.run) for row in rows] == [(1, 5), (2, 5), (3, 5), (4, 5)]
        store.journal.close_board(dealing, DealingState.STOPPED, "interrupted")
        assert store.journal.interrupted() == []
