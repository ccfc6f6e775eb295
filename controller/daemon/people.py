"""The people around the machine, reached over screen and clients: what they must do is published,
and the loop waits, with its heartbeat, until it is done.
"""

from __future__ import annotations

from typing import Final

from controller.api.models import DaemonState, Notice, WantsView
from controller.daemon.control import Control
from controller.daemon.errors import GivenUpError
from controller.daemon.parts import ConfirmedLabels, Parts
from controller.daemon.plan import Copy
from controller.daemon.views import machine_view, problem_text, steps_text, stop_view
from controller.daemon.watch import MachineWatch
from controller.devices.happenings import Input
from controller.devices.ports import Label
from controller.engine.start import refusal
from controller.engine.stops import Fault, Step, Stop, Then, before_start
from controller.jobs.order import Choice
from controller.jobs.people import SETTLED_US, Done
from controller.machine.machine import Machine
from deals.cards import Card
from deals.files import ranges
from deals.words import text

LOOK_US: Final = 200_000
BOARD_STEPS: Final = (
    Step.PUT_BOARD_BACK.value,
    Step.RIGHT_BOARD.value,
    Step.WIPE_LABEL.value,
    Step.TURN_BOARD.value,
)
"""Where any board may come these are about the board that is there, not about the first."""


class DeskPeople:
    """`People` for a job of the daemon."""

    def __init__(
        self,
        control: Control,
        machine: Machine,
        watch: MachineWatch,
        parts: Parts,
        machine_id: str = "",
    ) -> None:
        self._control = control
        self._machine = machine
        self._watch = watch
        self._parts = parts
        self._id = machine_id
        self.notice: Notice | None = None
        """What whoever comes to the machine should know, though nothing stands still for it."""
        self._brought: Copy | None = None

    def bring(self, board: int, copy: int, *, follows: bool = False) -> None:
        """Asks for the board until it is there; it then starts by itself, but never after a stop."""
        brought, self._brought = self._brought, None
        if brought != (board, copy):
            self._bring(Choice(((board, copy),), {}), any_order=False)

    def bring_any(self, choice: Choice) -> Copy:
        """Asks for any of the boards until one is there; it starts then, and `bring` of it asks no more."""
        self._brought = self._bring(choice, any_order=True)
        return self._brought

    def forget(self) -> None:
        """Whatever was brought was for a job that did not come to it."""
        self._brought = None

    def _bring(self, choice: Choice, *, any_order: bool) -> Copy:
        control = self._control
        ready_since: int | None = None
        copy = choice.left[0]
        self._clear_confirmed()
        while True:
            if self._stopped():
                self._pause(copy[0])
                ready_since = None
            before, (copy, wants) = copy, self._asked(choice, any_order=any_order)
            if copy != before:
                ready_since = None
            board = copy[0]
            words = text("daemon.state_ready", {"board": board}) if wants is None else wants.message
            if wants is not None:
                wants = wants.model_copy(update={"asked": self._watch.forgotten})
            control.enter(DaemonState.WANTS_BOARD, words, wants=wants)
            now = self._parts.clock.now_us()
            ready_since = None if wants else ready_since or now
            if ready_since is not None and now - ready_since >= SETTLED_US:
                break
            self._step()
            self._watch.pass_over()
        self._watch.used()
        self._begin(board)
        return copy

    def act(self, stop: Stop, board: int) -> Done | None:
        """Publishes the stop and waits until somebody says that it is mended, or gives up."""
        control = self._control
        refeed = stop.then is Then.REFEED
        view = stop_view(stop, control.stop_by)
        control.stop, control.stop_by, control.resumed = stop, None, None
        control.faces = []
        while control.given_up_by is None and not control.ending:
            control.reachable = refeed or self._watch.connected
            control.eye_problem = self._parts.eye_problem()
            control.enter(DaemonState.WAITS, view.message, stop=view)
            named = self._take_resumed()
            if named is not None:
                control.stop = None
                if not refeed:
                    self._watch.used()
                self._begin(board, anew=not refeed)
                faces, control.faces = control.faces, []
                return Done(named, tuple(faces))
            self._step(reconnect=not refeed)
        control.stop = None
        return None

    def serve(self, request: Stop, board: int) -> bool:
        """Publishes what a job that reads cards wants next, and waits for the start button."""
        return self.act(request, board) is not None

    def look(self) -> None:
        """Publishes how the machine is."""
        view = machine_view(self._machine, self._watch, self._id, self.notice)
        self._control.live.machine(view)

    def idle(self, until_us: int) -> None:
        """`step` while nothing is under way: it may be for weeks."""
        self.step(until_us)
        self._watch.pass_over()

    def step(self, until_us: int, *, reconnect: bool = True) -> None:
        """Waits, looks, publishes."""
        self._watch.step(until_us, reconnect=reconnect)
        self._parts.eye.images()  # none counts now; an eye that hangs or died is started anew
        if not self._machine.inputs[Input.BOARD] or not self._watch.connected:
            self._clear_confirmed()
        self.look()

    # -- inside ----------------------------------------------------------------------------

    def _begin(self, board: int, *, anew: bool = True) -> None:
        self._control.stop_by = None
        if anew:
            self._control.live.begin_attempt()
        if self._control.calibrating is not None:
            self._control.measure(self._control.calibrating)
            return
        code = "daemon.state_dealing"
        if self._control.job is not None and self._control.job.reads:
            code = "daemon.state_reading" if board else "daemon.state_reading_pack"
        self._control.enter(DaemonState.DEALING, text(code, {"board": board}))

    def _step(self, *, reconnect: bool = True) -> None:
        self.step(self._parts.clock.now_us() + LOOK_US, reconnect=reconnect)
        control = self._control
        if control.state is not DaemonState.WAITS and (control.given_up_by or control.ending):
            raise GivenUpError

    # What clients ask arrives while this loop waits.

    def _stopped(self) -> bool:
        return self._control.stop_by is not None

    def _take_resumed(self) -> tuple[Card, ...] | None:
        resumed, self._control.resumed = self._control.resumed, None
        return resumed

    def _pause(self, board: int) -> None:
        control = self._control
        words = text("daemon.state_paused", {"board": board, "who": control.stop_by})
        control.stop_by = control.resumed = None
        while self._take_resumed() is None:
            control.enter(DaemonState.PAUSED, words)
            self._step()

    def _wants(self, board: int, copy: int) -> WantsView | None:
        """What a person must do before the board can start; None when all is right."""
        if not self._watch.connected:
            message = problem_text(self._watch.problem) or text("daemon.state_unknown")
            return _wants(board, copy, [Step.PLUG_CABLE], message)
        if not self._watch.fresh:
            there = self._machine.inputs[Input.BOARD]
            code = "daemon.change_board" if there else "daemon.bring_board"
            return _wants(board, copy, [Step.RIGHT_BOARD], text(code, {"board": board}))
        if not self._parts.panel.stop_released():
            stop: Stop | None = before_start(Fault.EMERGENCY_STOP, (Step.RELEASE_STOP,))
        else:
            machine = self._machine
            stop = refusal(machine.inputs.__getitem__, machine.label(), board, machine.box)
        if stop is None:
            problem = self._parts.eye_problem()
            return _wants(board, copy, [], problem) if problem else None
        return _wants(board, copy, list(stop.steps), self._message(stop, board))

    def _asked(self, choice: Choice, *, any_order: bool) -> tuple[Copy, WantsView | None]:
        """The copy that is next, and what is still wanted for it."""
        first = choice.left[0]
        if not any_order:
            return first, self._wants(*first)
        label = self._machine.label()
        copy = choice.of(label) if self._watch.fresh else None
        if copy is not None:
            return copy, self._wants(*copy)
        wants = self._wants(*first) or _wants(*first, [Step.RIGHT_BOARD], "")
        numbers = sorted({number for number, _ in choice.left})
        message = wants.message
        if wants.steps and wants.steps[0] in BOARD_STEPS:
            message = self._any_message(label, ranges(numbers))
        return first, wants.model_copy(update={"boards": numbers, "message": message})

    def _any_message(self, label: Label | None, boards: str) -> str:
        if not self._machine.inputs[Input.BOARD]:
            return text("daemon.bring_any", {"boards": boards})
        if not self._watch.fresh:
            return text("daemon.change_any", {"boards": boards})
        if label is not None:
            return text("daemon.none_of_these", {"board": label.board, "boards": boards})
        confirmed = isinstance(self._parts.labels, ConfirmedLabels)
        return text("daemon.confirm_any" if confirmed else "daemon.wipe_any", {"boards": boards})

    def _message(self, stop: Stop, board: int) -> str:
        if stop.fault is Fault.LABEL_UNREADABLE and isinstance(self._parts.labels, ConfirmedLabels):
            return text("daemon.confirm_board", {"board": board})
        what = text(f"stop.{stop.fault.value}")
        return f"{text('daemon.wants', {'board': board})} {what} {steps_text(stop)}"

    def _clear_confirmed(self) -> None:
        if isinstance(self._parts.labels, ConfirmedLabels):
            self._parts.labels.confirm(None)


def _wants(board: int, copy: int, steps: list[Step], message: str) -> WantsView:
    return WantsView(
        board=board, copy_number=copy, steps=[step.value for step in steps], message=message
    )
