"""What is wrong with the pins."""

from __future__ import annotations

from deals.errors import PredealError


class PinsError(PredealError, OSError):
    """The pins of this computer cannot be used; the code says why."""
