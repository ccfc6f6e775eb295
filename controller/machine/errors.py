"""What the machine cannot do."""

from __future__ import annotations

from deals.errors import PredealError


class MachineError(PredealError, RuntimeError):
    """The machine refuses or fails at something the host asked of it."""
