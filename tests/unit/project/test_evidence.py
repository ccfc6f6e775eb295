"""What docs/recovery.md gives as evidence is there: files and tests by their names."""

from __future__ import annotations

import re

import pytest

from tests.unit.project.source import ROOT

PAGE = (ROOT / "docs" / "recovery.md").read_text("utf-8")
NAMED = sorted(set(re.findall(r"`(\w+/[\w/]+\.py)(?:::(\w+))?`", PAGE)))


def test_rows_and_stories_have_evidence() -> None:
    assert len([name for _, name in NAMED if name]) >= 25
    assert {f"F{row}" for row in (5, 6, 7, 17, 18, 19, 20, 21, 22, 25, 26)} <= set(
        re.findall(r"^\| (F\d+) \|", PAGE, re.M)
    )


@pytest.mark.parametrize(("path", "name"), NAMED, ids=["::".join(one) for one in NAMED])
def test_what_is_given_as_evidence_is_there(path: str, name: str) -> None:
    file = ROOT / path if path.startswith("tests/") else ROOT / "tests" / path
    assert re.search(rf"^def {name}\(", file.read_text("utf-8"), re.M) if name else file.exists()
