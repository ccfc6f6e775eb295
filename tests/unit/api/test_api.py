"""The API over its real socket: what a client can ask, who may, and how refusals read."""

from __future__ import annotations

import json
import socket
import stat
import threading
from pathlib import Path

import pytest

from controller.api.app import make_app
from controller.api.desk import Desk
from controller.api.errors import ApiError
from controller.api.events import EventRing
from controller.api.models import MAX_FILE_BYTES, DaemonState
from controller.api.server import bind
from controller.client.client import Client
from controller.client.errors import ClientError, RefusedByDaemonError
from controller.daemon.live import first_state
from deals.cards import Seat
from tests.unit.api.house import AT_MOST_X, House
from tests.unit.daemon.club import SIXTEEN, boards

SOURCE = SIXTEEN.read_bytes()


@pytest.fixture
def house(tmp_path: Path):
    with House(tmp_path) as house:
        yield house


def idle(state) -> bool:
    return state.state is DaemonState.IDLE


def refused(call) -> RefusedByDaemonError:
    with pytest.raises(RefusedByDaemonError) as caught:
        call()
    return caught.value


def test_a_job_from_request_to_result(house: House):
    house.until(idle)
    client = house.client()
    job = client.deal("sixteen.dup", SOURCE, boards=[1])
    assert (job.owner, job.left, job.ended) == ("anna", [(1, 1)], False)
    seen = client.state().job
    assert seen is not None
    assert seen.id == job.id
    house.act(lambda club: club.bring(1))
    state = house.until(lambda state: state.job is not None and state.job.ended)
    assert state.job.id == job.id
    assert state.job.results[0].proven


def test_the_second_client_is_told_state_and_owner(house: House):
    house.until(idle)
    house.client("anna").deal("sixteen.dup", SOURCE, boards=[1])
    house.until(lambda state: state.state is DaemonState.WANTS_BOARD)
    error = refused(lambda: house.client("bert").deal("sixteen.dup", SOURCE, boards=[2]))
    assert error.status == 409
    assert (error.problem.state, error.problem.owner) == (DaemonState.WANTS_BOARD, "anna")
    assert str(error) == (
        "The machine works for anna: Put board 1 in. Wait until that job ends, or stop it."
    )


def test_of_many_at_once_one_wins_and_stop_wins_over_it(house: House):
    house.until(idle)
    won, lost, gate = [], [], threading.Barrier(9)

    def begin(name: str) -> None:
        gate.wait()
        try:
            won.append(house.client(name).deal("sixteen.dup", SOURCE, boards=[1]).owner)
        except RefusedByDaemonError as error:
            lost.append(error.status)

    def stop() -> None:
        gate.wait()
        house.client("zoe").stop()

    threads = [threading.Thread(target=begin, args=(f"client {n}",)) for n in range(8)]
    threads.append(threading.Thread(target=stop))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(won), lost) == (1, [409] * 7)
    assert house.client().state().job.owner == won[0]
    house.client("zoe").stop(end=True)
    house.until(idle)


def test_stop_in_the_middle_of_a_board_by_anyone(house: House):
    house.until(idle)
    house.club.at_most_x = 3  # or the board may be over before a busy computer says stop
    house.client("anna").deal("sixteen.dup", SOURCE, boards=[1])
    house.act(lambda club: club.bring(1))
    house.until(lambda state: state.fed > 10)
    house.client("bert").stop()
    state = house.until(lambda state: state.state is DaemonState.WAITS)
    house.club.at_most_x = AT_MOST_X
    assert (state.stop.fault, state.stop.asked_by) == ("stopped_by_person", "bert")
    error = refused(house.client("bert").resume)
    assert error.problem.code == "daemon.owned"
    house.act(lambda club: club.collect_all())
    house.client("bert").resume(take_over=True)
    state = house.until(lambda state: state.job.ended)
    assert (state.job.owner, state.job.results[0].proven) == ("bert", True)


def test_a_wrong_file_is_refused_with_its_findings(house: House):
    house.until(idle)
    client = house.client()
    error = refused(lambda: client.deal("a.pbn", b'[Board "1"]\n[Deal "N:AKQ ... ... ..."]\n'))
    assert (error.status, error.problem.code) == (422, "job.file_refused")
    assert "line 2" in error.problem.findings[0]
    wish = {"name": "a.pbn", "board": 1}
    again = refused(
        lambda: client.task("check", b'[Board "1"]\n[Deal "N:AKQ ... ... ..."]\n', **wish)
    )
    assert again.problem == error.problem
    big = b" " * (MAX_FILE_BYTES + 1)
    error = refused(lambda: client.deal("a.pbn", big))
    assert (error.status, error.problem.code) == (422, "api.file_too_big")
    assert refused(lambda: client.task("check", big, **wish)).problem == error.problem
    error = refused(lambda: client.deal("sixteen.dup", SOURCE, boards=[1, 99]))
    assert str(error) == (
        "sixteen.dup has no boards 99. Nothing moved; ask for boards that it has."
    )
    assert house.client().state().state is DaemonState.IDLE


