"""What a hand record says, before it is laid out: boards with their double dummy results, and words."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from deals import words
from deals.boards import Board, Vulnerability
from deals.cards import Rank, Seat, Suit
from deals.doubledummy.pbn_tags import lowest
from deals.files.pbn_text import one_line
from deals.tricks import Par, ParContract, Strain, TrickTable

VOID: Final = "—"
STRAINS: Final = (
    Strain.NOTRUMP,
    Strain.SPADES,
    Strain.HEARTS,
    Strain.DIAMONDS,
    Strain.CLUBS,
)
"""The columns of the table."""
RANK_LETTERS: Final[Mapping[str, tuple[str, str, str, str]]] = {
    "sv": ("E", "K", "D", "Kn"),
    "da": ("E", "K", "D", "B"),
    "de": ("A", "K", "D", "B"),
    "fr": ("A", "R", "D", "V"),
    "nl": ("A", "H", "V", "B"),
}
"""Letters for ace, king, queen, jack beyond those of `words.LANGUAGES`; files always say A K Q J."""
_POINTS: Final = (4, 3, 2, 1)
_LONGEST: Final = 300
"""Signs of a text of the heading; it is squeezed long before."""


class Origin(enum.Enum):
    """What may be said of how the deals came to be (Law 6)."""

    GENERATED = "generated"
    """Generated here, uniformly, and not changed since."""
    FILE = "file"
    """From a file: nobody knows."""
    TABLES = "tables"
    """Shuffled and dealt by the players (6E1), and recorded."""
    TEACHING = "teaching"
    """Made to a purpose; no play under Law 6E4."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A board of the record and what is known of it."""

    board: Board
    table: TrickTable | None = None
    par: Par | None = None
    replaces: bool = False
    """Dealt anew (Law 6D): an earlier record of this board no longer holds."""

    def points(self, seat: Seat) -> int:
        """High card points 4 3 2 1 of a hand."""
        return sum(_POINTS[card.rank] for card in self.board.deal.hand(seat) if card.rank < 4)


@dataclass(frozen=True, slots=True)
class Heading:
    """What stands on every page; any text may be empty."""

    set_code: str
    title: str = ""
    event: str = ""
    date: str = ""
    session: str = ""
    origin: Origin = Origin.FILE
    source: str = ""
    """Name of the file for Origin.FILE."""
    round: str = ""
    """Which round of the session, where records go out round by round."""
    logbook: str = ""
    """The head of the machine's logbook, by which a change of what was written before shows."""

    def __post_init__(self) -> None:
        # Names of files and what somebody typed: no line ends, controls, or turns of direction.
        for name in ("title", "event", "date", "session", "source", "round", "logbook"):
            object.__setattr__(self, name, one_line(getattr(self, name), _LONGEST))


@dataclass(frozen=True, slots=True)
class Style:
    """Words, letters and colours."""

    lang: str = "en"
    four_colours: bool = False
    ranks: tuple[str, str, str, str] | None = None
    """Letters of ace, king, queen, jack; None: those of the language."""
    seats: tuple[str, str, str, str] | None = None
    """Letters of N E S W as on the club's boards; None: those of the language."""

    def word(self, name: str, /, **values: object) -> str:
        """The text "record.NAME" with values filled in."""
        return words.text(f"record.{name}", values, self.lang)

    def seat(self, seat: Seat) -> str:
        """The letter of a seat."""
        if self.seats is not None:
            return self.seats[seat]
        return words.term(f"seat letter.{seat.word.partition('.')[2]}", self.lang)

    def side(self, seats: str) -> str:
        """ "NS" as "N-S", a single seat as its letter."""
        return "-".join(self.seat(Seat[letter]) for letter in seats)

    def strain(self, strain: Strain) -> str:
        """The suit's symbol, or NT in the language."""
        if strain is Strain.NOTRUMP:
            return words.term("strain.no trump, short", self.lang)
        return Suit(strain).symbol

    def holding(self, entry: Entry, seat: Seat, suit: Suit) -> tuple[str, ...]:
        """The cards of a suit in a hand, high to low; ten is 10, a void is a dash."""
        cards = [card for card in entry.board.deal.hand(seat) if card.suit is suit]
        return tuple(self.rank(card.rank) for card in cards) or (VOID,)

    def rank(self, rank: Rank) -> str:
        """A rank as printed."""
        if rank is Rank.TEN:
            return "10"
        if rank > Rank.TEN:
            return rank.letter
        if self.ranks is not None:
            return self.ranks[rank]
        return words.term(f"rank letter.{rank.word.partition('.')[2]}", self.lang)

    def dealer(self, board: Board) -> str:
        """ "Dealer N"."""
        return self.word("dealer", seat=self.seat(board.dealer))

    def vulnerable(self, vulnerable: Vulnerability) -> str:
        """Who is vulnerable, without the noun."""
        if vulnerable in (Vulnerability.NONE, Vulnerability.ALL):
            return self.word(f"vulnerable_{vulnerable.name.lower()}")
        return self.word("vulnerable_pair", pair=self.side(vulnerable.value))

    def par_score(self, par: Par) -> str:
        """ "N-S +420": the points of the side that gets them; empty if not known."""
        if par.score_ns is None:
            return ""
        if par.score_ns == 0:
            return self.word("passed_out")
        return f"{self.side('NS' if par.score_ns > 0 else 'EW')} +{abs(par.score_ns)}"

    def par_contracts(self, par: Par) -> list[str]:
        """ "4♥ 4♠ N-S", "5♦x E-W −2": what brings par, lowest level of each strain.

        Contracts of one side with one result are told together.
        """
        together: dict[tuple[str, int | None], list[str]] = {}
        for one in lowest(par):
            together.setdefault((one.side, one.result), []).append(self._contract(one))
        return [
            f"{' '.join(contracts)} {self.side(side)}"
            + (f" {result:+d}".replace("-", "−") if result else "")
            for (side, result), contracts in together.items()
        ]

    def _contract(self, one: ParContract) -> str:
        return f"{one.level}{self.strain(one.strain)}{'x' if one.doubled else ''}"

    def remarks(self, entry: Entry) -> list[str]:
        """What is out of the ordinary with a board."""
        found = []
        if entry.replaces:
            found.append(self.word("replaces"))
        if not entry.board.is_standard:
            found.append(self.word("own_markings"))
        return found

    def occasion(self, heading: Heading) -> str:
        """Event, date and session on one line."""
        session = heading.session and self.word("session", session=heading.session)
        part = heading.round and self.word("round", round=heading.round)
        return " · ".join(text for text in (heading.event, session, part, heading.date) if text)

    def set_line(self, heading: Heading) -> str:
        """The code of the set, on papers that say no more of the deals with the mark TEACHING."""
        code = self.word("set", code=heading.set_code)
        return f"{self.word('teaching')} · {code}" if heading.origin is Origin.TEACHING else code

    def title(self, heading: Heading, kind: str = "title") -> str:
        """The title, with what this paper is unless it is a hand record; or only what it is."""
        if heading.title and kind != "title":
            return f"{heading.title} · {self.word(kind)}"
        return heading.title or self.word(kind)

    def logbook(self, heading: Heading) -> str:
        """Where the logbook stood when this was printed; empty for a set that is not kept."""
        return self.word("logbook", head=heading.logbook) if heading.logbook else ""

    def origin(self, heading: Heading) -> str:
        """Where the deals come from, in honest words (Law 6E4)."""
        return self.word(f"origin_{heading.origin.value}", name=heading.source)
