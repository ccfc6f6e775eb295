"""The states of an engine."""

from __future__ import annotations

from enum import Enum


class Phase(Enum):
    """What the engine is doing."""

    UNKNOWN = 0
    DEALING = 1
    EMPTYING = 2
    """Images and strobes do not fit: the belt runs empty, every card since is unread."""
    PROBING = 3
    """One card alone: its strobe must match one image."""
    ENDING = 4
    """No more cards in this pass: waiting for the last landing and the end of the run."""
    ENDED = 5
