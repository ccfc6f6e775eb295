"""The link against a scripted MCU: tries, order of events, restarts, clocks, a port that goes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.link.clocks import WRAP_US, ClockMatch
from controller.link.errors import LinkLostError, McuRestartedError, RefusedError
from controller.link.link import TRIES, TRY_US, UNREAD, Link
from controller.protocol.codec import MessageDecoder, encode_message
from controller.protocol.messages import (
    PROTOCOL_VERSION,
    Ack,
    Event,
    Feed,
    GetEvents,
    Heartbeat,
    Hello,
    Home,
    Identity,
    Message,
    Nak,
    NakReason,
    Seen,
    State,
    Status,
    Stop,
)

BOOT = 7
WAY_US = 1_000


class Mcu:
    """Answers as a good MCU would, on a wire whose faults the test decides."""

    def __init__(self) -> None:
        self.now_us = 0
        self.boot = BOOT
        self.events: list[Event] = []
        self.received: list[Message] = []
        self.lose_command: Callable[[int], bool] = lambda count: False
        self.lose_answer: Callable[[int], bool] = lambda count: False
        self.refuse = False
        self.gone = False
        self._frames = MessageDecoder()
        self._on_wire: deque[tuple[int, bytes]] = deque()
        self._answers = 0
        self._last: tuple[int, Message] | None = None
        self.carried_out: list[Message] = []

    # the transport
    def write(self, data: bytes) -> None:
        if self.gone:
            raise OSError(5, "gone")
        for seq, message in self._frames.feed(data):
            self.received.append(message)
            if not self.lose_command(len(self.received)):
                self._answer(seq, message)

    def read(self) -> bytes:
        if self.gone:
            raise OSError(5, "gone")
        data = b""
        while self._on_wire and self._on_wire[0][0] <= self.now_us:
            data += self._on_wire.popleft()[1]
        return data

    # the clock and the way to wait
    def wait(self, until_us: int) -> None:
        due = self._on_wire[0][0] if self._on_wire else until_us
        self.now_us = max(self.now_us + 1, min(until_us, due))

    # the MCU
    def emit(self, *cards: int, send: bool = True) -> None:
        for card in cards:
            event = Seen(len(self.events) & 0xFFFF, self.boot, 1, self._tick(), card)
            self.events.append(event)
            if send:
                self._send(encode_message(event, 0))

    def send(self, data: bytes) -> None:
        self._send(data)

    def _answer(self, seq: int, command: Message) -> None:
        if self._last is not None and self._last == (seq, command):
            answer: Message = self._remembered
        else:
            answer = self._carry_out(command)
            if not isinstance(command, Heartbeat):
                self._last, self._remembered = (seq, command), answer
        self._answers += 1
        if not self.lose_answer(self._answers):
            self._send(encode_message(answer, seq))

    def _carry_out(self, command: Message) -> Message:
        self.carried_out.append(command)
        number = len(self.events) & 0xFFFF
        if isinstance(command, Hello):
            self._last = None
            return Identity(PROTOCOL_VERSION, 1, self.boot, 1, 0, 0, 0, 0, 0, 0, 0, number, 0)
        if isinstance(command, Heartbeat):
            return Status(self._tick(), self.boot, 2, 0, 0, 0, 0, 0, number, 0)
        if self.refuse:
            return Nak(command.TYPE, NakReason.WRONG_STATE, State.STOPPED)
        if isinstance(command, GetEvents):
            for event in self.events[command.first :]:
                self._send(encode_message(event, 0))
        return Ack(command.TYPE, 0, 255)

    def _tick(self) -> int:
        return (self.now_us + 123_456) % WRAP_US

    def _send(self, data: bytes) -> None:
        self._on_wire.append((self.now_us + WAY_US, data))


class _Clock:
    def __init__(self, mcu: Mcu) -> None:
        self._mcu = mcu

    def now_us(self) -> int:
        return self._mcu.now_us


def connected() -> tuple[Mcu, Link]:
    mcu = Mcu()
    link = Link(mcu, _Clock(mcu), mcu.wait)
    link.hello(Hello(PROTOCOL_VERSION))
    return mcu, link


def settle(mcu: Mcu, link: Link, beats: int = 8) -> list[int]:
    """The cards of all events that arrive within some heartbeats, in the order given."""
    seen = []
    for _ in range(beats):
        mcu.now_us += 100_000
        link.beat()
        seen += [event.card for _, event in link.take_events() if isinstance(event, Seen)]
    return seen


def test_a_command_is_acknowledged() -> None:
    _, link = connected()
    assert link.request(Home()).command == Home.TYPE
    assert link.statistics.retries == 0


@given(st.sets(st.integers(1, 12)), st.sets(st.integers(1, 12)))
def test_lost_commands_and_answers_never_do_a_thing_twice(
    commands: set[int], answers: set[int]
) -> None:
    mcu, link = connected()
    first, told = len(mcu.received), len(mcu.carried_out)
    mcu.lose_command = lambda count: count - first in commands
    mcu.lose_answer = lambda count: count - told in answers
    done = 0
    try:
        for up_to in range(1, 5):
            link.request(Feed(1, up_to))
            done = up_to
    except LinkLostError:
        pass
    carried_out = [message for message in mcu.carried_out[told:] if isinstance(message, Feed)]
    assert carried_out == [Feed(1, up_to) for up_to in range(1, len(carried_out) + 1)]
    assert done <= len(carried_out) <= done + 1


def test_five_tries_then_the_link_is_lost() -> None:
    mcu, link = connected()
    before, began_us = len(mcu.received), mcu.now_us
    mcu.lose_command = lambda count: True
    with pytest.raises(LinkLostError, match="does not answer"):
        link.request(Home())
    assert mcu.received[before:] == [Home()] * TRIES + [Stop()]
    assert TRIES * TRY_US <= mcu.now_us - began_us <= TRIES * TRY_US + 1_000
    assert not link.open


def test_what_was_lost_stays_lost_until_it_is_opened_anew() -> None:
    """An MCU that answers again has events of a session that is over: nobody would take them."""
    mcu, link = connected()
    mcu.lose_command = lambda count: True
    with pytest.raises(LinkLostError):
        link.request(Home())
    mcu.lose_command = lambda count: False
    before = len(mcu.received)
    for ask in (lambda: link.request(Feed(1, 1)), lambda: link.beat(force=True)):
        with pytest.raises(LinkLostError, match="does not answer"):
            ask()
    assert len(mcu.received) == before
    assert link.request(Stop()).command == Stop.TYPE
    link.hello(Hello(PROTOCOL_VERSION))
    mcu.emit(1)
    assert settle(mcu, link) == [1]
    link.request(Feed(1, 1))


def test_a_refusal_says_what_and_why() -> None:
    mcu, link = connected()
    mcu.refuse = True
    with pytest.raises(RefusedError, match="refused HOME because of WRONG_STATE, in state STOPPED"):
        link.request(Home())


def test_events_behind_an_answer_in_the_same_read_are_kept() -> None:
    mcu, link = connected()
    mcu.emit(1, 2)
    link.request(Home())
    mcu.emit(3)
    mcu.now_us += 5_000
    assert [event.card for _, event in link.take_events()] == [1, 2, 3]


@given(st.lists(st.booleans(), min_size=1, max_size=40))
def test_lost_events_are_read_again_in_order_and_once(arrives: list[bool]) -> None:
    mcu, link = connected()
    for card, sent in enumerate(arrives, 1):
        mcu.emit(card, send=sent)
    assert settle(mcu, link) == list(range(1, len(arrives) + 1))


def test_events_that_come_twice_count_once() -> None:
    mcu, link = connected()
    mcu.emit(1, 2)
    for event in mcu.events:
        mcu.send(encode_message(event, 0))
    assert settle(mcu, link) == [1, 2]


def test_event_numbers_wrap() -> None:
    mcu, link = connected()
    link._next_event = link._announced = 0xFFFF  # as after 65,535 events
    mcu.events = [Seen(n & 0xFFFF, BOOT, 1, 0, 1) for n in range(0xFFFF)]
    mcu.emit(1, 2, 3)
    assert settle(mcu, link, 1) == [1, 2, 3]


@pytest.mark.parametrize("by", ["heartbeat", "event"])
def test_another_boot_number_is_a_restart(by: str) -> None:
    mcu, link = connected()
    mcu.boot = BOOT + 1
    if by == "event":
        mcu.emit(1)
        mcu.now_us += 5_000
        with pytest.raises(McuRestartedError):
            link.take_events()
    else:
        mcu.now_us += 100_000
        with pytest.raises(McuRestartedError, match="restarted by itself"):
            link.beat()
    assert not link.open
    link.hello(Hello(PROTOCOL_VERSION))
    assert link.open


def test_a_port_that_is_gone_is_a_lost_link_at_once() -> None:
    mcu, link = connected()
    mcu.gone = True
    with pytest.raises(LinkLostError, match="cable"):
        link.pump()
    with pytest.raises(LinkLostError, match="cable"):
        link.request(Home())


@given(st.binary(max_size=200))
def test_garbage_on_the_wire_hurts_nothing(garbage: bytes) -> None:
    mcu, link = connected()
    mcu.send(garbage + b"\0")
    mcu.emit(1)
    assert settle(mcu, link) == [1]


def test_the_heartbeat_matches_the_clocks() -> None:
    mcu, link = connected()
    settle(mcu, link, 3)
    assert abs(link.clocks.host_us(mcu._tick()) - mcu.now_us) <= link.clocks.error_us
    assert link.clocks.error_us <= WAY_US


@given(st.integers(0, 3 * WRAP_US), st.lists(st.integers(1, 2_000_000), min_size=1, max_size=30))
def test_the_tick_may_wrap(start: int, steps: list[int]) -> None:
    clocks = ClockMatch()
    now = start
    for step in steps:
        now += step
        clocks.sample(now - 500, now + 500, (now - 77) % WRAP_US)
        assert clocks.host_us((now - 77) % WRAP_US) == now


def test_who_does_not_listen_loses_the_link_and_not_the_memory() -> None:
    mcu, link = connected()
    told = 0
    with pytest.raises(LinkLostError) as lost:
        while told < 3 * UNREAD:
            mcu.emit(*range(1, 51))
            told += 50
            mcu.now_us += 100_000
            link.beat()
    assert lost.value.code == "link.unread"
    assert UNREAD < told <= UNREAD + 100
    link.hello(Hello(PROTOCOL_VERSION))
    assert link.take_events() == []
