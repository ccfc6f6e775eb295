"""Double dummy of 36 boards, our processes beside the library itself on all cores, and their record.

Run: `.venv/bin/python -m tests.benchmarks.doubledummy [rounds]`. Both solve the same random deals;
wall clock and processor time in seconds, ours with starting the processes, the library's without
starting its own. Then the hand record of the same boards as PDF. On a machine with other work
compare processor time and several rounds.
"""

from __future__ import annotations

import json
import random
import resource
import statistics
import subprocess
import sys
import time

from deals.boards import Board
from deals.deal import Deal
from deals.doubledummy import solve
from deals.doubledummy.cache import table_from
from deals.records.analysis import plain_entry
from deals.records.model import Heading
from deals.records.pages import hand_records

BOARDS = 36
_LIBRARY = (
    "import json, os, sys, time\n"
    "from deals.doubledummy.library import Library, holdings_of\n"
    "held = [holdings_of(bytes(owners)) for owners in json.load(sys.stdin)]\n"
    "library = Library(threads=0)\n"
    "wall, used = time.perf_counter(), time.process_time()\n"
    "library.tables(held)\n"
    "print(time.perf_counter() - wall, time.process_time() - used, flush=True)\n"
    "os._exit(0)\n"
)


def ours(deals: list[Deal]) -> tuple[float, float]:
    """Wall clock and processor time of the children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    if any(solved.table is None for solved in solve(deals)):
        raise SystemExit("a deal was not solved")
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, used


def itself(deals: list[Deal]) -> tuple[float, float]:
    """The same of the library, all deals in one call, one thread a core."""
    done = subprocess.run(
        [sys.executable, "-c", _LIBRARY],
        input=json.dumps([list(deal.owners) for deal in deals]),
        capture_output=True,
        text=True,
        check=True,
    )
    wall, used = map(float, done.stdout.split())
    return wall, used


def record(deals: list[Deal]) -> float:
    """Seconds for the PDF of 36 boards with tricks and par; the tricks are made up."""
    table = table_from([7, 6, 8, 5] * 5)
    entries = [
        plain_entry(Board.standard(number, deal), table) for number, deal in enumerate(deals, 1)
    ]
    start = time.perf_counter()
    hand_records(entries, Heading("KH7-4MQ-9RH", "Thursday pairs"))
    return time.perf_counter() - start


def main() -> None:
    """Measure in turn and print medians."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    figures: dict[str, list[tuple[float, float]]] = {"ours": [], "library": []}
    records: list[float] = []
    for number in range(rounds):
        deals = []
        for board in range(BOARDS):
            owners = bytearray(bytes(seat for seat in range(4) for _ in range(13)))
            random.Random(1000 * number + board).shuffle(owners)
            deals.append(Deal(bytes(owners)))
        figures["ours"].append(ours(deals))
        figures["library"].append(itself(deals))
        records.append(record(deals))
    for name, found in figures.items():
        wall = [round(w, 2) for w, _ in found]
        used = [round(u, 2) for _, u in found]
        print(
            f"{name:8} wall {statistics.median(wall):6.2f} s {wall}"
            f"  processor {statistics.median(used):6.2f} s {used}"
        )
    print(
        f"record   first {records[0]:.2f} s, then {statistics.median(records[1:] or records):.2f} s"
    )


if __name__ == "__main__":
    main()
