"""What every deal-file format gives and takes: findings, the read file, what a format can hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from deals import words
from deals.boards import Board, Vulnerability
from deals.cards import Card, Seat


@dataclass(frozen=True, slots=True)
class Finding:
    """One problem or warning of a file: a code with values, and where.

    `line` counts from 1 in text formats, `offset` in bytes from 0 in binary ones; either, both or
    none is known. `board` is the number the file (or its order) gives.
    """

    code: str
    values: Mapping[str, object] = field(default_factory=dict)
    line: int | None = None
    offset: int | None = None
    board: int | None = None

    def message(self, lang: str | None = None) -> str:
        """What is wrong and what to do, without the place."""
        return words.text(self.code, self.values, lang)

    def where(self, lang: str | None = None) -> str:
        """The place in words, such as "line 12, board 3"; empty if none is known."""
        parts = []
        if self.line is not None:
            parts.append(words.text("file.at_line", {"line": self.line}, lang))
        if self.offset is not None:
            parts.append(words.text("file.at_byte", {"offset": self.offset}, lang))
        if self.board is not None:
            parts.append(words.text("file.at_board", {"board": self.board}, lang))
        return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class PartialBoard:
    """A board whose deal is not whole: hands unknown (None) or an end position; never dealt."""

    number: int
    dealer: Seat
    vulnerable: Vulnerability
    hands: tuple[tuple[Card, ...] | None, ...]
    """N E S W, each high to low."""


@dataclass(frozen=True, slots=True)
class DealFile:
    """A deal file as read: the boards that are beyond doubt, and all that was found."""

    format: str
    boards: tuple[Board, ...]
    """By number, each number once."""
    warnings: tuple[Finding, ...] = ()
    problems: tuple[Finding, ...] = ()
    clashes: tuple[Board, ...] = ()
    """Boards of which the file holds different deals under one number: a question, never dealt."""
    partial: tuple[PartialBoard, ...] = ()
    in_order: tuple[Board, ...] = ()
    """Every different board, those of a clash too, in the order of the file."""
    first_board: int | None = None
    """The number that was asked for, for a file without numbers."""
    sealed: bool = False
    """The file asks that its hands be kept off the screen (DLM)."""
    teaching: bool = False
    """The file says that its deals were made to fit a purpose: never for normal play."""


@dataclass(frozen=True, slots=True)
class Holds:
    """What a format can store, so that a writer refuses or warns instead of losing it silently."""

    highest: int | None = None
    """Highest board number; None: no limit."""
    numbers: bool = True
    """Board numbers are written (at least the first); False: a reader must be told the first."""
    gaps: bool = True
    """Numbers may have gaps."""
    markings: bool = False
    """Dealer and vulnerability are written; False: a reader derives both from the number."""


class Format(Protocol):
    """The shape of a format module; `deals.files.registry` lists them."""

    @property
    def NAME(self) -> str:  # noqa: N802
        """Short name, as in `--to` and JSON."""

    @property
    def TITLE(self) -> str:  # noqa: N802
        """What a person calls it."""

    @property
    def SUFFIX(self) -> str:  # noqa: N802
        """Usual file suffix with its dot; used for writing only, never for recognising."""

    @property
    def HOLDS(self) -> Holds | None:  # noqa: N802
        """What it can store; None: this format is only read."""

    def recognises(self, data: bytes, /) -> bool:
        """Whether the content is of this format, by signature, quickly; never raises."""

    def loads(self, data: bytes, first_board: int | None = None) -> DealFile:
        """Read all; faults of boards become problems."""

    def dumps(self, boards: Sequence[Board]) -> bytes:
        """Write *boards*, which fit HOLDS and are sorted by number."""
