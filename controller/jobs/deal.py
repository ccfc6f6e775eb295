"""The main job: deal boards one after another, each until it is proven or waits for a person."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from controller.devices.happenings import Happening
from controller.devices.ports import Clock
from controller.engine import stops
from controller.engine.board import BoardEngine
from controller.engine.margins import margins
from controller.engine.outcome import Proven
from controller.engine.proof import landed
from controller.engine.start import PRESENT, refusal
from controller.engine.stops import (
    BY_TECHNICIAN,
    Fault,
    Step,
    Stop,
    Then,
    with_technician,
)
from controller.jobs.attempt import Attempt
from controller.jobs.errors import JobError
from controller.jobs.order import BringsAny, Copies, Order
from controller.jobs.people import FaceSeen, People
from controller.jobs.ready import Readiness
from controller.jobs.results import BoardResult
from controller.link.errors import LinkError
from controller.machine.machine import Machine
from controller.store.journal import BoardJournal, DealingState, Journal
from controller.store.sets import SetId
from deals.boards import Board
from deals.cards import Card

STOPS_AT_MOST: Final = 12
"""A board that stops this often is not mended by doing the same again: it waits."""
PACK: Final = 52
PACK_FAULTS: Final = (
    Fault.DUPLICATE_CARD,
    Fault.SHORT_PACK,
    Fault.STOP_CARD_IN_PACK,
    Fault.SURPLUS_CARD,
)
CAMERA_FAULTS: Final = (Fault.CAMERA, Fault.IMAGE_LOST, Fault.UNREADABLE_CARD)
LINK_FAULTS: Final = (Fault.LINK_LOST, Fault.MCU_RESTARTED)


@dataclass(frozen=True, slots=True)
class DealSet:
    """What is to be dealt: the whole set, and which of its boards."""

    name: str
    code: str
    source: bytes
    boards: tuple[Board, ...]
    chosen: tuple[Board, ...]
    teaching: bool = False
    """Its deals were made to fit a purpose: marked wherever it is shown (Law 6E4)."""
    laws: int | None = None
    """Edition of the Laws, by its year; None: that under which it is kept, or the newest."""
    replay: bool = False
    """The purpose is to play deals again that were dealt before (Law 6D2)."""
    witness: str = ""
    """Who of the other side was present at the dealing (Law 6C)."""
    kept: SetId | None = None
    """The store has it already, and its boards come from there."""


class DealJob:
    """Deals `boards` on `machine`. `progress` hears of every board that begins,
    stops and ends, `on_happening` of all that happens on the machine meanwhile."""

    def __init__(
        self,
        boards: Sequence[Board],
        machine: Machine,
        people: People,
        journal: Journal,
        clock: Clock,
        set_id: SetId,
        *,
        design: str,
        copies: Copies | None = None,
        progress: Callable[[BoardResult], None] | None = None,
        on_happening: Callable[[Happening], None] | None = None,
        on_face: Callable[[BoardResult, FaceSeen], None] | None = None,
    ) -> None:
        self.results: list[BoardResult] = []
        self.attempt: Attempt[BoardEngine] | None = None
        self._boards = boards
        self._machine = machine
        self._people = people
        self._journal = journal
        self._set_id = set_id
        self._design = design
        self._clock = clock
        self._copies = copies or Copies()
        self._progress = progress or (lambda result: None)
        self._on_happening = on_happening
        self._on_face = on_face or (lambda result, face: None)
        self._ready = Readiness(machine)

    def run(self) -> list[BoardResult]:
        """Deals everything; ends early at the first board that waits for a person."""
        left = self._copies.plan(self._boards)
        while left:
            board, copy = self._brought(left)
            left.remove((board, copy))
            result = BoardResult(board.number, copy)
            if left and self._copies.order is not Order.LABEL:
                result.follows = left[0][0].number
            self.results.append(result)
            self._progress(result)
            self._deal(board, result)
            self._progress(result)
            if result.waiting:
                break
        return self.results

    def _brought(self, left: Sequence[tuple[Board, int]]) -> tuple[Board, int]:
        """Has the next board brought; in the order of labels that is whichever lies in the slot."""
        board, copy = left[0]
        follows = len(left) > 1
        if self._copies.order is not Order.LABEL:
            self._people.bring(board.number, copy, follows=follows)
            return left[0]
        if not isinstance(self._people, BringsAny):
            raise JobError("job.no_any_order")
        self._people.bring_any(sorted({one.number for one, _ in left}), follows=follows)
        label = self._machine.label()
        found = self._copies.choice(left).of(label)
        mine = [one for one in left if (one[0].number, one[1]) == found]
        of_number = [one for one in left if label is not None and one[0].number == label.board]
        return (mine or of_number or left)[0]  # what is wrong then, the check before the start says

    # -- one board -------------------------------------------------------------------------

    def _deal(self, board: Board, result: BoardResult) -> None:
        again = False
        while not result.proven and not result.waiting:
            stop = self._make_ready(board.number, result.copy)
            if stop is None:
                stop = self._try(board, result, again=again)
            if stop is not None:
                again = again or stop.fault in PACK_FAULTS
                if stop.fault in LINK_FAULTS:
                    self._ready.connected = False
                if self._ask(stop, result) is None:
                    result.waiting = True

    def _ask(self, stop: Stop, result: BoardResult) -> tuple[Card, ...] | None:
        """Puts a stop before the operator; gives what he named, or None when nobody acts."""
        before = result.stops[-1].fault if result.stops else None
        if stop.fault in BY_TECHNICIAN and before in BY_TECHNICIAN:
            stop = with_technician(stop)  # one broken part shows itself now so, now so
        if self.attempt is not None and stop.then is not Then.START and result.attempts:
            engine = self.attempt.engine
            aside = tuple(entry.feed for entry in engine.ledger.in_tray())
            stop = replace(stop, places=engine.places, aside=aside)
        result.stops.append(stop)
        self._progress(result)
        if len(result.stops) >= STOPS_AT_MOST:
            return None
        if stop.fault in CAMERA_FAULTS and stop.set_aside != 1:
            self._machine.restart_camera()  # while the person works; one card alone is its own fault
        done = self._people.act(stop, result.board)
        if done is None:
            return None
        played = [self._may_still_be_played(face, result) for face in done.faces]
        if not all(played):
            return None
        # Nobody asked: then it is no answer, and no card goes to a pocket for it.
        named = done.named if Step.NAME_SET_ASIDE in stop.steps else ()
        result.named += len(named)
        return named

    def _may_still_be_played(self, face: FaceSeen, result: BoardResult) -> bool:
        """Notes who saw a face; a player's board ends here and needs a new deal (Law 6D)."""
        result.faces.append(face)
        self._on_face(result, face)
        if face.plays:
            result.stops.append(stops.face_seen())
            self._progress(result)
        return not face.plays

    def _try(self, board: Board, result: BoardResult, *, again: bool) -> Stop | None:
        """One attempt with all its passes; None when the board is proven or waits."""
        result.attempts += 1
        self._progress(result)
        profile = self._machine.profile
        engine = BoardEngine(
            board.deal, profile.pitch_us, profile.look_gap_us, profile.departure_us, again=again
        )
        journal = self._open(board, result)
        self.attempt = Attempt(engine, self._machine, journal, self._clock, self._on_happening)
        stop = self._passes(self.attempt, result)
        self._tell(engine, result)
        result.proven = engine.outcome == Proven() and stop is None
        if result.proven:
            self._machine.crops.forget()
            result.margins = margins(engine.ledger)
        state = DealingState.PROVEN if result.proven else DealingState.STOPPED
        journal.close(state, stop.fault.value if stop else "")
        return stop

    def _open(self, board: Board, result: BoardResult) -> BoardJournal:
        dealing = self._journal.open_board(
            self._set_id,
            board.number,
            result.copy,
            profile=self._machine.profile.name,
            design=self._design,
        )
        return BoardJournal(self._journal, dealing)

    def _passes(self, attempt: Attempt[BoardEngine], result: BoardResult) -> Stop | None:
        attempt.run_pass(PACK)
        while isinstance(stop := attempt.engine.outcome, Stop) and stop.then is Then.REFEED:
            named = self._ask(stop, result)
            if named is None:
                result.waiting = True
                return None
            self._watch(attempt)
            if attempt.engine.outcome is not stop:
                continue
            attempt.run_pass(len(attempt.engine.missing), named)
        if isinstance(stop, Stop):
            return stop
        return self._empty_pocket()

    def _watch(self, attempt: Attempt[BoardEngine]) -> None:
        try:
            attempt.watch()
        except LinkError:
            self._ready.connected = False

    def _empty_pocket(self) -> Stop | None:
        """A proven board has cards in every pocket: the presence switches must say so too."""
        for pocket, switch in PRESENT.items():
            if not self._machine.inputs[switch]:
                return Stop(Fault.WRONG_POCKET, None, pocket, (Step.COLLECT_ALL,))
        return None

    def _tell(self, engine: BoardEngine, result: BoardResult) -> None:
        lying = landed(engine.ledger)
        result.cards = sum(len(cards) for cards in lying.values())
        result.pockets = {seat.name: len(cards) for seat, cards in lying.items()}
        result.second_looks += engine.second_looks
        result.held += engine.held
        result.parked += engine.ledger.set_aside_in_all

    # -- getting ready ---------------------------------------------------------------------

    def _make_ready(self, board: int, copy: int) -> Stop | None:
        box = self._machine.box or self._copies.box(copy) or ""
        return self._ready.stop(lambda: self._refusal(board, box))

    def _refusal(self, board: int, box: str) -> Stop | None:
        return refusal(self._machine.inputs.__getitem__, self._machine.label(), board, box)
