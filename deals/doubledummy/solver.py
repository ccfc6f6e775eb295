"""Solves deals in child processes, one a core; each can be killed, and is, when a deal takes too long."""

from __future__ import annotations

import contextlib
import enum
import os
import selectors
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from deals.deal import Deal
from deals.doubledummy.cache import Cache, table_from
from deals.doubledummy.errors import MISSING, REFUSED, DoubleDummyError
from deals.tricks import TrickTable

LIMIT_S: Final = 60.0
"""Hundred times what an ordinary deal takes on a Raspberry Pi; one known legal deal takes minutes."""
_GLANCE_S: Final = 0.1
"""How often `stop` is asked."""
_COMMAND: Final = [sys.executable, "-m", "deals.doubledummy.worker"]


class Failure(enum.Enum):
    """Why a deal has no table."""

    TOO_LONG = "too_long"
    CRASHED = "crashed"


@dataclass(frozen=True, slots=True)
class Solved:
    """One deal is done: its place in the list asked for, and its table or why there is none."""

    place: int
    deal: Deal
    table: TrickTable | None
    failure: Failure | None = None
    remembered: bool = False
    """It was in the cache."""


def solve(
    deals: Iterable[Deal],
    *,
    limit_s: float = LIMIT_S,
    processes: int | None = None,
    cache: Cache | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> Iterator[Solved]:
    """Yield every deal once, as soon as it is solved: what the cache knows first, then any order.

    Closing the iterator, or *stop* answering True (it is asked ten times a second), kills all
    processes at once. *limit_s* seconds of wall clock a deal; *processes* default to one a core.
    Raises DoubleDummyError "dd.library_missing" when a deal has to be solved without library.
    """
    places: dict[Deal, list[int]] = {}
    for place, deal in enumerate(deals):
        places.setdefault(deal, []).append(place)
    waiting: deque[Deal] = deque()
    for deal, those in places.items():
        table = cache.get(deal) if cache else None
        if table is None:
            waiting.append(deal)
        else:
            yield from (Solved(place, deal, table, remembered=True) for place in those)
    if not waiting:
        return
    count = min(processes or len(os.sched_getaffinity(0)), len(waiting))
    with _Crew(waiting, count, limit_s) as crew:
        while crew.busy and not stop():
            for deal, table, failure in crew.answers():
                if table is not None and cache:
                    cache.put(deal, table)
                yield from (Solved(place, deal, table, failure) for place in places[deal])


_Answer = tuple[Deal, TrickTable | None, Failure | None]


class _Child:
    """One process and the deal it is at."""

    def __init__(self) -> None:
        root = str(Path(__file__).parents[2])
        paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
        try:
            self.process = subprocess.Popen(
                _COMMAND,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
                bufsize=0,
            )
        except OSError as error:
            raise DoubleDummyError("dd.no_process", reason=error.strerror) from None
        stdin, stdout = self.process.stdin, self.process.stdout
        if stdin is None or stdout is None:  # never: both were asked for
            raise DoubleDummyError("dd.no_process", reason="no pipe")
        self.stdin, self.stdout = stdin, stdout
        self.deal: Deal | None = None
        self.heard = b""

    def give(self, deal: Deal, limit_s: float) -> None:
        self.deal = deal
        owners = "".join(str(owner) for owner in deal.owners)
        with contextlib.suppress(BrokenPipeError):  # dead: the end of its output tells why
            os.write(self.stdin.fileno(), f"{limit_s:.3f} {owners}\n".encode("ascii"))

    def end(self) -> int:
        self.process.kill()
        self.stdin.close()
        self.stdout.close()
        return self.process.wait()


class _Crew:
    """The processes at work; leaving the context kills those that are left."""

    def __init__(self, waiting: deque[Deal], count: int, limit_s: float) -> None:
        self._waiting, self._count, self._limit_s = waiting, count, limit_s
        self._selector = selectors.DefaultSelector()
        self.busy: set[_Child] = set()

    def __enter__(self) -> _Crew:
        try:
            for _ in range(self._count):
                self._start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for child in self.busy:
            child.end()
        self.busy.clear()
        self._selector.close()

    def answers(self) -> list[_Answer]:
        """What came in since; waits for it at most _GLANCE_S."""
        found = []
        for key, _ in self._selector.select(_GLANCE_S):
            child: _Child = key.data
            data = os.read(child.stdout.fileno(), 64)
            child.heard += data
            if not data:
                found.append(self._lost(child))
            elif child.heard.endswith(b"\n"):
                found.append(self._answer(child))
        return found

    def _answer(self, child: _Child) -> _Answer:
        text, child.heard = child.heard.decode("ascii").strip(), b""
        if text == MISSING:
            raise DoubleDummyError("dd.library_missing")
        deal = self._deal_of(child)
        if self._waiting:
            child.give(self._waiting.popleft(), self._limit_s)
        else:
            self._dismiss(child)
        if text == REFUSED:
            return deal, None, Failure.CRASHED
        return deal, table_from([int(digit, 16) for digit in text]), None

    def _lost(self, child: _Child) -> _Answer:
        deal = self._deal_of(child)
        code = self._dismiss(child)
        if self._waiting:
            self._start()
        return deal, None, Failure.TOO_LONG if code == -signal.SIGALRM else Failure.CRASHED

    def _start(self) -> None:
        child = _Child()
        self.busy.add(child)
        self._selector.register(child.stdout, selectors.EVENT_READ, child)
        child.give(self._waiting.popleft(), self._limit_s)

    def _dismiss(self, child: _Child) -> int:
        self._selector.unregister(child.stdout)
        self.busy.discard(child)
        return child.end()

    def _deal_of(self, child: _Child) -> Deal:
        if child.deal is None:
            raise DoubleDummyError("dd.no_process", reason="an answer nobody asked for")
        return child.deal
