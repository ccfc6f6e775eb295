"""A daemon in lock-step behind its real socket, in a thread, so that tests are clients."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from controller.api.app import make_app
from controller.api.models import StateView
from controller.api.server import Server
from controller.client.client import Client
from controller.store import Store
from tests.unit.daemon.club import Club
from tests.unit.store.support import StepClock, seeded

PATIENCE_S = 30.0
AT_MOST_X = 20
"""Times as fast as the clock on the wall: clients live by that."""


class House:
    """`with House(tmp_path) as house`: `club` lives in the thread, `client` speaks to it."""

    def __init__(
        self,
        folder: Path,
        *faults: str,
        club: Callable[..., Club] = Club,
        state: Path | None = None,
    ) -> None:
        """*state*: where the store is kept; the API opens it beside the machine."""
        self._club = partial(club, state_dir=state) if state else club
        self._state = state
        self.path = folder / "socket"
        self._faults = faults
        self._up = threading.Event()
        self._problem: BaseException | None = None
        self._do: list[Callable[[Club], Any]] = []
        self._thread = threading.Thread(target=self._live)

    def __enter__(self) -> House:
        self._thread.start()
        assert self._up.wait(PATIENCE_S)
        self.server = Server(
            make_app(self.club.desk, "1", self.store if self._state else None), self.path
        )
        self.server.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.club.daemon.end()
        self._thread.join(PATIENCE_S)
        self.server.stop()
        if self._problem is not None:
            raise self._problem

    def store(self) -> Store:
        """As another program opens it."""
        assert self._state is not None
        return Store.beside(self._state, StepClock(), seeded(5))

    def client(self, who: str = "anna") -> Client:
        return Client(self.path, who)

    def act(self, script: Callable[[Club], Any]) -> None:
        """Has people at the machine do something, in the machine's thread."""
        done = threading.Event()

        def whole(club: Club) -> Any:
            yield from script(club)
            done.set()

        self._do.append(whole)
        assert done.wait(PATIENCE_S)

    def until(self, met: Callable[[StateView], bool]) -> StateView:
        """Asks for the state until it is as it shall be."""
        end_s = time.monotonic() + PATIENCE_S
        while not met(state := self.client().state()):
            assert time.monotonic() < end_s, state.words
            assert self._problem is None
            time.sleep(0.005)
        return state

    def _live(self) -> None:
        try:
            self.club = self._club(*self._faults)
            self.club.patience_us = 10**12
            self.club.at_most_x = AT_MOST_X
            self._up.set()
            self.club.run(self._script())
        except BaseException as error:  # noqa: BLE001 - the test shall see it
            self._problem = error
            self._up.set()

    def _script(self) -> Any:
        while True:
            yield lambda: bool(self._do)
            yield from self._do.pop(0)(self.club)
