"""Getting the machine ready for a run: session, configuration, self-test, switches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from controller.engine.stops import Fault, Step, Stop, before_start
from controller.link.errors import LinkError, LinkLostError, McuRestartedError, RefusedError
from controller.machine.errors import MachineError, VersionError
from controller.machine.machine import Machine
from controller.protocol.messages import State, StopReason

MOVING: Final = (State.HOMING, State.RUNNING, State.HOLDING, State.FINISHING)
BY_HAND: Final = {
    StopReason.ESTOP: (Fault.EMERGENCY_STOP, (Step.RELEASE_STOP,)),
    StopReason.LID_OPEN: (Fault.LID_OPEN, (Step.CLOSE_LID,)),
    StopReason.BOARD_OUT: (Fault.BOARD_ABSENT, (Step.PUT_BOARD_BACK,)),
}
Refusal = Callable[[], Stop | None]
"""What still stands in the way of the run that is wanted, told from switches and label."""


class Readiness:
    """One job's way to a machine that is ready; it opens one session and keeps it."""

    def __init__(self, machine: Machine) -> None:
        self.connected = False
        """A session is open as far as the job knows; a job that lost the link takes it back."""
        self._machine = machine

    def stop(self, refusal: Refusal) -> Stop | None:
        """Connects, clears and homes the machine as needed; gives what still stands in the way."""
        try:
            return self._connect_and_home(refusal)
        except (LinkLostError, McuRestartedError):
            self.connected = False
            return before_start(Fault.LINK_LOST, (Step.PLUG_CABLE,))
        except RefusedError:
            return refusal() or before_start(Fault.INTERNAL, ())
        except VersionError:
            raise  # no person at the machine can mend that
        except MachineError:
            return self._why_not_home(refusal)

    def _why_not_home(self, refusal: Refusal) -> Stop:
        """Who pressed the emergency stop meanwhile, or opened the lid, need not look for a jam."""
        try:
            self._machine.state()
        except LinkError:
            self.connected = False
            return before_start(Fault.LINK_LOST, (Step.PLUG_CABLE,))
        by_hand = BY_HAND.get(self._machine.stop_reason())
        jam = before_start(Fault.HOME_FAILED, (Step.FREE_JAM, Step.COLLECT_ALL))
        return refusal() or (jam if by_hand is None else before_start(*by_hand))

    def _connect_and_home(self, refusal: Refusal) -> Stop | None:
        # It may have been lost in silence, too, while people were at the machine.
        if not (self.connected and self._machine.connected):
            self._machine.connect()
            self.connected = True
        state = self._machine.state()
        if state in MOVING:
            # A run that this job lost sight of goes on with the credit it has, while people act.
            self._machine.stop()
            state = self._machine.state()
        stop = refusal()
        if stop is not None:
            return stop
        if state is State.STOPPED:
            self._machine.clear()
            state = State.UNKNOWN
        if state is not State.READY:
            self._machine.home()
            self._machine.state()
            return refusal()
        return None
