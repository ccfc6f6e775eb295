"""The daemon's real door, a Unix socket with HTTP, at which clients ask while the room stands still."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final, TypeVar

import pytest

from controller.api.app import make_app
from controller.api.desk import Desk
from controller.api.models import Model
from controller.api.server import Server
from controller.client.client import Client
from deals import setcode

LATE_S: Final = 240.0
"""The clock on the wall decides nothing here: a computer may be busy. So long is a hang."""
T = TypeVar("T")
View = TypeVar("View", bound=Model)
ASKED, ANSWERED = "asked", "answered"


class Door:
    """One server for many daemons, one after the other."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "socket"
        self._app: Any = None
        self._news: SimpleQueue[str] = SimpleQueue()
        self._askers = ThreadPoolExecutor(1, "asker")
        self._server = Server(self, self.path)  # type: ignore[arg-type]
        self._server.start()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """As an application: whichever daemon lives now."""
        await self._app(scope, receive, send)

    def leads_to(self, desk: Desk) -> None:
        """From now on clients speak to the daemon of this desk."""
        self._app = make_app(desk, "1")

    def woken(self) -> None:
        """A question lies on the desk."""
        self._news.put(ASKED)

    def ask(self, question: Callable[[], T], look: Callable[[], None]) -> T:
        """Has *question* asked; *look* lets the control loop look at its desk once."""
        answer = self._askers.submit(question)
        answer.add_done_callback(lambda _: self._news.put(ANSWERED))
        while self._news.get(timeout=LATE_S) is ASKED:
            look()
        return answer.result()

    def close(self) -> None:
        """Nobody comes any more."""
        self._askers.shutdown()
        self._server.stop()


class Asks(Client):
    """A client whose questions take no time but what the loop needs to look at its desk."""

    def __init__(self, door: Door, who: str, look: Callable[[], None]) -> None:
        super().__init__(door.path, who)
        self._door = door
        self._look = look

    def _ask(self, method: str, path: str, document: Any, view: type[View]) -> View:
        return self._door.ask(lambda: Client._ask(self, method, path, document, view), self._look)


@contextmanager
def open_door() -> Iterator[Door]:
    """A door in a folder of its own. Codes of sets are quick meanwhile: thousands of them are made."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr("controller.api.desk.ANSWER_S", LATE_S)
        patch.setattr("controller.client.client.ANSWER_S", LATE_S)
        patch.setattr(setcode.set_code, "__defaults__", (setcode.QUICK_COST,))
        door = Door(Path(folder))
        try:
            yield door
        finally:
            door.close()
