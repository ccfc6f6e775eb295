"""Gathers the boards of one file: numbers them, marks them, finds repeats and clashes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Final, NamedTuple, NoReturn, TypeVar

from deals.boards import Board, Vulnerability, dealer_of, vulnerability_of
from deals.cards import Card, Seat
from deals.deal import Deal
from deals.errors import PredealError
from deals.files.base import DealFile, Finding, PartialBoard
from deals.laws import shows_pack_order

MOST_PROBLEMS: Final = 1_000
"""After so many problems a file is garbage, and listing more helps nobody."""
CLASHES: Final = ("file.clash", "file.clash_markings")
"""Problems that new numbers would solve."""
MOST_BOARDS: Final = 20_000
MOST_PARTS: Final = 700_000
"""Lines or tags of a file; with the two above it bounds the time that any file can take."""
_BLOCK: Final = 1 << 16

Hands = tuple[tuple[Card, ...] | None, ...]
Part = TypeVar("Part")


class _Entry(NamedTuple):
    deal: Deal | None
    hands: Hands | None
    number: int | None
    dealer: Seat | None
    vulnerable: Vulnerability | None
    at: int


class TooManyProblemsError(Exception):
    """Raised inside a loader to give up on garbage; `read_deals` never lets it out."""

    def __init__(self, found: Collector) -> None:
        super().__init__()
        self.found = found


class Collector:
    """One file's boards and findings; a loader feeds it and returns `finish()`.

    With *text*, places (`at`) are character offsets into it and become line numbers; without, they
    are byte offsets. *numbered* says whether the format can carry board numbers at all.
    """

    def __init__(
        self,
        format_name: str,
        *,
        numbered: bool,
        first_board: int | None = None,
        text: str | None = None,
        first_line: int = 1,
    ) -> None:
        self._format = format_name
        self._numbered = numbered
        self._first_board = first_board
        self._text = text
        self._first_line = first_line
        self._entries: list[_Entry] = []
        self._nameless: dict[int, int] = {}
        self.problems: list[Finding] = []
        self.warnings: list[Finding] = []
        self.sealed = False

    def __len__(self) -> int:
        return len(self._entries)

    def add(
        self,
        deal: Deal | None,
        at: int,
        *,
        number: int | None = None,
        dealer: Seat | None = None,
        vulnerable: Vulnerability | None = None,
        hands: Hands | None = None,
    ) -> None:
        """One board. Neither deal nor *hands*: it was unreadable but takes its number.

        A number below 1 is none.
        """
        if number is not None and number < 1:
            number = None
        if len(self._entries) == MOST_BOARDS:
            self._give_up("file.too_many_boards", MOST_BOARDS)
        self._entries.append(_Entry(deal, hands, number, dealer, vulnerable, at))

    def problem(self, code: str, at: int, board: int | None = None, **values: object) -> None:
        """Note a problem; TooManyProblemsError when there is no end of them."""
        if board is None:
            self._nameless[len(self.problems)] = at
        self.problems.append(self.finding(code, at, board, values))
        if len(self.problems) >= MOST_PROBLEMS:
            self._give_up("file.too_many_problems", MOST_PROBLEMS)

    def error(self, error: PredealError, at: int, board: int | None = None) -> None:
        """Note *error* as a problem."""
        self.problem(error.code, at, board, **error.values)

    def warn(
        self, code: str, at: int | None = None, board: int | None = None, **values: object
    ) -> None:
        """Note a warning."""
        self.warnings.append(self.finding(code, at, board, values))

    def finding(
        self, code: str, at: int | None, board: int | None, values: dict[str, object]
    ) -> Finding:
        """A finding at place *at*."""
        if at is None:
            return Finding(code, values, board=board)
        if self._text is None:
            return Finding(code, values, offset=at, board=board)
        return Finding(code, values, line=self.line_of(at), board=board)

    def limited(self, parts: Iterable[Part]) -> Iterator[Part]:
        """*parts* one by one; TooManyProblemsError after MOST_PARTS of them."""
        for count, part in enumerate(parts):
            if count == MOST_PARTS:
                self._give_up("file.too_many_parts", MOST_PARTS)
            yield part

    def _give_up(self, code: str, count: int) -> NoReturn:
        self.problems.append(Finding(code, {"count": count}))
        raise TooManyProblemsError(self)

    def line_of(self, at: int) -> int:
        """The line of character offset *at* in the text."""
        block = at // _BLOCK
        here = (self._text or "").count("\n", block * _BLOCK, at)
        return self._first_line + self._lines_before[block] + here

    @cached_property
    def _lines_before(self) -> list[int]:
        """Line ends before each block of the text: far smaller than the starts of all lines."""
        text = self._text or ""
        counts = [0]
        for start in range(0, len(text), _BLOCK):
            counts.append(counts[-1] + text.count("\n", start, start + _BLOCK))
        return counts

    def next_number(self) -> int:
        """The number of the next board of a format without numbers."""
        return (self._first_board or 1) + len(self._entries)

    def all_boards(self) -> list[Board | PartialBoard | int]:
        """Every board as it came, in order and with repeats; an unreadable one is its number.

        To be asked when all are there: from then on the numbers stand.
        """
        return [
            _marked(number, entry)
            for number, entry in zip(self._numbers, self._entries, strict=True)
        ]

    def finish(self) -> DealFile:
        """Number, mark and compare the boards."""
        every = self.all_boards()
        self._name_unreadable()
        if not self._entries and not self.problems:
            self.problems.append(Finding("file.no_deals"))
        found: dict[int, list[tuple[Board, _Entry]]] = {}
        partial = []
        for board, entry in zip(every, self._entries, strict=True):
            if isinstance(board, Board):
                found.setdefault(board.number, []).append((board, entry))
            elif isinstance(board, PartialBoard):
                partial.append(board)
        boards, clashes = self._sort_out(found)
        self._warn_about(boards)
        if partial:
            self.warn("file.partial_deals", boards=ranges(p.number for p in partial))
        return DealFile(
            self._format,
            tuple(boards),
            tuple(self.warnings),
            tuple(self.problems),
            tuple(clashes),
            tuple(partial),
            _in_order(every, [*boards, *clashes]),
            self._first_board,
            self.sealed,
        )

    def _name_unreadable(self) -> None:
        """Problems of boards whose number only their order in the file gives."""
        numbers = {
            entry.at: number
            for entry, number in zip(self._entries, self._numbers, strict=True)
            if entry.deal is None and entry.hands is None
        }
        for place, at in self._nameless.items():
            if at in numbers:
                self.problems[place] = replace(self.problems[place], board=numbers[at])

    @cached_property
    def _numbers(self) -> list[int]:
        entries = self._entries
        if self._first_board is not None and any(e.number is not None for e in entries):
            self.warn("file.first_board_ignored", first=self._first_board)
        if not any(e.number is not None for e in entries):
            numbers = self._count_up()
            if self._first_board is None and numbers:
                self.warn("file.numbers_assumed", boards=ranges(numbers))
            return numbers
        numbers = []
        assumed = []
        for place, entry in enumerate(entries):
            if entry.number is not None:
                numbers.append(entry.number)
            elif place and entry.deal is not None and entry.deal == entries[place - 1].deal:
                numbers.append(numbers[-1])
            else:
                numbers.append(numbers[-1] + 1 if numbers else 1)
                assumed.append(numbers[-1])
        if assumed:
            self.warn("file.some_numbers_assumed", boards=ranges(assumed))
        return numbers

    def _count_up(self) -> list[int]:
        number = (self._first_board or 1) - 1
        numbers = []
        before: Deal | None = None
        for entry in self._entries:
            # In a format that could number, a game that repeats the deal is the same board again.
            if not (self._numbered and entry.deal is not None and entry.deal == before):
                number += 1
            before = entry.deal
            numbers.append(number)
        return numbers

    def _sort_out(
        self, found: dict[int, list[tuple[Board, _Entry]]]
    ) -> tuple[list[Board], list[Board]]:
        boards: list[Board] = []
        clashes: list[Board] = []
        for number in sorted(found):
            if len(found[number]) == 1:
                boards.append(found[number][0][0])
                continue
            different: dict[Board, int] = {}
            for board, entry in found[number]:
                different.setdefault(board, entry.at)
            if len(different) > 1:
                different = _without_assumed(different, found[number])
            if len(different) == 1:
                boards.extend(different)
                continue
            clashes.extend(different)
            self._ask(number, different)
        return boards, clashes

    def _ask(self, number: int, different: dict[Board, int]) -> None:
        places = [
            self.finding("file.clash", at, None, {}).where() for at in list(different.values())[:6]
        ]
        code = CLASHES[len({board.deal for board in different}) == 1]
        at = list(different.values())[1]
        values: dict[str, object] = {"board": number, "count": len(different), "places": places}
        self.problems.append(self.finding(code, at, number, values))

    def _warn_about(self, boards: Sequence[Board]) -> None:
        if own := [b.number for b in boards if not b.is_standard]:
            self.warn("file.own_markings", boards=ranges(own))
        if sorted_packs := [b.number for b in boards if shows_pack_order(b.deal)]:
            self.warn("file.pack_order", boards=ranges(sorted_packs))
        first: dict[Deal, int] = {}
        if twins := [b.number for b in boards if first.setdefault(b.deal, b.number) != b.number]:
            self.warn("file.same_deal_again", boards=ranges(twins))


def _marked(number: int, entry: _Entry) -> Board | PartialBoard | int:
    dealer, vulnerable = entry.dealer, entry.vulnerable
    if dealer is None:
        dealer = dealer_of(number)
    if vulnerable is None:
        vulnerable = vulnerability_of(number)
    if entry.deal is not None:
        return Board(number, dealer, vulnerable, entry.deal)
    if entry.hands is not None:
        return PartialBoard(number, dealer, vulnerable, entry.hands)
    return number


def _in_order(
    every: Sequence[Board | PartialBoard | int], good: Sequence[Board]
) -> tuple[Board, ...]:
    """*good* in the order of *every*, which holds repeats and others."""
    boards = [one for one in every if isinstance(one, Board)]
    if len(boards) != len(good):
        wanted = set(good)
        boards = list(dict.fromkeys(board for board in boards if board in wanted))
    return tuple(boards)


def _without_assumed(
    different: dict[Board, int], found: Iterable[tuple[Board, _Entry]]
) -> dict[Board, int]:
    """Drop boards that differ from another only in a marking that this file did not state."""
    stated = {
        board: at
        for board, at in different.items()
        if any(b == board and e.dealer is not None and e.vulnerable is not None for b, e in found)
    }
    known = {board.deal for board in stated}
    return stated | {board: at for board, at in different.items() if board.deal not in known}


def ranges(numbers: Iterable[int]) -> str:
    """Numbers as a person writes them: "1-16, 18"."""
    parts: list[list[int]] = []
    for number in sorted(set(numbers)):
        if parts and parts[-1][1] == number - 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)
