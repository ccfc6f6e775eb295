"""One host, one MCU: commands with tries, events in order of their numbers, never one without the
other.

Event intake is independent of command replies: whatever arrives is sorted at once, so that an event
behind an ACK in the same read is never lost (docs/protocol.md).
"""

from __future__ import annotations

import contextlib
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from controller.devices.ports import Clock, Transport
from controller.link.clocks import ClockMatch
from controller.link.errors import LinkLostError, McuRestartedError, RefusedError
from controller.protocol.codec import MessageDecoder, encode_message
from controller.protocol.messages import (
    ANSWERS,
    EVENTS,
    Ack,
    Calibration,
    Command,
    Event,
    GetEvents,
    Heartbeat,
    Hello,
    Identity,
    InputChanged,
    Message,
    Nak,
    Statistics,
    Status,
    Stop,
    Transit,
)

TRY_US: Final = 30_000
TRIES: Final = 5
HEARTBEAT_US: Final = 100_000
UNREAD: Final = 4_096
"""So many events may wait to be taken: a board has some 500. Who lets more pile up has not listened."""
HALF_RING: Final = 1 << 15
"""Event numbers are 16 bits and wrap: the nearer way round says which one is newer."""

A = TypeVar("A", Statistics, Transit, Calibration)

Wait = Callable[[int], None]
"""Waits until the given host time or until something may have arrived, whichever is first."""


@dataclass(slots=True)
class LinkStatistics:
    """What the wire has been like since the link was made."""

    sent: int = 0
    retries: int = 0
    events: int = 0
    events_reread: int = 0


