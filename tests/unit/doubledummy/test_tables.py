"""The 20 tricks and par are right: by a list that comes with the library, and by trying everything."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from deals.boards import Board
from deals.doubledummy.cache import digits_of
from deals.doubledummy.solver import solve
from deals.files import pbn_analysis
from deals.files.ddslist import loads
from deals.files.pbn_document import parse
from deals.scoring import par
from tests.unit.doubledummy.bruteforce import Hands, tricks

LIST = Path(__file__).parents[2] / "vectors" / "files" / "dds-list10.txt"


@pytest.fixture(scope="module")
def listed() -> list[tuple[Board, list[int], int, set[tuple[str, int, str, bool]]]]:
    """Board, table, par score for NS, and all par contracts (side, level, strain, doubled)."""
    text = LIST.read_text()
    boards = loads(text.encode()).boards
    rows = [[int(n) for n in line.split()] for line in re.findall(r"^TABLE (.*)$", text, re.M)]
    pars = re.findall(r'^PAR "NS (-?\d+)" "EW -?\d+" "NS:([^"]*)"', text, re.M)
    assert len(boards) == len(rows) == len(pars) == 10
    return [
        (board, row, int(score), set(expanded(contracts)))
        for board, row, (score, contracts) in zip(boards, rows, pars, strict=True)
    ]


def expanded(text: str):
    """ "NS 234C" is three contracts; in the list N is notrump."""
    for part in text.split(","):
        side, levels, strain, double = re.fullmatch(r"(\w+) (\d+)([SHDCN])(x?)", part).groups()
        yield from ((side, int(level), strain, bool(double)) for level in levels)


def test_tables_and_par_of_the_list(library, listed):
    boards = [board for board, *_ in listed]
    found = {solved.place: solved for solved in solve([board.deal for board in boards])}
    for place, (board, row, score, contracts) in enumerate(listed):
        table = found[place].table
        assert digits_of(table) == row
        result = par(table, board.dealer, board.vulnerable)
        assert result.score_ns == score
        named = {(c.side, c.level, c.strain.letter, c.doubled) for c in result.contracts}
        assert named == contracts


def reduced(seed: int, cards: int) -> Hands:
    """Four hands of *cards* cards from a short pack, so that suits are contested."""
    pack = [(suit, rank) for suit in range(4) for rank in range(15 - cards, 15)]
    random.Random(seed).shuffle(pack)
    return tuple(frozenset(pack[seat * cards : (seat + 1) * cards]) for seat in range(4))


def agree(tables, many: list[Hands]) -> None:
    held = [
        [[sum(1 << rank for s, rank in hand if s == suit) for suit in range(4)] for hand in hands]
        for hands in many
    ]
    for hands, found in zip(many, tables(held), strict=True):
        cards = len(hands[0])
        tried = [tricks(hands, seat, trump) for trump in range(5) for seat in range(4)]
        # The library counts 13 less what the defenders take, however few cards there are.
        assert [n - (13 - cards) for n in found] == tried, hands


def test_reduced_decks_by_trying_everything(tables):
    agree(tables, [reduced(seed, cards) for cards in (2, 3) for seed in range(12)])


@pytest.mark.long
def test_larger_reduced_decks_by_trying_everything(tables):
    agree(tables, [reduced(seed, 4) for seed in range(12)])


@pytest.mark.long
def test_a_real_file_says_the_same(library):
    """Sixteen boards with the tables and par of another program."""
    document = parse((LIST.parent / "sixteen.pbn").read_bytes())
    boards = document.deals.boards
    found = {solved.place: solved.table for solved in solve([board.deal for board in boards])}
    for place, game in enumerate(document.games):
        assert found[place] == pbn_analysis.trick_table(game)
        board = boards[place]
        stated = pbn_analysis.par(game)
        assert par(found[place], board.dealer, board.vulnerable).score_ns == stated.score_ns
