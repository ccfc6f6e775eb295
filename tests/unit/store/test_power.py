"""Power loss at any instant: writes lost, torn and in another order, names too.

A preloaded library writes down what a program does; for each instant the disk is put together again
(`disk.Disk`), opened, and held against what the program had been told was done.
"""

from __future__ import annotations

import random
from pathlib import Path

from controller.errors import StoreError
from controller.store.upkeep import backup
from tests.unit.store.disk import Disk, Step, put, record
from tests.unit.store.support import add_set, open_store
from tests.unit.store.test_kill import FEEDS, assert_prefix_of_truth

MARKS = "marks"
WRITTEN = 10


def losses(steps: list[Step], disk: Disk, choice: random.Random):
    """At each instant: the last step that was confirmed before, and the files that are left."""
    confirmed, before = -1, None
    for step in steps:
        if step[1] == MARKS:
            confirmed = int(step[3]) if step[3] else confirmed
            continue
        disk.feed(step)
        files = disk.after_power_loss(choice)
        if (confirmed, files) != before:
            before = confirmed, files
            yield confirmed, files


def test_power_loss_loses_nothing_that_was_confirmed(tmp_path: Path):
    state = tmp_path / "state"
    state.mkdir(mode=0o700)
    writer = ("tests.unit.store.writer", str(state), str(WRITTEN), str(state / MARKS))
    steps = record(tmp_path, state, *writer)
    assert sum(name == "predeal.db-wal" and kind == "w" for kind, name, _, _ in steps) > WRITTEN
    held = []
    for number, (confirmed, files) in enumerate(losses(steps, Disk(state), random.Random(3))):
        if confirmed < 0:
            continue  # nothing has been promised yet
        held.append(assert_prefix_of_truth(put(files, tmp_path / f"loss{number}"), confirmed))
    assert FEEDS >= WRITTEN
    assert set(held) == set(range(WRITTEN + 2))
    assert len(held) > 3 * WRITTEN


def test_a_store_that_is_just_made_can_be_opened_or_made_anew(tmp_path: Path):
    """Before anything was promised: never a database without its key, nor half of one."""
    state = tmp_path / "state"
    state.mkdir(mode=0o700)
    steps = record(tmp_path, state, "tests.unit.store.writer", str(state), "1", str(state / MARKS))
    choice, opened = random.Random(4), 0
    for number, (confirmed, files) in enumerate(losses(steps, Disk(state), choice)):
        if confirmed >= 0 or number % 3:
            continue
        with open_store(put(files, tmp_path / f"loss{number}")) as store:
            add_set(store, code=f"SET{number}")
        opened += 1
    assert opened > 10


def test_a_file_that_is_written_whole_is_the_old_or_the_new_one(tmp_path: Path):
    state = tmp_path / "state"
    state.mkdir()
    (state / "predeal.toml").write_bytes(b"old")
    steps = record(tmp_path, state, "tests.unit.store.rewriter", str(state / "predeal.toml"))
    disk, choice = Disk(state, {"predeal.toml": b"old"}), random.Random(5)
    contents = [b"old", *(b"%d " % number * 700 for number in range(3))]
    found, confirmed = set(), 0
    for step in steps:
        if step[1] == MARKS:
            confirmed = int(step[3]) + 1 if step[3] else confirmed
            continue
        disk.feed(step)
        for _ in range(20):
            place = contents.index(disk.after_power_loss(choice)["predeal.toml"])
            assert place >= confirmed
            found.add(place)
    assert found == {0, 1, 2, 3}


def test_without_the_sync_the_same_search_finds_an_empty_file(tmp_path: Path):
    state = tmp_path / "state"
    state.mkdir()
    (state / "predeal.toml").write_bytes(b"old")
    steps = record(tmp_path, state, "tests.unit.store.rewriter", str(state / "predeal.toml"))
    disk, choice = Disk(state, {"predeal.toml": b"old"}), random.Random(5)
    found = set()
    for step in steps:
        if step[0] == "s" and step[1]:
            continue  # as if the program had not synced the file
        disk.feed(step)
        for _ in range(20):
            found.add(disk.after_power_loss(choice)["predeal.toml"])
    assert b"" in found


def test_a_restore_that_loses_power_leaves_the_old_store_the_new_one_or_a_refusal(tmp_path: Path):
    state, copy = tmp_path / "state", tmp_path / "copy.db"
    with open_store(state) as store:
        add_set(store, 2)
        backup(store, copy)
        add_set(store, 3, code="LATER")
    files = {path.name: path.read_bytes() for path in state.iterdir()}
    steps = record(tmp_path, state, "tests.unit.store.restorer", str(state), str(copy))
    disk, choice, found = Disk(state, files), random.Random(6), []
    for number, step in enumerate(steps):
        disk.feed(step)
        if "look-" in step[1] or "before-" in step[1] or number % 2:
            continue  # the copy that is only looked at, and the old store that is put aside
        there = {n: d for n, d in disk.after_power_loss(choice).items() if "/" not in n}
        try:
            with open_store(put(there, tmp_path / f"loss{number}")) as store:
                found.append(len(store.sets.infos()))
        except StoreError as error:
            assert error.code in ("store.key_missing", "store.key_wrong", "store.damaged")
            found.append(-1)
    # One set is the backup's, two are the old store's; none would be a store that forgot.
    assert set(found) >= {1, 2}
    assert set(found) <= {-1, 1, 2}
