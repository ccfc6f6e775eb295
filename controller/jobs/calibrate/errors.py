"""Why a calibration cannot go on."""

from __future__ import annotations

from deals.errors import PredealError


class CalibrateError(PredealError, RuntimeError):
    """The machine or its people do not let us measure."""
