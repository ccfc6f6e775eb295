"""From boards to entries of a record: solve what can be solved, say what could not be."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from deals.boards import Board
from deals.doubledummy.cache import Cache
from deals.doubledummy.errors import DoubleDummyError
from deals.doubledummy.solver import LIMIT_S, solve
from deals.files import Finding
from deals.records.model import Entry
from deals.scoring import par
from deals.tricks import TrickTable


@dataclass(frozen=True, slots=True)
class Analysis:
    """Entries in the order of the boards asked for, and what a person should know of the rest."""

    entries: tuple[Entry, ...]
    warnings: tuple[Finding, ...]


def analyse(
    boards: Sequence[Board],
    *,
    replaced: Collection[int] = (),
    limit_s: float = LIMIT_S,
    cache: Cache | None = None,
    progress: Callable[[int], None] = lambda done: None,
    stop: Callable[[], bool] = lambda: False,
) -> Analysis:
    """Solve *boards*, at most *limit_s* seconds each, and work out par.

    *progress* hears how many are done. Without the library, or where a board takes too long, the
    entry has neither table nor par and a warning says why. *replaced* are numbers dealt anew.
    """
    tables: dict[int, TrickTable] = {}
    warnings = []
    try:
        found = solve([b.deal for b in boards], limit_s=limit_s, cache=cache, stop=stop)
        for done, solved in enumerate(found, 1):
            if solved.table is not None:
                tables[solved.place] = solved.table
            if solved.failure is not None:
                number = boards[solved.place].number
                code = f"dd.{solved.failure.value}"
                warnings.append(Finding(code, {"limit": f"{limit_s:g}"}, board=number))
            progress(done)
    except DoubleDummyError as error:
        warnings.append(Finding(error.code, error.values))
    entries = tuple(
        plain_entry(board, tables.get(place), board.number in replaced)
        for place, board in enumerate(boards)
    )
    return Analysis(entries, tuple(sorted(warnings, key=lambda one: one.board or 0)))


def plain_entry(board: Board, table: TrickTable | None = None, replaces: bool = False) -> Entry:
    """An entry with par if *table* is complete."""
    known = table is not None and table.complete
    result = par(table, board.dealer, board.vulnerable) if known and table is not None else None
    return Entry(board, table, result, replaces)
