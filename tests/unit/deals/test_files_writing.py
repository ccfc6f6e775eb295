"""A writer refuses what its format cannot hold, and says what a reader will not find."""

from __future__ import annotations

import dataclasses

import pytest

from deals.boards import Board
from deals.cards import Seat
from deals.errors import DealFileError
from deals.files import FORMATS, hrf, write_deals
from deals.files.reading import read_deals
from tests.unit.deals.reading import told
from tests.unit.deals.strategies import shuffled


def boards(*numbers: int) -> list[Board]:
    return [Board.standard(n, shuffled(n)) for n in numbers]


def refusal(wanted: list[Board], name: str) -> str:
    with pytest.raises(DealFileError) as refused:
        write_deals(wanted, name)
    return str(refused.value)


@pytest.mark.parametrize("name", ["dup", "dlm"])
def test_more_than_99(name: str) -> None:
    assert refusal(boards(98, 99, 100, 101), name) == (
        f"{name} holds numbers up to 99; board 100 does not fit. Write fewer boards (--boards) or "
        "choose PBN."
    )
    assert write_deals(boards(98, 99), name).data


def test_more_than_255_in_cds() -> None:
    assert refusal(boards(1, 256), "cds").startswith("cds holds numbers up to 255; board 256")


@pytest.mark.parametrize("name", ["dup", "dlm", "bri", "dge", "ber", "rzd", "gib", "dds", "lines"])
def test_gaps(name: str) -> None:
    assert refusal(boards(1, 2, 4), name) == (
        f"{name} cannot leave out a number, and board 3 is not there. Write boards without a gap "
        "(--boards) or choose PBN."
    )


@pytest.mark.parametrize("name", ["pbn", "lin", "rbn", "rbx", "csv", "json", "cds", "bhg"])
def test_gaps_are_kept_where_they_can_be(name: str) -> None:
    assert write_deals(boards(1, 2, 4), name).warnings == ()


@pytest.mark.parametrize("name", ["bri", "dge", "ber", "rzd", "gib", "dds", "lines"])
def test_first_numbers_that_get_lost(name: str) -> None:
    assert told(write_deals(boards(17, 18), name).warnings) == [
        f"{name} holds no board numbers; to read boards 17-18 again, say --first-board 17."
    ]
    assert write_deals(boards(1, 2), name).warnings == ()


@pytest.mark.parametrize("name", ["dup", "dlm", "bri", "dge", "ber", "bhg", "rzd", "cds", "gib"])
def test_markings_that_get_lost(name: str) -> None:
    own = [dataclasses.replace(board, dealer=Seat.W) for board in boards(1, 2, 3)]
    assert told(write_deals(own, name).warnings) == [
        f"{name} holds no dealer and no vulnerability; a reader will take those of the number: 1-3."
    ]


@pytest.mark.parametrize("name", ["pbn", "lin", "rbn", "rbx", "csv", "json", "dds"])
def test_markings_that_do_not(name: str) -> None:
    own = [dataclasses.replace(board, dealer=Seat.W) for board in boards(1, 2, 3)]
    assert write_deals(own, name).warnings == ()


def test_a_number_twice() -> None:
    assert refusal(boards(1, 1), "pbn") == "Board 1 is there twice. Keep the one you mean."


def test_nothing_to_write() -> None:
    assert refusal([], "pbn") == "There is no board to write."


def test_hrf_is_only_read() -> None:
    text = "hrf is only read, never written. Choose another format."
    assert refusal(boards(1), "hrf") == text
    with pytest.raises(DealFileError, match="only read, never written"):
        hrf.dumps(boards(1))


def test_order_does_not_matter() -> None:
    for known in FORMATS:
        if known.HOLDS is not None:
            name = known.NAME
            assert write_deals(boards(2, 1), name) == write_deals(boards(1, 2), name)


def test_pbn_is_strict_export_form() -> None:
    text = write_deals(boards(2), "pbn").data.decode("ascii")
    assert "\n" not in text.replace("\r\n", "")
    lines = text.split("\r\n")
    assert lines[:3] == ["% PBN 2.1", "% EXPORT", ""]
    assert [line[1:].split(" ")[0] for line in lines[3:18]] == [
        *("Event", "Site", "Date", "Board", "West", "North", "East", "South", "Dealer"),
        *("Vulnerable", "Deal", "Scoring", "Declarer", "Contract", "Result"),
    ]
    assert lines[13] == f'[Deal "{shuffled(2).pbn(Seat.E)}"]'
    assert max(map(len, lines)) < 80


def test_a_remark_is_in_a_pbn_file_and_never_a_deal() -> None:
    remark = 'as Bjørn decided: "so"\r\n[Board "9"]\n% x ' + "word " * 80
    written = write_deals(boards(2), "pbn", remark)
    lines = written.data.decode("iso-8859-1").split("\r\n")
    remarks = [line for line in lines if line.startswith(";")]
    assert 'as Bjørn decided: "so"' in remarks[0]
    assert "\n" not in written.data.decode("iso-8859-1").replace("\r\n", "")
    assert max(map(len, lines)) <= 255
    assert [board.number for board in read_deals(written.data, "a.pbn").boards] == [2]
    assert read_deals(written.data, "a.pbn").problems == ()
    other = write_deals(boards(1), "dup", "as Ann decided")
    assert other.data == write_deals(boards(1), "dup").data
    assert [told.message() for told in other.warnings] == [
        "dup holds no remarks; this one is not in the file: as Ann decided"
    ]
