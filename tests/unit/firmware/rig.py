"""A bench for the firmware: library, tiny plant and scripted host in one virtual time."""

from __future__ import annotations

import ctypes
import heapq
from binascii import crc_hqx
from collections.abc import Callable, Iterable
from typing import Any

from controller.geometry import PROFILES
from controller.protocol.codec import MessageDecoder, encode_message
from controller.protocol.frame import encode
from controller.protocol.messages import (
    ANSWERS,
    PROTOCOL_VERSION,
    Ack,
    Commit,
    Config,
    Feed,
    Finish,
    Heartbeat,
    Held,
    Hello,
    Home,
    Identity,
    Key,
    Landed,
    Message,
    Nak,
    NakReason,
    Route,
    Seen,
    Start,
    State,
    Status,
    Stop,
    Stopped,
)
from tests.unit.firmware.library import (
    ANY,
    BOARD,
    ESTOP,
    HOPPER,
    LID,
    WHY_FEEDER,
    WHY_OUTPUT,
    WHY_TX,
    config,
)
from tests.unit.firmware.plant import Card, Plant

RUN = 7
BEAT_US = 100_000
OUT_OF_BAND = 255
"""Seq of heartbeats; no command uses it."""


class Rig:
    """Firmware, plant and host."""

    def __init__(
        self,
        lib: Any,
        profile: str = "standard",
        hopper: int = 60,
        make: Callable[[int], Card] = Card,
    ) -> None:
        self.lib = lib
        self.profile = PROFILES[profile]
        self.config = dict(config(profile))
        self.host = lib.host_new()
        self.view = lib.host_view(self.host).contents
        self.decoder = MessageDecoder()
        self.answers: list[tuple[int, Message]] = []
        self.events: list[Any] = []
        self.edges: list[tuple[int, int, int]] = []
        """(time, belt step, outputs) at every output edge."""
        self.beating = self.acknowledging = True
        self.routes: dict[int, int] = {}
        """Card number to pocket, sent `route_delay_us` after Seen."""
        self.route_delay_us = 20_000
        self.next_event = 0
        self._seq = 0
        self._next_beat = 0
        self._order = 0
        self._at_belt: list[tuple[int, int, Callable[[], None]]] = []
        self._at_time: list[tuple[int, int, Callable[[], None]]] = []
        self.plant = Plant(self, hopper, make)
        for pin in (HOPPER, BOARD, LID, ESTOP):
            self.input(pin, 1)

    def close(self) -> None:
        """Frees the library's memory."""
        self.lib.host_free(self.host)

    # --- pins ---

    def input(self, pin: int, level: int) -> None:
        """Drives an input pin."""
        self.lib.host_input(self.host, pin, level)

    def analog(self, channel: int, value: int) -> None:
        """Sets an analog channel."""
        self.lib.host_analog(self.host, channel, value)

    def reset(self, cause: int) -> None:
        """Resets the MCU."""
        self.lib.host_reset(self.host, cause)
        self.next_event = 0

    # --- the link ---

    def raw(self, data: bytes) -> None:
        """Sends bytes."""
        self.lib.host_rx(self.host, data, len(data))
        self._take()

    def send(self, message: Message) -> int:
        """Sends a command with the next seq; gives the seq."""
        self._seq = (self._seq + 1) % OUT_OF_BAND
        self.raw(encode_message(message, self._seq))
        return self._seq

    def ask(self, message: Message) -> Any:
        """Sends a command and gives its answer."""
        seq = self.send(message)
        found = [answer for got, answer in self.answers[-3:] if got == seq]
        assert found, f"no answer to {message}"
        return found[-1]

    def ok(self, message: Message) -> Ack:
        """Sends a command that must be acknowledged."""
        answer = self.ask(message)
        assert isinstance(answer, Ack), f"{message}: {answer}"
        return answer

    def refused(self, message: Message) -> NakReason:
        """Sends a command that must be refused; gives the reason."""
        answer = self.ask(message)
        assert isinstance(answer, Nak), f"{message}: {answer}"
        return NakReason(answer.reason)

    def refused_raw(self, type_: int, payload: bytes) -> NakReason:
        """Sends a frame that the codec would not make; it must be refused."""
        self._seq = (self._seq + 1) % OUT_OF_BAND
        self.raw(encode(type_, self._seq, payload))
        seq, answer = self.answers[-1]
        assert isinstance(answer, Nak), answer
        assert (seq, answer.command) == (self._seq, type_)
        return NakReason(answer.reason)

    def _take(self) -> None:
        buffer = ctypes.create_string_buffer(8192)
        count = self.lib.host_tx(self.host, buffer, 8192)
        for seq, message in self.decoder.feed(buffer.raw[:count]):
            if isinstance(message, ANSWERS):
                self.answers.append((seq, message))
            elif message.number == self.next_event & 0xFFFF:
                self.next_event += 1
                self.events.append(message)
                self._heed(message)

    def _heed(self, event: Any) -> None:
        if isinstance(event, Seen) and event.card in self.routes:
            route = Route(event.run, event.card, self.routes[event.card])
            self.at_time(self.view.now_us + self.route_delay_us, lambda: self.send(route))

    @property
    def status(self) -> Status:
        """What the firmware says at this moment."""
        seen = self.next_event & 0xFFFF if self.acknowledging else 0
        self.raw(encode_message(Heartbeat(seen), OUT_OF_BAND))
        status = self.answers.pop()[1]
        assert isinstance(status, Status)
        return status

    @property
    def state(self) -> State:
        """The state at this moment."""
        return State(self.status.state)

    def of(self, kind: type[Any]) -> list[Any]:
        """The events of one kind so far."""
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def stopped(self) -> Stopped:
        """The one stop that there was."""
        (event,) = self.of(Stopped)
        assert isinstance(event, Stopped)
        return event

    @property
    def landed(self) -> dict[int, int]:
        """Card number to pocket, as the firmware told it."""
        return {event.card: event.pocket for event in self.of(Landed)}

    # --- time ---

    def at_belt(self, step: int, do: Callable[[], Any]) -> None:
        """Calls `do` at a belt step."""
        self._order += 1
        heapq.heappush(self._at_belt, (step, self._order, do))

    def at_time(self, us: int, do: Callable[[], Any]) -> None:
        """Calls `do` at a time."""
        self._order += 1
        heapq.heappush(self._at_time, (us, self._order, do))

    def run(self, us: int, until: Callable[[], bool] = lambda: False) -> bool:
        """Runs for `us`, or until `until` is true; tells whether it was."""
        end = self.view.now_us + us
        while not until():
            if self.view.now_us >= end:
                return False
            self._advance(end)
        return True

    def _advance(self, end: int) -> None:
        plant, view = self.plant, self.view
        stop = min(end, self._next_beat, self._at_time[0][0] if self._at_time else end)
        belt = self._at_belt[0][0] if self._at_belt else ANY
        resting = plant.grip is None and view.now_us < plant.resting_until
        feeder = ANY if resting else plant.grip or view.feeder + 1
        if resting:
            stop = min(stop, plant.resting_until)
        before = view.outputs
        why = self.lib.host_run(self.host, stop, belt, feeder)
        if why & WHY_OUTPUT:
            self.edges.append((view.now_us, view.belt, view.outputs))
            plant.outputs_moved(before)
        if why & WHY_FEEDER:
            plant.feeder_moved()
        if resting and view.now_us >= plant.resting_until:
            plant.rest()
        while self._at_belt and self._at_belt[0][0] <= view.belt:
            heapq.heappop(self._at_belt)[2]()
        if why & WHY_TX:
            self._take()
        while self._at_time and self._at_time[0][0] <= view.now_us:
            heapq.heappop(self._at_time)[2]()
        if view.now_us >= self._next_beat:
            self._next_beat = view.now_us + BEAT_US
            if self.beating:
                assert self.status

    # --- common scripts ---

    def configure(self) -> None:
        """HELLO, CONFIG, COMMIT."""
        self.run(1_000)
        assert isinstance(self.ask(Hello(PROTOCOL_VERSION)), Identity)
        packed = b""
        for key in Key:
            self.ok(Config(key, self.config[key]))
            packed += self.config[key].to_bytes(4, "little")
        self.ok(Commit(crc_hqx(packed, 0xFFFF)))

    def home(self) -> None:
        """HOME until Homed."""
        self.ok(Home())
        assert self.run(30_000_000, lambda: self.state == State.READY), self.events[-1]

    def start(self, run: int = RUN) -> None:
        """Configures, homes, and opens a run."""
        self.configure()
        self.home()
        self.ok(Start(run))

    def open_run(self, run: int = RUN) -> None:
        """Opens a run in READY."""
        self.ok(Start(run))

    def feed(self, routes: Iterable[int], delay_us: int = 20_000) -> None:
        """Starts, and gives credit for cards routed in this order."""
        self.routes = dict(enumerate(routes, 1))
        self.route_delay_us = delay_us
        self.start()
        self.ok(Feed(RUN, len(self.routes)))

    def run_until_stopped(self, us: int = 5_000_000) -> Stopped:
        """Runs until the machine has stopped."""
        assert self.run(us, lambda: bool(self.of(Stopped))), f"no stop; last {self.events[-1:]}"
        return self.stopped

    def land_all(self, us: int = 20_000_000) -> None:
        """Runs until all cards with a route have landed, and finishes the run."""
        count = len(self.routes)
        ended = self.run(us, lambda: len(self.landed) == count or bool(self.of(Stopped)))
        assert ended, f"only {len(self.landed)} of {count} landed"
        assert not self.of(Stopped), self.stopped
        self.ok(Finish(RUN))
        assert self.run(2_000_000, lambda: self.state == State.READY)


def bring(rig: Rig, state: State) -> None:
    """Brings a fresh machine into a state."""
    if state == State.UNKNOWN:
        rig.configure()
    elif state == State.HOMING:
        rig.configure()
        rig.ok(Home())
        rig.run(300_000)
    elif state == State.READY:
        rig.configure()
        rig.home()
    elif state == State.STOPPED:
        rig.configure()
        rig.send(Stop())
    else:
        rig.feed([0, 1, 2])
        if state == State.HOLDING:
            rig.routes.clear()
            assert rig.run(2_000_000, lambda: bool(rig.of(Held)))
            rig.run(70_000)
        else:
            rig.run(300_000)
        if state == State.FINISHING:
            rig.ok(Finish(RUN))
    assert rig.state == state
