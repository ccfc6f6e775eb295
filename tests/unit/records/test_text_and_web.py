"""Text and HTML say what the PDF says, and no title can break the page."""

from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser

import pytest

from deals.cards import Seat, Suit
from deals.records.model import VOID, Style
from deals.records.plain import plain_records
from deals.records.web import web_records
from deals.words import LANGUAGES
from tests.unit.deals.strategies import shuffled
from tests.unit.records.sets import CODE, HEADING, entry, hard

SHOWN = """\
Thursday pairs
Club championship · Session 2 · 2026-11-30
Set KH7-4MQ-9RH
Computer dealt, uniform
------------------------------------------------------------------------------
Board 30   Dealer E   Vulnerable: None
New deal: replaces the earlier one
                    ♠ A K Q J 10 9 8 7 6 5 4 3 2
                    ♥ —
                    ♦ —
                    ♣ —
♠ —                                     ♠ —
♥ —                                     ♥ A K Q J 10 9 8 7 6 5 4 3 2
♦ —                                     ♦ —
♣ A K Q J 10 9 8 7 6 5 4 3 2            ♣ —
                    ♠ —
                    ♥ —
                    ♦ A K Q J 10 9 8 7 6 5 4 3 2
                    ♣ —
HCP: N 10  E 10  S 10  W 10
      NT   ♠   ♥   ♦   ♣
   N   0   0   8   6   8
   S   8   0  10  10   0
   E  10   6   8   0  10
   W   8  10   0   8   6
"""


class Reader(HTMLParser):
    """Keeps the text and checks that every element is closed in turn."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag, attrs):
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.text.append(data)


def read(page: str) -> str:
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    return " ".join("".join(reader.text).split())


def test_a_board_as_text():
    one = replace(hard()[29], replaces=True)
    text = plain_records([one], HEADING)
    assert text.startswith(SHOWN)
    assert text.splitlines()[-1].startswith("Par E-W +100: 5♦x 5♥x S −1")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_card_in_text_and_web(lang):
    style = Style(lang)
    text = plain_records(hard(), HEADING, style)
    page = read(web_records(hard(), HEADING, style))
    for one in hard():
        for seat in Seat:
            for suit in Suit:
                line = f"{suit.symbol} {' '.join(style.holding(one, seat, suit))}"
                assert line in text
                assert line in page
        if one.par:
            assert style.par_score(one.par) in text
            assert style.par_score(one.par) in page
    assert text.count("\n" + style.word("points")) == page.count(style.word("points")) == 36
    assert CODE in text and CODE in page
    assert VOID in page


def test_a_title_cannot_break_the_page():
    evil = "<script>alert('1')</script>&\"'"
    heading = replace(HEADING, title=evil, event=evil, source=evil)
    page = web_records([entry(1, shuffled(1))], heading)
    assert "<script" not in page
    assert evil in read(page)


def test_four_colours_in_the_page():
    assert ".S{color:#0026a6}" in web_records([], HEADING, Style(four_colours=True))
    assert ".S{color:#000}" in web_records([], HEADING)


def test_a_record_without_double_dummy_is_whole():
    one = hard()[-1]
    assert one.table is None
    assert "Par" not in plain_records([one], HEADING)
    assert "<table" not in web_records([one], HEADING)


EVIL = "a\x1b[2J\u202e\u200bb\r\nc\x00"


@pytest.mark.parametrize("make", [plain_records, web_records])
def test_what_somebody_typed_commands_no_terminal_and_turns_no_line(make):
    heading = replace(HEADING, title=EVIL, event=EVIL, date=EVIL, session=EVIL, source=EVIL)
    shown = make(hard()[:1], heading)
    assert "a [2J b c" in shown
    assert all(sign.isprintable() or sign == "\n" for sign in shown)
