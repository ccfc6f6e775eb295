"""What a job tells of each board, as values; the command line and the API make their documents of
them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from controller.engine.stops import Stop
from controller.jobs.people import FaceSeen
from deals.cards import Card


@dataclass(slots=True)
class BoardResult:
    """One copy of one board, dealt or not."""

    board: int
    copy: int
    proven: bool = False
    attempts: int = 0
    cards: int = 0
    """Cards that lie in the right pockets."""
    pockets: dict[str, int] = field(default_factory=dict)
    second_looks: int = 0
    parked: int = 0
    held: int = 0
    named: int = 0
    """Cards that a person had to name."""
    machine_us: int | None = None
    stops: list[Stop] = field(default_factory=list)
    faces: list[FaceSeen] = field(default_factory=list)
    """Who saw the face of a card of it."""
    follows: int | None = None
    """Number of the board that comes after it, if that is known."""
    margins: dict[Card, float] = field(default_factory=dict)
    """Of a proven board: how surely each card was read at its first look; in no order of the board."""
    waiting: bool = False
    """Stopped, and a person must act before it goes on."""

    @property
    def mended(self) -> bool:
        """Proven, but only after a person helped."""
        return self.proven and bool(self.stops)


@dataclass(frozen=True, slots=True)
class Summary:
    """`proven` counts every proven board, `mended` those of them that needed a person, `stopped`
    the rest.
    """

    proven: int
    mended: int
    stopped: int

    @classmethod
    def of(cls, results: list[BoardResult]) -> Summary:
        """Counts the results of a job."""
        proven = sum(result.proven for result in results)
        mended = sum(result.mended for result in results)
        return cls(proven, mended, len(results) - proven)


@dataclass(slots=True)
class FaultCount:
    """Boards that one fault stopped at least once: how they ended."""

    mended: int = 0
    stopped: int = 0


def by_fault(results: Iterable[BoardResult]) -> dict[str, FaultCount]:
    """What stopped the boards of a job, by the fault's name; a board counts once for each."""
    counts: dict[str, FaultCount] = {}
    for result in results:
        for fault in sorted({stop.fault.value for stop in result.stops}):
            count = counts.setdefault(fault, FaultCount())
            count.mended += result.proven
            count.stopped += not result.proven
    return counts
