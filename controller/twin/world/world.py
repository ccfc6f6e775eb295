"""The world: one machine with its cards, driven by the real firmware in virtual time.

Event-driven: the chip runs until the earliest of the next physical thing on the belt, the next card
that the feeder hands over, the next thing due in time, or an output edge. Nothing here reads
a clock of the computer or depends on how fast the host is.
"""

from __future__ import annotations

import heapq
import random as random_module
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from controller import geometry
from controller.devices.ports import LabelReader, Transport
from controller.protocol.messages import ResetCause
from controller.twin.faults import Fault
from controller.twin.firmware import (
    NO_STEP,
    WHY_OUTPUT,
    WHY_TX,
    Firmware,
)
from controller.twin.trace import NoTrace, Trace
from controller.twin.world.build import DRAWING, Build
from controller.twin.world.camera import Lying, Pictures, TwinCamera
from controller.twin.world.drives import Gate, Motor
from controller.twin.world.hands import Hands
from controller.twin.world.hopper import Hopper
from controller.twin.world.inputs import Inputs
from controller.twin.world.layout import CARD, TRAY_GATE, WINDOW, layout
from controller.twin.world.mischief import Mischief
from controller.twin.world.pins import In, Out
from controller.twin.world.slot import Slot
from controller.twin.world.things import Board, Contents, PrintShop, held_by, names
from controller.twin.world.track import Passage, Reports, Track
from controller.twin.world.wire import Port, Wire

SHIFT_MM: Final = (0.25, 0.6)
"""How far to the side a card passes the window: standard deviation, and at most."""
TILT_DEG: Final = (0.3, 0.8)
_ENABLE: Final = 1 << Out.ENABLE
_STROBE: Final = 1 << Out.STROBE
_TRIGGER: Final = 1 << Out.TRIGGER


@dataclass(slots=True)
class Timing:
    """The world's own stop-watch since the board in the slot was put in."""

    first_feed_us: int | None = None
    """When the feeder first began to move."""
    last_landing_us: int | None = None
    """When a card last came to a pocket's passing sensor; the mechanical limit ends there, too."""
    feeds: int = 0
    landed: int = 0
    """Cards that fell into pockets."""

    @property
    def machine_us(self) -> int | None:
        """First feed to last landing."""
        if self.first_feed_us is None or self.last_landing_us is None:
            return None
        return self.last_landing_us - self.first_feed_us


