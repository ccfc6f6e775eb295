"""Every card, par and code is on the page, in its board's place, over nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from deals.cards import Seat, Suit
from deals.records.diagram import Rect
from deals.records.model import RANK_LETTERS, Entry, Heading, Style
from deals.records.pages import _GRIDS, Frame, Layout, cells, hand_records
from deals.records.pdf import Paper, Pdf
from deals.words import LANGUAGES
from tests.unit.deals.strategies import shuffled
from tests.unit.records.page import Page, pages
from tests.unit.records.sets import CODE, HEADING, LONG, entry, hard

PRINTABLE_MARGIN = 12.0
"""Points that an office laser leaves white: 4.2 mm."""


PRINTS = [*((lang, Paper.A4) for lang in LANGUAGES), ("el", Paper.LETTER)]
"""Greek has the longest words, Letter the shortest page."""


def places(layout: Layout, paper: Paper, count: int) -> list[tuple[int, Rect]]:
    """Page and cell of each board."""
    grid = _GRIDS[layout]
    body = Frame(Pdf(paper), HEADING, Style(), grid.heading).body
    each = list(cells(body, grid.columns, grid.rows))
    return [(place // len(each), each[place % len(each)]) for place in range(count)]


def missing(page: Page, cell: Rect, one: Entry, style: Style) -> list[str]:
    """What of a board is not to be found in its cell."""
    edges = cell.x, cell.y, cell.x + cell.width, cell.y + cell.height
    held = [run.text for run in page.runs if run.inside(*edges)]
    wanted = [str(one.board.number), style.dealer(one.board)]
    wanted += [style.vulnerable(one.board.vulnerable)]
    wanted += [" · ".join(style.remarks(one))] if style.remarks(one) else []
    wanted += [str(one.points(seat)) for seat in Seat] + [style.seat(seat) for seat in Seat]
    for seat in Seat:
        for suit in Suit:
            wanted.append(" ".join(style.holding(one, seat, suit)))
    if one.table is not None:
        wanted += [str(tricks) for tricks in one.table.tricks.values()]
    wanted += [suit.symbol for suit in Suit for _ in Seat]
    if one.par is not None:
        wanted.append(f"{style.word('par')} {style.par_score(one.par)}")
    lost = []
    for text in wanted:
        if text in held:
            held.remove(text)
        else:
            lost.append(text)
    if one.par is not None:
        rest = "".join(held).replace(" ", "")
        lost += [text for text in style.par_contracts(one.par) if text.replace(" ", "") not in rest]
    return lost


def check(entries, heading: Heading, style: Style, layout: Layout, paper: Paper) -> list[Page]:
    data, count = hand_records(entries, heading, style, layout, paper)
    found = pages(data)
    assert len(found) == count
    for page in found:
        assert page.overlaps() == []
        assert page.outside(PRINTABLE_MARGIN) == []
        assert style.word("set", code=CODE) in page.text
    for (number, cell), one in zip(places(layout, paper, len(entries)), entries, strict=True):
        assert missing(found[number], cell, one, style) == [], one.board.number
    return found


@pytest.mark.parametrize(("lang", "paper"), PRINTS)
@pytest.mark.parametrize("layout", Layout)
def test_all_is_there_and_nothing_overlaps(layout, lang, paper):
    entries = hard()
    if layout is not Layout.FULL:
        entries = entries[30:]
    check(entries, HEADING, Style(lang), layout, paper)


@pytest.mark.parametrize(("lang", "pages_word"), [("en", "Page 2 of 2"), ("el", "Σελίδα 2 από 2")])
def test_36_boards_on_both_sides_of_a_sheet(lang, pages_word):
    found = check(hard(), HEADING, Style(lang), Layout.FULL, Paper.A4)
    assert len(found) == 2
    assert pages_word in found[1].text


def test_every_page_says_what_it_belongs_to():
    for page in check(hard(), HEADING, Style(), Layout.FOUR, Paper.A4):
        assert "Thursday pairs" in page.text
        assert "Club championship · Session 2 · 2026-11-30" in page.text
        assert "Computer dealt, uniform" in page.text


@pytest.mark.parametrize("layout", Layout)
def test_a_long_heading_is_squeezed(layout):
    heading = replace(HEADING, title=LONG, event=LONG, source=LONG)
    check(hard()[:2], heading, Style("el"), layout, Paper.A4)


@pytest.mark.parametrize("letters", RANK_LETTERS.values())
def test_other_rank_letters(letters):
    style = Style(ranks=letters)
    check(hard()[28:], HEADING, style, Layout.FULL, Paper.A4)
    assert style.holding(hard()[29], Seat.N, Suit.SPADES)[:5] == (*letters, "10")


def test_only_the_boards_that_are_given():
    one = entry(7, shuffled(7))
    (page,) = check([one], HEADING, Style(), Layout.FULL, Paper.A4)
    assert sum(run.text == "Dealer S" for run in page.runs) == 1
    assert "Dealer N" not in page.text


def test_no_boards_is_a_page_with_its_heading():
    data, count = hand_records([], HEADING)
    assert count == 1
    assert CODE in pages(data)[0].text


def test_a_new_deal_says_so():
    one = entry(7, shuffled(7), replaces=True)
    (page,) = check([one], HEADING, Style(), Layout.FULL, Paper.A4)
    assert "New deal: replaces the earlier one" in page.text


def test_the_same_set_gives_the_same_bytes():
    assert hand_records(hard(), HEADING) == hand_records(hard(), HEADING)
