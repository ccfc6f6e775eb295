"""What the machine cannot do."""

from __future__ import annotations

from deals.errors import PredealError


class MachineError(PredealError, RuntimeError):
    """The machine refuses or fails at something the host asked of it."""


class VersionError(MachineError):
    """The MCU's firmware and this program do not fit together: nothing may move."""
