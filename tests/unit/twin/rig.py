"""A world with a tiny scripted host beside it: enough to deal one board and look on."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from controller import geometry
from controller.machine.settings import settings, settings_crc
from controller.protocol.codec import MessageDecoder, encode_message
from controller.protocol.messages import (
    PROTOCOL_VERSION,
    Ack,
    Answer,
    Command,
    Commit,
    Config,
    Event,
    Feed,
    Finish,
    GetEvents,
    Heartbeat,
    Hello,
    Home,
    Homed,
    Identity,
    Landed,
    Nak,
    Route,
    RunEnded,
    Start,
    Status,
    Stopped,
    Strobed,
)
from controller.twin.faults import parse
from controller.twin.firmware import HostFirmware
from controller.twin.trace import Trace
from controller.twin.world import Deed, Shown, World
from controller.twin.world.view import View
from deals.cards import CARDS

POCKETS = "NESW"
TRAY = 4
READ_US = 6_000
"""From an image to its reading."""


class LinkLostError(Exception):
    """No answer after five tries, or the port is gone."""


class IdentityPictures:
    """In place of pixels: what is seen, unread. Lives in tests only."""

    def __init__(self) -> None:
        self.views: list[View] = []

    def window(self, shown: Sequence[Shown], view: View, rng: random.Random) -> Any:
        self.views.append(view)
        if view.light_us < 100:
            return ("black",)
        seen = []
        for one in shown:
            clean = one.card.smudges[int(one.card.turned)].value == 0 and not one.card.face_up
            seen.append(
                (one.card.name if clean else "unsure", one.lead_row, one.shift_mm, one.tilt_deg)
            )
        return (round(view.light_us), *seen)


@dataclass
class Told:
    """What the host was told about one card by the machine."""

    number: int
    name: str | None = None
    landed: int | None = None


class Host:
    """Configures, homes, feeds, routes by what the picture shows; and nothing clever."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.events: list[Event] = []
        self.images: list[Any] = []
        self.stamps: list[int] = []
        self.pictures: list[Any] = []
        self.taken_at: list[int] = []
        self.strobes: list[Strobed] = []
        self.cards: dict[int, Told] = {}
        self.status: Status | None = None
        self.identity: Identity | None = None
        self.retries = 0
        self.naks: list[Nak] = []
        self.run_number = 7
        self.decoder = MessageDecoder()
        self._seq = 0
        self._next_event = 0
        self._answers: dict[int, Answer] = {}
        self._beat_us = 0
        self._kept: dict[int, Event] = {}

    # --- the link ---

    def poll(self) -> None:
        """Takes what has arrived."""
        for seq, message in self.decoder.feed(self.world.transport.read()):
            if isinstance(message, Ack | Nak | Identity | Status):
                self._answers[seq] = message
            else:
                self._kept[cast(Event, message).number] = cast(Event, message)
        while self._next_event in self._kept:
            self._take(self._kept.pop(self._next_event))
            self._next_event += 1
        taken = self.world.camera.take()
        self.images += taken
        self.stamps += [image.captured_us for image in taken]
        self.pictures += [image.pixels for image in taken]
        self.taken_at += [self.world.now_us] * len(taken)

    def ask(self, message: Command) -> Answer:
        """Sends a command and waits for its answer, five tries of 30 ms."""
        self._seq = (self._seq + 1) % 256
        data = encode_message(message, self._seq)
        self._answers.pop(self._seq, None)
        for attempt in range(5):
            self.retries += attempt > 0
            self.write(data)
            end = self.world.now_us + 30_000
            while self.world.now_us < end:
                self.world.run(end)
                self.poll()
                answer = self._answers.pop(self._seq, None)
                if answer is not None:
                    if isinstance(answer, Nak):
                        self.naks.append(answer)
                    return answer
        raise LinkLostError(message)

    def write(self, data: bytes) -> None:
        self.world.transport.write(data)

    def beat(self) -> None:
        """HEARTBEAT when it is time, and GET_EVENTS for what was lost."""
        if self.world.now_us - self._beat_us < 100_000:
            return
        self._beat_us = self.world.now_us
        answer = self.ask(Heartbeat(self._next_event & 0xFFFF))
        if isinstance(answer, Status):
            self.status = answer
            if answer.next_event != self._next_event & 0xFFFF:
                self.ask(GetEvents(self._next_event & 0xFFFF))

    # --- a run ---

    def connect(self, config: bool = True) -> None:
        answer = self.ask(Hello(PROTOCOL_VERSION))
        assert isinstance(answer, Identity)
        self.identity = answer
        self._next_event = answer.first_event
        if config:
            values = settings(self.world.profile)
            for key, value in values.items():
                assert isinstance(self.ask(Config(key, value)), Ack), key
            assert isinstance(self.ask(Commit(settings_crc(values))), Ack)

    def home(self) -> Event:
        """HOME; gives Homed or Stopped."""
        answer = self.ask(Home())
        assert isinstance(answer, Ack), answer
        return self.wait(Homed, Stopped)

    def start(self) -> None:
        answer = self.ask(Start(self.run_number))
        assert isinstance(answer, Ack), answer

    def wait(self, *kinds: type[Event], seconds: float = 5.0) -> Event:
        """Beats until one of these events comes."""
        seen = len(self.events)
        end = self.world.now_us + round(seconds * 1e6)
        while self.world.now_us < end:
            for event in self.events[seen:]:
                if isinstance(event, kinds):
                    return event
            self.pass_time()
        raise AssertionError(f"none of {kinds} within {seconds} s: {self.events[-3:]}")

    def pass_time(self, until_us: int | None = None) -> None:
        """To the next news or beat."""
        limit = self._beat_us + 100_000
        limit = limit if until_us is None else min(limit, until_us)
        self.world.run(max(limit, self.world.now_us))
        self.poll()
        self.beat()

    def stay(self, seconds: float) -> None:
        """Keeps the link alive for a while."""
        end = self.world.now_us + round(seconds * 1e6)
        while self.world.now_us < end:
            self.pass_time(end)

    def deal(self, pocket_of: Callable[[str], int], cards: int = 52, seconds: float = 12.0) -> None:
        """Feeds *cards*, routes each by look 1, until all have landed or the machine stopped."""
        end = self.world.now_us + round(seconds * 1e6)
        self.ask(Feed(self.run_number, cards))
        todo: list[tuple[int, int, str]] = []
        while self.world.now_us < end and not self.stopped:
            if sum(told.landed is not None for told in self.cards.values()) >= cards:
                break
            self.pass_time(todo[0][0] if todo else None)
            for number, name in self._read():
                todo.append((self.world.now_us + READ_US, number, name))
            while todo and todo[0][0] <= self.world.now_us:
                _, number, name = todo.pop(0)
                self.ask(Route(self.run_number, number, pocket_of(name)))
        if not self.stopped:
            self.stay(0.15)  # "landed" is told when a card begins to fall

    def finish(self) -> Event:
        self.ask(Finish(self.run_number))
        return self.wait(RunEnded, Stopped)

    @property
    def stopped(self) -> Stopped | None:
        """The last stop, if the machine has stopped."""
        stops = [event for event in self.events if isinstance(event, Stopped)]
        return stops[-1] if stops else None

    def of(self, kind: type[Event]) -> list[Any]:
        """All events of one kind so far."""
        return [event for event in self.events if isinstance(event, kind)]

    def _take(self, event: Event) -> None:
        self.events.append(event)
        if isinstance(event, Strobed):
            self.strobes.append(event)
        elif isinstance(event, Landed):
            self.cards.setdefault(event.card, Told(event.card)).landed = event.pocket

    def _read(self) -> list[tuple[int, str]]:
        """Readings of first looks, tied to their card by time stamp; images wait for their strobe."""
        found, waiting = [], []
        for image in self.images:
            ties = [one for one in self.strobes if abs(one.tick - image.captured_us) < 5_000]
            if not ties and image.captured_us > self.world.now_us - 500_000:
                waiting.append(image)
            for strobe in ties:
                told = self.cards.setdefault(strobe.card, Told(strobe.card))
                if strobe.look == 1 and told.name is None and len(image.pixels) > 1:
                    told.name = image.pixels[1][0]
                    found.append((strobe.card, told.name))
        self.images = waiting
        return found


