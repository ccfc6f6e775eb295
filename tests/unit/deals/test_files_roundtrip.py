"""What is written is read back the same: every format, every pair of formats, any set."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deals.boards import Board
from deals.cards import Seat
from deals.files import FORMATS, Format, read_deals, write_deals
from deals.files.pbn_document import parse
from tests.unit.deals.strategies import marked_boards, sets, shuffled

WRITTEN = [known for known in FORMATS if known.HOLDS is not None]
NAMES = [known.NAME for known in WRITTEN]


def read_back(boards: list[Board], known: Format) -> tuple[Board, ...]:
    """Write and read; the first number is told where the format cannot hold it."""
    holds = known.HOLDS
    assert holds is not None
    first = None if holds.numbers else boards[0].number
    found = read_deals(write_deals(boards, known.NAME).data, known.NAME, first)
    assert found.format == known.NAME
    assert found.problems == ()
    return found.boards


@pytest.mark.parametrize("known", WRITTEN, ids=NAMES)
@given(boards=sets())
def test_every_format(known: Format, boards: list[Board]) -> None:
    assert read_back(boards, known) == tuple(boards)


PAIRS = list(itertools.permutations(WRITTEN, 2))


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair[0].NAME}-{pair[1].NAME}")
@given(boards=sets())
@settings(max_examples=5)
def test_every_pair(pair: tuple[Format, Format], boards: list[Board]) -> None:
    one, two = pair
    assert read_back(list(read_back(boards, one)), two) == tuple(boards)


@pytest.mark.parametrize(
    "known",
    [known for known in WRITTEN if known.HOLDS and known.HOLDS.markings and known.HOLDS.numbers],
    ids=lambda known: known.NAME,
)
@given(boards=st.lists(marked_boards, min_size=1, max_size=5, unique_by=lambda b: b.number))
def test_own_markings_and_gaps_survive_where_the_format_holds_them(
    known: Format, boards: list[Board]
) -> None:
    assert read_back(boards, known) == tuple(sorted(boards, key=lambda b: b.number))


@given(st.lists(st.integers(1, 300), min_size=1, max_size=5, unique=True))
def test_gaps_survive_in_bhg(numbers: list[int]) -> None:
    boards = [Board.standard(n, shuffled(n)) for n in sorted(numbers)]
    assert read_back(boards, next(k for k in WRITTEN if k.NAME == "bhg")) == tuple(boards)


@pytest.mark.parametrize("known", WRITTEN, ids=NAMES)
@given(boards=sets(first=1), seat=st.sampled_from(Seat), data=st.data())
@settings(max_examples=20)
def test_a_changed_byte_never_gives_an_illegal_deal_or_a_crash(
    known: Format, boards: list[Board], seat: Seat, data: st.DataObject
) -> None:
    content = bytearray(write_deals(boards, known.NAME).data)
    at = data.draw(st.integers(0, len(content) - 1))
    content[at] ^= data.draw(st.integers(1, 255))
    try:
        found = read_deals(bytes(content), known.NAME)
    except ValueError:
        return
    for board in (*found.boards, *found.clashes):
        assert len(board.deal.hand(seat)) == 13


@given(boards=sets(), junk=st.binary(max_size=200))
def test_dup_checks_each_board_twice(boards: list[Board], junk: bytes) -> None:
    content = bytearray(write_deals(boards, "dup").data)
    # Two cards exchanged in the numbers only: both halves are legal and differ.
    one, two = bytes(content[0:2]), bytes(content[26:28])
    content[0:2], content[26:28] = two, one
    found = read_deals(bytes(content), "x")
    assert [p.code for p in found.problems] == ["file.halves_differ"]
    assert found.boards == tuple(boards[1:])


@given(boards=sets())
def test_lossless_pbn_holds_the_same_deals(boards: list[Board]) -> None:
    data = write_deals(boards, "pbn").data
    document = parse(data)
    assert document.to_bytes() == data
    assert document.export() == data
    assert document.deals == read_deals(data, "x")
