"""Disks that are full, fail, or can only be read; clocks that jump. Every card is named."""

from __future__ import annotations

import errno
import json
import random
from pathlib import Path

import pytest

from controller.store import Where
from controller.store.clock import DatedClock
from deals.cards import CARDS
from tests.unit.store.disk import run_traced
from tests.unit.store.evening import session
from tests.unit.store.support import open_store

CODES = {errno.ENOSPC: "store.full", errno.EIO: "store.disk_error", errno.EROFS: "store.disk_error"}
YEAR_US = 365 * 86_400 * 1_000_000


def fail(tmp_path: Path, number: int, after: int, what: str) -> dict[str, object]:
    """Deals board 2 onto a disk that fails at its *after*'th write or sync."""
    settings = {"POWER_ERRNO": str(number), "POWER_AFTER": str(after), "POWER_FAIL": what}
    state = tmp_path / "state"
    out = run_traced(tmp_path, state, "tests.unit.store.evening", str(state), "2", **settings)
    return json.loads(out)


@pytest.mark.parametrize(
    ("number", "after", "what"),
    [
        (errno.ENOSPC, 150, "write"),
        (errno.EIO, 110, "write"),
        pytest.param(errno.ENOSPC, 60, "write", marks=pytest.mark.long),
        pytest.param(errno.EROFS, 100, "write", marks=pytest.mark.long),
        (errno.EIO, 20, "sync"),
    ],
)
def test_a_disk_that_fails_in_mid_board_names_every_card(
    tmp_path: Path, number: int, after: int, what: str
):
    session(tmp_path / "state", 1).run()
    told = fail(tmp_path, number, after, what)
    assert told["code"] == CODES[number]
    world = told["world"]
    assert isinstance(world, dict)
    with open_store(tmp_path / "state") as store:
        (left,) = store.journal.interrupted()
        assert store.logbook.broken() == []
    assert left.board == 2
    assert len(left.cards) == 52
    landed = [fate for fate in left.cards if fate.where is Where.LANDED]
    flying = [fate for fate in left.cards if fate.where is Where.IN_FLIGHT]
    hopper = [fate for fate in left.cards if fate.where is Where.HOPPER]
    assert bool(landed) == (after > 60 or what == "sync")
    for fate in landed:
        holding = world["NESW"[fate.pocket]].split(".")
        card = str(CARDS[fate.card])
        lies = card[1] in holding["SHDC".index(card[0])]
        # Told from its pocket's sensor on, while it still falls.
        assert lies or card in world["belt"], "named as landed where it does not lie"
    # Called "in the hopper" means that it certainly has not moved.
    assert len(hopper) <= world["hopper"]
    assert len(landed) + len(flying) + len(hopper) == 52


def test_a_board_after_the_disk_has_room_again_is_proven(tmp_path: Path):
    fail(tmp_path, errno.ENOSPC, 60, "write")
    report = session(tmp_path / "state", 2).run()
    assert report.summary.proven == 1
    with open_store(tmp_path / "state") as store:
        assert store.journal.interrupted() == []


def test_no_board_begins_on_a_disk_that_is_nearly_full(tmp_path: Path, monkeypatch):
    import shutil

    from controller.errors import StoreError

    usage = shutil._ntuple_diskusage(10**9, 10**9 - 5_000_000, 5_000_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)
    with pytest.raises(StoreError, match="^Only 5 MB are free"):
        session(tmp_path / "state", 1)
    monkeypatch.undo()
    with open_store(tmp_path / "state") as store:
        assert store.sets.infos() == []
        assert store.journal.interrupted() == []


def test_a_date_that_jumps_by_a_year_moves_no_timer(monkeypatch: pytest.MonkeyPatch):
    plain = session(None, 1).run()
    choice = random.Random(7)

    def jumping(self: DatedClock) -> int:
        return 2_000_000_000_000_000 + choice.choice([-YEAR_US, 0, YEAR_US]) + self.clock.now_us()

    monkeypatch.setattr(DatedClock, "wall_us", jumping)
    evening = session(None, 1)
    monkeypatch.setattr(evening._room, "close", lambda: None)
    jumped = evening.run()
    assert jumped.contents == plain.contents
    assert [r.machine_us for r in jumped.results] == [r.machine_us for r in plain.results]
    store = evening.store
    for number in range(4):
        store.logbook.append("something", {"number": number})
    assert store.logbook.broken() == []
    times = [entry.mono_us for entry in store.logbook.entries()]
    assert times == sorted(times)
    rows = store.journal.rows(store.journal.copies_dealt(store.sets.infos()[0].id, 1)[0].dealing)
    assert [row.number for row in rows] == list(range(1, len(rows) + 1))
    store.close()
