"""Every route of the description, with requests that fit it, nearly fit it, or do not fit at all: always
an answer in words that the description knows, never a failure of the daemon.
"""

from __future__ import annotations

import base64
import http.client
import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from controller.api.models import Problem
from deals import setcode
from tests.unit.api.house import House
from tests.unit.daemon.club import SIXTEEN

HOSTILE = st.sampled_from(
    [
        None,
        True,
        -1,
        0,
        2**63,
        1e308,
        "",
        "\0",
        "\ud7ff",
        "../../etc",
        "N" * 70_000,
        [],
        {},
        [[]] * 99,
    ]
)
FILES = st.sampled_from(
    [SIXTEEN.read_bytes(), b"", b"\xff" * 999, b'[Board "1"]\n[Deal "N:- - - -"]']
)
STREAM = "/v1/events"


class Talk:
    """Raw HTTP over the daemon's socket."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def ask(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> Any:
        """Status and document of the answer; of an event stream its first line."""
        connection = http.client.HTTPConnection("localhost", timeout=30)
        connection.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.sock.settimeout(30)
        connection.sock.connect(str(self._path))
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            if "event-stream" in (answer.getheader("content-type") or ""):
                return answer.status, answer.readline().decode()
            return answer.status, json.loads(answer.read() or b"null")
        finally:
            connection.close()


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Talk]:
    patch = pytest.MonkeyPatch()
    patch.setattr(setcode.set_code, "__defaults__", (setcode.QUICK_COST,))
    folder = tmp_path_factory.mktemp("fuzz")
    with House(folder) as house:
        yield Talk(house.path)
    patch.undo()


@pytest.fixture(scope="module")
def description(talk: Talk) -> dict[str, Any]:
    status, document = talk.ask("GET", "/openapi.json", None, {})
    assert status == 200
    return dict(document)


def fitting(schema: dict[str, Any], whole: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values that fit a schema of the description, as far as these use the language."""
    if "$ref" in schema:
        return fitting(whole["components"]["schemas"][schema["$ref"].rpartition("/")[2]], whole)
    if "anyOf" in schema:
        return st.one_of([fitting(one, whole) for one in schema["anyOf"]])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "const" in schema:
        return st.just(schema["const"])
    match schema.get("type"):
        case "object" if "properties" not in schema:
            more = schema.get("additionalProperties")
            values = fitting(more, whole) if isinstance(more, dict) else st.integers()
            return st.dictionaries(st.text("abc", min_size=1, max_size=8), values, max_size=4)
        case "object":
            needed = set(schema.get("required", ()))
            parts = {name: fitting(part, whole) for name, part in schema["properties"].items()}
            return st.fixed_dictionaries(
                {name: part for name, part in parts.items() if name in needed},
                optional={name: part for name, part in parts.items() if name not in needed},
            )
        case "array":
            few = min(schema.get("maxItems", 4), 4)
            least = schema.get("minItems", 0)
            return st.lists(fitting(schema["items"], whole), min_size=least, max_size=few)
        case "integer":
            return st.integers(schema.get("minimum", -9), schema.get("maximum", 99))
        case "number":
            return st.floats(schema.get("minimum", -9), schema.get("maximum", 1e6))
        case "boolean":
            return st.booleans()
        case "null":
            return st.none()
        case "string" if schema.get("format") == "base64":
            return FILES.map(lambda data: base64.b64encode(data).decode())
        case "string":
            return st.text("abc Ä♠", min_size=schema.get("minLength", 0), max_size=8)
    raise AssertionError(schema)


def spoilt(draw: st.DrawFn, value: Any) -> Any:
    """One thing in it is something else, is gone, or is one too many."""
    if isinstance(value, dict) and value:
        name = draw(st.sampled_from(sorted(value)))
        match draw(st.sampled_from(("other", "gone", "more", "deeper"))):
            case "other":
                return value | {name: draw(HOSTILE)}
            case "gone":
                return {key: part for key, part in value.items() if key != name}
            case "more":
                return value | {"card": "D7"}
        return value | {name: spoilt(draw, value[name])}
    return draw(HOSTILE)


@st.composite
def bodies(draw: st.DrawFn, schema: dict[str, Any], whole: dict[str, Any]) -> bytes:
    value = draw(fitting(schema, whole))
    kind = draw(st.sampled_from(("fits", "fits", "spoilt", "bytes", "cut")))
    if kind == "bytes":
        return draw(st.binary(max_size=60))
    data = json.dumps(value if kind == "fits" else spoilt(draw, value)).encode(
        "utf-8", "surrogatepass"
    )
    return data[: len(data) // 2] if kind == "cut" else data


@st.composite
def queries(draw: st.DrawFn, operation: dict[str, Any]) -> tuple[str, dict[str, str]]:
    """A query and headers; values are what a header may hold."""
    query, headers = [], {}
    for parameter in operation.get("parameters", ()):
        value = draw(st.none() | st.text("abc-019 ", max_size=80).map(str.strip))
        if value is None:
            continue
        if parameter["in"] == "header":
            headers[parameter["name"]] = value
        else:
            query.append(f"{parameter['name']}={value.replace(' ', '%20')}")
    return ("?" + "&".join(query) if query else ""), headers


def operations(description: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (method.upper(), path, operation)
        for path, methods in description["paths"].items()
        for method, operation in methods.items()
    ]


def check(talk: Talk, description: dict[str, Any], data: st.DataObject) -> None:
    method, path, operation = data.draw(st.sampled_from(operations(description)), "route")
    query, headers = data.draw(queries(operation), "query")
    body = None
    if "requestBody" in operation:
        schema = operation["requestBody"]["content"]["application/json"]["schema"]
        body = data.draw(bodies(schema, description), "body")
        kinds = ("application/json", "application/json", "text/plain", "multipart/form-data")
        headers["Content-Type"] = data.draw(st.sampled_from(kinds), "content type")
    status, answer = talk.ask(method, path + query, body, headers)
    note(f"{status} {answer}")
    assert str(status) in operation["responses"], (status, answer)
    if status >= 400:
        problem = Problem.model_validate(answer)
        assert problem.message
        assert "D7" not in problem.message
    elif path == STREAM:
        assert answer.startswith("id: ")


@settings(max_examples=150)
@given(data=st.data())
def test_no_request_is_the_daemon_s_failure(
    talk: Talk, description: dict[str, Any], data: st.DataObject
):
    check(talk, description, data)


@pytest.mark.long
@settings(max_examples=5_000)
@given(data=st.data())
def test_no_request_of_thousands_is_the_daemon_s_failure(
    talk: Talk, description: dict[str, Any], data: st.DataObject
):
    check(talk, description, data)


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "BREW"])
def test_a_method_that_no_route_has_changes_nothing(
    talk: Talk, description: dict[str, Any], method: str
):
    before = talk.ask("GET", "/v1/state", None, {})[1]
    for path in description["paths"]:
        status, _ = talk.ask(method, path, None, {})
        assert status in (404, 405), (method, path)
    after = talk.ask("GET", "/v1/state", None, {})[1]
    assert (after["state"], after["job"], after["stops_asked"]) == (
        before["state"],
        before["job"],
        before["stops_asked"],
    )
