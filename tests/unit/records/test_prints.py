"""Curtain cards, travellers, labels, the sheet for dealing by hand: whole, in place, and not too telling."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import cv2
import pytest

from controller.cli.main import COMMANDS, run
from controller.cli.output import Exit, Session
from deals import setcode
from deals.boards import Board
from deals.cards import CARDS, Seat, Suit
from deals.errors import DealError, SetCodeError
from deals.records.byhand import by_hand_sheet, seats_in_deck_order
from deals.records.curtain import curtain_cards
from deals.records.labels import COLOURS, Box, LabelCode, board_labels, box_label
from deals.records.model import Entry, Style
from deals.records.pdf import Paper
from deals.records.traveller import travellers
from deals.words import term
from tests.unit.deals.strategies import shuffled
from tests.unit.records.page import pages, picture
from tests.unit.records.sets import CODE, HEADING, hard
from tests.unit.records.test_golden import look
from tests.unit.records.test_pages import PRINTS

BOARDS = [entry.board for entry in hard()][27:]
RED = Box("A", "red")
PRINTABLE = 12.0


def made(what: str, lang: str, paper: Paper) -> bytes:
    style = Style(lang)
    if what == "labels":
        return board_labels(BOARDS, RED, style, paper, CODE)[0]
    if what == "box":
        return box_label(BOARDS, RED, HEADING, style, paper)[0]
    if what == "by-hand":
        return by_hand_sheet(BOARDS, HEADING, style, paper, dealt=CARDS[3:9])[0]
    make = {"curtain": curtain_cards, "traveller": travellers}[what]
    return make(BOARDS, HEADING, style, paper)[0]


KINDS = ("curtain", "traveller", "labels", "box", "by-hand")


@pytest.mark.parametrize(("lang", "paper"), PRINTS)
@pytest.mark.parametrize("what", KINDS)
def test_nothing_overlaps_or_leaves_the_page(what, lang, paper):
    found = pages(made(what, lang, paper))
    for page in found:
        assert page.overlaps() == []
        assert page.outside(PRINTABLE) == []
        assert CODE in page.text
    text = "\n".join(page.text for page in found)
    if what != "box":
        assert all(f"\n{board.number}\n" in f"\n{text}\n" for board in BOARDS)


@pytest.mark.parametrize("what", KINDS)
def test_it_looks_as_it_did(what):
    look(what, made(what, "fi", Paper.A4))


def test_every_hand_has_its_curtain_card():
    style = Style("nb")
    found = pages(curtain_cards(BOARDS, HEADING, style)[0])
    assert len(found) == 5
    slips = [(board, seat) for board in BOARDS for seat in Seat]
    for place, (board, seat) in enumerate(slips):
        page = found[place // 8]
        left = (place % 2) * page.width / 2
        top = page.height * (place % 8 // 2) / 4
        cell = (left - 12, top - 12, left + page.width / 2 + 12, top + page.height / 4 + 12)
        held = [run.text for run in page.runs if run.inside(*cell)]
        assert term(seat.word, "nb") in held
        for suit in Suit:
            assert " ".join(style.holding(Entry(board), seat, suit)) in held


def test_a_traveller_shows_no_card():
    text = pages(travellers(BOARDS, HEADING)[0])[0].text
    assert not any(suit.symbol in text for suit in Suit)
    assert "Contract" in text


def test_the_sheet_names_the_pocket_of_each_card_in_deck_order():
    board = Board.standard(7, shuffled(7))
    (page,) = pages(by_hand_sheet([board], HEADING)[0])
    rows = [run for run in page.runs if run.text in "NESW" and run.left > 95]
    first = min(run.bottom for run in rows)
    pitch = (max(run.bottom for run in rows) - first) / 3
    in_order = sorted(rows, key=lambda run: (round((run.bottom - first) / pitch), run.left))
    assert "".join(run.text for run in in_order) == "".join(
        "NESW"[owner] for owner in board.deal.owners
    )


def test_the_sheet_of_a_half_done_board_leaves_out_what_lies_in_the_pockets():
    board = Board.standard(7, shuffled(7))
    done = set(CARDS[10:30])
    seats = seats_in_deck_order(board, done)
    assert [seat is None for seat in seats] == [card in done for card in CARDS]
    (page,) = pages(by_hand_sheet([board], HEADING, dealt=done)[0])
    assert sum(run.text == "·" for run in page.runs) == 20
    assert sum(run.text in "NESW" and run.left > 95 for run in page.runs) == 32
    assert "Cards already in their pockets are left out" in page.text


@pytest.mark.parametrize("paper", Paper)
def test_the_code_on_each_label_is_read(paper):
    image = picture(board_labels(BOARDS[:3], RED, Style(), paper, CODE)[0], dpi=200)
    found = cv2.QRCodeDetector().detectAndDecodeMulti(image)[1]
    assert {LabelCode.parse(text) for text in found} == {
        LabelCode("A", board.number, CODE) for board in BOARDS[:3]
    }


def test_a_label_does_not_depend_on_the_deal():
    one, other = Board.standard(3, shuffled(1)), Board.standard(3, shuffled(2))
    assert board_labels([one], RED) == board_labels([other], RED)


@pytest.mark.parametrize("colour", COLOURS)
def test_the_colour_of_the_box_is_printed_in_words_too(colour):
    assert f"Box A · {colour}" in pages(board_labels(BOARDS[:1], Box("A", colour))[0])[0].text


def test_a_label_code_is_read_strictly():
    assert LabelCode.parse(f"PREDEAL:{CODE}:A:12") == LabelCode("A", 12, CODE)
    assert LabelCode.parse("PREDEAL:-:B2:7\n") == LabelCode("B2", 7)
    with pytest.raises(DealError, match="this is no label of Predeal"):
        LabelCode.parse("https://example.org")
    with pytest.raises(SetCodeError):
        LabelCode.parse("PREDEAL:KH7-4MQ-9RV:A:12")
    with pytest.raises(DealError, match="1 to 8 letters"):
        LabelCode("box A", 1)


@pytest.mark.parametrize(
    ("arguments", "count"),
    [
        (("records", "--layout", "curtain"), 8),
        (("records", "--layout", "traveller"), 4),
        (("labels", "--box", "A", "--colour", "blue"), 1),
        (("labels", "--box", "A", "--for-box"), 1),
        (("by-hand",), 3),
        (("by-hand", "--boards", "7", "--dealt", "SA,H10"), 1),
    ],
)
def test_the_commands_print(tmp_path, capsys, monkeypatch, arguments, count):
    quick = partial(setcode.set_code, cost=setcode.QUICK_COST)
    monkeypatch.setattr(setcode, "set_code", quick)
    command, *options = arguments
    assert command in COMMANDS
    file = Path(__file__).parents[2] / "vectors" / "files" / "sixteen.dup"
    out = tmp_path / "a.pdf"
    code = run([command, str(file), "-o", str(out), *options, "--json"], Session())
    told = json.loads(capsys.readouterr().out)
    found = pages(out.read_bytes())
    assert (code, told["pages"]) == (Exit.DONE, count)
    assert len(found) == count
    assert told["set"] in found[0].text
