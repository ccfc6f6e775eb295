"""Hand records as one HTML page that needs nothing else: for a club's site and for telephones."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from deals.cards import Seat, Suit
from deals.records.model import STRAINS, Entry, Heading, Style

_TWO: Final = ("#000", "#c8000d", "#c8000d", "#000")
_FOUR: Final = ("#0026a6", "#c8000d", "#cc6600", "#006b1a")
_CSS: Final = """
body{font-family:"DejaVu Sans Condensed","Noto Sans",Arial,sans-serif;margin:1em;color:#000}
header{border-bottom:2px solid;margin-bottom:.6em}
h1{margin:0;font-size:1.4em}header p{margin:.2em 0}
main{display:grid;grid-template-columns:repeat(auto-fill,minmax(23em,1fr));gap:.8em}
article{border:1px solid #999;padding:.5em;break-inside:avoid}
.deal{display:grid;grid-template-columns:auto auto auto;gap:.3em .8em;line-height:1.3}
.deal div{white-space:nowrap;word-spacing:-.1em}
.i{grid-area:1/1}.n{grid-area:1/2}.w{grid-area:2/1}.e{grid-area:2/3}.s{grid-area:3/2}
.deal .p{grid-area:3/1;font-size:.85em;max-width:6em;white-space:normal;word-spacing:0}
h2{margin:0;font-size:1.5em}h2 small{display:block;font-size:.5em;font-weight:normal}
table{border-collapse:collapse;font-size:.85em;font-variant-numeric:tabular-nums}
td,thead th{padding:0 .45em;text-align:center}thead th{border-bottom:1px solid #999}
.par{font-size:.85em;margin:.3em 0}.par b{margin-right:.4em}
.remark{font-weight:bold}footer{font-size:.8em;margin-top:.8em}
@media print{main{grid-template-columns:repeat(2,1fr);gap:.4em;font-size:8.5pt}}
"""


def web_records(entries: Sequence[Entry], heading: Heading, style: Style | None = None) -> str:
    """The whole page; every text of *heading* is escaped."""
    style = style or Style()
    colours = _FOUR if style.four_colours else _TWO
    suits = "".join(f".{suit.letter}{{color:{colours[suit]}}}" for suit in Suit)
    title = escape(style.title(heading))
    occasion = escape(style.occasion(heading))
    code = escape(style.word("set", code=heading.set_code))
    shown = style.logbook(heading)
    logbook = f"<br>{escape(shown)}" if shown else ""
    articles = "\n".join(_board(entry, style) for entry in entries)
    return (
        f'<!DOCTYPE html>\n<html lang="{style.lang}"><head><meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width,initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{_CSS}{suits}</style></head><body>\n"
        f"<header><h1>{title}</h1><p>{occasion}</p><p><b>{code}</b></p></header>\n"
        f"<main>\n{articles}\n</main>\n"
        f"<footer>{escape(style.origin(heading))}<br>{escape(style.word('legend'))}{logbook}</footer>\n"
        "</body></html>\n"
    )


def _board(entry: Entry, style: Style) -> str:
    board = entry.board
    vulnerable = (
        f"{style.word('vulnerability')} <b>{escape(style.vulnerable(board.vulnerable))}</b>"
    )
    title = (
        f'<h2 class="i" aria-label="{escape(style.word("board", number=board.number))}">'
        f"{board.number}<small>{escape(style.dealer(board))}</small><small>{vulnerable}</small></h2>"
    )
    hands = "".join(
        f'<div class="{seat.letter.lower()}" role="group" aria-label="{style.seat(seat)}">'
        f"{_hand(entry, seat, style)}</div>"
        for seat in (Seat.N, Seat.W, Seat.E, Seat.S)
    )
    points = " ".join(f"{style.seat(seat)}&nbsp;{entry.points(seat)}" for seat in Seat)
    shown = f'<div class="p">{escape(style.word("points"))}<br>{points}</div>'
    remarks = "".join(f'<p class="remark">{escape(text)}</p>' for text in style.remarks(entry))
    return (
        f'<article id="board-{board.number}"><div class="deal">{title}{hands}{shown}</div>'
        f"{_par(entry, style)}{_table(entry, style)}{remarks}</article>"
    )


def _hand(entry: Entry, seat: Seat, style: Style) -> str:
    return "<br>".join(
        f'<span class="{suit.letter}">{suit.symbol}</span> '
        + " ".join(style.holding(entry, seat, suit))
        for suit in Suit
    )


def _par(entry: Entry, style: Style) -> str:
    if entry.par is None:
        return ""
    score = f"{style.word('par')} {style.par_score(entry.par)}"
    contracts = _coloured(", ".join(style.par_contracts(entry.par)))
    return f'<p class="par"><b>{escape(score)}</b>{contracts}</p>'


def _table(entry: Entry, style: Style) -> str:
    if entry.table is None:
        return ""
    head = "".join(f"<th>{_coloured(style.strain(strain))}</th>" for strain in STRAINS)
    rows = ""
    for seat in (Seat.N, Seat.S, Seat.E, Seat.W):
        tricks = (entry.table.of(seat, strain) for strain in STRAINS)
        cells = "".join(f"<td>{'?' if n is None else n}</td>" for n in tricks)
        rows += f"<tr><th>{style.seat(seat)}</th>{cells}</tr>"
    return f"<table><thead><tr><th></th>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _coloured(text: str) -> str:
    text = escape(text)
    for suit in Suit:
        text = text.replace(suit.symbol, f'<span class="{suit.letter}">{suit.symbol}</span>')
    return text
