"""A machine room in which anybody may do anything at any time, and an oracle that never sleeps.

The job runs in a thread of its own that moves only while the other side waits, so that time is one
and every evening can be repeated: `advance` lets the world go on for a while, everything else is
done at that instant. When a board is called proven, the world's own pockets are looked at.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from controller.bench.identity import IdentityPictures, IdentityReader
from controller.engine.stops import Step, Stop
from controller.geometry import PROFILES
from controller.jobs.deal import Copies, DealJob
from controller.jobs.people import Done
from controller.jobs.results import BoardResult
from controller.protocol.messages import ResetCause
from controller.store.sets import BoardEntry
from controller.twin.careless import Careless
from controller.twin.faults import parse
from controller.twin.operator import Operator, Staff
from controller.twin.room import TwinRoom, TwinSetup
from controller.twin.world.deeds import Held
from controller.twin.world.things import Board as Pasteboard
from deals.boards import Board
from deals.cards import CARDS, Card, Seat

MOVED_BY_ITSELF_US = 400_000
"""So long after a stop the feeder may still run out."""
SEATS = "NESW"


class EndedError(BaseException):
    """The evening is over, whatever the job is doing."""


@dataclass
class Told:
    """What an evening has come to."""

    begun: int = 0
    proven: int = 0
    mended: int = 0
    wrong: list[str] = field(default_factory=list)


class Crowd:
    """The job's people: they wait until the other side says what they do."""

    def __init__(self, evening: Evening) -> None:
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


