"""The one module of the double dummy library (DDS by Bo Haglund and Soren Hein, libdds0 in Debian).

Source: its header dll.h, version 2.9. Holdings are 4 x 4 sets of ranks, hands N E S W, suits S H D C;
in a set bit 2 is the two and bit 14 the ace. Results are 20 numbers: strains S H D C NT, of each the
declarers N E S W. It can take minutes over one deal and cannot be interrupted, so only processes
that may be killed load it (`deals.doubledummy.worker`); one bad call can also end the process.
"""

from __future__ import annotations

import ctypes

from deals.doubledummy.errors import DoubleDummyError

TYPE_CHECKING = False  # as in `errors`: what starts here starts quickly
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Final

    Holdings = Sequence[Sequence[int]]

NAMES: Final = ("libdds.so.0", "libdds.so.2", "libdds.so")
MOST_TABLES: Final = 40
"""More in one call are refused by the library."""
STRAINS: Final = 5
_NO_FAULT: Final = 1
_DEALS: Final = MOST_TABLES * STRAINS


class _Deal(ctypes.Structure):
    _fields_ = (("cards", ctypes.c_uint * 4 * 4),)


class _Table(ctypes.Structure):
    _fields_ = (("tricks", ctypes.c_int * 4 * STRAINS),)


class _Deals(ctypes.Structure):
    _fields_ = (("count", ctypes.c_int), ("deals", _Deal * _DEALS))


class _Tables(ctypes.Structure):
    _fields_ = (("count", ctypes.c_int), ("tables", _Table * _DEALS))


class _Par(ctypes.Structure):
    _fields_ = (("score", ctypes.c_char * 16 * 2), ("contracts", ctypes.c_char * 128 * 2))


class _Pars(ctypes.Structure):
    _fields_ = (("pars", _Par * MOST_TABLES),)


class Library:
    """The loaded library; DoubleDummyError "dd.library_missing" if there is none."""

    def __init__(self, threads: int) -> None:
        """With *threads* threads, 0 for one a core."""
        self._dll = _load()
        self._dll.SetMaxThreads(threads)

    def strains(self, holdings: Holdings, strains: Sequence[int]) -> tuple[int, ...]:
        """The results of some *strains* (0 to 4: S H D C NT) of one deal, four of each.

        Each hand holds the same number of cards, 1 to 13.
        """
        (table,) = self._tables([holdings], strains)
        return _flat(table, strains)

    def tables(self, many: Sequence[Holdings]) -> list[tuple[int, ...]]:
        """The results of up to MOST_TABLES whole deals in one call; for comparison of speed."""
        every = range(STRAINS)
        return [_flat(table, every) for table in self._tables(many, every)]

    def _tables(self, many: Sequence[Holdings], strains: Sequence[int]) -> list[_Table]:
        deals, results, pars = _Deals(), _Tables(), _Pars()
        deals.count = len(many)
        for place, holdings in enumerate(many):
            deals.deals[place] = _deal(holdings)
        left_out = (ctypes.c_int * STRAINS)(*(strain not in strains for strain in range(STRAINS)))
        self._check(
            self._dll.CalcAllTables(
                ctypes.byref(deals), -1, left_out, ctypes.byref(results), ctypes.byref(pars)
            )
        )
        return list(results.tables[: len(many)])

    def _check(self, code: int) -> None:
        if code != _NO_FAULT:
            line = ctypes.create_string_buffer(80)
            self._dll.ErrorMessage(code, line)
            raise DoubleDummyError("dd.refused", number=code, reason=line.value.decode("ascii"))


def holdings_of(owners: bytes) -> list[list[int]]:
    """A whole deal (52 seats by card index) as sets of ranks."""
    sets = [[0] * 4 for _ in range(4)]
    for index, owner in enumerate(owners):
        suit, rank = divmod(index, 13)
        sets[owner][suit] |= 1 << (14 - rank)
    return sets


def _load() -> Any:
    for name in NAMES:
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    raise DoubleDummyError("dd.library_missing")


def _deal(holdings: Holdings) -> _Deal:
    deal = _Deal()
    for seat in range(4):
        for suit in range(4):
            deal.cards[seat][suit] = holdings[seat][suit]
    return deal


def _flat(table: _Table, strains: Sequence[int]) -> tuple[int, ...]:
    return tuple(table.tricks[strain][seat] for strain in strains for seat in range(4))
