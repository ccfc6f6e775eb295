"""Walks through every named fault of the twin; prints proven, mended and stopped by fault as Markdown.

    python -m tests.benchmarks.fault_walk [--seeds 3] [--operator auto]... [--profile standard]...
                                          [--only NAME]... [--keep FILE]

Each fault strikes at the first, second, a middle and the last two cards, on the first of two boards,
with the identity reader. A proven board must lie in the world as the file says: anything else ends
the walk with exit code 1. What is done is kept in FILE, a line a run, so that an interrupted walk
goes on there.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from controller.twin.faults import KINDS
from controller.twin.room import OPERATORS
from tests.scenarios.room import deal

CARDS = (1, 2, 26, 51, 52)
PROFILES = ("standard", "fast", "stress")
BOARDS = (1, 2)


@dataclass(frozen=True)
class Walked:
    """One evening of two boards: how many ended how, and what stopped them."""

    fault: str
    place: str
    operator: str
    profile: str
    seed: int
    proven: int
    mended: int
    stopped: int
    wrong: int
    stops: tuple[str, ...]


def main() -> int:
    """Walks, prints the table; 1 if anything was silently wrong."""
    options = _options()
    kept = _kept(options.keep)
    walked = []
    for name, place, operator, profile, seed in _plan(options):
        key = f"{name}{place} {operator} {profile} {seed}"
        if key not in kept:
            kept[key] = _walk(name, place, operator, profile, seed)
            if options.keep:
                with options.keep.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(asdict(kept[key])) + "\n")
            time.sleep(options.pause)
        walked.append(kept[key])
    for operator in options.operator:
        _table(operator, [one for one in walked if one.operator == operator])
    wrong = [one for one in walked if one.wrong]
    for one in wrong:
        print(f"SILENTLY WRONG: {one}")
    return 1 if wrong else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--operator", action="append", choices=OPERATORS)
    parser.add_argument("--profile", action="append", choices=PROFILES)
    parser.add_argument("--only", action="append", choices=sorted(KINDS), metavar="NAME")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--pause", type=float, default=0.0, help="seconds between two evenings")
    options = parser.parse_args()
    options.operator = options.operator or list(OPERATORS)
    options.profile = options.profile or list(PROFILES)
    return options


def _plan(options: argparse.Namespace) -> Iterator[tuple[str, str, str, str, int]]:
    for seed in range(1, options.seeds + 1):
        for operator in options.operator:
            for profile in options.profile:
                for name in options.only or sorted(KINDS):
                    places = [f"@1.{card}" for card in CARDS] if KINDS[name].takes_card else ["@1"]
                    for place in places:
                        yield name, place, operator, profile, seed


def _walk(name: str, place: str, operator: str, profile: str, seed: int) -> Walked:
    evening = deal(name + place, numbers=BOARDS, operator=operator, profile=profile, seed=seed)
    proven = [result.proven for result in evening.results]
    mended = sum(result.mended for result in evening.results)
    wrong = sum(
        result.proven and not true
        for result, true in zip(evening.results, evening.true, strict=True)
    )
    stopped = len(BOARDS) - sum(proven)
    stops = tuple(f"{stop.fault.value}:{stop.remedy}" for stop in evening.stops)
    return Walked(name, place, operator, profile, seed, sum(proven), mended, stopped, wrong, stops)


def _kept(file: Path | None) -> dict[str, Walked]:
    if file is None or not file.exists():
        return {}
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    found = [Walked(**{**line, "stops": tuple(line["stops"])}) for line in lines]
    return {f"{w.fault}{w.place} {w.operator} {w.profile} {w.seed}": w for w in found}


def _table(operator: str, walked: list[Walked]) -> None:
    print(f"\nOperator `{operator}`, two boards an evening:\n")
    print("| fault | row | evenings | proven | of them mended | stopped | stops an evening |")
    print("|---|---|---|---|---|---|---|")
    for name, kind in KINDS.items():
        mine = [one for one in walked if one.fault == name]
        if mine:
            stops = sum(len(one.stops) for one in mine) / len(mine)
            counts = (sum(getattr(one, what) for one in mine) for what in ("proven", "mended"))
            proven, mended = counts
            stopped = sum(one.stopped for one in mine)
            row = f"{len(mine)} | {proven} | {mended} | {stopped} | {stops:.1f}"
            print(f"| {name} | {kind.row} | {row} |")


if __name__ == "__main__":
    sys.exit(main())