def test_a_wrong_request_is_refused_without_repeating_it(house: House):
    deal = boards()[0].deal.pbn()
    document = json.dumps({"owner": "", "name": deal, "file": "!", "hands": deal})
    status, body = raw(house.path, "POST", "/v1/jobs", document)
    assert status == 422
    problem = json.loads(body)
    assert problem["code"] == "api.wrong_request"
    assert "body.hands: Extra inputs are not permitted" in problem["findings"]
    assert deal not in body


def test_a_huge_request_is_not_read(house: House):
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(str(house.path))
    head = "POST /v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999999999\r\n\r\n"
    connection.sendall(head.encode())
    answer = connection.recv(65536).decode()
    connection.close()
    assert answer.startswith("HTTP/1.1 413")


def test_only_owner_and_group_may_use_the_socket(house: House):
    assert stat.S_IMODE(house.path.stat().st_mode) == 0o660


def test_no_answer_names_a_card(house: House):
    house.until(idle)
    house.client().deal("sixteen.dup", SOURCE, boards=[1])
    house.act(lambda club: club.bring(1))
    house.until(lambda state: state.job.ended)
    _, body = raw(house.path, "GET", "/v1/state")
    told = body + "".join(event.data for event in house.club.events.since("life-0"))
    deal = boards()[0].deal
    assert [seat for seat in Seat if deal.hand_pbn(seat) in told] == []


def test_nobody_at_the_socket_is_said_so(tmp_path: Path):
    with pytest.raises(ClientError) as caught:
        Client(tmp_path / "none", "anna").state()
    assert str(caught.value).startswith(f"No daemon answers at {tmp_path / 'none'}")
    (tmp_path / "left").touch()
    with pytest.raises(ClientError, match="No daemon answers"):
        Client(tmp_path / "left", "anna").state()


def test_a_socket_that_cannot_be_made_is_said_so(tmp_path: Path):
    with pytest.raises(ApiError, match=r"cannot be made \(No such file or directory\)"):
        bind(tmp_path / "none" / "socket")
    with pytest.raises(ApiError, match=r"longer than the system allows \(107 bytes\)"):
        bind(tmp_path / ("x" * 108))


def test_a_socket_left_by_a_dead_daemon_is_replaced(tmp_path: Path):
    bind(tmp_path / "socket").close()
    bind(tmp_path / "socket").close()
    assert [path.name for path in tmp_path.iterdir()] == ["socket"]


def test_the_description_is_a_valid_openapi_document():
    events = EventRing("life")
    desk = Desk(events, first_state(events), lambda: None)
    document = make_app(desk, "1.2.3").openapi()
    assert document["openapi"].startswith("3.1")
    assert set(document["paths"]) == {
        "/v1/state",
        "/v1/figures",
        "/v1/events",
        "/v1/jobs",
        "/v1/tasks",
        "/v1/stop",
        "/v1/resume",
        "/v1/confirm",
        "/v1/calibration",
        "/v1/lesson/{number}",
        "/v1/picture",
    }
    answers = document["paths"]["/v1/jobs"]["post"]["responses"]
    assert set(answers) == {"201", "409", "413", "422", "503"}
    assert missing_references(document) == set()
    operations = [way for path in document["paths"].values() for way in path.values()]
    assert all(way.get("description") or way.get("summary") for way in operations)
    names = [way["operationId"] for way in operations]
    assert len(set(names)) == len(names)


def missing_references(document) -> set[str]:
    """Every $ref leads to a schema that is there."""
    text = json.dumps(document)
    named = set(text.split('"$ref": "#/components/schemas/')[1:])
    return {one.partition('"')[0] for one in named} - set(document["components"]["schemas"])


def raw(path: Path, method: str, target: str, body: str = "") -> tuple[int, str]:
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(str(path))
    head = (
        f"{method} {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body.encode())}\r\n\r\n"
    )
    connection.sendall(head.encode() + body.encode())
    answer = b""
    while piece := connection.recv(65536):
        answer += piece
    connection.close()
    top, _, rest = answer.decode().partition("\r\n\r\n")
    return int(top.split()[1]), rest
