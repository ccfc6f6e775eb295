"""The client: one method a request, and the stream of events that goes on over lost connections."""

from __future__ import annotations

import base64
import http.client
import json
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar
from urllib.parse import quote

from pydantic import ValidationError

from controller.api.models import (
    CalibrationView,
    FiguresView,
    JobView,
    Model,
    PictureView,
    Problem,
    SightView,
    StateView,
)
from controller.api.records import FileHandsView, HandsView, RoundsView
from controller.client.errors import ClientError, RefusedByDaemonError

ANSWER_S: Final = 30.0
SILENCE_S: Final = 40.0
"""The daemon says at least every 15 seconds that it is still there."""
View = TypeVar("View", bound=Model)


@dataclass(frozen=True, slots=True)
class Told:
    """One event."""

    id: str
    kind: str
    data: str


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: Path, timeout_s: float) -> None:
        super().__init__("localhost", timeout=timeout_s)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        try:
            self.sock.connect(str(self._path))
        except OSError:
            self.sock.close()
            raise


class Client:
    """Speaks to the daemon at *path* in the name of *who*."""

    def __init__(self, path: Path, who: str) -> None:
        self.path = path
        self.who = who

    def state(self) -> StateView:
        """Everything a screen shows."""
        return self._ask("GET", "/v1/state", None, StateView)

    def figures(self) -> FiguresView:
        """How well host and machine keep up."""
        return self._ask("GET", "/v1/figures", None, FiguresView)

    def calibration(self) -> CalibrationView:
        """What was measured on this machine."""
        return self._ask("GET", "/v1/calibration", None, CalibrationView)

    def calibrate(self, section: str, card_mm: float, design: str) -> StateView:
        """Begins to measure a section."""
        document = {"by": self.who, "section": section, "card_mm": card_mm, "design": design}
        return self._ask("POST", "/v1/calibration", document, StateView)

    def deal(
        self,
        name: str,
        source: bytes,
        *,
        boards: list[int] | None = None,
        first_board: int | None = None,
        copies: int | None = None,
        teaching: bool = False,
        laws: int | None = None,
        replay: bool = False,
        witness: str = "",
        **more: object,
    ) -> JobView:
        """Begins to deal the boards of a file; *more* are boxes, section, order and over."""
        document = {
            "owner": self.who,
            "name": name,
            "file": base64.b64encode(source).decode(),
            "boards": boards,
            "first_board": first_board,
            "copies": copies,
            "teaching": teaching,
            "laws": laws,
            "replay": replay,
            "witness": witness,
            **more,
        }
        return self._ask("POST", "/v1/jobs", document, JobView)

    def task(self, kind: str, source: bytes = b"", **wanted: object) -> JobView:
        """Begins a job that reads cards; *wanted* are the fields of `TaskRequest`."""
        file = base64.b64encode(source).decode()
        document = {**wanted, "owner": self.who, "kind": kind, "file": file}
        return self._ask("POST", "/v1/tasks", document, JobView)

    def hands(
        self,
        code: str,
        purpose: str,
        *,
        boards: list[int] | None = None,
        released: bool = False,
        director: str | None = None,
        passphrase: str | None = None,
    ) -> HandsView:
        """Deals of a kept set, for who may see them."""
        document = {
            **self._who(director, passphrase),
            "purpose": purpose,
            "boards": boards,
            "released": released,
        }
        return self._ask("POST", f"/v1/sets/{quote(code, safe='')}/hands", document, HandsView)

    def rounds(self, code: str) -> RoundsView:
        """Which records of a set may be seen, and when."""
        return self._ask("GET", f"/v1/sets/{quote(code, safe='')}/rounds", None, RoundsView)

    def hold(
        self,
        code: str,
        rounds: list[tuple[list[int], int | None]],
        *,
        director: str | None = None,
        passphrase: str | None = None,
    ) -> RoundsView:
        """Holds records round by round: the boards of each, and from when (us since 1970)."""
        parts = [{"boards": boards, "at_us": at_us} for boards, at_us in rounds]
        document = {**self._who(director, passphrase), "rounds": parts}
        return self._ask("POST", f"/v1/sets/{quote(code, safe='')}/rounds", document, RoundsView)

    def release(
        self,
        code: str,
        number: int | None = None,
        *,
        director: str | None = None,
        passphrase: str | None = None,
    ) -> RoundsView:
        """Lets a round (the first is 1), or all, be seen from now on."""
        document = {**self._who(director, passphrase), "round": number}
        return self._ask("POST", f"/v1/sets/{quote(code, safe='')}/release", document, RoundsView)

    def file_hands(
        self,
        name: str,
        source: bytes,
        boards: list[int],
        purpose: str,
        *,
        director: str | None = None,
        passphrase: str | None = None,
    ) -> FileHandsView:
        """Whether boards of a file are held in a live set; refused where the director has to allow."""
        document = {
            **self._who(director, passphrase),
            "purpose": purpose,
            "name": name,
            "file": base64.b64encode(source).decode(),
            "boards": boards,
        }
        return self._ask("POST", "/v1/hands", document, FileHandsView)

    def stop(self, *, end: bool = False) -> StateView:
        """Stops the machine now; with *end* the job is given up."""
        return self._ask("POST", "/v1/stop", {"by": self.who, "end": end}, StateView)

    def resume(
        self,
        named: list[str] | None = None,
        *,
        take_over: bool = False,
        seen: StateView | None = None,
        face_seen_by: str | None = None,
        seen_by_player: bool = False,
    ) -> StateView:
        """What was asked for, in the state that was *seen*, is done: go on. Who saw a face meanwhile
        is told with it.
        """
        document = {
            "by": self.who,
            "named": named or [],
            "take_over": take_over,
            "stops_seen": None if seen is None else seen.stops_asked,
            "face_seen_by": face_seen_by,
            "seen_by_player": seen_by_player,
        }
        return self._ask("POST", "/v1/resume", document, StateView)

    def picture(self, card: int = 1, look: int | None = None) -> PictureView:
        """The picture of a card that has to be named; that this client has seen a face is written down."""
        document = {"by": self.who, "card": card, "look": look}
        return self._ask("POST", "/v1/picture", document, PictureView)

    def sight(self, number: int) -> SightView:
        """A picture of the pack that has passed to be taught."""
        return self._ask("GET", f"/v1/lesson/{number}", None, SightView)

    def confirm(self, board: int) -> StateView:
        """Which board lies in the slot of a machine without label reader."""
        return self._ask("POST", "/v1/confirm", {"by": self.who, "board": board}, StateView)

    def events(self, after: str | None, pause: Callable[[], None]) -> Iterator[Told]:
        """Events after the one named, for ever; *pause* is called before another try to connect.

        What was told while no connection stood comes afterwards; if that is not possible any more,
        or the daemon has begun a new life, a `reset` with the whole state comes.
        """
        while True:
            try:
                for told in self._stream(after):
                    after = told.id
                    yield told
            except (OSError, http.client.HTTPException):
                pass
            pause()

    def _who(self, director: str | None, passphrase: str | None) -> dict[str, str | None]:
        return {"by": self.who, "director": director, "passphrase": passphrase}

    # -- inside ----------------------------------------------------------------------------

    def _ask(self, method: str, path: str, document: Any, view: type[View]) -> View:
        connection = _UnixConnection(self.path, ANSWER_S)
        body = None if document is None else json.dumps(document)
        try:
            connection.request(method, path, body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            status, data = answer.status, answer.read()
        except (OSError, http.client.HTTPException) as error:
            raise _nobody(self.path, error) from error
        finally:
            connection.close()
        try:
            if status < 300:
                return view.model_validate_json(data)
            raise RefusedByDaemonError(status, Problem.model_validate_json(data))
        except ValidationError as error:
            raise ClientError("client.other_version", path=self.path, status=status) from error

    def _stream(self, after: str | None) -> Iterator[Told]:
        connection = _UnixConnection(self.path, SILENCE_S)
        try:
            headers = {} if after is None else {"Last-Event-ID": after}
            connection.request("GET", "/v1/events", headers=headers)
            answer = connection.getresponse()
            if answer.status != 200:
                raise http.client.HTTPException(answer.status)
            yield from _events(iter(answer.readline, b""))
        finally:
            connection.close()


def _events(lines: Iterator[bytes]) -> Iterator[Told]:
    """Reads text/event-stream; an event that was cut off is none."""
    fields: dict[str, str] = {}
    for line in lines:
        text = line.decode().rstrip("\r\n")
        if text:
            name, _, value = text.partition(":")
            fields[name] = value.removeprefix(" ")
        elif "data" in fields:
            yield Told(fields.get("id", ""), fields.get("event", "message"), fields["data"])
            fields = {}
        else:
            fields = {}


def _nobody(path: Path, error: Exception) -> ClientError:
    if isinstance(error, FileNotFoundError | ConnectionRefusedError):
        return ClientError("client.no_daemon", path=path)
    if isinstance(error, PermissionError):
        return ClientError("client.not_allowed", path=path)
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return ClientError("client.no_answer", path=path, reason=reason)
