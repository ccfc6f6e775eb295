"""Figures of what is done with deals: double dummy beside the library itself, prints, random deals."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import Final

from controller.bench.figures import Figure
from controller.bench.parts import time_each
from deals.boards import Board
from deals.deal import Deal
from deals.doubledummy.cache import table_from
from deals.doubledummy.solver import solve
from deals.errors import PredealError
from deals.generate import Source
from deals.records.analysis import plain_entry
from deals.records.model import Heading
from deals.records.pages import hand_records

BOARDS: Final = 36
_SEED: Final = b"predeal benchmark of deals 1"
_CANDIDATES: Final = 100_000
_LESSON: Final = "15 <= hcp(n) <= 17 and balanced(n) and hcp(s) >= 8 and spades(s) >= 5"
_LIBRARY: Final = (
    "import json, os, sys, time\n"
    "from deals.doubledummy.library import Library, holdings_of\n"
    "held = [holdings_of(bytes(owners)) for owners in json.load(sys.stdin)]\n"
    "start = time.perf_counter()\n"
    "Library(threads=0).tables(held)\n"
    "print(time.perf_counter() - start, flush=True)\n"
    "os._exit(0)\n"
)


def _deals(turn: int) -> list[Deal]:
    return Source(_SEED, f"turn {turn}").deals(range(1, BOARDS + 1))


def double_dummy(n: int) -> Sequence[float]:
    """Wall clock of our processes, their start counted, over that of one call of the library with
    a thread on each core, its loading counted: the mean of one before ours and one after.
    """
    return [_beside(deals) for deals in map(_deals, range(n))]


def _beside(deals: list[Deal]) -> float:
    before, ours, after = _library(deals), _ours(deals), _library(deals)
    return 2 * ours / (before + after)


def _ours(deals: list[Deal]) -> float:
    start = time.perf_counter()
    solved = list(solve(deals))
    taken = time.perf_counter() - start
    if any(one.table is None for one in solved):
        raise PredealError("bench.not_solved")
    return taken


def _library(deals: list[Deal]) -> float:
    done = subprocess.run(
        [sys.executable, "-c", _LIBRARY],
        input=json.dumps([list(deal.owners) for deal in deals]),
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout)


def records(n: int) -> Sequence[float]:
    """Seconds for the PDF of 36 boards with tricks and par; the tricks are made up."""
    table = table_from([7, 6, 8, 5] * 5)
    boards = [Board.standard(number, deal) for number, deal in enumerate(_deals(0), 1)]
    entries = [plain_entry(board, table) for board in boards]
    return time_each(lambda: hand_records(entries, Heading("KH7-4MQ-9RH", "Thursday")), n, 1.0)


def generated(n: int) -> Sequence[float]:
    """Microseconds a deal, each from its own hash, processor time of one core."""
    from deals.generate import bulk  # late: NumPy

    key, count = Source(_SEED, "many").key(), _CANDIDATES
    return [
        _processor_us(lambda: sum(len(rows) for rows in bulk.boards(key, range(1, count + 1))))
        for _ in range(n)
    ]


def constrained(n: int) -> Sequence[float]:
    """Microseconds a candidate that is drawn and held against a constraint on two hands."""
    from deals.generate import bulk
    from deals.teaching import Constraint

    key, constraint = Source(_SEED, "lesson").key(), Constraint(_LESSON)

    def act() -> int:
        seen = 0
        for rows in bulk.candidates(key, 1):
            constraint.meets(rows)
            seen += len(rows)
            if seen >= _CANDIDATES:
                break
        return seen

    return [_processor_us(act) for _ in range(n)]


def _processor_us(act: Callable[[], int]) -> float:
    start = time.process_time()
    count = act()
    return (time.process_time() - start) / count * 1e6


FIGURES = (
    Figure(
        "double_dummy_ratio",
        "x",
        "36 boards, our processes over the library itself on all cores",
        double_dummy,
        1,
        12,
        1.0,
    ),
    Figure("records_s", "s", "hand records of 36 boards as PDF", records, 5, 50, 1.0),
    Figure("deal_us", "us", "a random deal from its own hash, one core", generated, 3, 20, 10.0),
    Figure("candidate_us", "us", "a TEACHING candidate with its check", constrained, 3, 20, 5.0),
)
