"""What can go wrong between host and MCU."""

from __future__ import annotations

from controller.protocol.messages import Command, Nak, NakReason, State
from deals.errors import PredealError


class LinkError(PredealError, OSError):
    """Base of everything the link raises."""


class LinkLostError(LinkError):
    """The MCU does not answer, answers nonsense, or the port is gone."""

    def __init__(self, code: str) -> None:
        super().__init__(code)


class McuRestartedError(LinkError):
    """The MCU has another boot number than when the session began: it lost all it knew."""

    def __init__(self, code: str = "link.restarted") -> None:
        super().__init__(code)


class RefusedError(LinkError):
    """The MCU refused a command; carries which one, why and in which state."""

    def __init__(self, command: str, reason: NakReason, state: State) -> None:
        super().__init__("link.refused", command=command, reason=reason.name, state=state.name)
        self.command = command
        self.reason = reason
        self.state = state

    @classmethod
    def of(cls, command: Command, answer: Nak) -> RefusedError:
        """The error for one refused command."""
        return cls(type(command).__name__.upper(), NakReason(answer.reason), State(answer.state))
