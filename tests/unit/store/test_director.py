"""Directors: passphrases that are never kept, tries that are counted, sets that only they open."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.errors import DirectorError, StoreError
from controller.store import BoardEntry, Permit, Role, Store, Who
from controller.store.director import FREE_TRIES, LONGEST_WAIT_S
from tests.unit.store.support import DEAL, add_set, open_store, quick_passphrases

PHRASE = "four words are long"
OTHER = "another good phrase"


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch):
    quick_passphrases(monkeypatch)


def ann(store: Store) -> Permit:
    store.directors.set("Ann", PHRASE)
    return store.directors.enter("Ann", PHRASE, "test")


def refused(store: Store, name: str = "Ann", phrase: str = "wrong phrase", **more) -> DirectorError:
    with pytest.raises(DirectorError) as caught:
        store.directors.enter(name, phrase, "hands shown", **more)
    return caught.value


def test_there_is_no_passphrase_before_one_is_set():
    with open_store() as store:
        for phrase in ("", "admin", "predeal", "director"):
            error = refused(store, "director", phrase)
            assert error.code == "director.none"
            assert "predeal director set NAME" in error.text()


def test_the_right_passphrase_enters_and_is_in_the_logbook():
    with open_store() as store:
        store.directors.set("Ann", PHRASE)
        permit = store.directors.enter("Ann", PHRASE, "hands shown", {"set": "C"})
        assert (permit.who, permit.role) == (Who("Ann", "director"), Role.DIRECTOR)
        assert permit.key.hex() not in repr(permit)
        last = store.logbook.entries()[-1]
        assert (last.actor, last.role, last.what) == ("Ann", "director", "director entered")
        assert last.details == '{"purpose": "hands shown", "set": "C"}'


def test_a_wrong_passphrase_is_refused_and_in_the_logbook():
    with open_store() as store:
        store.directors.set("Ann", PHRASE)
        assert refused(store).code == "director.wrong"
        last = store.logbook.entries()[-1]
        assert (last.actor, last.role, last.what) == ("Ann", "operate", "director refused")
        assert refused(store, "Nobody", PHRASE).code == "director.wrong"


def test_the_same_letters_typed_in_another_way_are_the_same():
    with open_store() as store:
        store.directors.set("Ann", "caf\u00e9 au lait")
        assert store.directors.enter("Ann", "cafe\u0301 au lait", "test").key


@pytest.mark.parametrize("phrase", ["short", "aaaaaaaaaaaa", "annabella"])
def test_weak_passphrases_are_not_taken(phrase: str):
    with open_store() as store, pytest.raises(DirectorError, match="at least 8 characters"):
        store.directors.set("Annabella", phrase)


@pytest.mark.parametrize("name", ["", " ", "x" * 65, "a\nb"])
def test_names_are_one_line(name: str):
    with open_store() as store, pytest.raises(DirectorError, match="1 to 64 printable"):
        store.directors.set(name, PHRASE)


def test_each_wrong_try_doubles_the_wait_and_the_right_one_ends_it(tmp_path: Path):
    with open_store(tmp_path) as store:
        store.directors.set("Ann", PHRASE)
        for _ in range(FREE_TRIES):
            assert refused(store).code == "director.wrong"
        clock = store.context.clock
        for expected in (1, 2, 4):
            # The right one has to wait as well, or guessing would be free.
            error = refused(store, phrase=PHRASE)
            assert (error.code, error.values["seconds"]) == ("director.wait", expected)
            clock._now_us += expected * 1_000_000
            assert refused(store).code == "director.wrong"
    with open_store(tmp_path) as store:  # a restart does not forget
        store.context.clock._now_us = clock._now_us
        assert refused(store, phrase=PHRASE).values["seconds"] == 8
        store.context.clock._now_us += 8_000_000
        store.directors.enter("Ann", PHRASE, "test")
        assert refused(store).code == "director.wrong"
        assert store.directors.enter("Ann", PHRASE, "test")


def test_tries_under_names_that_nobody_has_count_too():
    with open_store() as store:
        store.directors.set("Ann", PHRASE)
        for number in range(FREE_TRIES):
            assert refused(store, f"Guest {number}").code == "director.wrong"
        assert refused(store, "Guest").code == "director.wait"


def test_a_date_that_goes_back_makes_nobody_wait_for_ever():
    with open_store() as store:
        store.directors.set("Ann", PHRASE)
        for _ in range(FREE_TRIES):
            refused(store)
        store.context.clock._now_us -= 365 * 86_400 * 1_000_000
        assert refused(store).values["seconds"] == 1
        store.context.clock._now_us += 1_100_000
        assert store.directors.enter("Ann", PHRASE, "test")


def test_the_wait_has_an_end():
    with open_store() as store:
        store.directors.set("Ann", PHRASE)
        for _ in range(40):
            store.context.clock._now_us += LONGEST_WAIT_S * 1_000_000
            assert refused(store).code == "director.wrong"
        assert refused(store).values["seconds"] == LONGEST_WAIT_S


def test_who_may_set_whose_passphrase():
    with open_store() as store:
        with pytest.raises(DirectorError, match="needs one of theirs"):
            ann(store)
            store.directors.set("Eve", OTHER)
        by = store.directors.enter("Ann", PHRASE, "test")
        store.directors.set("Bob", OTHER, by=by)
        store.directors.set("Root", PHRASE, Role.ADMIN, by)
        root = store.directors.enter("Root", PHRASE, "test", roles=(Role.ADMIN,))
        assert root.key == b""
        with pytest.raises(DirectorError, match="may not do this as admin"):
            store.directors.set("Eve", OTHER, by=root)
        with pytest.raises(DirectorError, match="may not do this as admin"):
            store.directors.set("Bob", PHRASE, by=root)
        with pytest.raises(DirectorError, match="known as admin already"):
            store.directors.set("Root", PHRASE, by=by)
        store.directors.set("Helga", OTHER, Role.ADMIN, root)
        assert [(a.name, a.role) for a in store.directors.accounts()] == [
            ("Ann", Role.DIRECTOR),
            ("Bob", Role.DIRECTOR),
            ("Helga", Role.ADMIN),
            ("Root", Role.ADMIN),
        ]


def test_an_admin_does_not_direct_and_a_changed_row_does_not_make_him():
    with open_store() as store:
        store.directors.set("Root", PHRASE, Role.ADMIN)
        assert refused(store, "Root", PHRASE).code == "director.not_allowed"
        with store.context.database.transaction() as connection:
            connection.exec_driver_sql("UPDATE account SET role = 'director'")
        assert refused(store, "Root", PHRASE).code == "director.wrong"


def test_an_admin_may_set_the_first_director_only():
    with open_store() as store:
        store.directors.set("Root", PHRASE, Role.ADMIN)
        root = store.directors.enter("Root", PHRASE, "test", roles=(Role.ADMIN,))
        store.directors.set("Ann", OTHER, by=root)
        assert store.directors.enter("Ann", OTHER, "test").key


def test_directors_share_the_key_and_it_outlives_their_passphrases():
    with open_store() as store:
        first = ann(store)
        store.directors.set("Bob", OTHER, by=first)
        store.directors.set("Ann", OTHER, by=first)
        assert refused(store, "Ann", PHRASE).code == "director.wrong"
        assert store.directors.enter("Ann", OTHER, "test").key == first.key
        assert store.directors.enter("Bob", OTHER, "test").key == first.key


def test_the_last_director_stays_and_a_reset_says_what_is_lost():
    with open_store() as store:
        permit = ann(store)
        set_id = add_set(store)
        store.states.seal(set_id, permit)
        with pytest.raises(DirectorError, match="Ann is the last director"):
            store.directors.remove("Ann", permit)
        store.directors.set("Bob", OTHER, by=permit)
        store.directors.remove("Bob", permit)
        with pytest.raises(DirectorError, match="Nobody of the name Bob"):
            store.directors.remove("Bob", permit)
        assert store.directors.reset(Who("root", "operate")) == ["Ann"]
        fresh = ann(store)
        with pytest.raises(StoreError, match="accounts have been reset; nobody can open it"):
            store.sets.boards(set_id, fresh)


def test_which_director_is_meant():
    with open_store() as store:
        permit = ann(store)
        assert store.directors.only() == "Ann"
        store.directors.set("Bob", OTHER, by=permit)
        with pytest.raises(DirectorError, match="Several direct on this machine: Ann, Bob"):
            store.directors.only()


def test_no_passphrase_and_no_director_key_is_in_the_files(tmp_path: Path):
    with open_store(tmp_path) as store:
        permit = ann(store)
        store.directors.set("Bob", OTHER, by=permit)
        refused(store, phrase="a guess at it all")
        for form in (PHRASE.encode(), OTHER.encode(), b"a guess at it all", permit.key):
            assert not any(form in path.read_bytes() for path in tmp_path.iterdir())


def test_a_board_is_not_seen_in_a_traceback():
    assert "AKQJ" not in repr(BoardEntry(1, "N", "None", DEAL))
