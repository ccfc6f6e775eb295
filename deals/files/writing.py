"""Writes boards in any format, and refuses or warns about what it cannot hold."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from deals.boards import Board
from deals.errors import DealFileError
from deals.files import pbn
from deals.files.base import Finding, Format
from deals.files.collect import ranges
from deals.files.registry import by_name


@dataclass(frozen=True, slots=True)
class Written:
    """The bytes of a new deal file and what its reader will not find in it."""

    data: bytes
    warnings: tuple[Finding, ...]


def write_deals(boards: Iterable[Board], format_name: str, remark: str = "") -> Written:
    """*boards*, in any order, in the format called *format_name*, with a *remark* where it holds one.

    DealFileError names the board that the format cannot hold: a number too high, a gap, a number
    twice. What is only lost (dealer and vulnerability, the first number, a remark) is a warning.
    """
    known = by_name(format_name)
    ordered = sorted(boards, key=lambda board: board.number)
    warnings = fit(ordered, known)
    if not remark:
        return Written(known.dumps(ordered), tuple(warnings))
    if known.NAME == pbn.NAME:
        return Written(pbn.dumps(ordered, remark), tuple(warnings))
    warnings.append(Finding("file.remark_lost", {"format": known.NAME, "remark": remark}))
    return Written(known.dumps(ordered), tuple(warnings))


def fit(boards: Sequence[Board], known: Format) -> list[Finding]:
    """Warnings for *boards* (sorted) in *known*; DealFileError if they do not fit."""
    holds = known.HOLDS
    if holds is None:
        raise DealFileError("file.read_only_format", format=known.NAME)
    if not boards:
        raise DealFileError("file.nothing_to_write", format=known.NAME)
    numbers = [board.number for board in boards]
    for before, number in itertools.pairwise(numbers):
        if number == before:
            raise DealFileError("file.number_twice", board=number)
        if number != before + 1 and not holds.gaps:
            raise DealFileError("file.gap", format=known.NAME, board=before + 1)
    if holds.highest is not None and numbers[-1] > holds.highest:
        board = next(number for number in numbers if number > holds.highest)
        raise DealFileError(
            "file.number_too_high", format=known.NAME, board=board, highest=holds.highest
        )
    warnings = []
    if not holds.numbers and numbers[0] != 1:
        values = {"format": known.NAME, "boards": ranges(numbers), "first": numbers[0]}
        warnings.append(Finding("file.numbers_lost", values))
    own = [board.number for board in boards if not board.is_standard]
    if own and not holds.markings:
        warnings.append(
            Finding("file.markings_lost", {"format": known.NAME, "boards": ranges(own)})
        )
    return warnings
