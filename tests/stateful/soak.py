"""Random evenings without end: chance decides what people do, and which faults strike.

    python -m tests.stateful.soak [--boards 10000] [--keep FILE] [--seconds N] [--table]

Every evening is one seed: odd ones are played with a job, even ones over the API of a whole daemon.
What it came to is kept in FILE, a line an evening, so that a run that was interrupted goes on there.
Anything silently wrong ends the run with exit code 1.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from controller.twin.faults import KINDS, parse
from tests.stateful.door import open_door
from tests.stateful.evenings import by_daemon, by_job
from tests.stateful.told import MENDED, PROVEN, STOPPED, Told

NO_FAULT = "none, but what people did"


def main() -> int:
    """Runs evenings until so many boards were dealt; tells what they came to."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--boards", type=int, default=10_000)
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, help="stop after so long; go on another time")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--table", action="store_true", help="how boards ended, by fault")
    options = parser.parse_args()
    kept = _kept(options.keep)
    started, seed = time.monotonic(), options.first_seed
    with open_door() as door:
        while sum(told.count() for told in kept.values()) < options.boards:
            if options.seconds and time.monotonic() - started > options.seconds:
                break
            if seed not in kept:
                kept[seed] = by_job(seed) if seed % 2 else by_daemon(seed, door)
                _keep(options.keep, seed, kept[seed])
                if kept[seed].wrong:
                    break
            seed += 1
    if options.table:
        _table(kept)
    return _tell(kept)


def _keep(file: Path | None, seed: int, told: Told) -> None:
    if file is not None:
        with file.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps({"seed": seed, **asdict(told)}) + "\n")


def _kept(file: Path | None) -> dict[int, Told]:
    if file is None or not file.exists():
        return {}
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return {line.pop("seed"): Told(**line) for line in lines}


def _tell(kept: Mapping[int, Told]) -> int:
    wrong = {seed: told.wrong for seed, told in kept.items() if told.wrong}
    for name, some in (("jobs", _part(kept, 1)), ("daemons", _part(kept, 0))):
        dealt, proven = _sum(some), _sum(some, PROVEN, MENDED)
        checks = sum(told.checks for told in some)
        print(f"{name}: evenings {len(some)}, boards {dealt}, proven {proven},", end=" ")
        print(f"of them mended {_sum(some, MENDED)}, stopped {dealt - proven}, checks {checks}")
    print(f"silently wrong {len(wrong)}")
    for seed, what in wrong.items():
        print(f"seed {seed}: {what}")
    return 1 if wrong else 0


def _part(kept: Mapping[int, Told], odd: int) -> list[Told]:
    return [told for seed, told in kept.items() if seed % 2 == odd]


def _sum(some: list[Told], *how: str) -> int:
    return sum(told.count(*how) for told in some)


def _table(kept: Mapping[int, Told]) -> None:
    """A board counts for each fault that was to strike at it."""
    ended = {name: Counter[str]() for name in (*KINDS, NO_FAULT)}
    for told in kept.values():
        struck = [parse(fault) for fault in told.faults]
        for place, how in told.boards.items():
            number = int(place.partition(".")[0])
            for name in {one.name for one in struck if one.board == number} or {NO_FAULT}:
                ended[name][how] += 1
    print("| fault | row | boards | proven | mended | stopped |\n|---|---|--:|--:|--:|--:|")
    for name, count in ended.items():
        row = KINDS[name].row if name in KINDS else "-"
        cells = " | ".join(str(count[how]) for how in (PROVEN, MENDED, STOPPED))
        print(f"| {name} | {row} | {count.total()} | {cells} |")


if __name__ == "__main__":
    sys.exit(main())
