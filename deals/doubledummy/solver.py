"""Solves deals in child processes, one a core; each can be killed, and is, when a deal takes too long.

Whole deals are handed out while there are many. The last ones are handed out by strains, so that at
the end no process waits for another that has a long deal before it. While there is much to do each
process has its next piece before it is done with the last.
"""

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
from dataclasses import dataclass, field
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
_COMMAND: Final = [
    sys.executable,
    "-S",
    "-c",
    "from deals.doubledummy.worker import main; main()",
]
"""Without the packages of others: the worker needs none, and starts in half the time."""
_MEMORY: Final = {"GLIBC_TUNABLES": "glibc.malloc.top_pad=67108864"}
"""The library asks for its tables piece by piece: memory comes 64 MB at a time. Other C libraries do not heed it."""
_ALL: Final = (0, 1, 2, 3, 4)
_SPLIT: Final = 18
"""So many deals a process are handed out by strains at the end: a rare one takes as long as fifty others."""
_AHEAD: Final = 2
"""So many pieces has a process, while more than that many for each are waiting: the last ones go one by one."""
_BY_STRAIN: Final = ((4,), (0,), (1,), (2,), (3,))
"""No trumps first: it is the longest as a rule."""


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
    processes at once. *limit_s* seconds of wall clock a deal, its strains together; *processes* default to one a core.
    Raises DoubleDummyError "dd.library_missing" when a deal has to be solved without library.
    """
    places: dict[Deal, list[int]] = {}
    for place, deal in enumerate(deals):
        places.setdefault(deal, []).append(place)
    unknown: list[Deal] = []
    for deal, those in places.items():
        table = cache.get(deal) if cache else None
        if table is None:
            unknown.append(deal)
        else:
            yield from (Solved(place, deal, table, remembered=True) for place in those)
    if not unknown:
        return
    count = processes or len(os.sched_getaffinity(0))
    with _Crew(_pieces(unknown, count, limit_s), count) as crew:
        while crew.busy and not stop():
            for deal, table, failure in crew.answers():
                if table is not None and cache:
                    cache.put(deal, table)
                yield from (Solved(place, deal, table, failure) for place in places[deal])


_Answer = tuple[Deal, TrickTable | None, Failure | None]


@dataclass(slots=True, eq=False)
class _Task:
    """A deal to be solved: what is left of its limit, the tricks of the strains that are done."""

    deal: Deal
    left_s: float
    tricks: dict[int, str] = field(default_factory=dict)
    over: bool = False
    """Answered, or given up: what else comes of it is nobody's."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """What a process is given at a time."""

    task: _Task
    strains: tuple[int, ...] = _ALL


def _pieces(deals: list[Deal], count: int, limit_s: float) -> deque[_Piece]:
    """The work of *count* processes, in the order in which it is handed out."""
    tasks = [_Task(deal, limit_s) for deal in deals]
    whole = max(0, len(tasks) - _SPLIT * count) if count > 1 else len(tasks)
    pieces = deque(_Piece(task) for task in tasks[:whole])
    pieces.extend(_Piece(task, strains) for task in tasks[whole:] for strains in _BY_STRAIN)
    return pieces


class _Child:
    """One process, the piece it is at, and the one it has before it."""

    def __init__(self) -> None:
        root = str(Path(__file__).parents[2])
        paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
        try:
            self.process = subprocess.Popen(
                _COMMAND,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**_MEMORY, **os.environ, "PYTHONPATH": os.pathsep.join(paths)},
                bufsize=0,
            )
        except OSError as error:
            raise DoubleDummyError("dd.no_process", reason=error.strerror) from None
        stdin, stdout = self.process.stdin, self.process.stdout
        if stdin is None or stdout is None:  # never: both were asked for
            raise DoubleDummyError("dd.no_process", reason="no pipe")
        self.stdin, self.stdout = stdin, stdout
        self.pieces: deque[_Piece] = deque()
        self.heard = b""

    def give(self, piece: _Piece) -> None:
        self.pieces.append(piece)
        limit_s = max(0.0, piece.task.left_s)
        owners, strains = (
            "".join(map(str, numbers)) for numbers in (piece.task.deal.owners, piece.strains)
        )
        with contextlib.suppress(BrokenPipeError):  # dead: the end of its output tells why
            os.write(self.stdin.fileno(), f"{limit_s:.3f} {owners} {strains}\n".encode("ascii"))

    def end(self) -> int:
        self.process.kill()
        self.stdin.close()
        self.stdout.close()
        return self.process.wait()


