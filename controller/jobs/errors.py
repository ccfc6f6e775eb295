"""What a job cannot begin with."""

from __future__ import annotations

from deals.errors import PredealError


class JobError(PredealError, ValueError):
    """A job was asked for that cannot be done as it is."""
