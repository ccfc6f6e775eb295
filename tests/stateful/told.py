"""What an evening has come to, and the oracle: what the world says against a proven board."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field

from controller.bench.dealing import random_boards
from controller.engine.stops import Step, Stop
from controller.twin.faults import KINDS
from controller.twin.world.world import World
from deals.boards import Board
from deals.cards import CARDS, Card, Seat

PROFILES = ("standard", "fast", "stress")
STOPPED, PROVEN, MENDED = "stopped", "proven", "mended"
STILL_AFTER_US = 400_000
"""So long after a stop the feeder may still run out."""
ALONE_US = 1_500_000
"""So long at most where nobody can stop it: the dead-man's silence, and what it had credit for."""


@dataclass
class Told:
    """`boards` says of each copy of which cards were fed how it ended, `wrong` what must never be."""

    faults: list[str] = field(default_factory=list)
    boards: dict[str, str] = field(default_factory=dict)
    """Board and copy ("3.1") to proven, mended (proven after people had to help) or stopped."""
    wrong: list[str] = field(default_factory=list)
    checks: int = 0
    """Boards that were read back and found right."""

    def count(self, *how: str) -> int:
        """How many boards have ended so; without a word all on which cards were fed."""
        return sum(one in how for one in self.boards.values()) if how else len(self.boards)

    def begun(self, board: int, copy: int) -> None:
        """Cards of it are fed."""
        self.boards.setdefault(f"{board}.{copy}", STOPPED)

    def proven(self, board: Board, copy: int, world: World, *, mended: bool) -> None:
        """It is called proven: holds that against the world."""
        self.boards[f"{board.number}.{copy}"] = MENDED if mended else PROVEN
        if untrue := untrue_of(board, world):
            self.wrong.append(f"board {board.number} is proven, but {untrue}")


class Feeder:
    """Watches that nothing is fed while the machine waits for people."""

    def __init__(self) -> None:
        self._before = ("", False)
        self._since_us = 0
        self._stood: int | None = None

    def look(self, world: World, told: Told, waits: str, *, alone: bool = False) -> None:
        """*waits*: what it waits for; empty while it may feed. *alone*: no host speaks to it."""
        if (waits, alone) != self._before:
            self._before, self._since_us, self._stood = (waits, alone), world.now_us, None
        stands_us = self._since_us + (ALONE_US if alone else STILL_AFTER_US)
        if not waits or world.now_us < stands_us:
            return
        if self._stood not in (None, world.hopper.feeder):
            told.wrong.append(f"fed while it waited: {waits}")
        self._stood = world.hopper.feeder


def untrue_of(board: Board, world: World) -> str:
    """What the world says against a board that is called right; empty when it is true."""
    lies = world.slot.board
    if lies is None or lies.number != board.number or world.slot.backwards:
        return "another board lies in the slot"
    held = world.contents()
    for seat in Seat:
        if sorted(held.pockets[seat.name]) != sorted(map(str, board.deal.hand(seat))):
            return f"pocket {seat.name} holds {held.pockets[seat.name]}"
    return "cards lie on the belt" if held.belt else ""


def boards_of(seed: int, count: int) -> tuple[Board, ...]:
    """Random boards, numbered from 1."""
    return random_boards(count, f"{seed} deals")


def by_number(boards: tuple[Board, ...]) -> Mapping[int, Board]:
    """The same to look up."""
    return {board.number: board for board in boards}


def a_fault(rng: random.Random, boards: int) -> str:
    """Any fault of the twin, at any board and card."""
    name, board = rng.choice(sorted(KINDS)), rng.randint(1, boards)
    return f"{name}@{board}.{rng.randint(1, 53)}" if KINDS[name].takes_card else f"{name}@{board}"


def names_of(stop: Stop | None, rng: random.Random) -> tuple[Card, ...]:
    """What somebody might say the set-aside cards are."""
    count = stop.set_aside if stop is not None and Step.NAME_SET_ASIDE in stop.steps else 0
    return tuple(rng.choice(CARDS) for _ in range(count))
