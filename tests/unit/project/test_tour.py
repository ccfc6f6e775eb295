"""The code tour names files and functions; each of them must be there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
TOUR = (ROOT / "docs" / "code-tour.md").read_text("utf-8")
PLACES = sorted(set(re.findall(r"`([\w/.-]+\.(?:py|c|h|po|md))(?:::([\w.]+))?`", TOUR)))


def defines(source: str, suffix: str, name: str) -> bool:
    """Whether a file defines a function, a class, or a method of a class."""
    owner, _, member = name.rpartition(".")
    if suffix == ".c":
        return re.search(rf"^[\w \*]+\b{member}\(", source, re.M) is not None
    if owner:
        found = re.search(rf"^class {owner}\b.*?(?=^\S|\Z)", source, re.M | re.S)
        return found is not None and re.search(rf"^    def {member}\(", found[0], re.M) is not None
    return re.search(rf"^(?:def|class) {member}\b", source, re.M) is not None


def test_the_tour_is_worth_the_walk() -> None:
    assert len([name for _, name in PLACES if name]) >= 40
    assert {path.split("/")[0] for path, _ in PLACES} >= {
        "deals",
        "vision",
        "controller",
        "firmware",
    }


@pytest.mark.parametrize(("path", "name"), PLACES)
def test_what_the_tour_names_is_there(path: str, name: str) -> None:
    file = ROOT / path
    assert file.is_file(), f"docs/code-tour.md names {path}, which is not there"
    if name:
        source = file.read_text("utf-8")
        assert defines(source, file.suffix, name), f"{path} does not define {name}"
