"""What double dummy raises."""

from __future__ import annotations

from deals.errors import PredealError


class DoubleDummyError(PredealError, RuntimeError):
    """Nothing can be solved: the library is not there, or its processes cannot be started."""
