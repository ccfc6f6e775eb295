"""Restore: a board that differs from its record is dealt right again, of its own cards, and proven."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from controller.devices.happenings import Happening
from controller.devices.ports import Clock
from controller.engine.stops import Fault, Step, Stop, request
from controller.jobs.deal import DealJob
from controller.jobs.feeding import Progress
from controller.jobs.order import Copies
from controller.jobs.people import Done, Servers
from controller.jobs.results import BoardResult
from controller.machine.machine import Machine
from controller.store.journal import DealingState, Journal
from controller.store.sets import SetId
from deals.boards import Board

RESTORED = "restored"


class InPlace:
    """The people of a job whose board and cards are there already."""

    def __init__(self, people: Servers) -> None:
        self._people = people

    def bring(self, board: int, copy: int, *, follows: bool = False) -> None:
        """Has the board brought with its cards, and these put into the hopper."""
        steps = (Step.BRING_DEALT, Step.FEED_PILES)
        self._people.serve(request(Fault.BOARD_DUE, *steps, board=board), board)

    def act(self, stop: Stop, board: int) -> Done | None:
        """As ever."""
        return self._people.act(stop, board)


def void_dealing(journal: Journal, set_id: SetId, board: int, copy: int) -> bool:
    """What was proven of this copy holds no more; False when nothing was."""
    for dealt in journal.copies_dealt(set_id, board):
        if dealt.copy == copy:
            journal.close_board(dealt.dealing, DealingState.VOID, RESTORED)
            return True
    return False


@dataclass(slots=True)
class RestoreResult(Progress):
    """What came of it: a board like any that is dealt."""

    dealt: BoardResult | None = None
    voided: bool = False
    """It had been proven before; that proof is void."""

    @property
    def right(self) -> bool:
        """The four hands of the record are proven."""
        return self.dealt is not None and self.dealt.proven


class RestoreJob:
    """Deals one copy of one board again, of the cards that lie in it."""

    def __init__(
        self,
        board: Board,
        copy: int,
        machine: Machine,
        people: Servers,
        clock: Clock,
        *,
        journal: Journal,
        set_id: SetId,
        design: str,
        progress: Callable[[Progress], None] | None = None,
        on_happening: Callable[[Happening], None] | None = None,
    ) -> None:
        self.result = RestoreResult(board=board.number)
        self._copy = copy
        self._journal = journal
        self._set_id = set_id
        self._progress = progress or (lambda told: None)
        self._job = DealJob(
            [board],
            machine,
            InPlace(people),
            journal,
            clock,
            set_id,
            design=design,
            copies=Copies(1, copy),
            progress=self._note,
            on_happening=on_happening,
        )

    def run(self) -> RestoreResult:
        """Voids what was proven of the copy, then deals it."""
        board = self.result.board or 0
        self.result.voided = void_dealing(self._journal, self._set_id, board, self._copy)
        (self.result.dealt,) = self._job.run()
        self._note(self.result.dealt)
        return self.result

    def _note(self, dealt: BoardResult) -> None:
        result = self.result
        result.stops, result.waiting = dealt.stops, dealt.waiting
        result.second_looks, result.held, result.set_aside = (
            dealt.second_looks,
            dealt.held,
            dealt.parked,
        )
        self._progress(result)
