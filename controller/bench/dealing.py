"""Figures of whole boards in lock-step: machine time against the mechanical limit, and wall time."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from controller.bench.figures import Figure
from controller.bench.identity import IdentityPictures, IdentityReader
from controller.bench.reading import DESIGN
from controller.geometry import PROFILES, Profile
from controller.jobs.deal import DealSet
from controller.jobs.results import BoardResult
from controller.twin.chips import AVR, HOST, lacks
from controller.twin.lockstep import Reads
from controller.twin.pictures import DrawnPictures
from controller.twin.session import TwinSession, TwinSetup
from controller.twin.world.camera import Pictures
from deals.boards import Board
from deals.deal import Deal
from deals.errors import PredealError
from vision.design import load
from vision.recognise import Reader

_SEED = 7


@dataclass(frozen=True, slots=True)
class Dealt:
    """One board: how long the machine took and how long this computer, and whether it held."""

    machine_us: int
    first_feed_us: int
    wall_s: float
    held: int


def random_boards(n: int, seed: int | str = _SEED) -> tuple[Board, ...]:
    """Boards from 1 on, in no order that a benchmark could profit from; of one seed always the same."""
    rng = random.Random(seed)
    owners = [card // 13 for card in range(52)]
    boards = []
    for number in range(1, n + 1):
        rng.shuffle(owners)
        boards.append(Board.standard(number, Deal.from_owners(owners)))
    return tuple(boards)


def deal(n: int, profile: Profile, *, images: bool, firmware: str = HOST) -> list[Dealt]:
    """Deals *n* boards with the journal in memory; every one must be proven."""
    pictures, reader = _real_eyes(profile) if images else _identity_eyes()
    boards = random_boards(n)
    dealt: list[Dealt] = []
    start = time.perf_counter()

    def progress(result: BoardResult) -> None:
        nonlocal start
        timing = session.world.timing
        machine_us, first_us = timing.machine_us, timing.first_feed_us
        if result.proven and machine_us is not None and first_us is not None:
            wall_s = time.perf_counter() - start
            dealt.append(Dealt(machine_us, first_us, wall_s, result.held))
        start = time.perf_counter()

    session = TwinSession(
        DealSet("bench", "BENCH", b"", boards, boards),
        TwinSetup(profile, pictures, reader, DESIGN, _SEED, firmware=firmware),
        progress,
    )
    session.run()
    if len(dealt) != n:
        raise PredealError("bench.not_proven", proven=len(dealt), boards=n)
    return dealt


def _real_eyes(profile: Profile) -> tuple[Pictures, Reads]:
    reader = Reader(load(DESIGN))
    reader.warm_up()
    return DrawnPictures.of_design(DESIGN, profile), reader


def _identity_eyes() -> tuple[Pictures, Reads]:
    return IdentityPictures(), IdentityReader()


def _ratio(name: str) -> Figure:
    profile = PROFILES[name]

    def measure(n: int) -> Sequence[float]:
        return [
            board.machine_us / profile.mechanical_limit_us
            for board in deal(n, profile, images=False)
            if not board.held
        ]

    means = f"machine time over mechanical limit, {name}, boards without a hold"
    return Figure(f"machine_ratio_{name}", "x", means, measure, 64, 2_000, 1.02)


def _wall_ms(n: int, *, images: bool, firmware: str = HOST) -> Sequence[float]:
    dealt = deal(n + 1, PROFILES["standard"], images=images, firmware=firmware)
    return [board.wall_s * 1e3 for board in dealt[1:]]


def _cycle_s(n: int) -> Sequence[float]:
    """Seconds of the world from the first feed of a board to that of the next."""
    starts = [board.first_feed_us for board in deal(n + 1, PROFILES["standard"], images=False)]
    return [(after - before) / 1e6 for before, after in pairwise(starts)]


FIGURES = (
    _ratio("standard"),
    _ratio("fast"),
    Figure(
        "cycle_s",
        "s",
        "first feed to the next board's, simulated staff, standard",
        _cycle_s,
        64,
        2_000,
        10,
    ),
    Figure(
        "deal_wall_ms",
        "ms",
        "wall time of a board in lock-step, images drawn and read",
        lambda n: _wall_ms(n, images=True),
        16,
        500,
    ),
    Figure(
        "deal_wall_identity_ms",
        "ms",
        "wall time of a board in lock-step, without images",
        lambda n: _wall_ms(n, images=False),
        64,
        2_000,
        60.0,
    ),
    Figure(
        "deal_wall_avr_ms",
        "ms",
        "the same with the ATmega2560's program in simavr",
        lambda n: _wall_ms(n, images=False, firmware=AVR),
        16,
        200,
        lacks=lambda: lacks(AVR),
    ),
)
