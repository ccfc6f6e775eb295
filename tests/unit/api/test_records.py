"""Records over the socket: held, released, reprinted; hands only for whoever may see them."""

from __future__ import annotations

import json
import os
import time
from functools import partial
from pathlib import Path

import pytest

from controller.api.app import make_app
from controller.api.desk import Desk
from controller.api.events import EventRing
from controller.api.models import MAX_FILE_BYTES
from controller.api.server import Server
from controller.cli import showing
from controller.cli.main import run
from controller.cli.output import Exit, Session
from controller.client.client import Client
from controller.client.errors import RefusedByDaemonError
from controller.config import Config
from controller.daemon.live import first_state
from controller.jobs.kept import entries_of
from controller.store import Store
from deals.boards import Board
from deals.files import write_deals
from deals.generate import Source
from tests.unit.store.support import quick_passphrases

PHRASE = "four words are long"
BOARDS = [
    Board.standard(number, deal)
    for number, deal in enumerate(Source(b"secret" * 6, "a").deals(range(1, 9)), 1)
]


class _Clock:
    def now_us(self) -> int:
        return time.monotonic_ns() // 1000

    def wall_us(self) -> int:
        return time.time_ns() // 1000


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A store with a set FRIDAY that Ann directs, open as the control loop has it; a client."""
    quick_passphrases(monkeypatch)
    ring = EventRing("life")
    desk = Desk(ring, first_state(ring), lambda: None)
    with Store.open(tmp_path / "state", _Clock(), os.urandom) as store:
        store.directors.set("Ann", PHRASE)
        store.sets.add(
            code="FRIDAY",
            name="a.pbn",
            source=b"a",
            boards=entries_of(BOARDS),
            about={"event": "Cup"},
            origin="tables",
        )
        beside = partial(Store.beside, tmp_path / "state", _Clock(), os.urandom)
        server = Server(make_app(desk, "1", beside), tmp_path / "socket")
        server.start()
        yield store, Client(tmp_path / "socket", "bert")
        server.stop()


def refused(call) -> RefusedByDaemonError:
    with pytest.raises(RefusedByDaemonError) as caught:
        call()
    return caught.value


def test_hands_of_a_live_set_need_the_director(club) -> None:
    store, client = club
    error = refused(lambda: client.hands("FRIDAY", "hands printed"))
    assert (error.status, error.problem.code) == (403, "director.not_there")
    assert "Boards 1-8 of set FRIDAY" in error.problem.message
    error = refused(lambda: client.hands("FRIDAY", "hands shown", passphrase="wrong words"))
    assert (error.status, error.problem.code) == (403, "director.wrong")
    assert "wrong words" not in error.problem.model_dump_json()
    shown = client.hands("FRIDAY", "hands printed", boards=[3, 2], passphrase=PHRASE)
    assert [(one.board, one.deal) for one in shown.boards] == [
        (board.number, board.deal.pbn()) for board in BOARDS[1:3]
    ]
    assert (shown.about, shown.origin, shown.laws) == ({"event": "Cup"}, "tables", 2017)
    entered = [one for one in store.logbook.entries() if one.what == "director entered"]
    assert json.loads(entered[-1].details) == {
        "purpose": "hands printed",
        "set": "FRIDAY",
        "boards": "2-3",
    }
    assert entered[-1].actor == "Ann"


def test_a_barometer_is_held_and_released(club) -> None:
    _, client = club
    rounds = [([1, 2, 3], 1), ([4, 5, 6], None)]
    assert refused(lambda: client.hold("FRIDAY", rounds)).status == 403
    view = client.hold("FRIDAY", rounds, passphrase=PHRASE)
    assert [(one.boards, one.open) for one in view.rounds] == [
        ([1, 2, 3], True),
        ([4, 5, 6], False),
    ]
    assert len(client.hands("FRIDAY", "hands printed", boards=[1, 3]).boards) == 2
    assert len(client.hands("FRIDAY", "hands printed", released=True).boards) == 3
    error = refused(lambda: client.hands("FRIDAY", "hands printed", boards=[3, 4]))
    assert "Boards 4 of set FRIDAY" in error.problem.message
    assert refused(lambda: client.release("FRIDAY", 2)).status == 403
    assert client.release("FRIDAY", 2, passphrase=PHRASE).rounds[1].by == "Ann"
    assert client.rounds("FRIDAY").rounds[1].open
    assert len(client.hands("FRIDAY", "hands printed", released=True).boards) == 6
    error = refused(lambda: client.release("FRIDAY", 3, passphrase=PHRASE))
    assert error.problem.code == "release.no_round"
    error = refused(lambda: client.hold("FRIDAY", [([8, 9], None)], passphrase=PHRASE))
    assert error.problem.code == "release.no_such"


def test_the_deals_of_a_file(club) -> None:
    _, client = club
    mixed = [Board.standard(1, Source(b"x" * 20, "b").deal(1)), Board.standard(2, BOARDS[6].deal)]
    source = write_deals(mixed, "pbn").data
    assert client.file_hands("b.pbn", source, [1], "hands shown").held == []
    error = refused(lambda: client.file_hands("b.pbn", source, [1, 2], "hands shown"))
    assert "Boards 7 of set FRIDAY" in error.problem.message
    found = client.file_hands("b.pbn", source, [1, 2], "hands shown", passphrase=PHRASE)
    assert [(one.set_code, one.boards) for one in found.held] == [("FRIDAY", [7])]


def test_a_file_that_is_too_big_is_not_read(club) -> None:
    _, client = club
    source = b" " * (MAX_FILE_BYTES + 1)
    error = refused(lambda: client.file_hands("b.pbn", source, [1], "hands shown"))
    assert (error.status, error.problem.code) == (422, "api.file_too_big")
    assert error.problem.message.startswith("b.pbn is bigger than 4 MB, so it was not read.")
    error = refused(lambda: client.file_hands("b.pbn", source[1:], [1], "hands shown"))
    assert error.problem.code != "api.file_too_big"


def test_what_is_not_there_is_told(club) -> None:
    store, client = club
    assert refused(lambda: client.hands("MONDAY", "hands shown")).problem.code == "store.no_set"
    error = refused(lambda: client.hands("FRIDAY", "hands shown", boards=[9], passphrase=PHRASE))
    assert error.problem.code == "file.boards_not_there"
    store.states.end(
        store.sets.find("FRIDAY").id, store.directors.enter("Ann", PHRASE, "set ended")
    )
    assert len(client.hands("FRIDAY", "hands shown").boards) == 8


@pytest.fixture
def command(club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys):
    """The program of a user who may use the daemon's socket and not its store."""
    monkeypatch.setenv("PREDEAL_SOCKET", str(tmp_path / "socket"))
    monkeypatch.chdir(tmp_path)
    Path("phrase").write_text(PHRASE)
    Path("a.pbn").write_bytes(write_deals(BOARDS, "pbn").data)

    def call(*arguments: str) -> tuple[int, str]:
        code = run([*arguments, "--json"], Session())
        return code, capsys.readouterr().err

    return call


