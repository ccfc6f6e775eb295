"""Pages with our own bar code for every card: to be printed on cards or on film, and cut out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from deals.cards import CARDS, Card
from deals.records.pdf import BLACK, GREY, MM, Align, Paper, Pdf
from vision import barcode, code128
from vision.geometry import CARD_HEIGHT_MM, CARD_WIDTH_MM

_MODULE_MM: Final = 0.34
"""As near as whole printer dots come to it."""
_TOLERANCE_MM: Final = 0.04
_COLUMNS, _ROWS = 3, 3
_ACROSS_MM: Final = (1.8, 6.8)
_START_MM: Final = 30.0
"""From the card's top edge to the first bar, as the reader expects it."""
_SMALL: Final = 7.0


def code_pages(dpi: int = 300, paper: Paper = Paper.A4) -> tuple[bytes, int]:
    """A PDF with a card-sized field for each card, and its number of pages.

    Every bar is a whole number of dots of a printer of *dpi*, so that no printer rounds it. ValueError for a
    *dpi* of which no whole number of dots makes a module that is read and keeps its place on the card.
    """
    module_mm = _dots(dpi) * 25.4 / dpi
    if abs(module_mm - _MODULE_MM) > _TOLERANCE_MM:
        raise ValueError(f"{dpi} dots an inch make modules of {module_mm:.2f} mm")
    pdf = Pdf(paper, title="Bar codes")
    left = (pdf.width - _COLUMNS * CARD_WIDTH_MM * MM) / 2
    top = (pdf.height - _ROWS * CARD_HEIGHT_MM * MM) / 2
    per_page = _COLUMNS * _ROWS
    for number, card in enumerate(CARDS):
        place = number % per_page
        if number and not place:
            pdf.next_page()
        row, column = divmod(place, _COLUMNS)
        x = left + column * CARD_WIDTH_MM * MM
        y = top + row * CARD_HEIGHT_MM * MM
        _field(pdf, x, y, card, dpi)
    return pdf.to_bytes(), -(-len(CARDS) // per_page)


def _dots(dpi: int) -> int:
    """Printer dots a module."""
    return max(1, round(_MODULE_MM * dpi / 25.4))


def _field(pdf: Pdf, x: float, y: float, card: Card, dpi: int) -> None:
    """One card: its outline, its name in the middle, the code at both long edges."""
    wide, high = CARD_WIDTH_MM * MM, CARD_HEIGHT_MM * MM
    pdf.box(x, y, wide, high, line=0.25, colour=GREY, radius=3.0 * MM)
    middle = x + wide / 2
    pdf.text(middle, y + high / 2, str(card), 20, align=Align.CENTRE)
    payload = barcode.payload(card)
    pdf.text(middle, y + high / 2 + 12, payload, _SMALL, colour=GREY, align=Align.CENTRE)
    modules = code128.modules(payload)
    edge, start = _ACROSS_MM[0] * MM, _START_MM * MM
    bar = (_ACROSS_MM[1] - _ACROSS_MM[0]) * MM
    _bars(pdf, x + edge, y + start, bar, modules, dpi)
    length = len(modules) * _dots(dpi) * 72 / dpi
    _bars(pdf, x + wide - edge - bar, y + high - start - length, bar, modules[::-1], dpi)


def _bars(pdf: Pdf, x: float, y: float, wide: float, modules: Sequence[bool], dpi: int) -> None:
    """The bars one below the other; the first begins on a whole dot, so that all do."""
    dot = 72 / dpi
    top, unit = round(y / dot) * dot, _dots(dpi) * dot
    for dark, run in groupby(enumerate(modules), key=lambda one: one[1]):
        places = [place for place, _ in run]
        if dark:
            pdf.box(x, top + places[0] * unit, wide, len(places) * unit, line=0, fill=BLACK)