class Evening:
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
        self.told = Told()
        self.names: tuple[Card, ...] = ()
        self.wants: tuple[str, int] | None = None
        self.stop: Stop | None = None
        self.ended = False
        self._answer: str | None = None
        self._held: list[Held] = []
        self._taken: list[Pasteboard] = []
        self._target_us = 0
        self._ours, self._theirs = threading.Semaphore(0), threading.Semaphore(0)
        self._over = False
        self._failure: BaseException | None = None
        self._boards = {board.number: board for board in boards}
        self._setup = TwinSetup(
            PROFILES[profile],
            IdentityPictures(),
            IdentityReader(),
            "identity",
            seed,
            tuple(parse(fault) for fault in faults),
            copies=copies,
            pace=self._pace,
        )
        self.room: TwinRoom
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        self._ours.acquire()

    # -- time --------------------------------------------------------------------------------

    @property
    def now_us(self) -> int:
        """The world's time."""
        return self.room.world.now_us

    def advance(self, for_us: int) -> None:
        """Lets world and job go on."""
        if self.ended:
            return
        self._target_us = self.now_us + for_us
        self.room.world.at(self._target_us, self.room.world.news)
        self._give()

    def close(self) -> None:
        """Ends the evening."""
        self._over = True
        if not self.ended:
            self._give()
        self._thread.join(10)
        if self._failure is not None:
            raise self._failure

    def _give(self) -> None:
        self._theirs.release()
        self._ours.acquire()

    def _pace(self, now_us: int) -> None:
        """In the job's thread, whenever it has waited."""
        while now_us >= self._target_us:
            self._ours.release()
            self._theirs.acquire()
            if self._over:
                raise EndedError

    def _run(self) -> None:
        """The job's thread: the store's connection may not leave it."""
        self.room = TwinRoom(self._setup)
        job = self._make_job(self.room)
        self._ours.release()
        self._theirs.acquire()
        try:
            if not self._over:
                job.run()
        except EndedError:
            pass
        except BaseException as error:  # noqa: BLE001 - `close` raises it
            self._failure = error
        self.room.close()
        self.ended = True
        self._ours.release()

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

    # -- what the job asks -------------------------------------------------------------------

    def answer(self, how: str, names: tuple[Card, ...] = ()) -> None:
        """Somebody presses the start button, after doing what is asked for "well", "badly", or "not"
        at all; or they "give up".
        """
        self._answer, self.names = how, names

    def wait_for(self, wants: tuple[str, int], stop: Stop | None) -> str:
        """In the job's thread: idles until there is an answer. Nothing may be fed meanwhile."""
        self.wants, self.stop, self._answer = wants, stop, None
        world = self.room.world
        still_us, fed = self.now_us + MOVED_BY_ITSELF_US, None
        while self._answer is None:
            self.room.twin.idle(self.now_us + 100_000)
            if self.now_us < still_us:
                continue
            if fed is None:
                fed = world.hopper.feeder
            elif fed != world.hopper.feeder:
                self.told.wrong.append(f"fed while it waited: {wants}")
                fed = world.hopper.feeder
        self.wants = self.stop = None
        return self._answer

    def _progress(self, result: BoardResult) -> None:
        if result.attempts == 0 and not result.stops:
            self.told.begun += 1
        if not result.proven:
            return
        self.told.proven += 1
        self.told.mended += result.mended
        wrong = self._untrue(result.board)
        if wrong:
            self.told.wrong.append(f"board {result.board} is proven, but {wrong}")

    def _untrue(self, number: int) -> str:
        """What the world says against a proven board; empty when it is true."""
        world = self.room.world
        board = world.slot.board
        if board is None or board.number != number or world.slot.backwards:
            return "another board lies in the slot"
        deal = self._boards[number].deal
        held = world.contents()
        for seat in Seat:
            if sorted(held.pockets[seat.name]) != sorted(map(str, deal.hand(seat))):
                return f"pocket {seat.name} holds {held.pockets[seat.name]}"
        return "cards lie on the belt" if held.belt else ""

    # -- what anybody may do -------------------------------------------------------------------

    def lid(self, closed: bool) -> None:
        self.room.world.hands.lid(closed)

    def pull_board(self) -> None:
        """The board out of its slot, lid or no lid."""
        board = self.room.world.slot.take()
        if board is not None:
            self._taken.append(board)

    def put_board(self, number: int, backwards: bool = False) -> None:
        """A fresh board with some number, if the slot is free."""
        self.room.world.hands.put_board(number, backwards=backwards)

    def put_back(self) -> None:
        """The board that was pulled out last."""
        if self._taken:
            self.room.world.hands.put_back(self._taken.pop())

    def take_from_pocket(self, seat: str, how_many: int) -> None:
        """Cards from the top of a pocket into the hand; only with the lid open."""
        pile = self._pile(seat)
        if pile:
            taken = [pile.pop() for _ in range(min(how_many, len(pile)))]
            self._held += [Held(card) for card in taken]
            self.room.world.slot.feel()

    def exchange(self, one: str, other: str) -> None:
        """The top cards of two pockets change places: no switch can feel it."""
        first, second = self._pile(one), self._pile(other)
        if first and second:
            first[-1], second[-1] = second[-1], first[-1]

    def put_into_pocket(self, seat: str) -> None:
        pile = self._pile(seat)
        if pile is not None and self._held:
            pile.append(self._held.pop()._card)
            self.room.world.slot.feel()

    def put_into_hopper(self, stop_card: bool, turned: bool) -> None:
        """What is held, before all others."""
        self.room.world.hands.put_in_front(self._held, stop_card=stop_card, turned=turned)
        self._held = []

    def take_tray(self) -> None:
        tray = self.room.world.slot.tray
        self._held += [Held(card) for card in tray]
        tray.clear()
        self.room.world.slot.feel()

    def load_pack(self) -> None:
        self.room.world.hands.load_pack(stop_card_behind=True)

    def take_pack(self) -> None:
        self.room.world.hands.take_pack()

    def estop(self, pressed: bool) -> None:
        self.room.world.press_estop(pressed)

    def cable(self, plugged: bool) -> None:
        if plugged:
            self.room.world.hands.plug_cable()
        else:
            self.room.world.wire.pull()

    def restart_mcu(self) -> None:
        self.room.world.reset_mcu(ResetCause.BROWN_OUT)

    def clear_belt(self) -> None:
        self.room.world.hands.clear_belt()

    def _pile(self, seat: str) -> list[object] | None:
        slot = self.room.world.slot
        return None if slot.lid_closed else slot.pile(seat)  # type: ignore[return-value]


def names_of(stop: Stop | None, rng: random.Random) -> tuple[Card, ...]:
    """What somebody might say the set-aside cards are."""
    count = stop.set_aside if stop is not None and Step.NAME_SET_ASIDE in stop.steps else 0
    return tuple(rng.choice(CARDS) for _ in range(count))
