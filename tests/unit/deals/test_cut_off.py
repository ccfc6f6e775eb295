"""A file that was cut off says which board it was."""

from __future__ import annotations

import pytest

from deals.boards import Board
from deals.files import write_deals
from tests.unit.deals.reading import read
from tests.unit.deals.strategies import shuffled


def two(name: str, first: int = 1) -> bytes:
    return write_deals([Board.standard(n, shuffled(n)) for n in (first, first + 1)], name).data


@pytest.mark.parametrize("name", ["bri", "dge", "ber", "rzd"])
def test_the_board_that_was_cut_off_is_counted_from_the_first(name: str) -> None:
    problems = read(two(name)[: -70 if name in ("bri", "dge") else -3], 17).problems
    assert [(problem.code, problem.board) for problem in problems] == [("file.cut_off", 18)]


def test_the_board_that_was_cut_off_is_named_by_the_file() -> None:
    dup = two("dup", 17)[:-80]
    assert [problem.board for problem in read(dup).problems] == [18]
    cds = two("cds", 17)[:-3]
    assert [problem.board for problem in read(cds).problems] == [18]
