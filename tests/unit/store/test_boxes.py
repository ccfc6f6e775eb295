"""The ledger of boxes, the names of copies, and the files that went out."""

from __future__ import annotations

import pytest

from controller.errors import StoreError
from controller.store import Store
from controller.store.boxes import BoxState, CopyName
from tests.unit.store.support import add_set, open_store


def states(store: Store, box: str) -> list[tuple[int, str]]:
    return [(found.board, found.state.value) for found in store.boxes.contents(box)]


def test_a_box_goes_its_round():
    with open_store() as store:
        set_id = add_set(store)
        for board in (1, 2, 3):
            store.boxes.load("A", board, set_id, 1)
        assert states(store, "A") == [(1, "loaded"), (2, "loaded"), (3, "loaded")]
        store.boxes.move("A", BoxState.OUT)
        assert [found.board for found in store.boxes.unplayed("A", [2, 3, 4])] == [2, 3]
        moved = store.boxes.move("A", BoxState.PLAYED, [1, 2])
        assert [(one.board, one.set_code, one.copy) for one in moved] == [
            (1, "ABCD-2", 1),
            (2, "ABCD-2", 1),
        ]
        assert states(store, "A") == [(1, "played"), (2, "played"), (3, "out")]
        store.boxes.require_played("A", [1, 2])
        with pytest.raises(StoreError, match=r"Box A holds boards .*: 3, of set ABCD-2.*--over"):
            store.boxes.require_played("A", [1, 2, 3])
        store.boxes.move("A", BoxState.BACK)
        store.boxes.require_played("A", [1, 2, 3])
        assert store.logbook.entries()[-1].what == "box moved"


def test_another_deal_takes_the_place_of_the_old_one():
    with open_store() as store:
        old, new = add_set(store), add_set(store, 2, code="NEW")
        store.boxes.load("A", 1, old, 1)
        store.boxes.load("A", 1, new, 2)
        (found,) = store.boxes.contents()
        assert (found.set_code, found.copy, found.state) == ("NEW", 2, BoxState.LOADED)


def test_what_is_not_there_is_not_moved():
    with open_store() as store:
        store.boxes.load("A", 1, add_set(store), 1)
        for box, boards in (("B", None), ("A", [1, 7])):
            with pytest.raises(StoreError, match="(No box B|Box A has no boards 7)"):
                store.boxes.move(box, BoxState.OUT, boards)
        assert states(store, "A") == [(1, "loaded")]
        for name in ("", " ", "x" * 41, "a\nb"):
            with pytest.raises(StoreError, match="1 to 40 printable"):
                store.boxes.load(name, 1, add_set(store), 1)


def test_copies_have_names():
    with open_store() as store:
        set_id = add_set(store)
        store.boxes.name(set_id, 1, "A")
        store.boxes.name(set_id, 2, "B", "section 2")
        store.boxes.name(set_id, 1, "C")
        assert store.boxes.names(set_id) == {
            1: CopyName(1, "C", ""),
            2: CopyName(2, "B", "section 2"),
        }


def test_exports_are_remembered_and_become_stale():
    with open_store() as store:
        set_id, other = add_set(store), add_set(store, 2, code="OTHER")
        store.exports.add(set_id, "/a.pbn", "pbn")
        store.exports.add(set_id, "/b.dup", "dup")
        store.exports.add(other, "/c.pbn", "pbn")
        with store.context.database.transaction() as connection:
            assert store.exports.mark_stale(connection, [set_id]) == ["/a.pbn", "/b.dup"]
            assert store.exports.mark_stale(connection, [set_id]) == []
        assert [one.stale for one in store.exports.of(set_id)] == [True, True]
        assert [one.stale for one in store.exports.of(other)] == [False]
        store.exports.add(set_id, "/a.pbn", "pbn")
        assert {one.path: one.stale for one in store.exports.of(set_id)} == {
            "/a.pbn": False,
            "/b.dup": True,
        }
