"""What double dummy raises, and what its processes answer instead of a table."""

from __future__ import annotations

from deals.errors import PredealError

TYPE_CHECKING = False  # importing `typing` would be a third of what it takes to start a process
if TYPE_CHECKING:
    from typing import Final

MISSING: Final = "missing"
"""The library is not there."""
REFUSED: Final = "refused"
"""The library does not take the deal."""


class DoubleDummyError(PredealError, RuntimeError):
    """Nothing can be solved: the library is not there, or its processes cannot be started."""
