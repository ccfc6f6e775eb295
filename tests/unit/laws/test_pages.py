"""docs/laws.md names things and tests that are there; set codes notice any swap."""

from __future__ import annotations

import itertools
import re

import pytest

import deals.laws
from deals.boards import Board
from deals.errors import SetCodeError
from deals.setcode import QUICK_COST, check_set_code, set_code
from tests.unit.deals.strategies import shuffled
from tests.unit.project.source import ROOT

PAGE = (ROOT / "docs" / "laws.md").read_text("utf-8")


def test_the_page_names_tests_that_exist() -> None:
    files = {path.name: path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py")}
    last = ""
    named = re.findall(r"`(test_\w+\.py)?(?:::(test_\w+))?`", PAGE)
    assert len(named) > 25
    for file, function in named:
        last = file or last
        if function:
            assert f"def {function}(" in files[last], function
        elif file:
            assert file in files


def test_the_page_names_every_judgement() -> None:
    functions = [n for n in deals.laws.__all__ if n[0].islower()]
    assert [name for name in functions if f"`{name}" not in PAGE] == []
    for law in (
        "1",
        "2",
        "6A",
        "6C",
        "6D1",
        "6D2",
        "6D3",
        "6F",
        "7B",
        "13",
        "14",
        "16",
        "22",
        "77",
    ):
        assert re.search(rf"^\| [^|]*\b{law}\b", PAGE, re.M), law


def test_any_two_signs_swapped_are_noticed() -> None:
    code = set_code([Board.standard(n, shuffled(n)) for n in (1, 2)], QUICK_COST).replace("-", "")
    for one, two in itertools.combinations(range(9), 2):
        signs = list(code)
        signs[one], signs[two] = signs[two], signs[one]
        if signs[one] != signs[two]:
            with pytest.raises(SetCodeError):
                check_set_code("".join(signs))
