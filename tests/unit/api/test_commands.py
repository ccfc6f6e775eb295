"""The commands that are clients of the daemon, against its real socket."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from controller.api.models import DaemonState
from controller.cli.main import run
from controller.cli.output import Exit, Session
from deals.setcode import QUICK_COST, set_code
from tests.unit.api.house import House
from tests.unit.api.test_api import SOURCE, idle
from tests.unit.daemon.club import SIXTEEN


@pytest.fixture
def house(tmp_path: Path):
    with House(tmp_path) as house:
        house.until(idle)
        yield house


def test_deal_on_the_daemon_as_json(house: House, capsys: pytest.CaptureFixture[str]):
    def people() -> None:
        house.until(lambda state: state.state is DaemonState.WANTS_BOARD)
        house.act(lambda club: club.bring(3))

    thread = threading.Thread(target=people)
    thread.start()
    command = ["deal", str(SIXTEEN), "--boards", "3", "--socket", str(house.path), "--json"]
    code = run(command, Session())
    thread.join()
    document = json.loads(capsys.readouterr().out)
    assert code == Exit.DONE
    assert document["firmware"]["kind"] == "machine"
    assert document["summary"] == {"proven": 1, "mended": 0, "stopped": 0}
    board = document["boards"][0]
    assert (board["board"], board["copy"], board["proven"]) == (3, 1, True)
    assert board["pockets"] == dict.fromkeys("NESW", 13)
    assert "contents" not in board
    assert 5 < board["machine_s"] < 6
    code = run(command, Session())
    out, err = capsys.readouterr()
    assert code == Exit.COULD_NOT
    assert json.loads(out)["error"]["code"] == "client.refused"
    assert "Boards 3 of set" in err
    assert "say how many with --copies" in err


def test_deal_on_the_daemon_in_the_order_of_labels(
    house: House, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("deals.setcode.set_code", lambda boards: set_code(boards, QUICK_COST))

    def people() -> None:
        state = house.until(lambda state: state.state is DaemonState.WANTS_BOARD)
        assert state.wants is not None and state.wants.boards == [1, 2]
        run(["status", "--socket", str(house.path)], Session())
        house.act(lambda club: club.change_board(2))
        house.until(lambda state: state.wants is not None and state.wants.boards == [1])
        house.act(lambda club: club.change_board(1))

    thread = threading.Thread(target=people)
    thread.start()
    command = ["deal", str(SIXTEEN), "--boards", "1-2", "--order", "label"]
    code = run([*command, "--socket", str(house.path), "--json"], Session())
    thread.join()
    out = capsys.readouterr().out
    assert "BOARD 1-2\n" in out
    boards = json.loads(out[out.index("\n{") :])["boards"]
    assert code == Exit.DONE
    assert [(one["board"], one["proven"]) for one in boards] == [(2, True), (1, True)]


def test_deal_as_json_does_not_wait_for_a_person(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    with House(tmp_path, "image_lost@1.20") as house:
        house.until(idle)

        def people() -> None:
            house.until(lambda state: state.state is DaemonState.WANTS_BOARD)
            house.act(lambda club: club.bring(1))

        thread = threading.Thread(target=people)
        thread.start()
        command = ["deal", str(SIXTEEN), "--boards", "1", "--socket", str(house.path), "--json"]
        code = run(command, Session())
        thread.join()
        document = json.loads(capsys.readouterr().out)
        assert code == Exit.WAITS_FOR_PERSON
        assert document["boards"][0]["stops"][0]["fault"] == "image_lost"
        code = run(["status", "--socket", str(house.path)], Session())
        out = capsys.readouterr().out
        assert code == Exit.WAITS_FOR_PERSON
        assert out.startswith("The camera missed cards; they were set aside.")


def test_status_stop_and_resume(house: House, capsys: pytest.CaptureFixture[str]):
    socket = ["--socket", str(house.path)]
    assert run(["status", *socket], Session()) == Exit.DONE
    assert capsys.readouterr().out == "The machine is free.\n"
    house.client("anna").deal("sixteen.dup", SOURCE, boards=[5])
    house.until(lambda state: state.state is DaemonState.WANTS_BOARD)
    assert run(["status", *socket], Session()) == Exit.DONE
    out = capsys.readouterr().out
    assert out.startswith("BOARD 5\nPut board 5 in.\nSet ")
    assert out.endswith("for anna: 0 boards proven, 1 left.\n")
    assert run(["stop", *socket], Session()) == Exit.DONE
    assert capsys.readouterr().out.startswith("The machine stands. To go on: ")
    house.until(lambda state: state.state is DaemonState.PAUSED)
    assert run(["resume", *socket], Session()) == Exit.COULD_NOT
    assert "This job is anna's" in capsys.readouterr().err
    assert run(["resume", "--take-over", *socket], Session()) == Exit.DONE
    house.until(lambda state: state.state is DaemonState.WANTS_BOARD)
    assert run(["resume", "--board", "5", *socket], Session()) == Exit.COULD_NOT
    assert "reads the labels itself" in capsys.readouterr().err
    assert run(["stop", "--end", "--json", *socket], Session()) == Exit.DONE
    assert json.loads(capsys.readouterr().out)["state"] == "wants_board"
    house.until(idle)


def test_without_a_daemon_every_command_says_where_it_looked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    socket = ["--socket", str(tmp_path / "none")]
    for command in (["status"], ["stop"], ["resume"], ["deal", str(SIXTEEN)]):
        assert run([*command, *socket], Session()) == Exit.COULD_NOT
        assert f"No daemon answers at {tmp_path / 'none'}." in capsys.readouterr().err
