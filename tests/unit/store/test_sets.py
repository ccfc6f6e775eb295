"""Sets in the store: their state, their keys, and what a sealed one still tells."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from controller.errors import StoreError
from controller.store import BoardEntry, DealingState, Kind, Observation, Permit, SetId, Store, Who
from controller.store.vault import Vault
from tests.unit.store.support import DEAL, StepClock, add_set, open_store, quick_passphrases, seeded

PHRASE = "four words are long"
OTHER_DEAL = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch):
    quick_passphrases(monkeypatch)


def director(store: Store) -> Permit:
    store.directors.set("Ann", PHRASE)
    return store.directors.enter("Ann", PHRASE, "test")


def deal_board(store: Store, set_id: SetId, board: int = 1, copy: int = 1):
    dealing = store.journal.open_board(set_id, board, copy, profile="standard", design="standard")
    store.journal.begin_run(dealing, 1)
    for feed in range(1, 53):
        store.journal.intent(dealing, feed, feed - 1, feed % 4, [Observation(Kind.READ, feed)])
    return dealing


def files(state: Path) -> bytes:
    return b"".join(path.read_bytes() for path in state.iterdir() if path.is_file())


# -- what is kept about a set ---------------------------------------------------------------


def test_a_set_remembers_what_it_is_for():
    with open_store() as store:
        set_id = store.sets.add(
            code="NYX-3MQ-Y73",
            name="friday.dup",
            source=b"file",
            boards=[BoardEntry(n, "N", "None", DEAL) for n in (1, 2)],
            laws=2007,
            origin="generated",
            about={"event": "Friday pairs", "date": "2026-11-27", "title": ""},
        )
        info = store.sets.info(set_id)
        assert (info.laws, info.origin, info.boards) == (2007, "generated", 2)
        assert info.about == {"event": "Friday pairs", "date": "2026-11-27"}
        assert store.states.describe(set_id, {"event": "Teams"}).about == {"event": "Teams"}
        with pytest.raises(StoreError, match="“deal” is nothing that is kept"):
            store.states.describe(set_id, {"deal": DEAL})


def test_a_set_is_found_as_people_name_it():
    with open_store() as store:
        one = add_set(store, code="NYX-3MQ-Y73")
        two = add_set(store, 2, code="KH7-4MQ-9RN")
        for name in ("NYX-3MQ-Y73", "nyx 3mq y73", "NYX3MQY73", one):
            assert store.sets.find(name).id == one
        assert store.sets.find(two).id == two
        with pytest.raises(StoreError, match=r"Several sets are called “club\.dup”.*NYX-3MQ-Y73"):
            store.sets.find("club.dup")
        with pytest.raises(StoreError, match="No set “other” is kept"):
            store.sets.find("other")
        with pytest.raises(ValueError, match="NYX-3MQ-Y37"):
            store.sets.find("NYX-3MQ-Y37")


def test_a_set_is_live_until_its_play_is_said_to_have_ended():
    with open_store() as store:
        set_id, permit = add_set(store), director(store)
        assert store.sets.info(set_id).live
        deal_board(store, set_id)
        assert store.states.retire(set_id, "pack torn", Who("Bo", "operate")).live
        ended = store.states.end(set_id, permit)
        assert not ended.live
        entries = [(e.actor, e.what) for e in store.logbook.entries()[-2:]]
        assert entries == [("Bo", "set retired"), ("Ann", "set ended")]
        count = len(store.logbook.entries())
        assert store.states.end(set_id, permit) == ended
        assert len(store.logbook.entries()) == count


def test_a_retired_set_is_not_dealt_any_more():
    with open_store() as store:
        set_id = add_set(store)
        store.states.require_dealable(set_id)
        store.states.retire(set_id)
        with pytest.raises(StoreError, match="Set ABCD-2 is retired and must not be dealt"):
            store.states.require_dealable(set_id)


def test_a_replaced_set_names_its_follower():
    with open_store() as store:
        old = add_set(store)
        boards = [BoardEntry(n, "N", "None", OTHER_DEAL if n == 2 else DEAL) for n in (1, 2)]
        new = store.sets.add(
            code="NEW", name="n", source=b"", boards=boards, replaces=old, redealt={2: 1}
        )
        assert [store.sets.info(old), store.sets.info(new)] == store.sets.infos()
        assert (store.sets.info(old).replaced_by, store.sets.info(new).replaces) == (new, old)
        assert {(info.id, info.replaced_by) for info, _ in store.sets.with_deals([DEAL])} == {
            (old, new),
            (new, None),
        }
        with pytest.raises(StoreError, match=r"replaced after a new deal .* Deal set NEW"):
            store.states.require_dealable(old)


def test_copies_of_boards_that_were_not_dealt_anew_count_for_the_new_set():
    with open_store() as store:
        old = add_set(store)
        for board in (1, 2):
            store.journal.close_board(deal_board(store, old, board), DealingState.PROVEN)
        boards = [BoardEntry(n, "N", "None", OTHER_DEAL if n == 2 else DEAL) for n in (1, 2)]
        new = store.sets.add(
            code="NEW", name="n", source=b"", boards=boards, replaces=old, redealt={2: 1}
        )
        assert [copy.copy for copy in store.journal.copies_dealt(new, 1)] == [1]
        assert store.journal.copies_dealt(new, 2) == []
        with pytest.raises(StoreError, match="Copy 1 of board 1"):
            deal_board(store, new, 1)
        store.journal.close_board(deal_board(store, new, 2), DealingState.PROVEN)


def test_a_deal_that_was_kept_before_is_known_again():
    with open_store() as store:
        set_id = add_set(store, 2)
        known = [(info.id, number) for info, number in store.sets.with_deals([DEAL, OTHER_DEAL])]
        assert known == [(set_id, 1), (set_id, 2)]
        assert store.sets.with_deals([OTHER_DEAL]) == []


# -- keys -----------------------------------------------------------------------------------


def test_one_set_is_looked_up_without_reading_what_is_said_of_the_others():
    with open_store() as store:
        one = add_set(store, 1, code="ONE")
        other = store.sets.add(
            code="TWO",
            name="two.dup",
            source=b"other",
            boards=[BoardEntry(1, "N", "None", OTHER_DEAL)],
        )
        with store.context.database.transaction() as connection:
            connection.exec_driver_sql("UPDATE deal_set SET about = '{' WHERE id = ?", (other,))
        assert store.sets.info(one).code == "ONE"
        assert [(info.id, n) for info, n in store.sets.with_deals([DEAL])] == [(one, 1)]
        assert store.sets.with_deals([]) == []


def test_a_deal_that_was_moved_to_another_board_does_not_open():
    with open_store() as store:
        set_id = add_set(store, 2)
        with store.context.database.transaction() as connection:
            connection.exec_driver_sql(
                "UPDATE set_board SET sealed_deal = "
                "(SELECT sealed_deal FROM set_board WHERE number = 1) WHERE number = 2"
            )
        with pytest.raises(StoreError) as caught:
            store.sets.boards(set_id)
        assert caught.value.code == "store.sealed_wrong"


def test_a_sealed_set_opens_with_the_director_only(tmp_path: Path):
    with open_store(tmp_path) as store:
        set_id, permit = add_set(store, 3), director(store)
        before = store.sets.boards(set_id)
        assert store.states.seal(set_id, permit).sealed
        with pytest.raises(StoreError, match=r"Set ABCD-2 is sealed: .* --passphrase-file"):
            store.sets.boards(set_id)
    with open_store(tmp_path) as store:
        permit = store.directors.enter("Ann", PHRASE, "test")
        assert store.sets.boards(set_id, permit) == before
        stranger = Permit("Eve", permit.role, os.urandom(32))
        with pytest.raises(StoreError, match="accounts have been reset"):
            store.sets.boards(set_id, stranger)


def test_an_admin_cannot_seal():
    with open_store() as store:
        set_id, permit = add_set(store), director(store)
        admin = Permit("Root", permit.role, b"")
        with pytest.raises(StoreError, match="Only a director can seal"):
            store.states.seal(set_id, admin)


def test_sealing_leaves_nothing_that_the_machine_key_opens(tmp_path: Path):
    with open_store(tmp_path) as store:
        set_id, permit = add_set(store, 2), director(store)
        store.journal.close_board(deal_board(store, set_id), DealingState.PROVEN)
        with store.context.database.transaction() as connection:
            old = [
                *connection.exec_driver_sql("SELECT wrapped_key FROM deal_set").scalars(),
                *connection.exec_driver_sql("SELECT source_tag FROM deal_set").scalars(),
                *connection.exec_driver_sql("SELECT wrapped_key FROM dealing").scalars(),
                *connection.exec_driver_sql("SELECT sealed_deal FROM set_board").scalars(),
                *connection.exec_driver_sql("SELECT fingerprint FROM set_board").scalars(),
            ]
        assert all(value in files(tmp_path) for value in old)
        store.states.seal(set_id, permit)
        assert [value for value in old if value in files(tmp_path)] == []
        # No tag either, with which whoever has the machine key could try deals.
        assert store.sets.with_deals([DEAL]) == []
        assert len(store.sets.with_deals([DEAL], permit)) == 2


def test_the_journal_of_a_sealed_board_can_be_read_until_it_ends(tmp_path: Path):
    with open_store(tmp_path) as store:
        set_id, permit = add_set(store, 2), director(store)
        store.states.seal(set_id, permit)
        dealing = deal_board(store, set_id)
    with open_store(tmp_path) as store:  # a crash: every card is still named
        (found,) = store.journal.interrupted()
        assert [fate.card for fate in found.cards] == list(range(52))
        store.journal.close_board(dealing, DealingState.PROVEN)
        assert {row.card for row in store.journal.rows(dealing)} == {None}
        assert [copy.copy for copy in store.journal.copies_dealt(set_id, 1)] == [1]
        with pytest.raises(StoreError):
            store.journal.record(dealing, [Observation(Kind.NOTE)])


def test_a_job_holds_its_boards_of_a_sealed_set_and_gives_them_back(tmp_path: Path):
    with open_store(tmp_path) as store:
        set_id, permit = add_set(store, 3), director(store)
        store.states.seal(set_id, permit)
        with pytest.raises(StoreError, match="is sealed"):
            store.sets.boards(set_id, numbers=[1, 2])
        store.states.lend_entries(set_id, store.sets.boards(set_id, permit, [1, 2]))
    with open_store(tmp_path) as store:  # the job goes on after a crash, without the director
        assert [entry.number for entry in store.sets.boards(set_id, numbers=[1, 2])] == [1, 2]
        with pytest.raises(StoreError, match="is sealed"):
            store.sets.boards(set_id, numbers=[3])
        with store.context.database.transaction() as connection:
            lent = connection.exec_driver_sql(
                "SELECT job_deal FROM set_board WHERE job_deal IS NOT NULL ORDER BY number"
            )
            one, two = lent.scalars()
        store.states.give_back(set_id, [1])
        assert one not in files(tmp_path)
        assert two in files(tmp_path)
        store.states.give_back(set_id)
        assert two not in files(tmp_path)
        with pytest.raises(StoreError, match="is sealed"):
            store.sets.boards(set_id, numbers=[2])


def test_a_board_under_way_keeps_its_set_from_being_sealed():
    with open_store() as store:
        set_id, permit = add_set(store), director(store)
        deal_board(store, set_id)
        with pytest.raises(StoreError, match="Board 1, copy 1"):
            store.states.seal(set_id, permit)


def test_a_sealed_set_that_is_read_again_from_its_file_is_the_same():
    with open_store() as store:
        set_id, permit = add_set(store), director(store)
        store.states.seal(set_id, permit)
        assert add_set(store) == set_id


def test_what_an_earlier_program_kept_is_read_as_it_is():
    with open_store() as store:
        set_id = add_set(store, 1)
        vault: Vault = store.context.vault
        with store.context.database.transaction() as connection:
            (key,) = connection.exec_driver_sql("SELECT id FROM set_board").scalars()
            connection.exec_driver_sql("UPDATE deal_set SET wrapped_key = NULL")
            connection.exec_driver_sql(
                "UPDATE set_board SET sealed_deal = ?", (vault.seal(DEAL.encode(), key),)
            )
        assert [entry.deal for entry in store.sets.boards(set_id)] == [DEAL]
        store.states.seal(set_id, director(store))
        with pytest.raises(StoreError, match="is sealed"):
            store.sets.boards(set_id)


# -- beside the machine ---------------------------------------------------------------------


def test_a_second_connection_works_beside_the_machine(tmp_path: Path):
    with open_store(tmp_path) as store:
        set_id = add_set(store)
        dealing = deal_board(store, set_id)
        with Store.beside(tmp_path, StepClock(), seeded(2)) as beside:
            assert beside.context.twin
            assert beside.machine == store.machine
            beside.states.retire(set_id)
            other = add_set(beside, 2, code="OTHER")
        store.journal.close_board(dealing, DealingState.PROVEN)
        assert store.sets.info(set_id).retired_wall_us is not None
        with pytest.raises(StoreError, match="retired"):
            store.states.require_dealable(set_id)
        assert len(store.sets.boards(other)) == 2
        assert store.logbook.broken() == []


def test_beside_makes_no_store(tmp_path: Path):
    with pytest.raises(StoreError, match="There is no store in"):
        Store.beside(tmp_path / "none", StepClock(), os.urandom)
    with pytest.raises(StoreError, match="There is no store in"):
        Store.beside(tmp_path, StepClock(), os.urandom)
    assert list(tmp_path.iterdir()) == []


def test_which_live_sets_a_file_would_show():
    with open_store() as store:
        one = add_set(store, 2, code="NYX-3MQ-Y73")
        calls = []

        def code() -> str:
            calls.append(1)
            return "NYX-3MQ-Y73"

        assert [info.id for info in store.sets.live_among([DEAL], code)] == [one]
        assert store.sets.live_among([OTHER_DEAL], code) == []
        assert calls == []  # it takes a second
        permit = director(store)
        store.states.seal(one, permit)
        assert [info.id for info in store.sets.live_among([DEAL], code)] == [one]
        assert store.sets.live_among([DEAL], lambda: "KH7-4MQ-9RT") == []
        store.states.end(one, permit)
        assert store.sets.live_among([DEAL], code) == []
