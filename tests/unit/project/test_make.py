"""`make test` leaves no quick test out."""

from __future__ import annotations

import re

from tests.conftest import CLOCK
from tests.unit.project.source import ROOT


def test_what_lives_by_the_clock_is_looked_for_where_it_is() -> None:
    found = re.search(r"^CLOCK := (.+)$", (ROOT / "Makefile").read_text("utf-8"), re.M)
    assert found is not None
    assert found.group(1).split() == [f"tests/{folder}" for folder in CLOCK]
