"""A chip for a test, and one board whose every pin edge was written down."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from controller.bench.identity import IdentityPictures, IdentityReader
from controller.geometry import PROFILES
from controller.jobs.deal import DealSet
from controller.twin import room
from controller.twin.faults import parse
from controller.twin.session import TwinSession, TwinSetup
from controller.twin.simavr import SimavrFirmware
from deals.files import read_deals_file
from tests.unit.avr.bench import Bench, Edges, symbol
from tests.unit.project.source import ROOT

SIXTEEN = ROOT / "tests" / "vectors" / "files" / "sixteen.dup"
RAM_END = 0x2200
PAINT = 0xC5


@dataclass
class Recorded:
    """What a board looked like at the pins."""

    edges: Edges
    figures: dict[str, int]
    stack: int
    """Bytes of the deepest stack."""
    proven: bool


class Recording(SimavrFirmware):
    """A chip that keeps its figures when it is switched off."""

    figures_at_end: dict[str, int]
    stack: int

    def close(self) -> None:
        self.figures_at_end = self.figures()
        free = symbol("_end")
        memory = self.memory(free, RAM_END - free)
        self.stack = len(memory.lstrip(bytes([PAINT])))
        super().close()


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench()
    yield made
    made.close()


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Recorded]:
    """Boards by profile, each dealt once, with cards that come double so that there are stops too."""
    done: dict[str, Recorded] = {}

    def board(profile: str) -> Recorded:
        if profile not in done:
            done[profile] = record(profile, tmp_path_factory.mktemp(profile) / "pins.txt")
        return done[profile]

    return board


def record(profile: str, path: Any) -> Recorded:
    boards = read_deals_file(SIXTEEN).boards
    chips: list[Recording] = []

    def new_chip(_: str) -> Recording:
        chips.append(Recording(fine=True, trace=path))
        return chips[-1]

    setup = TwinSetup(
        profile=PROFILES[profile],
        pictures=IdentityPictures(),
        reader=IdentityReader(),
        design="identity",
        seed=random.Random(profile).randrange(1000),
        faults=(parse("link_stall@1.30"),),
        operator="auto",
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(room, "new_chip", new_chip)
        what = DealSet("sixteen", "TEST", SIXTEEN.read_bytes(), boards, boards[:1])
        report = TwinSession(what, setup).run()
    (chip,) = chips
    proven = all(result.proven for result in report.results)
    return Recorded(Edges.read(path), chip.figures_at_end, chip.stack, proven)
