"""The machine for a host that may be younger than the MCU's present life."""

from __future__ import annotations

from controller.machine.machine import Machine
from controller.protocol.messages import Identity


class LongLivedMachine(Machine):
    """Counts runs on from where the MCU is: after the host has restarted, run 1 may be long over."""

    def connect(self) -> Identity:
        """Opens a session, and learns the number of the last run from whoever started it."""
        identity = super().connect()
        self._run = identity.run
        return identity
