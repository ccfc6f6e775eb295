"""Sets of the store at the daemon: sealed ones, boxes, decisions while a job is under way."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.api.models import DaemonState
from controller.errors import StoreError
from controller.store import Store
from controller.store.clock import DatedClock
from deals.files import read_deals_file
from tests.scenarios.canary import files, shown
from tests.unit.daemon.club import SIXTEEN, Club, KilledError, boards, wanted
from tests.unit.store.support import StepClock, quick_passphrases, seeded

PHRASE = "four words are long"


def sealed(state: Path) -> None:
    """Keeps the set and seals it."""
    from controller.jobs.kept import entries_of

    with Store.open(state, DatedClock(StepClock(), 0), seeded(3), twin=True) as store:
        set_id = store.sets.add(
            code="TEST", name="x", source=SIXTEEN.read_bytes(), boards=entries_of(boards())
        )
        store.directors.set("Ann", PHRASE)
        store.states.seal(set_id, store.directors.enter("Ann", PHRASE, "test"))


def lent(store: Store) -> list[int]:
    with store.context.database.transaction() as connection:
        return list(
            connection.exec_driver_sql(
                "SELECT number FROM set_board WHERE job_deal IS NOT NULL ORDER BY number"
            ).scalars()
        )


def test_a_job_holds_the_boards_of_a_sealed_set_until_each_is_done(tmp_path: Path, monkeypatch):
    quick_passphrases(monkeypatch)
    sealed(tmp_path)
    first = Club(state_dir=tmp_path)

    def dies():
        yield from first.deal(1, 2)
        assert lent(first.store) == [1, 2]
        yield from first.bring(1)
        yield first.landed(20)
        first.die()

    with pytest.raises(KilledError):
        first.run(dies())
    club = first.again()

    def goes_on():
        yield club.is_in(DaemonState.INTERRUPTED)
        assert lent(club.store) == [1, 2]  # without the director
        yield from club.collect_all()
        club.resume()
        yield club.is_in(DaemonState.WANTS_BOARD)
        yield from club.change_board(1, pack=False)
        yield lambda: club.state.job.left == [(2, 1)]
        assert lent(club.store) == [2]
        yield from club.change_board(2)
        yield lambda: club.state.job.ended
        assert lent(club.store) == []
        with pytest.raises(StoreError, match="is sealed"):
            club.store.sets.boards(club.store.sets.find("TEST").id)

    club.run(goes_on())


def test_a_job_that_is_given_up_leaves_nothing_of_a_sealed_set(tmp_path: Path, monkeypatch):
    quick_passphrases(monkeypatch)
    sealed(tmp_path)
    club = Club(state_dir=tmp_path)

    def script():
        yield from club.deal(1, 2)
        assert lent(club.store) == [1, 2]
        club.stop(end=True)
        yield lambda: club.state.job.ended
        assert lent(club.store) == []

    club.run(script())


def test_boxes_are_loaded_and_not_dealt_over_unasked():
    club = Club()

    def script():
        yield club.is_in(DaemonState.IDLE)
        club.ask(_wanted(1, boxes=("A",)))
        yield from club.bring(1)
        yield lambda: club.state.job is not None and club.state.job.ended
        assert [(one.box, one.board) for one in club.store.boxes.contents()] == [("A", 1)]
        answer = club.ask(_wanted(1, copies=1, boxes=("A",)))
        yield answer.done
        assert answer.exception().code == "box.unplayed"
        answer = club.ask(_wanted(1, copies=1, boxes=("A",), over=True))
        yield answer.done
        assert answer.result().left == [(1, 2)]

    club.run(script())


def test_copies_come_set_by_set():
    club = Club()

    def script():
        yield club.is_in(DaemonState.IDLE)
        answer = club.ask(_wanted(1, 2, copies=2, order="set"))
        yield answer.done
        assert answer.result().left == [(1, 1), (2, 1), (1, 2), (2, 2)]

    club.run(script())


def test_a_set_that_is_retired_meanwhile_is_not_dealt_on():
    club = Club()

    def script():
        yield from club.deal(1)
        club.store.states.retire(club.store.sets.find("TEST").id, "wrong set")
        yield from club.bring(1)
        yield club.is_in(DaemonState.INTERRUPTED)
        assert "Set TEST is retired" in club.state.words
        assert club.world.contents().as_json()["hopper"] >= 52

    club.run(script())


def test_nothing_that_the_daemon_tells_or_keeps_holds_a_hand(tmp_path: Path):
    club = Club(state_dir=tmp_path)
    told: list[bytes] = []

    def script():
        yield from club.deal(1)
        yield from club.bring(1)
        yield club.landed(30)
        told.extend(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
        yield lambda: club.state.job is not None and club.state.job.ended
        told.append(club.state.model_dump_json().encode())

    club.run(script())
    events = club.events.since("life-0") or []
    told += [event.sse().encode() for event in events]
    told += ["\n".join(club.log).encode(), *files(tmp_path)]
    assert len(events) > 100
    assert shown(told, read_deals_file(SIXTEEN).boards[:1]) == set()


def _wanted(*numbers: int, **more):
    from dataclasses import replace

    copies = more.pop("copies", None)
    return replace(wanted(*numbers, copies=copies), **more)
