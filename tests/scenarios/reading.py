"""Scenarios of jobs that read cards: a twin with boards as play has left them, and the world's word."""

from __future__ import annotations

from typing import Any

from room import boards

from controller.bench.identity import IdentityPictures, IdentityReader
from controller.geometry import PROFILES
from controller.jobs.check import CheckJob, CheckResult
from controller.twin import played
from controller.twin.faults import parse
from controller.twin.lockstep import Reads
from controller.twin.room import TwinSetup
from controller.twin.tasks import TaskReport, run_task
from deals.boards import Board
from deals.cards import Seat

NUMBER = 5


def setup(
    *faults: str, operator: str = "auto", seed: int = 1, reader: Reads | None = None, **more: Any
) -> TwinSetup:
    """A machine whose camera sees which card it is; everything else is the real thing."""
    return TwinSetup(
        profile=PROFILES["standard"],
        pictures=IdentityPictures(),
        reader=reader or IdentityReader(),
        design="identity",
        seed=seed,
        faults=tuple(parse(fault) for fault in faults),
        operator=operator,
        **more,
    )


def record() -> Board:
    """The board that is checked, as the file has it."""
    return next(board for board in boards() if board.number == NUMBER)


def check(
    *happened: str, copies: tuple[str, ...] = ("",), faults: tuple[str, ...] = (), **more: Any
) -> TaskReport[CheckResult]:
    """Checks board 5 of the file after play has done something to it."""
    return run_task(
        lambda around: CheckJob(
            record(),
            boards(),
            around.machine,
            around.people,
            around.clock,
            copies=copies,
            progress=around.progress,
        ),
        setup(*faults, **more),
        boards(),
        [played.parse(one) for one in happened],
    )


def as_recorded(contents: dict[str, Any]) -> bool:
    """Whether the pockets of the world hold the hands of the record."""
    return all(contents[seat.name] == record().deal.hand_pbn(seat) for seat in Seat)