class Rig:
    """One world, one host, and short cuts for what tests do with them."""

    def __init__(
        self,
        seed: int = 1,
        faults: Sequence[str] = (),
        profile: str = "standard",
        trace: Trace | None = None,
        pictures: Any = None,
    ) -> None:
        self.world = World(
            HostFirmware(),
            geometry.PROFILES[profile],
            random.Random(seed),
            [parse(text) for text in faults],
            pictures=pictures or IdentityPictures(),
            trace=trace,
        )
        self.hands = self.world.hands
        self.host = Host(self.world)
        rng = random.Random(f"deal {seed}")
        seats = [seat for seat in range(4) for _ in range(13)]
        rng.shuffle(seats)
        self.seat_of = {str(card): seat for card, seat in zip(CARDS, seats, strict=True)}

    def end(self, deed: Deed[Any]) -> Deed[Any]:
        """Lets a person finish."""
        while not deed.done:
            self.world.run(deed.done_us)
            self.host.poll()
        return deed

    def wait(self, deed: Deed[Any]) -> Any:
        """Lets a person finish and gives what came of it."""
        return self.end(deed).result

    def wait_without_link(self, deed: Deed[Any]) -> Any:
        """Lets a person finish while no port is open."""
        while not deed.done:
            self.world.run(deed.done_us)
        return deed.result

    def idle(self, seconds: float) -> None:
        """Lets the machine alone, host and all."""
        end = self.world.now_us + round(seconds * 1e6)
        while self.world.now_us < end:
            self.world.run(end)

    def prepare(self, board: int = 1, packs: int = 1) -> None:
        for _ in range(packs):
            self.hands.load_pack()
        self.hands.put_board(board, "A")
        self.wait(self.hands.lid(True))

    def ready(self, board: int = 1, packs: int = 1) -> None:
        """Everything up to an open run."""
        self.prepare(board, packs)
        self.host.connect()
        assert isinstance(self.host.home(), Homed), self.host.events
        self.host.start()

    def pocket_of(self, name: str) -> int:
        return self.seat_of.get(name, TRAY)

    def deal(self, board: int = 1, packs: int = 1, cards: int = 52) -> None:
        """A whole board."""
        self.ready(board, packs)
        self.host.deal(self.pocket_of, cards)
        if not self.host.stopped:
            self.host.finish()

    def expected(self, without: Sequence[str] = ()) -> dict[str, set[str]]:
        """By pocket: what belongs there."""
        wanted: dict[str, set[str]] = {seat: set() for seat in POCKETS}
        for name, seat in self.seat_of.items():
            if name not in without:
                wanted[POCKETS[seat]].add(name)
        return wanted

    def pockets(self) -> dict[str, set[str]]:
        """By pocket: what is there."""
        return {seat: set(held) for seat, held in self.world.contents().pockets.items()}
