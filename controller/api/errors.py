"""Why the daemon does not do what was asked."""

from __future__ import annotations

from deals.errors import PredealError


class ApiError(PredealError, RuntimeError):
    """A request that is refused; `status` is the HTTP status."""

    status = 409

    __str__ = PredealError.__str__


class BusyError(ApiError):
    """The loop did not answer in time."""

    status = 503
