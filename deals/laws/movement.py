"""Laws 3 to 5 and 8: tables, sections and rounds say how many copies of each board there must be."""

from __future__ import annotations

from deals.errors import DealError
from deals.laws.newdeal import BoxCopy

MOST_TABLES = 1000


def copies_needed(
    tables: int, sections: int = 1, *, at_once: bool = False, share: int = 1
) -> tuple[BoxCopy, ...]:
    """The copies of each board, with box and who plays it, for *tables* in each of *sections*.

    Boards that travel from table to table: one copy a section. *at_once* (barometer, teams that play
    the same boards): every table plays a board in the same round, and *share* tables pass it among
    themselves meanwhile. Boxes are A, B, .. Z, AA, ..
    """
    if not (1 <= tables <= MOST_TABLES and 1 <= sections <= MOST_TABLES and share >= 1):
        raise DealError("law.no_movement", tables=tables, sections=sections, share=share)
    parts = [""]
    if at_once:
        firsts = range(1, tables + 1, share)
        parts = [_tables(first, min(first + share - 1, tables)) for first in firsts]
    places = [
        ", ".join(name for name in (f"section {section}" if sections > 1 else "", part) if name)
        for section in range(1, sections + 1)
        for part in parts
    ]
    return tuple(BoxCopy(_box(number), place) for number, place in enumerate(places))


def _tables(first: int, last: int) -> str:
    return f"table {first}" if first == last else f"tables {first}-{last}"


def _box(number: int) -> str:
    name = ""
    number += 1
    while number:
        number, letter = divmod(number - 1, 26)
        name = chr(ord("A") + letter) + name
    return name
