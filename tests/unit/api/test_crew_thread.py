"""The people beside a view leave nothing open when they go home, however their day ended."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from controller.client.client import Client
from controller.house import CrewThread
from controller.twin.serve.remote import TwinServeError
from deals.errors import PredealError


class NoDaemon:
    """Gives no state, so the people have nothing to do."""

    def state(self) -> None:
        raise PredealError("client.no_daemon", path="-")

    def stop(self, *, end: bool) -> None:
        assert end


@pytest.fixture
def control(tmp_path: Path) -> Iterator[str]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as twin:
        twin.bind(str(tmp_path / "control"))
        twin.listen()
        yield str(tmp_path / "control")


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def crew_at(control: str) -> CrewThread:
    return CrewThread(cast(Client, NoDaemon()), control, "auto")


def test_nothing_stays_open(control: str):
    before = open_files()
    with crew_at(control) as people:
        assert open_files() > before
    assert people.problem is not None  # still held here: nothing is closed by chance
    assert open_files() == before


def test_nothing_stays_open_when_the_last_look_fails(control: str, monkeypatch: pytest.MonkeyPatch):
    before = open_files()
    people = crew_at(control)

    def look() -> None:
        raise TwinServeError("twin.nobody", path=control)

    monkeypatch.setattr(people.witness, "look", look)
    with pytest.raises(TwinServeError), people:
        pass
    assert open_files() == before


def test_nothing_stays_open_where_there_is_no_twin(tmp_path: Path):
    before = open_files()
    with pytest.raises(TwinServeError) as told:
        crew_at(str(tmp_path / "nobody"))
    assert open_files() == before
    assert told.value.code == "twin.nobody"  # and it still holds the frame that it came from