class World:
    """One simulated machine, switched on, with an empty hopper, no board and an open lid.

    Its ports are `transport` (or `open_transport`), `camera` and `label_reader`; `hands` is the
    person beside it. `run` moves time; `now_us` is the host's clock, in whole microseconds.
    """

    def __init__(
        self,
        firmware: Firmware,
        profile: geometry.Profile,
        random: random_module.Random,
        faults: Sequence[Fault] = (),
        *,
        pictures: Pictures,
        trace: Trace | None = None,
        pocket_order: str = geometry.POCKET_ORDER,
        build: Build = DRAWING,
    ) -> None:
        seed = random.getrandbits(64)
        trace = NoTrace() if trace is None else trace
        self.profile = profile
        self.build = build
        self.now_us = firmware.now_us
        self.timing = Timing()
        self.finished: list[Board] = []
        """Boards that were taken out of the slot, with what they hold."""
        self.pulled_board: Board | None = None
        """The board that a fault pulled out; it lies beside the machine."""
        self.lamps: dict[str, str] = {}
        """What the host shows on its lamps."""
        self.resets_on_open = False
        """Opening the port pulls DTR, which restarts the MCU; a fault."""
        self.plan = layout(pocket_order, build)
        self.inputs = Inputs(firmware, trace)
        self.shop = PrintShop(_stream(seed, "packs"), build.thickness_um)
        self.hopper = Hopper(self.inputs, _stream(seed, "slip"))
        self.slot = Slot(self.plan, self.inputs)
        reports = Reports(self.hopper.left, self._passing, self._landed, self._jammed)
        self.track = Track(self.plan, self.inputs, profile.gate_travel_us, reports)
        self.track.gates = _gates(build) or self.track.gates
        self.camera = TwinCamera(pictures, self, seed, trace, profile.pitch_us, build.camera)
        self.wire = Wire(firmware, self, _stream(seed, "wire"), trace)
        self.mischief = Mischief(self, faults, seed)
        self.hands = Hands(self)
        self._firmware = firmware
        self._trace = trace
        self._lie = _stream(seed, "lie")
        self._due: list[tuple[int, int, Callable[[], None]]] = []
        self._tickets = self._outputs = 0
        self._news = False
        self._timed_board: Board | None = None
        self._feeder_at_put = 0
        self._estop = self._powered = False
        self._belt_motor = Motor(firmware.belt, build.belt_um)
        self._feeder_motor = Motor(firmware.feeder, build.feeder_um)
        self.inputs.set(In.ESTOP, 1)

    # --- the ports ---

    @property
    def transport(self) -> Transport:
        """The port to the MCU that was opened last; dead once its cable was pulled."""
        return self.wire.port

    def open_transport(self) -> Port:
        """Opens the port to the MCU anew; OSError while the cable is out."""
        port = self.wire.open()
        if self.resets_on_open:
            self.reset_mcu(ResetCause.EXTERNAL)
        return port

    @property
    def label_reader(self) -> LabelReader:
        """The reader at the slot."""
        return self.slot

    # --- time ---

    def run(self, until_us: int) -> None:
        """Moves time to *until_us*, or until host or person has something new before that."""
        self._news = False
        due = self._due
        while True:
            while due and due[0][0] <= self.now_us:
                heapq.heappop(due)[2]()
            if self._news or self.now_us >= until_us:
                return
            self._step(min(until_us, due[0][0]) if due else until_us)

    def at(self, due_us: int, act: Callable[[], None]) -> None:
        """Calls *act* when the world's time is *due_us*."""
        self._tickets += 1
        heapq.heappush(self._due, (due_us, self._tickets, act))

    def news(self) -> None:
        """The host or the person has something new: `run` comes back."""
        self._news = True

    def note(self, text: str) -> None:
        """A line in the trace."""
        self._trace.note(self.now_us, text)

    def _step(self, until_us: int) -> None:
        firmware = self._firmware
        why = firmware.run(until_us, *self._targets())
        self.now_us = firmware.now_us
        if self._powered:
            self._moved()
        if why & WHY_OUTPUT:
            self._outputs_changed()
        if why & WHY_TX:
            self.wire.to_host(firmware.tx())

    def _targets(self) -> tuple[int, int]:
        """The STEP counts of belt and feeder at which the next physical thing happens."""
        if not self._powered:
            return NO_STEP, NO_STEP
        belt = self.track.next_step()
        feeder = self.hopper.next_step()
        if self.timing.first_feed_us is None and self.hopper.cards:
            feeder = self.hopper.feeder + 1
        return (
            NO_STEP if belt is None else self._belt_motor.pulses(belt),
            NO_STEP if feeder is None else self._feeder_motor.pulses(feeder),
        )

    def _moved(self) -> None:
        """Belt and feeder have come as far as their STEP counts say."""
        hopper = self.hopper
        hopper.feeder = self._feeder_motor.way(self._firmware.feeder)
        self.track.advance(self._belt_motor.way(self._firmware.belt), self.now_us)
        grip_at = hopper.next_step()
        if (
            self.timing.first_feed_us is None
            and hopper.cards
            and hopper.feeder > self._feeder_at_put
        ):
            self.timing.first_feed_us = self.now_us
        if grip_at is not None and grip_at <= hopper.feeder:
            self._grip()

    # --- what the firmware does to the machine ---

    def _outputs_changed(self) -> None:
        old, new = self._outputs, self._firmware.outputs
        self._outputs = new
        changed = old ^ new
        for pin in Out:
            if changed >> pin & 1:
                self._trace.pin(self.now_us, pin.name, new >> pin & 1)
        if changed & _TRIGGER and new & _TRIGGER:
            self._later(lambda: self.camera.trigger(self._before_window()))
        if changed & _STROBE:
            lit = bool(new & _STROBE)
            self._later(lambda: self.camera.light(lit))
        self._drive()

    def _later(self, act: Callable[[], None]) -> None:
        late_us = self.camera.sight.late_us
        if late_us:
            self.at(self.now_us + late_us, act)
        else:
            act()

    def _drive(self) -> None:
        """Coils and motors follow the outputs as far as the emergency stop lets current through."""
        live = not self._estop
        for gate, pin in enumerate(self.plan.gate_pins):
            self.track.drive_gate(gate, live and bool(self._outputs >> pin & 1), self.now_us)
        powered = live and bool(self._outputs & _ENABLE)
        if powered == self._powered:
            return
        self._powered = powered
        if powered:
            self.mischief.powered()
        self._belt_motor.power(powered, self._firmware.belt)
        self._feeder_motor.power(powered, self._firmware.feeder)

    def _before_window(self) -> tuple[Lying, ...]:
        track = self.track
        lying = []
        for passage in track.cards:
            lead = track.lead(passage)
            if lead - CARD < WINDOW + CARD and passage.chute is None:
                lying.append(Lying(passage.card, lead, passage.shift_mm, passage.tilt_deg))
        return tuple(lying)

    # --- what happens on the way of a card ---

    def _grip(self) -> None:
        self.timing.feeds += 1
        passage = self._enter(0)
        self.mischief.fed(self.timing.feeds, passage)

    def _enter(self, behind: int) -> Passage:
        shift = _within(self._lie.gauss(0, SHIFT_MM[0]), SHIFT_MM[1])
        tilt = _within(self._lie.gauss(0, TILT_DEG[0]), TILT_DEG[1])
        return self.track.enter(self.hopper.pull(), self.timing.feeds, behind, shift, tilt)

    def drag_along(self, behind: int) -> None:
        """The next card comes along, *behind* steps behind the one that was just gripped."""
        if self.hopper.cards:
            self._enter(behind)

    def _passing(self, gate: int) -> None:
        if gate != TRAY_GATE:
            self.timing.landed += 1
            self.timing.last_landing_us = self.now_us

    def _landed(self, passage: Passage, gate: int) -> None:
        if gate == TRAY_GATE:
            self.mischief.in_tray(passage)
        self.slot.land(passage.card, gate)

    def _jammed(self, passage: Passage) -> None:
        self.note(f"a card stands at {passage.stands_at}")

    # --- what hands and faults do to the machine as a whole ---

    def put_board(self, board: Board, backwards: bool) -> Board:
        """A board comes into the slot: the one that was meant, if no fault makes it another."""
        board, backwards = self.mischief.before_board(board, backwards)
        if board is not self._timed_board:
            self._timed_board = board
            self.timing = Timing()
            self.hopper.for_next.clear()  # what lay behind is now this board's
            self._feeder_at_put = self.hopper.feeder
        self.slot.put(board, backwards)
        self.mischief.settle()
        return board

    def press_estop(self, pressed: bool) -> bool:
        """The emergency stop cuts the current of motors and gates, and the MCU senses it."""
        self._estop = pressed
        self._drive()
        self.inputs.set(In.ESTOP, int(not pressed))
        return pressed

    def reset_mcu(self, cause: ResetCause) -> bool:
        """The MCU starts anew."""
        self._firmware.reset(cause)
        return True

    def contents(self) -> Contents:
        """What is really where."""
        board = self.slot.board
        on_belt = sorted(self.track.cards, key=self.track.lead, reverse=True)
        behind = sum(card in self.hopper.for_next for card in self.hopper.cards)
        return Contents(
            None if board is None else board.number,
            "" if board is None else board.box,
            held_by(Board(0) if board is None else board),
            tuple(names(self.slot.tray)),
            tuple(names(passage.card for passage in on_belt)),
            len(self.hopper.cards) - behind,
            behind,
            tuple(names(self.slot.table)),
        )


def _gates(build: Build) -> list[Gate]:
    """Each with its own times; none when all are as the profile says."""
    times = zip(build.open_us, build.close_us, strict=True)
    return [Gate(opens, closes) for opens, closes in times]


def _stream(seed: int, name: str) -> random_module.Random:
    """A source of chance of its own, so that one part of the world does not disturb another."""
    return random_module.Random(f"{seed} {name}")


def _within(value: float, bound: float) -> float:
    return max(-bound, min(bound, value))
