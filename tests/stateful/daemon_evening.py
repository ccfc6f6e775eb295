"""A whole daemon and its machine in a room where anybody may do anything at any time: clients over
HTTP, people at the machine, faults, and the daemon's own death.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from controller.api.models import DaemonState, StateView
from controller.client.client import Client
from controller.client.errors import RefusedByDaemonError
from controller.client.follow import stop_of
from controller.engine.stops import REQUESTS, Fault, Step, Stop
from controller.jobs.people import FaceSeen
from controller.twin.careless import Careless
from controller.twin.operator import Operator
from controller.twin.played import PlayedBoards
from controller.twin.world.world import World
from deals.boards import Board
from deals.cards import Card
from deals.files import pbn
from tests.stateful.anybody import Anybody
from tests.stateful.door import Asks, Door
from tests.stateful.told import Feeder, Told, by_number, untrue_of
from tests.stateful.turns import Turns
from tests.unit.daemon.club import Club, KilledError

COLLECT = Stop(Fault.INTERNAL, steps=(Step.COLLECT_ALL,))
PLUG = Stop(Fault.LINK_LOST, steps=(Step.PLUG_CABLE,))
BRINGS = (Step.RIGHT_BOARD, Step.PUT_BOARD_BACK, Step.TURN_BOARD)
MOVES = (DaemonState.DEALING, DaemonState.UNKNOWN)
"""In all other states nothing may be fed."""
REFUSALS = (403, 409, 422)
CLIENTS = ("anna", "bert")
TAPS_US = 200_000


class DaemonEvening:
    """One machine, one or more lives of its daemon, one set of boards."""

    def __init__(
        self,
        door: Door,
        seed: int,
        boards: Sequence[Board],
        faults: Sequence[str] = (),
        profile: str = "standard",
        state_dir: Path | None = None,
    ) -> None:
        """With *state_dir* the daemon may die: only what is on the disk outlives it."""
        self.told = Told(list(faults))
        self.boards = by_number(tuple(boards))
        self.club: Club
        self._door = door
        self._seed = seed
        self._profile = profile
        self._state_dir = state_dir
        self._file = pbn.dumps(boards)
        self._feeder = Feeder()
        self._killed = False
        self._proven: set[tuple[str, int, int]] = set()
        self._checked: set[str] = set()
        self._touched = 0
        self._begin(None)
        world = self.world
        self.anybody = Anybody(world, len(boards))
        self._people = {
            "well": Operator(world, self._idle),
            "badly": Careless(world, self._idle, seed),
        }
        for one in self._people.values():
            one.serving.dealt = PlayedBoards(world.shop, boards, (), seed).board

    # -- lives and time ----------------------------------------------------------------------

    @property
    def world(self) -> World:
        """The machine's, which outlives the daemon."""
        return self.club.world

    @property
    def mortal(self) -> bool:
        """Whether the daemon may die."""
        return self._state_dir is not None

    @property
    def dealt(self) -> list[int]:
        """Numbers of the boards that were proven."""
        return sorted({board for _, board, _ in self._proven})

    def advance(self, for_us: int) -> None:
        """Lets world and daemon go on."""
        self._turns.advance(self.world, self.world.now_us + for_us)

    def die(self, for_us: int) -> None:
        """The daemon is killed where it is, and comes back after a while."""
        self._killed = True
        self.advance(1)
        self._turns.close()
        self.advance(for_us)
        self._killed = False
        self._begin(self.club)

    def close(self) -> None:
        """Ends the evening."""
        self._turns.close()
        self.club.firmware.close()

    def _begin(self, before: Club | None) -> None:
        self._turns = Turns()
        self._turns.begin(lambda: self._live(before))
        self._door.leads_to(self.club.desk)

    def _live(self, before: Club | None) -> None:
        """The daemon's thread: its store's connection may not leave it."""
        self.club = Club(
            *self.told.faults,
            seed=self._seed,
            before=before,
            profile=self._profile,
            state_dir=self._state_dir,
            pace=self._pace,
            wake=self._door.woken,
        )
        self.club.events.listen(self._look)
        try:
            self._turns.pause()
            self.club.daemon.run()
        except KilledError:
            pass
        finally:
            self.club.store.close()

    def _pace(self, now_us: int) -> None:
        if self._killed:
            self.club.port.dead = True
            raise KilledError
        view = self.club.state
        waits = "" if view.state in MOVES else view.state.value
        self._feeder.look(self.world, self.told, waits, alone=not view.machine.connected)
        self._turns.pace(now_us)

    def _idle(self, until_us: int) -> None:
        self._turns.advance(self.world, until_us)

    # -- the oracle, at the instant at which it is told ----------------------------------------

    def _look(self) -> None:
        job = self.club.state.job
        if job is None:
            return
        if job.task is not None:
            if job.task.right and job.task.kind == "check" and job.id not in self._checked:
                self._checked.add(job.id)
                self._check(job.task.board or 0)
            return
        for result in job.results:
            if result.attempts:
                self.told.begun(result.board, result.copy_number)
            if result.proven and (job.id, result.board, result.copy_number) not in self._proven:
                self._prove(job.id, result.board, result.copy_number, bool(result.stops))

    def _prove(self, job: str, board: int, copy: int, mended: bool) -> None:
        if any(one[1:] == (board, copy) for one in self._proven):
            self.told.wrong.append(f"board {board} copy {copy} was dealt twice")
        self._proven.add((job, board, copy))
        self.told.proven(self.boards[board], copy, self.world, mended=mended)

    def _check(self, board: int) -> None:
        """A board that was read back is what it is called, unless hands were at it that nothing can feel."""
        if self.anybody.touched > self._touched:
            return
        self.told.checks += 1
        if untrue := untrue_of(self.boards[board], self.world):
            self.told.wrong.append(f"board {board} was checked and found right, but {untrue}")

    # -- what clients ask ----------------------------------------------------------------------

    def client(self, who: str = "anna") -> Client:
        """Somebody at the socket."""
        return Asks(self._door, who, lambda: self.advance(1))

    def state(self) -> StateView:
        """Everything a screen shows."""
        return self.client().state()

    @property
    def asked(self) -> Stop | None:
        """The stop that the screen shows."""
        shown = self.club.state.stop
        return None if shown is None else stop_of(shown)

    def deal(self, who: str, numbers: Sequence[int], copies: int | None, order: str) -> None:
        """Asks for boards of the set."""
        client = self.client(who)
        self._ask(
            lambda: client.deal(
                "chaos.pbn", self._file, boards=list(numbers), copies=copies, order=order
            )
        )

    def check(self, who: str, board: int) -> None:
        """Asks to have a board read back, as it came from the tables."""
        client = self.client(who)
        self._touched = self.anybody.touched
        self._ask(lambda: client.task("check", self._file, name="chaos.pbn", board=board))

    def stop(self, who: str, *, end: bool) -> None:
        """Stops the machine; nobody is ever refused."""
        if not self._ask(lambda: self.client(who).stop(end=end)):
            self.told.wrong.append("STOP was refused")

    def resume(
        self,
        who: str,
        named: Sequence[Card] = (),
        faces: Sequence[FaceSeen] = (),
        *,
        take_over: bool = True,
    ) -> None:
        """Says that what the screen asked for is done."""
        client, names = self.client(who), [str(card) for card in named]
        seen_by, plays = (faces[0].who, faces[0].plays) if faces else (None, False)
        self._ask(
            lambda: client.resume(
                names, take_over=take_over, face_seen_by=seen_by, seen_by_player=plays
            )
        )

    def _ask(self, question: Callable[[], object]) -> bool:
        """Whether it was granted; a refusal is one in words, and no failure of the daemon."""
        try:
            question()
        except RefusedByDaemonError as error:
            if error.status not in REFUSALS or not error.problem.message:
                self.told.wrong.append(f"refused with {error.status}: {error.problem.message}")
            return False
        return True

    # -- what people do who look at the screen ---------------------------------------------------

    def people(self, how: str) -> None:
        """They do what the screen asks for, "well" or "badly"; deeds that cannot be done are left."""
        with suppress(ValueError, OSError):
            self._do_as_told(self.state(), self._people[how])

    def _do_as_told(self, state: StateView, staff: Operator) -> None:
        match state.state:
            case DaemonState.UNKNOWN:
                staff.act(PLUG, 0)
            case DaemonState.WANTS_BOARD:
                self._bring(state, staff)
            case DaemonState.WAITS:
                self._mend(state, staff)
            case DaemonState.INTERRUPTED:
                staff.act(COLLECT, 0)
                self.resume("anna")
            case DaemonState.PAUSED:
                self.resume("anna")

    def _bring(self, state: StateView, staff: Operator) -> None:
        wants = state.wants
        if wants is None:
            return
        steps = tuple(Step(step) for step in wants.steps)
        if steps and steps[0] not in BRINGS:
            staff.act(Stop(Fault.NOT_READY, steps=steps), wants.board)
            return
        follows = state.job is not None and len(state.job.left) > 1
        staff.bring(wants.board, wants.copy_number, follows=follows)

    def _mend(self, state: StateView, staff: Operator) -> None:
        if state.stop is None or state.job is None:
            return
        stop, task = stop_of(state.stop), state.job.task
        board = (task.board if task else state.job.left[0][0]) or 0
        if stop.fault in REQUESTS:
            staff.serve(stop, board)
            self.resume("anna")
        elif (done := staff.act(stop, board)) is not None:
            self.resume("anna", done.named, done.faces)
        self.advance(TAPS_US)
