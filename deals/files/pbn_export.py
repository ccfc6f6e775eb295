"""The export form of PBN 2.1: CRLF, the 15 mandatory tags in order, the deal from the dealer's hand.

What a file says beyond that is kept: other tags and sections alphabetically, notes with the section
they belong to, comments and `%` lines with the tag they follow.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from deals.boards import Board
from deals.files.base import PartialBoard
from deals.files.pbn_document import Game, PbnDocument, Tag, without_comments
from deals.files.pbn_text import quote, tokens

MANDATORY: Final = (
    "Event",
    "Site",
    "Date",
    "Board",
    "West",
    "North",
    "East",
    "South",
    "Dealer",
    "Vulnerable",
    "Deal",
    "Scoring",
    "Declarer",
    "Contract",
    "Result",
)
_SECTIONS: Final = ("Auction", "Play")
_LONGEST_LINE: Final = 253
"""255 with CRLF."""


def export_text(document: PbnDocument) -> str:
    """The whole file, lines ending in LF."""
    head: list[str] = ["% PBN 2.1", "% EXPORT"]
    blocks = []
    for place, (game, values) in enumerate(zip(document.games, document.inherited, strict=True)):
        lead = _lines(game.lead)
        if place == 0:
            head += [line for line in lead if line.startswith("%")]
            lead = [line for line in lead if not line.startswith("%")]
        blocks.append(_shown(lead + _game(game, dict(values))))
    tail = [line for line in _lines(document.tail) if line[:1] in "%{;"]
    if tail:
        blocks.append(_shown(tail))
    head = [line for at, line in enumerate(head) if at < 2 or not _is_header(line)]
    return "\n".join(head) + "\n\n" + "".join(block + "\n\n" for block in blocks)


def _is_header(line: str) -> bool:
    words = line.lstrip("% \t").split()
    return words[:1] == ["PBN"] or words[:1] == ["EXPORT"] or words[:1] == ["IMPORT"]


def _game(game: Game, values: dict[str, str]) -> list[str]:
    values |= _board_values(game)
    tags: dict[str, list[Tag]] = {}
    owner = ""
    for tag in game.tags:
        if tag.name == "Note":
            tags[owner].append(tag) if owner else tags.setdefault("Note", []).append(tag)
        elif tag.name not in tags:  # of a repeated tag the first counts, and export has it once
            tags[tag.name] = [tag]
            owner = tag.name if tag.name in _SECTIONS else owner
    lines: list[str] = []
    for name in _order(tags, values):
        value = values.get(name, "")
        lines.append(f"[{name} {quote(value)}]")
        for number, tag in enumerate(tags.get(name, ())):
            if number:
                lines.append(f"[{tag.name} {quote(tag.value)}]")
            lines += _lines(tag.body)
    return lines


def _order(tags: dict[str, list[Tag]], values: dict[str, str]) -> list[str]:
    """Mandatory tags, other tags, Auction, Play, other sections; each group as the standard says."""
    others = sorted(set(tags) | set(values) - {"Note"})
    extra = [name for name in others if name not in MANDATORY and name not in _SECTIONS]
    sections = [name for name in extra if name in tags and without_comments(tags[name][0].body)]
    plain = [name for name in extra if name not in sections]
    return [*MANDATORY, *plain, *(name for name in _SECTIONS if name in tags), *sections]


def _board_values(game: Game) -> dict[str, str]:
    board = game.board
    if isinstance(board, int):
        return {"Board": str(board)}
    if board is None:
        return {}
    values = {
        "Board": str(board.number),
        "Dealer": board.dealer.letter,
        "Vulnerable": board.vulnerable.value,
    }
    if isinstance(board, Board):
        values["Deal"] = board.deal.pbn(board.dealer)
    elif isinstance(board, PartialBoard):
        values["Deal"] = _partial(board)
    return values


def _partial(board: PartialBoard) -> str:
    hands = []
    for step in range(4):
        cards = board.hands[board.dealer.next(step)]
        if cards is None:
            hands.append("-")
        else:
            suits = ("".join(c.rank.letter for c in cards if c.suit == suit) for suit in range(4))
            hands.append(".".join(suits))
    return f"{board.dealer.letter}:{' '.join(hands)}"


def _lines(text: str) -> list[str]:
    """The lines of *text* that hold something; a comment in braces is one item, as it stands."""
    text = "\n" + text
    lines: list[str] = []
    at = 0
    for match in tokens(text):
        if match[0][:1] == "{":
            lines += _held(text[at : match.start()])
            lines.append(match[0])
            at = match.end()
    return lines + _held(text[at:])


def _held(text: str) -> list[str]:
    return [line.rstrip() for line in text.split("\n") if line.strip()]


def _shown(items: Iterable[str]) -> str:
    return "\n".join(_plain(line) for item in items for line in item.split("\n"))


def _plain(line: str) -> str:
    """No TAB or VT, and no line longer than the standard allows where a blank lets it be cut."""
    line = line.replace("\t", " ").replace("\v", " ")
    if len(line) <= _LONGEST_LINE or line[:1] in "[%;":
        return line
    parts = []
    while len(line) > _LONGEST_LINE:
        cut = line.rfind(" ", 1, _LONGEST_LINE)
        # A string in quotes is one token and must not be cut.
        while cut > 0 and line.count('"', 0, cut) % 2:
            cut = line.rfind(" ", 1, cut)
        if cut <= 0:
            break
        parts.append(line[:cut])
        line = line[cut + 1 :].lstrip()
    return "\n".join(part.rstrip() for part in (*parts, line))
