"""Why the daemon could not be asked, or what it answered instead."""

from __future__ import annotations

from controller.api.models import Problem
from deals.errors import PredealError


class ClientError(PredealError, ConnectionError):
    """Nobody answers at the socket, or what answers is no daemon."""

    __str__ = PredealError.__str__


class RefusedByDaemonError(PredealError, RuntimeError):
    """The daemon said no; `problem` says why, in which state, and who owns the machine."""

    def __init__(self, status: int, problem: Problem) -> None:
        super().__init__("client.refused", message=problem.message)
        self.status = status
        self.problem = problem
