"""A job and its machine in a room where anybody may do anything at any time, and an oracle that never sleeps."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from controller.bench.identity import IdentityPictures, IdentityReader
from controller.engine.stops import Stop
from controller.geometry import PROFILES
from controller.jobs.deal import DealJob
from controller.jobs.order import Copies
from controller.jobs.people import Done
from controller.jobs.results import BoardResult
from controller.store.sets import BoardEntry
from controller.twin.careless import Careless
from controller.twin.faults import parse
from controller.twin.operator import Operator, Staff
from controller.twin.room import TwinRoom, TwinSetup
from deals.boards import Board
from deals.cards import Card
from tests.stateful.anybody import Anybody
from tests.stateful.told import Feeder, Told
from tests.stateful.turns import Turns


class Crowd:
    """The job's people: they wait until the other side says what they do."""

    def __init__(self, evening: JobEvening) -> None:
        self._evening = evening
        world, idle = evening.room.world, evening.room.twin.idle
        self._kinds: dict[str, Staff] = {
            "well": Operator(world, idle),
            "badly": Careless(world, idle, evening.seed),
        }

    def bring(self, board: int, copy: int, *, follows: bool = False) -> None:
        """Waits until somebody brings the board, or says that it is there."""
        how = self._evening.wait_for(("bring", board), None)
        if how in self._kinds:
            self._try(lambda: self._kinds[how].bring(board, copy, follows=follows))

    def act(self, stop: Stop, board: int) -> Done | None:
        """Waits until somebody mends, well or badly, or only says so, or gives up."""
        how = self._evening.wait_for(("stop", board), stop)
        if how == "give up":
            return None
        if how in self._kinds:
            return self._try(lambda: self._kinds[how].act(stop, board)) or Done()
        return Done(self._evening.names)

    def _try(self, do: Callable[[], Done | None]) -> Done | None:
        try:
            return do()
        except (ValueError, OSError):
            return None  # a deed that things do not allow: the person stands there helpless


class JobEvening:
    """One job over a few boards, advanced from outside."""

    def __init__(
        self,
        seed: int,
        boards: Sequence[Board],
        faults: Sequence[str] = (),
        profile: str = "standard",
        copies: int = 1,
    ) -> None:
        self.seed = seed
        self.told = Told(list(faults))
        self.ended = False
        """The job is over; the room is still there."""
        self.names: tuple[Card, ...] = ()
        self.wants: tuple[str, int] | None = None
        self.stop: Stop | None = None
        self._answer: str | None = None
        self._feeder = Feeder()
        self._boards = {board.number: board for board in boards}
        self._turns = Turns()
        self._setup = TwinSetup(
            PROFILES[profile],
            IdentityPictures(),
            IdentityReader(),
            "identity",
            seed,
            tuple(parse(fault) for fault in faults),
            copies=copies,
            pace=self._turns.pace,
        )
        self.room: TwinRoom
        self._turns.begin(self._live)
        self.anybody = Anybody(self.room.world, len(boards))

    def advance(self, for_us: int) -> None:
        """Lets world and job go on, until the job is over."""
        if not self.ended:
            self._turns.advance(self.room.world, self.room.world.now_us + for_us)

    def close(self) -> None:
        """Ends the evening."""
        self._turns.close()

    def answer(self, how: str, names: tuple[Card, ...] = ()) -> None:
        """Somebody presses the start button, after doing what is asked for "well", "badly", or "not"
        at all; or they "give up".
        """
        self._answer, self.names = how, names

    def wait_for(self, wants: tuple[str, int], stop: Stop | None) -> str:
        """In the job's thread: idles until there is an answer. Nothing may be fed meanwhile."""
        self.wants, self.stop, self._answer = wants, stop, None
        world = self.room.world
        while self._answer is None:
            self.room.twin.idle(world.now_us + 100_000)
            self._feeder.look(world, self.told, str(wants))
        self.wants = self.stop = None
        self._feeder.look(world, self.told, "")
        return self._answer

    def _live(self) -> None:
        """The job's thread: the store's connection may not leave it."""
        self.room = TwinRoom(self._setup)
        try:
            job = self._make_job(self.room)
            self._turns.pause()
            job.run()
            self.ended = True
            while True:
                self._turns.pause()
        finally:
            self.room.close()

    def _make_job(self, room: TwinRoom) -> DealJob:
        boards = tuple(self._boards.values())
        entries = [
            BoardEntry(b.number, b.dealer.letter, b.vulnerable.value, b.deal.pbn()) for b in boards
        ]
        set_id = room.store.sets.add(code="CHAOS", name="chaos", source=b"", boards=entries)
        return DealJob(
            boards,
            room.twin.machine,
            Crowd(self),
            room.store.journal,
            room.twin.time,
            set_id,
            design="identity",
            copies=Copies(self._setup.copies),
            progress=self._progress,
        )

    def _progress(self, result: BoardResult) -> None:
        if result.attempts:
            self.told.begun(result.board, result.copy)
        if result.proven:
            board, world = self._boards[result.board], self.room.world
            self.told.proven(board, result.copy, world, mended=result.mended)
