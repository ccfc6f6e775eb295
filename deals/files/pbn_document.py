"""PBN with everything in it: a whole file, kept to the letter, or written again in export form.

`parse` keeps games as they stand in the text, with comments, `%` lines, unknown tags and sections.
`PbnDocument.to_bytes` gives the same bytes back (line ends, if they were mixed, as most were; of PBN
embedded in other text the PBN);
`export` writes the strict form of pbn_v21 without losing any of it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from deals.boards import Board
from deals.errors import DealFileError
from deals.files import pbn
from deals.files import text as texts
from deals.files.base import DealFile, PartialBoard
from deals.files.collect import TooManyProblemsError
from deals.files.pbn_text import tokens, unquote


class Tag(NamedTuple):
    """A tag and all that follows it up to the next one."""

    name: str
    value: str
    """Without quotes and escapes."""
    raw: str
    """As it stands in the text."""
    body: str
    """The section's lines, comments, `%` lines; at least what parts it from the next tag."""


@dataclass(frozen=True)
class Game:
    """One game. `text` is `lead`, then each tag's `raw` and `body`."""

    text: str
    board: Board | PartialBoard | int | None
    """The board it states or belongs to; only its number if its deal is unreadable."""

    @property
    def number(self) -> int | None:
        """Number of its board."""
        if isinstance(self.board, Board | PartialBoard):
            return self.board.number
        return self.board

    @cached_property
    def lead(self) -> str:
        """What stands before the first tag: comments, `%` lines, blank lines."""
        first = next(_tag_tokens(self.text), None)
        return self.text if first is None else self.text[: first.start() - 1]

    @cached_property
    def tags(self) -> tuple[Tag, ...]:
        """All tags in order, repeated ones too."""
        found = list(_tag_tokens(self.text))
        ends = [match.start() - 1 for match in found[1:]] + [len(self.text)]
        return tuple(
            Tag(
                match["name"] or match["bare"],
                unquote(match["value"]) if match["bare"] is None else match["plain"].strip(),
                match[0],
                self.text[match.end() - 1 : end],
            )
            for match, end in zip(found, ends, strict=True)
        )

    def value(self, name: str) -> str | None:
        """The value of the first tag called *name*."""
        return next((tag.value for tag in self.tags if tag.name == name), None)

    def section(self, name: str) -> list[str] | None:
        """The lines of a section without comments and `%` lines, None if it is not there."""
        tag = next((tag for tag in self.tags if tag.name == name), None)
        return None if tag is None else without_comments(tag.body)


def _tag_tokens(text: str) -> Iterator[re.Match[str]]:
    # One LF before the text, so that a % in its first column is seen: offsets are one more.
    return (match for match in tokens("\n" + text) if match.lastgroup in ("value", "plain"))


def without_comments(body: str) -> list[str]:
    """The lines of *body* that hold something when comments and `%` lines are taken out."""
    text = "\n" + body
    parts = []
    at = 0
    for match in tokens(text):
        if match[0][:1] in "{;" or match[0][:2] == "\n%":
            parts.append(text[at : match.start()])
            at = match.end()
    parts.append(text[at:])
    lines = "".join(parts).split("\n")
    return [line.strip() for line in lines if line.strip()]


@dataclass(frozen=True)
class PbnDocument:
    """A PBN file. The games' texts in order, and `tail`, are the whole text."""

    games: tuple[Game, ...]
    tail: str
    encoding: str
    bom: bytes
    line_end: str
    deals: DealFile
    """What `deals.files.read_deals` says of the same bytes."""

    def to_bytes(self) -> bytes:
        """The file as it was."""
        text = "".join([game.text for game in self.games]) + self.tail
        if self.line_end != "\n":
            text = text.replace("\n", self.line_end)
        return self.bom + text.encode(self.encoding, "replace")

    def select(self, numbers: Collection[int]) -> PbnDocument:
        """Only the games of these boards, each game of them."""
        return replace(self, games=tuple(g for g in self.games if g.number in numbers))

    def renumbered(self, numbers: Mapping[Board, int], whole: bool) -> PbnDocument:
        """Only the games of boards in *numbers*, with the number given; all others too if *whole*."""
        # A game that leaves out dealer or vulnerability is of the board that states them.
        alike = {(board.number, board.deal): board for board in numbers}
        games = []
        for game in self.games:
            board = game.board
            if isinstance(board, Board) and board not in numbers:
                board = alike.get((board.number, board.deal))
            if isinstance(board, Board):
                games.append(replace(game, board=replace(board, number=numbers[board])))
            elif whole:
                games.append(game)
        return replace(self, games=tuple(games))

    def export(self) -> bytes:
        """The strict export form, in the encoding of the file (8-bit if that was UTF-16)."""
        from deals.files.pbn_export import export_text  # it needs the types above

        text = export_text(self)
        encoding = self.encoding
        if encoding.startswith("utf-16"):
            encoding = "latin-1" if all(ord(sign) < 256 for sign in text) else "utf-8"
        return text.replace("\n", "\r\n").encode(encoding, "replace")

    @cached_property
    def inherited(self) -> tuple[Mapping[str, str], ...]:
        """For each game the values of its tags with `#` and `##` put in, by name."""
        always: dict[str, str] = {}
        before: dict[str, str] = {}
        result = []
        for game in self.games:
            values: dict[str, str] = {}
            for tag in game.tags:
                if tag.name in values:
                    continue
                value = tag.value
                if value.startswith("##"):
                    value = always[tag.name] = value[2:]
                elif value == "#":
                    value = before.get(tag.name, "")
                values[tag.name] = value
            for name, value in always.items():
                values.setdefault(name, value)
            result.append(values)
            before = values
        return tuple(result)


def parse(data: bytes, first_board: int | None = None) -> PbnDocument:
    """Read a whole PBN file; DealFileError if it is nothing but garbage."""
    decoded = texts.decode(data)
    text = pbn.prepare(decoded.text)
    found = pbn.collector(text, first_board)
    try:
        spans = pbn.scan(text, found)
    except TooManyProblemsError:
        raise DealFileError("file.not_recognised", name=pbn.TITLE) from None
    every = found.all_boards()
    games = []
    start = 1
    board: Board | PartialBoard | int | None = None
    for span in spans:
        if span.board is not None:
            board = every[span.board]
        end = min(span.end, len(text) - 1)
        games.append(Game(text[start:end], board))
        start = end
    return PbnDocument(
        tuple(games),
        text[start : len(text) - 1],
        decoded.encoding,
        decoded.bom,
        _line_end(data, decoded.encoding),
        found.finish(),
    )


def _line_end(data: bytes, encoding: str) -> str:
    sample = data[:65536].decode(encoding, "replace")
    pairs, returns, feeds = sample.count("\r\n"), sample.count("\r"), sample.count("\n")
    if pairs and 2 * pairs >= max(returns, feeds):
        return "\r\n"
    return "\r" if returns > feeds else "\n"
