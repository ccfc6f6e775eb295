"""PBN 2.1 (.pbn), the standard of text formats: reads it liberally, writes its strict export form.

Source: tistis.nl, pbn_v21. Only what a deal needs is looked at here; `pbn_document` keeps the rest.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from typing import Final, NamedTuple

from deals.boards import Board, Vulnerability
from deals.cards import Seat
from deals.deal import Deal
from deals.errors import DealError
from deals.files import text as texts
from deals.files.base import DealFile, Holds
from deals.files.collect import Collector
from deals.files.hands import parse_deal, parse_seat, parse_vulnerability
from deals.files.pbn_text import only_embedded, tokens, unquote

NAME: Final = "pbn"
TITLE: Final = "PBN 2.1"
SUFFIX: Final = ".pbn"
HOLDS: Final = Holds(markings=True)

_SIGN: Final = re.compile(
    rb'\[\s*(?:Deal|Board|Event|Dealer|Generator|Site|Date|Vulnerable)\s*"'
    rb"|^(?:\xef\xbb\xbf)?% ?PBN \d",
    re.I,
)
_WANTED: Final = frozenset(("event", "board", "dealer", "vulnerable", "deal"))
_EXPORT_ORDER: Final = ("event", "board", "dealer", "vulnerable", "deal")
_STARTS: Final = frozenset(("event", "board", "deal"))
_UNKNOWN: Final = ("", "?")
_LONGEST_REMARK: Final = 200
"""A line of PBN has 255 signs at most."""
_HEADER: Final = "% PBN 2.1\r\n% EXPORT\r\n\r\n"
_GAME: Final = """\
[Event ""]
[Site ""]
[Date ""]
[Board "{number}"]
[West ""]
[North ""]
[East ""]
[South ""]
[Dealer "{dealer}"]
[Vulnerable "{vulnerable}"]
[Deal "{deal}"]
[Scoring ""]
[Declarer ""]
[Contract ""]
[Result ""]

