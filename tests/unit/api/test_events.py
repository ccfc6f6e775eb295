"""Live events: numbered, none missed by a client that comes back, a reset where they are gone."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.api.events import EventRing
from controller.api.models import DaemonState, StateView
from controller.client.client import Client, Told
from controller.client.follow import Follower
from tests.unit.api.house import House
from tests.unit.api.test_api import SOURCE, idle


def test_the_ring_gives_what_came_after():
    ring = EventRing("7")
    for number in range(5):
        ring.add("card", {"n": number})
    assert ring.last_id == "7-5"
    assert [event.id for event in ring.since("7-3")] == ["7-4", "7-5"]
    assert ring.since("7-5") == []
    assert ring.since("7-0")[0].sse() == 'id: 7-1\nevent: card\ndata: {"n": 0}\n\n'


@pytest.mark.parametrize("last_id", ["6-3", "7-99", "7-", "nonsense", "7-1"])
def test_the_ring_says_when_something_is_gone(last_id: str):
    ring = EventRing("7", size=3)
    for number in range(5):
        ring.add("card", number)
    assert ring.since(last_id) is None


def number(told: Told) -> int:
    return int(told.id.rpartition("-")[2])


def test_a_client_that_loses_its_connection_over_and_over_misses_nothing(tmp_path: Path):
    with House(tmp_path) as house:
        house.until(idle)
        seen: list[Told] = []
        over = threading.Event()

        def listen() -> None:
            after = "life-0"
            while not over.is_set() or after != house.club.events.last_id:
                stream = Client(house.path, "anna").events(after, lambda: None)
                for count, told in enumerate(stream):
                    seen.append(told)
                    after = told.id
                    if count == 6 or (over.is_set() and after == house.club.events.last_id):
                        break  # the connection is lost
                stream.close()

        thread = threading.Thread(target=listen)
        thread.start()
        house.client().deal("sixteen.dup", SOURCE, boards=[1])
        house.act(lambda club: club.bring(1))
        house.until(lambda state: state.job.ended)
        over.set()
        house.client().stop()
        house.club.events.add("note", "{}")
        thread.join()
        assert [number(told) for told in seen] == list(range(1, len(seen) + 1))
        assert len(seen) > 100


def test_a_stream_that_breaks_goes_on_by_itself_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    with House(tmp_path) as house:
        house.until(idle)
        client, whole, pauses = house.client(), Client._stream, []

        def broken(self: Client, after: str | None) -> Iterator[Told]:
            for count, told in enumerate(whole(self, after)):
                if count == 3:
                    raise ConnectionResetError
                yield told

        monkeypatch.setattr(Client, "_stream", broken)
        stream = client.events("life-0", lambda: pauses.append(1))
        for _ in range(20):
            house.club.events.add("note", "{}")
        numbers = [number(next(stream)) for _ in range(20)]
        stream.close()
        assert numbers == list(range(1, 21))
        assert len(pauses) == 6


def test_a_newcomer_begins_with_the_whole_state(tmp_path: Path):
    with House(tmp_path) as house:
        house.until(idle)
        first = next(house.client().events(None, lambda: None))
        assert first.kind == "state"
        assert StateView.model_validate_json(first.data).state is DaemonState.IDLE
        assert first.id.startswith("life-")


def test_a_client_of_an_earlier_life_is_told_to_begin_anew(tmp_path: Path):
    with House(tmp_path) as house:
        house.until(idle)
        first = next(house.client().events("other-5", lambda: None))
        assert first.kind == "state"
        assert first.id.startswith("life-")


def test_a_follower_sees_the_job_as_if_it_ran_here(tmp_path: Path):
    with House(tmp_path, "image_lost@1.20") as house:
        after = house.until(idle).event
        job = house.client().deal("sixteen.dup", SOURCE, boards=[1])
        house.act(lambda club: club.bring(1))
        happenings, results = [], []
        follower = Follower(
            job.id, on_happening=happenings.append, on_result=lambda r: results.append(r.attempts)
        )
        stream = house.client().events(after, lambda: None)
        follower.follow(stream, lambda state: state.state is DaemonState.WAITS)
        stream.close()
        assert len(happenings) > 80
        result = follower.results[0]
        assert [stop.fault.value for stop in result.stops] == ["image_lost"]
        assert result.stops[0].set_aside >= 1
        assert not result.proven
