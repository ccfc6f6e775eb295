"""The machine while no card moves: session, heartbeat, switches, and which board came into the slot.

A board may be dealt only when it was seen to come: out, then in, in one unbroken watch.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from controller.daemon.port import Port
from controller.devices.happenings import Input
from controller.devices.ports import Clock
from controller.link.errors import LinkError
from controller.link.link import Link, Wait
from controller.machine.errors import MachineError
from controller.machine.machine import Machine
from controller.protocol.messages import State

RETRY_US: Final = 500_000
LABEL_US: Final = 300_000
RESET_AFTER: Final = 8
RESET_US: Final = 20_000
SILENT: Final = ("link.no_answer", "port.no_answer")
MOVING: Final = (State.HOMING, State.RUNNING, State.HOLDING, State.FINISHING)


class MachineWatch:
    """Waits, and looks. `problem` is the code of what is wrong with the machine, or empty."""

    def __init__(
        self,
        machine: Machine,
        link: Link,
        port: Port,
        clock: Clock,
        wait: Wait,
        hold_reset: Callable[[bool], None] = lambda on: None,
    ) -> None:
        self.fresh = False
        """The board in the slot was seen to come in since the last one was dealt."""
        self.forgotten = 0
        """How often all that was seen to come lost its worth."""
        self.problem: Exception | None = None
        self.state = State.UNKNOWN
        self.label: int | None = None
        self.on_session: Callable[[], None] = lambda: None
        """Called when a session has begun and the machine stands; LinkError and MachineError lose it again."""
        self._machine = machine
        self._link = link
        self._port = port
        self._clock = clock
        self._wait = wait
        self._was_out = False
        self._outs = 0
        self._boot: int | None = None
        self._hold_reset = hold_reset
        self._silent = 0
        self._next_try_us = 0
        self._next_label_us = 0

    @property
    def connected(self) -> bool:
        """Whether the MCU was heard of at the last heartbeat."""
        return self._link.open

    def step(self, until_us: int, *, reconnect: bool = True) -> None:
        """Waits until *until_us* at most, and does what is due.

        Without *reconnect* a lost link stays lost: while a board is under way only the job may say
        how it goes on.
        """
        if self._link.open:
            self._wait(min(until_us, self._link.next_beat_us))
            self._beat_if_due()
        elif reconnect and self._clock.now_us() >= self._next_try_us:
            self._connect()
        else:
            self._wait(min(until_us, self._next_try_us) if reconnect else until_us)

    def pass_over(self) -> None:
        """Nobody is at work who will take the events: what happens is told by switches and counters alone."""
        try:
            self._link.take_events()
        except LinkError as error:
            self._lose(error)

    def used(self) -> None:
        """The board in the slot is being dealt: the next one must be seen to come."""
        self.fresh = self._was_out = False
        self._outs = self._machine.moves(Input.BOARD, False)

    def forget(self) -> None:
        """Nothing that was seen counts any more."""
        self.used()
        self.forgotten += 1
        self._boot = None
        self.state = State.UNKNOWN
        self.label = None

    # -- inside ----------------------------------------------------------------------------

    def _beat_if_due(self) -> None:
        now = self._clock.now_us()
        try:
            if now >= self._link.next_beat_us:
                self.state = self._machine.state()
                self._look(now)
            else:
                self._link.pump()
        except LinkError as error:
            self._lose(error)

    def _connect(self) -> None:
        self._next_try_us = self._clock.now_us() + RETRY_US
        try:
            self._port.reopen()
            identity = self._machine.connect()
            self.state = self._machine.state()
            if self.state in MOVING:
                self._machine.stop()
            self.problem, self._silent = None, 0
            self._boot = identity.boot
            self._look(self._clock.now_us())  # asks for counters: the machine may fall silent again
            self.on_session()
        except (OSError, MachineError) as error:
            self._lose(error)
            self._reset_if_silent(error)

    def _reset_if_silent(self, error: Exception) -> None:
        """An MCU that does not answer at an open port is started anew, now and then."""
        if getattr(error, "code", "") not in SILENT:
            return
        self._silent += 1
        if self._silent % RESET_AFTER == 0:
            self._hold_reset(True)
            until_us = self._clock.now_us() + RESET_US
            while self._clock.now_us() < until_us:
                self._wait(until_us)
            self._hold_reset(False)

    def _lose(self, error: Exception) -> None:
        self.problem = error
        self._port.lose()
        self.forget()
        if self._link.open:
            self._shut_link()

    def _shut_link(self) -> None:
        """Makes the link know what the port knows."""
        try:
            self._link.pump()
        except LinkError:
            return

    def _look(self, now_us: int) -> None:
        identity = self._machine.identity
        if identity is None or identity.boot != self._boot:
            # A job has opened a session with an MCU that has restarted since.
            self.used()
            self.forgotten += 1
            self._boot = identity.boot if identity else None
        outs = self._machine.moves(Input.BOARD, False)
        if outs != self._outs or not self._machine.inputs[Input.BOARD]:
            # Told, and not only found out: a quick hand changes boards between two looks.
            self._outs = outs
            self._was_out, self.fresh, self.label = True, False, None
        if self._was_out and self._machine.inputs[Input.BOARD]:
            self._was_out, self.fresh = False, True
        if now_us >= self._next_label_us:
            self._next_label_us = now_us + LABEL_US
            self._machine.count()
            found = self._machine.label()
            self.label = found.board if found else None