""".replace("\n", "\r\n")


def recognises(data: bytes, /) -> bool:
    """A tag that every deal has, anywhere; or the header."""
    if b"\0" in data[:64]:
        data = texts.decode(data).text.encode("utf-8", "replace")
    return _SIGN.search(data) is not None


class GameSpan(NamedTuple):
    """One game of a text: where it ends (it begins where the one before ends) and its board."""

    end: int
    board: int | None
    """Place of its board among the boards collected; None if the game states no deal."""


def loads(data: bytes, first_board: int | None = None) -> DealFile:
    """Read the deals and their markings; everything else is passed over."""
    text = prepare(texts.decode(data).text)
    found = collector(text, first_board)
    scan(text, found)
    return found.finish()


def prepare(text: str) -> str:
    """*text* as `scan` wants it: one LF before and after, and only what is PBN."""
    return "".join(("\n", only_embedded(text), "\n"))


def collector(text: str, first_board: int | None = None) -> Collector:
    """A collector for prepared *text*; lines are counted without the LF put before it."""
    return Collector(NAME, numbered=True, first_board=first_board, text=text, first_line=0)


def scan(text: str, found: Collector) -> list[GameSpan]:
    """Give all boards and findings of prepared *text* to *found*; say where the games end."""
    games = _Games(found, inherits='"#' in text)
    stray = 0
    for token in found.limited(tokens(text, skim=True)):
        kind = token.lastgroup
        if kind == "deal":
            games.export_tags(token)
        elif kind == "value":
            name = token["name"].lower()
            if name in _WANTED:
                games.tag(name, unquote(token["value"]), token.start())
            else:
                games.tagged = True
        elif kind == "plain":  # a value without quotes
            games.tag(token["bare"].lower(), token["plain"].strip(), token.start())
        elif kind == "others":
            games.tagged = True
        elif kind == "blank":
            games.end(token.end())
            if not stray and text[token.end() + 1 : token.end() + 2] not in "[{;%\n \t\v<":
                stray = token.end() + 1
        elif kind == "broken":
            games.broken(token["broken"], token.start())
        elif kind == "unclosed":
            found.problem("file.comment_unclosed", token.start())
    games.end(len(text))
    if stray:
        found.warn("file.text_ignored", stray)
    return games.spans


class _Games:
    """The game being read, and what the games before it said."""

    def __init__(self, found: Collector, inherits: bool) -> None:
        self.spans: list[GameSpan] = []
        self.tagged = False
        """Whether the game has any tag at all."""
        self._inherits = inherits
        self._found = found
        self._tags: dict[str, str] = {}
        self._before: dict[str, str] = {}
        self._always: dict[str, str] = {}
        self._broken: list[tuple[str, int]] = []
        self._at = 0

    def tag(self, name: str, value: str, at: int) -> None:
        """A tag; a later one of the same name is ignored, but after a deal begins a new game."""
        tags = self._tags
        if name in tags:
            if name not in _STARTS or "deal" not in tags or tags[name] == value:
                return
            self.end(at)
            tags = self._tags
        if not tags or name == "deal":
            self._at = at
        self.tagged = True
        tags[name] = value

    def export_tags(self, token: re.Match[str]) -> None:
        """The four tags of a deal, in the order and spelling of export form."""
        event, board, dealer, vulnerable, deal = token.group(*_EXPORT_ORDER)
        if event is not None:
            self.tag("event", event, token.start())
        self.tag("board", board, token.start("board"))
        self.tag("dealer", dealer, token.start("dealer"))
        self.tag("vulnerable", vulnerable, token.start("vulnerable"))
        self.tag("deal", deal, token.start("deal"))

    def broken(self, tag: str, at: int) -> None:
        """A tag of the game cannot be read; the problem waits until the game's board is known."""
        self._broken.append((tag, at))

    def end(self, end: int) -> None:
        """The game is over: give its board to the collector."""
        broken, self._broken = self._broken, []
        tags, before = self._tags, len(self._found)
        number = self._number(tags.get("board", "?"))
        for tag, at in broken:
            self._found.problem("file.tag_broken", at, number, tag=tag)
        if not self.tagged:
            return
        self._tags, self.tagged = {}, False
        if self._inherits:
            self._inherit(tags)
        if not broken or "deal" in tags:
            self._give(tags)
        self._before = tags
        self.spans.append(GameSpan(end, before if len(self._found) > before else None))

    def _inherit(self, tags: dict[str, str]) -> None:
        for name, value in tags.items():
            if value.startswith("##"):
                self._always[name] = tags[name] = value[2:]
            elif value == "#":
                tags[name] = self._before.get(name, "")
        for name, value in self._always.items():
            tags.setdefault(name, value)

    def _give(self, tags: dict[str, str]) -> None:
        found, at = self._found, self._at
        number = self._number(tags.get("board", "?"))
        text = tags.get("deal", "").strip()
        if text in _UNKNOWN or not text[2:].strip(". "):
            # Second room of a match: the board of the game before. Four empty hands: an auction only.
            if number is not None and tags.get("board") != self._before.get("board"):
                found.warn("file.game_without_deal", at, number)
            return
        deal: Deal | None = None
        hands = None
        try:
            deal, hands = parse_deal(text)
        except DealError as error:
            found.error(error, at, number)
        dealer, vulnerable = self._markings(tags, number)
        found.add(deal, at, number=number, dealer=dealer, vulnerable=vulnerable, hands=hands)

    def _markings(
        self, tags: dict[str, str], number: int | None
    ) -> tuple[Seat | None, Vulnerability | None]:
        dealer_text = tags.get("dealer", "").strip()
        vulnerable_text = tags.get("vulnerable", "").strip()
        dealer, vulnerable = parse_seat(dealer_text), parse_vulnerability(vulnerable_text)
        if dealer is None and dealer_text not in _UNKNOWN:
            self._found.warn("file.dealer_unknown", self._at, number, text=dealer_text)
        if vulnerable is None and vulnerable_text not in _UNKNOWN:
            self._found.warn("file.vulnerable_unknown", self._at, number, text=vulnerable_text)
        return dealer, vulnerable

    def _number(self, text: str) -> int | None:
        digits = text.strip()
        if digits.isascii() and digits.isdigit() and len(digits) <= 6 and int(digits) > 0:
            return int(digits)
        return None


def dumps(boards: Sequence[Board], remark: str = "") -> bytes:
    """Write the 15 mandatory tags of each board, CRLF, the deal from the dealer's hand. A *remark* goes
    before the first board, in lines that readers of deals pass over.
    """
    games = [
        _GAME.format(
            number=board.number,
            dealer=board.dealer.letter,
            vulnerable=board.vulnerable.value,
            deal=board.deal.pbn(board.dealer),
        )
        for board in boards
    ]
    # ISO 8859-1 is PBN's own; the games are ASCII.
    return (_HEADER + _remark(remark) + "".join(games)).encode("iso-8859-1", "replace")


def _remark(remark: str) -> str:
    plain = "".join(sign if sign.isprintable() else " " for sign in remark)
    lines = textwrap.wrap(plain, _LONGEST_REMARK, break_on_hyphens=False)
    return "".join(f"; {line}\r\n" for line in lines) + ("\r\n" if lines else "")