def test_the_command_line_asks_the_daemon_where_the_store_is_its_own(club, command) -> None:
    for arguments in (
        ("records", "FRIDAY", "-o", "b.txt", "--no-double-dummy"),
        ("files", "show", "a.pbn", "--boards", "7"),
        ("files", "convert", "a.pbn", "b.dup"),
    ):
        code, err = command(*arguments)
        assert code == Exit.COULD_NOT
        assert "are the director’s to show, print or release" in err
        assert command(*arguments, "--passphrase-file", "phrase")[0] == Exit.DONE
    text = Path("b.txt").read_text()
    assert "Cup" in text and "Set FRIDAY" in text and "Shuffled and dealt at the tables" in text
    assert command("records", "MONDAY", "-o", "c.txt")[0] == Exit.COULD_NOT
    hold = ("set", "hold", "FRIDAY", "--rounds", "1-4/5-8", "--at", "2020-01-01T20:00")
    assert command(*hold)[0] == Exit.COULD_NOT
    assert command(*hold, "--passphrase-file", "phrase")[0] == Exit.DONE
    quick = ("--no-double-dummy", "--released")
    assert command("records", "FRIDAY", "-o", "d.txt", *quick)[0] == Exit.DONE
    assert "Board 4 " in Path("d.txt").read_text()
    assert "Board 5 " not in Path("d.txt").read_text()
    release = ("set", "release", "FRIDAY", "--round", "2", "--passphrase-file", "phrase")
    assert command(*release)[0] == Exit.DONE
    assert command("set", "rounds", "FRIDAY")[0] == Exit.DONE
    assert command("records", "FRIDAY", "-o", "d.txt", *quick)[0] == Exit.DONE
    assert "Board 8 " in Path("d.txt").read_text()


def test_the_socket_is_where_the_configuration_says() -> None:
    assert str(Config().daemon.socket) == showing._SOCKET
