"""Real files and small helpers for the tests of the bridge domain."""

from __future__ import annotations

from pathlib import Path

import pytest

FILES = Path(__file__).parents[2] / "vectors" / "files"


@pytest.fixture
def samples() -> Path:
    """The folder of real deal files."""
    return FILES
