"""Known boards are dealt in every way, then searched for in all that is left: no hand is found."""

from __future__ import annotations

import base64
import gzip
import zlib
from pathlib import Path

import pytest
from canary import files, forms, shown
from room import boards, deal

from controller.store.clock import DatedClock
from controller.store.store import Store
from tests.unit.store.support import quick_passphrases

NUMBERS = (1, 2)


def dealt_boards():
    return [board for board in boards() if board.number in NUMBERS]


class Still:
    def now_us(self) -> int:
        return 0


def store_of(state: Path) -> Store:
    return Store.open(state, DatedClock(Still(), 0), lambda count: bytes(count), twin=True)


@pytest.mark.parametrize("traced", [False, True])
def test_nothing_is_left_of_a_set_from_a_file(tmp_path: Path, capfd, caplog, traced: bool):
    trace = tmp_path / "trace" if traced else None
    deal("unreadable_card@1.17", numbers=NUMBERS, state_dir=tmp_path / "state", trace=trace)
    out = [text.encode() for text in (*capfd.readouterr(), caplog.text)]
    left = [path for path in (tmp_path / "state", trace) if path is not None]
    assert shown([*out, *files(*left)], dealt_boards()) == set()
    if trace is not None:
        assert len(files(trace)) > 50  # there is something to be searched


def test_nothing_is_left_of_a_sealed_set_even_for_the_machine_key(tmp_path: Path, monkeypatch):
    quick_passphrases(monkeypatch)
    state = tmp_path / "state"
    deal(numbers=(1,), state_dir=state)
    with store_of(state) as store:
        store.directors.set("Ann", "four words are long")
        permit = store.directors.enter("Ann", "four words are long", "test")
        store.states.seal(store.sets.find("TEST").id, permit)
    deal(numbers=(2,), state_dir=state)
    assert shown(files(state), dealt_boards()) == set()
    with store_of(state) as store:
        opened = []
        vault = store.context.vault
        with store.context.database.transaction() as connection:
            for table, column in (("journal", "sealed"), ("set_board", "sealed_deal")):
                rows = connection.exec_driver_sql(f"SELECT id, {column} FROM {table}").all()
                opened += [(row[0], row[1]) for row in rows]
        assert len(opened) > 100
        for owner, sealed in opened:
            with pytest.raises(OSError, match="cannot be opened|does not open|was moved|damaged"):
                vault.unseal(sealed, owner)


def test_backups_and_logbooks_tell_nothing(tmp_path: Path):
    from controller.store.upkeep import backup

    state = tmp_path / "state"
    deal(numbers=NUMBERS, state_dir=state)
    with store_of(state) as store:
        backup(store, tmp_path / "copy.db")
        entries = "\n".join(map(str, store.logbook.entries())).encode()
    assert shown([entries, (tmp_path / "copy.db").read_bytes()], dealt_boards()) == set()


def test_the_search_finds_every_form_that_was_planted(tmp_path: Path):
    (board,) = [one for one in boards() if one.number == 1]
    for number, (name, form) in enumerate(forms(board).items()):
        planted = tmp_path / f"{number}"
        planted.mkdir()
        (planted / "log").write_bytes(b"something " + form + b" else")
        assert f"board 1: {name}" in shown(files(planted), [board]), name


@pytest.mark.parametrize("pack", [zlib.compress, gzip.compress])
def test_the_search_looks_into_what_is_compressed(pack):
    (board,) = [one for one in boards() if one.number == 1]
    hidden = b"head " + pack(b"so many words " * 9 + board.deal.pbn().encode()) + b" tail"
    assert "board 1: PBN deal" in shown([hidden], [board])
    assert shown([pack(b"so many words " * 9)], [board]) == set()


def test_the_search_finds_a_hand_in_the_middle_of_base64():
    (board,) = [one for one in boards() if one.number == 1]
    for before in (b"", b"a", b"ab", b"abc"):
        text = base64.b64encode(before + board.deal.pbn().encode() + b" more")
        assert any("PBN deal in base64" in name for name in shown([text], [board]))


def test_a_database_in_clear_is_found(tmp_path: Path, monkeypatch):
    from controller.store.vault import Vault

    monkeypatch.setattr(Vault, "seal", lambda self, value, owner: value)
    monkeypatch.setattr(Vault, "unseal", lambda self, sealed, owner: sealed)
    deal(numbers=(1,), state_dir=tmp_path / "state")
    assert "board 1: PBN deal" in shown(files(tmp_path / "state"), dealt_boards())
