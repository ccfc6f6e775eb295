"""Laws 15, 17D and 87: a board that was read, against its record, its copies, the other boards.

Nothing here calls a board fouled: that is the Director's word, and a board is fouled only where
contestants who should be compared did not play it in identical form (Law 87).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from deals.boards import Board, Vulnerability
from deals.cards import CARDS, Card, Seat
from deals.laws.editions import DEFAULT, Edition, Topic
from deals.laws.hands import Law7Verdict, law7

Pockets = Mapping[Seat, Sequence[Card | None]]
_Findings = list[tuple[str, dict[str, object]]]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What came of reading one board."""

    board: int
    verdict: Law7Verdict
    """Against the record of this number."""
    other: int | None = None
    """Number of the board whose cards these are, every hand in its pocket (Law 15)."""
    turned: int = 0
    """Seats by which the hands are moved clockwise; 2: the board was dealt the wrong way round."""
    hands_of: tuple[tuple[Seat, int, Seat], ...] = ()
    """Pockets that hold a whole hand of another board: pocket, board, that hand's seat."""
    edition: Edition = DEFAULT

    @property
    def right(self) -> bool:
        """Whether each hand of the record is in its pocket."""
        return self.verdict.right

    def findings(self) -> _Findings:
        """Codes and values for `deals.words.text`: what it is, not every card, where that is known."""
        if self.right:
            return [("law.as_recorded", {"board": self.board})]
        head: _Findings = [("law.differs_from_record", {"board": self.board})]
        if self.other is not None:
            return [*head, ("law.cards_of_board", {"board": self.other})]
        if self.turned:
            return [*head, ("law.turned", {"board": self.board, "steps": self.turned})]
        law = Topic.CARDS_OF_OTHER_BOARD.law(self.edition)
        for pocket, board, seat in self.hands_of:
            values = {"pocket": pocket, "board": board, "hand": seat, "law": law}
            head.append(("law.hand_of_board", values))
        return head + self.verdict.findings()


def compare(
    pockets: Pockets, record: Board, others: Iterable[Board] = (), edition: Edition = DEFAULT
) -> Comparison:
    """*pockets* as read against the *record* of the board, and against *others* of its set."""
    verdict = law7(pockets, record.deal)
    if verdict.right:
        return Comparison(record.number, verdict, edition=edition)
    rest = [board for board in others if board.number != record.number]
    other = next((b.number for b in rest if law7(pockets, b.deal).right), None)
    hands = {
        frozenset(board.deal.hand(seat)): (board.number, seat) for board in rest for seat in Seat
    }
    found = []
    for pocket in Seat:
        held = frozenset(card for card in pockets.get(pocket, ()) if card is not None)
        if held in hands:
            found.append((pocket, *hands[held]))
    turned = next((n for n in (2, 1, 3) if law7(_turned(pockets, -n), record.deal).right), 0)
    return Comparison(record.number, verdict, other, turned, tuple(found), edition)


def _turned(pockets: Pockets, steps: int) -> Pockets:
    return {seat.next(steps): cards for seat, cards in pockets.items()}


@dataclass(frozen=True, slots=True)
class Copy:
    """One copy of a board as read: its name ("A", "section 2"), pockets and markings."""

    name: str
    pockets: Pockets
    dealer: Seat | None = None
    vulnerable: Vulnerability | None = None
    """None: not read."""


@dataclass(frozen=True, slots=True)
class CopiesVerdict:
    """Copies of one board against each other (Law 87)."""

    board: int
    groups: tuple[tuple[str, ...], ...]
    """Names of copies that are alike; one group: all alike. Order of first appearance."""
    moved: tuple[tuple[Card, Seat | None, Seat | None, str], ...] = ()
    """Card, pocket in the first copy, pocket now, and the first copy in which it is so."""
    foreign: tuple[tuple[Seat, str], ...] = ()
    """Pockets with a card of no pack, and in which copy."""
    markings: tuple[str, ...] = ()
    """Copies whose dealer or vulnerability differs, where the edition counts that."""

    @property
    def alike(self) -> bool:
        """Whether all copies are identical."""
        return len(self.groups) <= 1

    def findings(self) -> _Findings:
        """Codes and values for `deals.words.text`."""
        if self.alike:
            return [("law.copies_alike", {"board": self.board})]
        groups = " / ".join(", ".join(group) for group in self.groups)
        found: _Findings = [("law.copies_differ", {"board": self.board, "groups": groups})]
        for card, before, now, copy in self.moved:
            values = {"card": card, "copy": copy, "first": self.groups[0][0]}
            values |= {"before": _pocket(before), "now": _pocket(now)}
            found.append(("law.card_moved", values))
        found += [("law.copy_foreign", {"pocket": s, "copy": copy}) for s, copy in self.foreign]
        found += [("law.copy_markings", {"copy": copy}) for copy in self.markings]
        return found


class _NoPocket:
    word = "fault.no pocket"


def _pocket(seat: Seat | None) -> object:
    return _NoPocket() if seat is None else seat


def compare_copies(board: int, copies: Sequence[Copy], edition: Edition = DEFAULT) -> CopiesVerdict:
    """Whether *copies* (in order of play, if that is known) are identical (Law 87).

    Dealer and vulnerability count from the edition of 2007 on. Order within a pocket means nothing.
    """
    count_markings = bool(Topic.MARKINGS_FOUL_A_BOARD.law(edition))
    groups: dict[object, list[str]] = {}
    moved: dict[tuple[Card, Seat | None], tuple[Card, Seat | None, Seat | None, str]] = {}
    foreign, markings = [], []
    first = _places(copies[0]) if copies else {}
    for copy in copies:
        places = _places(copy)
        strangers = tuple(s for s in Seat for c in copy.pockets.get(s, ()) if c is None)
        marks = (copy.dealer, copy.vulnerable) if count_markings else ()
        groups.setdefault((tuple(places.items()), strangers, marks), []).append(copy.name)
        foreign += [(seat, copy.name) for seat in strangers]
        if count_markings and marks != (copies[0].dealer, copies[0].vulnerable):
            markings.append(copy.name)
        for card in CARDS:
            for now in _changed(first[card], places[card]):
                before = next((s for s in first[card] if s not in places[card]), None)
                moved.setdefault((card, now), (card, before, now, copy.name))
    return CopiesVerdict(
        board,
        tuple(map(tuple, groups.values())),
        tuple(moved.values()),
        tuple(foreign),
        tuple(markings),
    )


def _places(copy: Copy) -> dict[Card, tuple[Seat, ...]]:
    """Every card of the pack: the pockets that hold it, none if it is missing."""
    return {
        card: tuple(s for s in Seat for c in copy.pockets.get(s, ()) if c is card) for card in CARDS
    }


def _changed(before: tuple[Seat, ...], now: tuple[Seat, ...]) -> list[Seat | None]:
    """Pockets in which a card is new; None if it is gone or one of two is gone."""
    if before == now:
        return []
    new: list[Seat | None] = [seat for seat in now if seat not in before]
    return new or [None]