class _Crew:
    """The processes at work; leaving the context kills those that are left."""

    def __init__(self, waiting: deque[_Piece], count: int) -> None:
        self._waiting, self._count = waiting, count
        self._selector = selectors.DefaultSelector()
        self.busy: set[_Child] = set()

    def __enter__(self) -> _Crew:
        try:
            for _ in range(min(self._count, len(self._waiting))):
                self._start(self._waiting.popleft())
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
        """The deals that are done since; waits at most _GLANCE_S for something to come in."""
        found = []
        for key, _ in self._selector.select(_GLANCE_S):
            child: _Child = key.data
            data = os.read(child.stdout.fileno(), 64)
            child.heard += data
            if not data:
                found.append(self._lost(child))
            *lines, child.heard = child.heard.split(b"\n")
            found += [self._answer(child, line) for line in lines]
            if lines:
                self._feed(child)
        return [answer for answer in found if answer is not None]

    def _answer(self, child: _Child, line: bytes) -> _Answer | None:
        words = line.decode("ascii").split()
        if words == [MISSING]:
            raise DoubleDummyError("dd.library_missing")
        piece = self._piece_of(child)
        tricks, used_s = words
        piece.task.left_s -= float(used_s)
        refused = tricks == REFUSED or len(tricks) != 4 * len(piece.strains)
        return _failed(piece.task, Failure.CRASHED) if refused else _add(piece, tricks)

    def _feed(self, child: _Child) -> None:
        """The next piece to a process that has none, and one ahead while there are many."""
        while len(child.pieces) < (_AHEAD if len(self._waiting) > _AHEAD * self._count else 1):
            following = self._next()
            if following is None:
                break
            child.give(following)
        if not child.pieces:
            self._dismiss(child)

    def _lost(self, child: _Child) -> _Answer | None:
        piece = self._piece_of(child)
        too_long = self._dismiss(child) == -signal.SIGALRM
        answer = _failed(piece.task, Failure.TOO_LONG if too_long else Failure.CRASHED)
        self._waiting.extendleft(reversed(child.pieces))  # what it had before it was not begun
        following = self._next()
        if following is not None:
            self._start(following)
        return answer

    def _next(self) -> _Piece | None:
        while self._waiting:
            piece = self._waiting.popleft()
            if not piece.task.over:
                return piece
        return None

    def _start(self, piece: _Piece) -> None:
        child = _Child()
        self.busy.add(child)
        self._selector.register(child.stdout, selectors.EVENT_READ, child)
        child.give(piece)
        self._feed(child)

    def _dismiss(self, child: _Child) -> int:
        self._selector.unregister(child.stdout)
        self.busy.discard(child)
        return child.end()

    def _piece_of(self, child: _Child) -> _Piece:
        if not child.pieces:
            raise DoubleDummyError("dd.no_process", reason="an answer nobody asked for")
        return child.pieces.popleft()


def _add(piece: _Piece, text: str) -> _Answer | None:
    """Puts the tricks of *piece* to those of its deal; the answer when all are there."""
    task = piece.task
    if task.over:
        return None
    task.tricks.update((strain, text[4 * k : 4 * k + 4]) for k, strain in enumerate(piece.strains))
    if len(task.tricks) < len(_ALL):
        return None
    task.over = True
    digits = "".join(task.tricks[strain] for strain in _ALL)
    return task.deal, table_from([int(digit, 16) for digit in digits]), None


def _failed(task: _Task, failure: Failure) -> _Answer | None:
    """The deal is given up; its other pieces are not begun any more."""
    if task.over:
        return None
    task.over = True
    return task.deal, None, failure
