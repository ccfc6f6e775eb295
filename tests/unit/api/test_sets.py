"""Sets over the API: kept, closed, dealt again; no answer holds a hand, and the director is asked."""

from __future__ import annotations

import base64
import http.client
import json
import socket
from pathlib import Path
from typing import Any

import pytest

from controller.api.app import make_app
from controller.api.desk import Desk
from controller.api.events import EventRing
from controller.api.models import MAX_FILE_BYTES
from controller.api.server import Server
from controller.daemon.live import first_state
from controller.store import DealingState, Role, Store
from deals.files import write_deals
from deals.setcode import QUICK_COST, set_code
from tests.scenarios.canary import shown
from tests.unit.cli.test_sets import PHRASE, boards
from tests.unit.store.support import StepClock, open_store, quick_passphrases, seeded

SIGNED = {"director": "Ann", "passphrase": PHRASE}


class Api:
    """Speaks plain HTTP over the socket and keeps every answer."""

    def __init__(self, path: Path, state: Path) -> None:
        self.path, self.state = path, state
        self.answers: list[bytes] = []

    def __call__(self, method: str, path: str, **document: Any) -> tuple[int, Any]:
        connection = http.client.HTTPConnection("predeal")
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.settimeout(30)
        connection.sock.connect(str(self.path))
        try:
            body = json.dumps(document) if document else None
            connection.request(method, path, body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            data = answer.read()
        finally:
            connection.close()
        self.answers.append(data)
        return answer.status, json.loads(data)

    def store(self) -> Store:
        return Store.beside(self.state, StepClock(), seeded(5))


@pytest.fixture
def api(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The API beside a machine that has the store open; Ann directs."""
    quick_passphrases(monkeypatch)
    monkeypatch.setattr("deals.setcode.set_code", lambda b: set_code(b, QUICK_COST))
    state, events = tmp_path / "state", EventRing("life")
    count = iter(range(10, 1000))

    def opened() -> Store:
        return Store.beside(state, StepClock(), seeded(next(count)))

    with open_store(state) as machine:
        machine.directors.set("Ann", PHRASE)
        desk = Desk(events, first_state(events), lambda: None)
        server = Server(make_app(desk, "1", opened), tmp_path / "socket")
        server.start()
        try:
            yield Api(tmp_path / "socket", state)
        finally:
            server.stop()


@pytest.fixture
def code(api: Api) -> str:
    file = base64.b64encode(write_deals(boards(), "pbn").data).decode()
    about = {"event": "Friday"}
    status, told = api("POST", "/v1/sets", by="Bo", name="a.pbn", file=file, about=about)
    assert (status, told["boards"], told["live"], told["about"]) == (201, 4, True, about)
    return told["set"]


def test_sets_are_kept_and_listed(api: Api, code: str):
    (told,) = api("GET", "/v1/sets")[1]
    assert (told["set"], told["sealed"], told["retired"]) == (code, False, False)
    status, told = api("POST", f"/v1/sets/{code}/retire", by="Bo", reason="torn")
    assert (status, told["retired"]) == (200, True)
    status, told = api("POST", "/v1/sets/NYX-3MQ-Y73/retire", by="Bo")
    assert (status, told["code"]) == (409, "store.no_set")


def test_what_is_no_set_is_refused_with_its_reasons(api: Api):
    def told(file: bytes) -> tuple[int, str, list[str]]:
        document = {"by": "Bo", "name": "a.pbn", "file": base64.b64encode(file).decode()}
        status, problem = api("POST", "/v1/sets", **document)
        return status, problem["code"], problem["findings"]

    assert told(b" " * (MAX_FILE_BYTES + 1)) == (422, "api.file_too_big", [])
    assert told(b" " * MAX_FILE_BYTES)[1] != "api.file_too_big"
    status, reason, findings = told(b'[Board "1"]\n[Deal "N:AKQ ... ... ..."]\n')
    assert (status, reason) == (422, "job.file_refused")
    assert findings[0].startswith("line 2")


def test_what_is_the_directors_needs_the_passphrase(api: Api, code: str):
    for verb in ("seal", "end"):
        status, told = api("POST", f"/v1/sets/{code}/{verb}", director="Ann", passphrase="wrong")
        assert (status, told["code"]) == (403, "director.wrong")
    assert api("POST", f"/v1/sets/{code}/seal", **SIGNED)[1]["sealed"] is True
    assert api("POST", f"/v1/sets/{code}/end", **SIGNED)[1]["live"] is False
    with api.store() as store:
        refused = [entry for entry in store.logbook.entries() if entry.what == "director refused"]
        assert len(refused) == 2
    assert PHRASE.encode() not in b"".join(api.answers)


def test_a_board_is_dealt_anew_with_its_copies_named(api: Api, code: str):
    with api.store() as store:
        set_id = store.sets.find(code).id
        for copy in (1, 2):
            dealing = store.journal.open_board(set_id, 2, copy, profile="standard", design="x")
            store.journal.close_board(dealing, DealingState.PROVEN)
        store.boxes.name(set_id, 1, "A")
        store.boxes.load("A", 2, set_id, 1)
    path = f"/v1/sets/{code}/new-deal"
    status, told = api("POST", path, by="Bo", board=2, reason="seen", why="card seen", called=True)
    assert (status, told["code"]) == (422, "job.no_new_deal")
    status, told = api("POST", path, by="Bo", board=2, reason="seen", contest="teams")
    assert (status, told["code"]) == (403, "director.must_confirm")
    status, told = api("POST", path, by="Bo", board=2, reason="seen", why="card seen")
    assert (status, told["replaces"], told["names"]) == (200, code, ["A", "2"])
    assert api("GET", "/v1/boxes")[1][0]["state"] == "void"
    status, told = api("POST", path, by="Bo", board=3, reason="seen")
    assert (status, told["code"]) == (409, "store.set_replaced")


def test_the_only_director_needs_no_name(api: Api, code: str):
    with api.store() as store:
        admin = store.directors.enter("Ann", PHRASE, "test")
        store.directors.set("Root", PHRASE, Role.ADMIN, by=admin)
    path, why = f"/v1/sets/{code}/new-deal", {"reason": "seen", "contest": "teams"}
    status, told = api("POST", path, by="Bo", board=2, **why, passphrase="wrong words")
    assert (status, told["code"]) == (403, "director.wrong")
    status, told = api("POST", path, by="Bo", board=2, **why, passphrase=PHRASE)
    assert (status, told["replaces"]) == (200, code)
    asked = {"by": "Bo", "purpose": "hands shown", "boards": [2], "passphrase": PHRASE}
    assert api("POST", f"/v1/sets/{told['set']}/hands", **asked)[0] == 200
    api.answers.pop()  # the hands, for the director
    assert PHRASE.encode() not in b"".join(api.answers)
    with api.store() as store:
        entered = [one for one in store.logbook.entries() if one.what == "director entered"]
    assert [(one.actor, json.loads(one.details)["purpose"]) for one in entered] == [
        ("Ann", "test"),
        ("Ann", "new deal"),
        ("Ann", "hands shown"),
    ]


def test_same_hands_and_boxes(api: Api, code: str):
    with api.store() as store:
        set_id = store.sets.find(code).id
        dealing = store.journal.open_board(set_id, 2, 1, profile="standard", design="x")
        store.journal.close_board(dealing, DealingState.PROVEN)
        store.boxes.name(set_id, 1, "A")
        store.boxes.load("A", 2, set_id, 1)
    assert api("POST", "/v1/boxes/A", by="Bo", state="out")[1][0]["state"] == "out"
    assert api("POST", "/v1/boxes/B", by="Bo", state="out")[0] == 409
    path = f"/v1/sets/{code}/same-hands"
    status, told = api("POST", path, by="Bo", board=2, reason="torn", boxes=["A"])
    assert (status, told["copies"], told["names"]) == (200, [1], ["A"])
    assert api("POST", path, by="Bo", board=2, reason="torn")[1]["code"] == "store.copy_not_dealt"


def test_no_answer_and_no_file_holds_a_hand(api: Api, code: str):
    api("POST", f"/v1/sets/{code}/new-deal", by="Bo", board=2, reason="seen")
    api("POST", "/v1/sets", by="Bo", name="a.pbn", file="!", about={})
    api("POST", "/v1/sets", by="Bo", name="a.pbn", file=base64.b64encode(b"[Deal").decode())
    api("GET", "/v1/sets")
    api("GET", "/v1/logbook")
    files = [path.read_bytes() for path in api.state.iterdir()]
    assert shown([*api.answers, *files], boards()) == set()


def test_the_logbook_is_whole(api: Api, code: str):
    told = api("GET", "/v1/logbook")[1]
    assert told["broken"] == []
    assert told["entries"] == 2