class Link:
    """Speaks for the host on one transport.

    `request` blocks, in the sense that it calls `wait`, until the answer is there; meanwhile events
    gather in order and are taken with `take_events`. Raises LinkLostError after five tries and
    McuRestartedError when the MCU answers with another boot number than at `hello`.

    What was lost stays lost until the next `hello`: an MCU that answers again has events that belong to
    no session, so the same error is told to every command but STOP.
    """

    def __init__(self, transport: Transport, clock: Clock, wait: Wait) -> None:
        self._transport = transport
        self._clock = clock
        self._wait = wait
        self._decoder = MessageDecoder()
        self._seq = 0
        self._answer: Message | None = None
        self._answer_us = 0
        self._events: deque[tuple[int, Event]] = deque()
        self._early: dict[int, tuple[int, Event]] = {}
        self._next_event = 0
        self._announced = 0
        self._boot: int | None = None
        self._restarted = False
        self._lost_by: str | None = None
        self._next_beat_us = 0
        self.clocks = ClockMatch()
        self.statistics = LinkStatistics()
        self.moves: Counter[tuple[int, int]] = Counter()
        """How often each input has come to each level since the link was made, as events told."""
        self.status: Status | None = None

    # -- what the machine calls ------------------------------------------------------------

    def hello(self, command: Hello) -> Identity:
        """Opens a session and adopts the MCU's present life: boot number, next event, its clock."""
        self._decoder.reset()
        self._boot = None
        self._restarted = False
        self._lost_by = None
        answer = self._accepted(command)
        if not isinstance(answer, Identity):
            raise self._lost("link.no_identity")
        self._boot = answer.boot
        self._events.clear()
        self._early.clear()
        self._next_event = self._announced = answer.next_event
        self.clocks.forget()
        self.beat(force=True)
        return answer

    def request(self, command: Command) -> Ack:
        """Has one command carried out; RefusedError when the MCU said no."""
        answer = self._accepted(command)
        if not isinstance(answer, Ack) or answer.command != command.TYPE:
            raise self._lost("link.wrong_answer")
        return answer

    def ask(self, command: Command, kind: type[A]) -> A:
        """Has one question answered; RefusedError when the MCU said no."""
        answer = self._accepted(command)
        if not isinstance(answer, kind):
            raise self._lost("link.wrong_answer")
        return answer

    def beat(self, *, force: bool = False) -> None:
        """Sends the heartbeat when it is due: acknowledges events, feeds the dead-man, matches
        clocks.
        """
        if not force and self._clock.now_us() < self._next_beat_us:
            return
        sent_us = self._clock.now_us()
        before = self.statistics.retries
        answer = self._exchange(Heartbeat(self._next_event))
        if not isinstance(answer, Status):
            raise self._lost("link.wrong_answer")
        self.status = answer
        self._announced = answer.next_event
        self._next_beat_us = sent_us + HEARTBEAT_US
        if self.statistics.retries == before:  # a retried round trip says nothing about time
            self.clocks.sample(sent_us, self._answer_us, answer.tick)
        if self._missing():
            self.reread()

    def reread(self) -> None:
        """Asks for the events again that were announced or overtaken but never came."""
        self.statistics.events_reread += 1
        self.request(GetEvents(self._next_event))

    def take_events(self) -> list[tuple[int, Event]]:
        """The events that have come, in order and without gaps, each with its host time in
        microseconds.
        """
        self.pump()
        taken = list(self._events)
        self._events.clear()
        return taken

    @property
    def open(self) -> bool:
        """Whether a session is open: `hello` was answered and nothing was lost since."""
        return self._boot is not None and not self._restarted

    @property
    def next_beat_us(self) -> int:
        """When the next heartbeat is due."""
        return self._next_beat_us

    @property
    def dropped(self) -> int:
        """Pieces on the wire that were no valid message."""
        return self._decoder.dropped + self._decoder.refused

    def pump(self) -> None:
        """Takes what the transport has; raises when the port is gone or the MCU lives a new life."""
        try:
            data = self._transport.read()
        except OSError as error:
            raise self._lost("link.port_gone") from error
        if data:
            for received in self._decoder.feed(data):
                self._sort(received.seq, received.message)
        if self._restarted:
            raise McuRestartedError

    # -- inside ----------------------------------------------------------------------------

    def _accepted(self, command: Command) -> Message:
        """The answer, whatever its kind; RefusedError when the MCU said no."""
        answer = self._exchange(command)
        if isinstance(answer, Nak):
            raise RefusedError.of(command, answer)
        return answer

    def _exchange(self, command: Command) -> Message:
        if self._lost_by is not None and not isinstance(command, Stop):
            raise LinkLostError(self._lost_by)
        self._seq = (self._seq + 1) & 0xFF
        wire = encode_message(command, self._seq)
        self.statistics.sent += 1
        for attempt in range(TRIES):
            self.statistics.retries += attempt > 0
            self._answer = None
            try:
                self._transport.write(wire)
            except OSError as error:
                raise self._lost("link.port_gone") from error
            deadline = self._clock.now_us() + TRY_US
            while self._clock.now_us() < deadline:
                self._wait(deadline)
                answer = self._pump_for_answer()
                if answer is not None:
                    return answer
        raise self._lost("link.no_answer")

    def _pump_for_answer(self) -> Message | None:
        self.pump()
        return self._answer

    def _lost(self, code: str) -> LinkLostError:
        """The session is over; only `hello` opens another.

        The last word is STOP: what was only held up would feed on behind our back with the credit
        that it has, as soon as the wire passes what was sent before.
        """
        self._boot = None
        self._lost_by = code
        self._seq = (self._seq + 1) & 0xFF
        with contextlib.suppress(OSError):
            self._transport.write(encode_message(Stop(), self._seq))
        return LinkLostError(code)

    def _sort(self, seq: int, message: Message) -> None:
        if isinstance(message, ANSWERS):
            if self._is_restart(message):
                self._restarted = True
            elif seq == self._seq:
                self._answer = message
                self._answer_us = self._clock.now_us()
        elif self._boot is not None and isinstance(message, EVENTS):
            self._sort_event(message)

    def _is_restart(self, message: Message) -> bool:
        return (
            self._boot is not None
            and isinstance(message, Status | Identity)
            and message.boot != self._boot
        )

    def _sort_event(self, event: Event) -> None:
        if event.boot != self._boot:
            self._restarted = True
            return
        ahead = (event.number - self._next_event) & 0xFFFF
        if ahead >= HALF_RING:  # seen before
            return
        self.clocks.heard(self._clock.now_us(), event.tick)
        self._early[event.number] = (self.clocks.host_us(event.tick), event)
        while (entry := self._early.pop(self._next_event, None)) is not None:
            if len(self._events) >= UNREAD:
                raise self._lost("link.unread")
            self._events.append(entry)
            if isinstance(entry[1], InputChanged):
                self.moves[entry[1].pin, entry[1].level] += 1
            self.statistics.events += 1
            self._next_event = (self._next_event + 1) & 0xFFFF
        if self._early:  # a gap: do not wait for the next heartbeat to ask for it
            self._next_beat_us = 0

    def _missing(self) -> bool:
        behind = (self._announced - self._next_event) & 0xFFFF
        return bool(self._early) or 0 < behind < HALF_RING
