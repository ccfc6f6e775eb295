"""What the daemon cannot do."""

from __future__ import annotations

from deals.errors import PredealError


class DaemonError(PredealError, ValueError):
    """Something that was asked of the daemon is not possible."""


class GivenUpError(Exception):
    """The job ends between two boards: somebody has given it up, or the daemon ends."""
