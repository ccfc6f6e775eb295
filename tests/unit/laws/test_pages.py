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
    files: dict[str, str] = {}  # names are not unique among folders
    for path in (ROOT / "tests").rglob("test_*.py"):
        files[path.name] = files.get(path.name, "") + path.read_text("utf-8")
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
    rows = "1 2 3-5 6A 6B 6C 6D1 6D2 6D3 6E4 6F 7A 7B 7C 8 13 14 15 16 17D 22 77 78 81-82 86 87"
    for law in rows.split():
        assert re.search(rf"^\| [^|]*(?<![\w-]){law}\b[^|]*\|", PAGE, re.M), law


def test_any_two_signs_swapped_are_noticed() -> None:
    code = set_code([Board.standard(n, shuffled(n)) for n in (1, 2)], QUICK_COST).replace("-", "")
    for one, two in itertools.combinations(range(9), 2):
        signs = list(code)
        signs[one], signs[two] = signs[two], signs[one]
        if signs[one] != signs[two]:
            with pytest.raises(SetCodeError):
                check_set_code("".join(signs))
