"""Random evenings without end: chance decides what people do, and which faults strike.

    python -m tests.stateful.soak [--boards 10000] [--keep FILE] [--seconds N]

Every evening is one seed. What it came to is kept in FILE, a line an evening, so that a run that was
interrupted goes on there. Anything silently wrong ends the run with exit code 1.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

if __package__:
    from tests.stateful.chaos import SEATS, Evening, Told, names_of
else:  # the tests find it beside them
    from chaos import SEATS, Evening, Told, names_of

from controller.bench.dealing import random_boards
from controller.twin.faults import KINDS
from deals.boards import Board

BOARDS = 4
STEPS_AT_MOST = 400
MISCHIEF = 0.12
"""How often, between two moments, somebody does something that nobody asked for."""
PROFILES = ("standard", "fast", "stress")


def boards_of(seed: int, count: int) -> tuple[Board, ...]:
    """Random boards, numbered from 1."""
    return random_boards(count, f"{seed} deals")


def evening(seed: int) -> Told:
    """One evening of four boards: up to four faults, and people who mostly do what is asked for."""
    rng = random.Random(f"{seed} evening")
    faults = [_fault(rng) for _ in range(rng.randint(0, 4))]
    played = Evening(seed, boards_of(seed, BOARDS), faults, rng.choice(PROFILES))
    wild = rng.random() < 0.7
    try:
        for _ in range(STEPS_AT_MOST):
            if played.ended or played.told.wrong:
                break
            if played.wants is not None:
                _answer(played, rng)
            if wild and rng.random() < MISCHIEF:
                rng.choice(ANYTHING)(played, rng)
            played.advance(rng.choice((20_000, 300_000, 2_000_000, 6_000_000)))
    finally:
        played.close()
    return played.told


def _fault(rng: random.Random) -> str:
    name, board = rng.choice(sorted(KINDS)), rng.randint(1, BOARDS)
    return f"{name}@{board}.{rng.randint(1, 53)}" if KINDS[name].takes_card else f"{name}@{board}"


def _answer(played: Evening, rng: random.Random) -> None:
    how = rng.choices(("well", "badly", "not", "give up"), (80, 14, 5, 1))[0]
    played.answer(how, names_of(played.stop, rng) if how == "not" else ())


ANYTHING: tuple[Callable[[Evening, random.Random], None], ...] = (
    lambda e, rng: e.lid(rng.random() < 0.5),
    lambda e, rng: e.pull_board(),
    lambda e, rng: e.put_board(rng.randint(1, BOARDS + 1), rng.random() < 0.2),
    lambda e, rng: e.put_back(),
    lambda e, rng: e.take_from_pocket(rng.choice(SEATS), rng.randint(1, 14)),
    lambda e, rng: e.exchange(rng.choice(SEATS), rng.choice(SEATS)),
    lambda e, rng: e.put_into_pocket(rng.choice(SEATS)),
    lambda e, rng: e.put_into_hopper(rng.random() < 0.5, rng.random() < 0.5),
    lambda e, rng: e.take_tray(),
    lambda e, rng: e.load_pack(),
    lambda e, rng: e.take_pack(),
    lambda e, rng: e.estop(rng.random() < 0.5),
    lambda e, rng: e.cable(rng.random() < 0.6),
    lambda e, rng: e.restart_mcu(),
    lambda e, rng: e.clear_belt(),
)


def main() -> int:
    """Runs evenings until so many boards were begun; tells what they came to."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--boards", type=int, default=10_000)
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, help="stop after so long; go on another time")
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    kept = _kept(options.keep)
    started, seed = time.monotonic(), options.first_seed
    while sum(told["begun"] for told in kept.values()) < options.boards:
        if options.seconds and time.monotonic() - started > options.seconds:
            break
        if seed not in kept:
            kept[seed] = asdict(evening(seed))
            if options.keep:
                with options.keep.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({"seed": seed, **kept[seed]}) + "\n")
        seed += 1
    return _tell(kept)


def _kept(file: Path | None) -> dict[int, dict[str, object]]:
    if file is None or not file.exists():
        return {}
    lines = (json.loads(line) for line in file.read_text(encoding="utf-8").splitlines())
    return {line.pop("seed"): line for line in lines}


def _tell(kept: dict[int, dict[str, object]]) -> int:
    wrong = {seed: told["wrong"] for seed, told in kept.items() if told["wrong"]}
    begun, proven, mended = (
        sum(int(str(told[what])) for told in kept.values())
        for what in ("begun", "proven", "mended")
    )
    print(f"evenings {len(kept)}, boards begun {begun}, proven {proven}, of them mended {mended},")
    print(f"not proven {begun - proven}, silently wrong {len(wrong)}")
    for seed, what in wrong.items():
        print(f"seed {seed}: {what}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
