"""The machine key: what is sealed for one row opens only there, and equal things look different."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.errors import StoreError
from controller.store.files import write_whole
from controller.store.vault import Vault, new_key


def test_a_sealed_value_opens_for_its_row_only():
    vault = Vault(new_key())
    sealed = vault.seal(b"hand", "row-1")
    assert vault.unseal(sealed, "row-1") == b"hand"
    with pytest.raises(StoreError, match="^Row row-2 of the store does not open"):
        vault.unseal(sealed, "row-2")
    with pytest.raises(StoreError, match="row-1"):
        Vault(new_key()).unseal(sealed, "row-1")
    with pytest.raises(StoreError, match="row-1"):
        vault.unseal(b"", "row-1")


def test_each_byte_is_guarded():
    vault = Vault(new_key())
    sealed = vault.seal(b"hand", "row")
    for place in range(len(sealed)):
        changed = bytearray(sealed)
        changed[place] ^= 1
        with pytest.raises(StoreError):
            vault.unseal(bytes(changed), "row")


def test_equal_values_are_sealed_differently():
    vault = Vault(new_key())
    assert len({vault.seal(b"hand", "row") for _ in range(100)}) == 100


def test_tags_are_equal_for_equal_values_under_one_key_and_purpose():
    vault = Vault(new_key())
    assert vault.tag("deal", b"x") == vault.tag("deal", b"x")
    assert vault.tag("deal", b"x") != vault.tag("deal", b"y")
    assert vault.tag("deal", b"x") != vault.tag("source", b"x")
    assert vault.tag("deal", b"x") != Vault(new_key()).tag("deal", b"x")


def test_write_whole_leaves_the_old_file_when_it_fails(tmp_path: Path, monkeypatch):
    path = tmp_path / "file"
    write_whole(path, b"old", mode=0o600)
    monkeypatch.setattr("os.fsync", _fail)
    with pytest.raises(OSError, match="no more"):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    monkeypatch.undo()
    write_whole(path, b"new")
    assert path.read_bytes() == b"new"
    assert [found.name for found in tmp_path.iterdir()] == ["file"]


def _fail(_handle: int) -> None:
    raise OSError("no more")
