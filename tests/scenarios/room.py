"""A club room for scenarios: one twin, boards of a real file, people; and the world's own word."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from controller.bench.identity import IdentityPictures, IdentityReader
from controller.devices.happenings import Happening
from controller.engine.stops import Stop
from controller.geometry import POCKET_ORDER, PROFILES
from controller.jobs.deal import DealSet
from controller.jobs.order import Copies
from controller.jobs.results import BoardResult
from controller.twin.faults import parse
from controller.twin.lockstep import Reads
from controller.twin.session import TwinSession, TwinSetup
from deals.boards import Board
from deals.files import read_deals_file

SIXTEEN = Path(__file__).parents[1] / "vectors" / "files" / "sixteen.dup"


@cache
def boards() -> tuple[Board, ...]:
    """The sixteen boards of a real file."""
    return read_deals_file(SIXTEEN).boards


@dataclass
class Evening:
    """What came of some boards: results, and per board whether the world holds the deal."""

    results: list[BoardResult]
    true: list[bool]
    session: TwinSession
    happenings: list[Happening] = field(default_factory=list)
    interrupted: list[int] = field(default_factory=list)
    """Boards that an earlier run had left under way."""

    @property
    def stops(self) -> list[Stop]:
        """All stops of all boards."""
        return [stop for result in self.results for stop in result.stops]

    @property
    def faults(self) -> list[str]:
        """Their names."""
        return [stop.fault.value for stop in self.stops]

    def proven_means_true(self) -> bool:
        """The oracle: a proven board lies in the world as the file says."""
        return all(
            true for result, true in zip(self.results, self.true, strict=True) if result.proven
        )


def deal(
    *faults: str,
    numbers: tuple[int, ...] = (1,),
    operator: str = "auto",
    profile: str = "standard",
    seed: int = 1,
    copies: int = 1,
    state_dir: Path | None = None,
    again: bool = False,
    pocket_order: str = POCKET_ORDER,
    firmware: str = "host",
    reader: Reads | None = None,
    plan: Copies | None = None,
    over: bool = False,
    trace: Path | None = None,
) -> Evening:
    """Deals boards with the identity reader, or one that errs: control, firmware and world are the
    real ones.
    """
    chosen = tuple(board for board in boards() if board.number in numbers)
    setup = TwinSetup(
        profile=PROFILES[profile],
        pictures=IdentityPictures(),
        reader=reader or IdentityReader(),
        design="identity",
        seed=seed,
        faults=tuple(parse(fault) for fault in faults),
        firmware=firmware,
        operator=operator,
        copies=copies,
        state_dir=state_dir,
        again=again,
        pocket_order=pocket_order,
        plan=plan or Copies(),
        over=over,
        trace=trace,
    )
    interrupted: list[int] = []
    happenings: list[Happening] = []
    what = DealSet("sixteen", "TEST", SIXTEEN.read_bytes(), boards(), chosen)
    session = TwinSession(
        what,
        setup,
        on_happening=happenings.append,
        on_interrupted=lambda dealing: interrupted.append(dealing.board),
    )
    report = session.run()
    by_number = {board.number: board for board in chosen}
    true = [
        holds(contents, by_number[result.board])
        for result, contents in zip(report.results, report.contents, strict=True)
    ]
    return Evening(report.results, true, session, happenings, interrupted)


def holds(contents: dict[str, object], board: Board) -> bool:
    """Whether the pockets of the simulated world hold this deal, and nothing else is about."""
    hands = all(contents[seat.name] == board.deal.hand_pbn(seat) for seat in type(board.dealer))
    return hands and contents["belt"] == [] and contents["tray"] == []


def seeds(count: int, of: int = 7) -> list[int]:
    """Fixed seeds for a scenario that wants several."""
    return [random.Random(of).randrange(10**6) + n for n in range(count)]
