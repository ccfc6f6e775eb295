"""New deals (Laws 6D1, 6D2, 6D3, 16, 22, 86): may this board be dealt anew, and what follows?"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from deals.boards import Board, Scheme
from deals.deal import Deal
from deals.errors import DealError
from deals.laws.editions import DEFAULT, Edition, Topic

_Findings = list[tuple[str, dict[str, object]]]


class Reason(enum.Enum):
    """Why a board is to be dealt anew."""

    DEALT_WRONG = "dealt wrong"
    """The cards were not dealt as the Laws say (6D1)."""
    CARD_SEEN = "card seen"
    """A player could have seen, or saw, a card of another player (6D1, 16)."""
    NOT_SHUFFLED = "not shuffled"
    """From an unshuffled pack, or from another session (6D2)."""
    DIRECTOR = "director"
    """Any other reason that the Laws allow; it has to be told (6D3)."""


class Contest(enum.Enum):
    """What is played for."""

    PAIRS = "pairs"
    TEAMS = "teams"
    RUBBER = "rubber"
    """Or Chicago: not duplicate, a board passed out is dealt again."""


@dataclass(frozen=True, slots=True)
class Auction:
    """How far the auction of the board has come."""

    looked: frozenset[str] = frozenset()
    """Sides ("NS", "EW") of which a player has looked at his hand: their auction has begun."""
    called: bool = False
    """Whether somebody has called: the auction on the board has begun."""
    passed_out: bool = False
    result_known: bool = False
    """Teams: the result without this board could be known (Law 86)."""

    def begun(self, edition: Edition) -> bool:
        """Whether Law 6D1 comes too late: for both sides (1997), either side (2007), the board."""
        if edition is Edition.LAWS_1997:
            return self.called or self.looked >= {"NS", "EW"}
        if edition is Edition.LAWS_2007:
            return self.called or bool(self.looked)
        return self.called


@dataclass(frozen=True, slots=True)
class BoxCopy:
    """One physical copy of a board: where it lies, so that it is found and voided."""

    box: str
    section: str = ""

    @property
    def name(self) -> str:
        """As a person says it: "A, section 2"."""
        return ", ".join(part for part in (self.box, self.section) if part)


@dataclass(frozen=True, slots=True)
class NewDeal:
    """What a new deal of one board means, before it is done."""

    board: int
    reason: Reason
    law: str
    """The law that allows it; of what forbids it the findings tell."""
    allowed: bool
    confirm: bool = False
    """Whether the Director has to confirm it by name."""
    copies: tuple[BoxCopy, ...] = ()
    """Every copy: all are voided and dealt again, or none."""
    details: tuple[tuple[str, dict[str, object]], ...] = field(default=())

    def findings(self) -> _Findings:
        """Codes and values for `deals.words.text`: may it be, and what is to be done."""
        found = list(self.details)
        if self.allowed:
            names = [copy.name for copy in self.copies]
            found.append(("law.new_deal", {"board": self.board, "law": self.law}))
            if names:
                found.append(("law.void_copies", {"board": self.board, "copies": names}))
            else:
                found.append(("law.no_copies_yet", {"board": self.board}))
            found.append(("law.new_records", {"board": self.board}))
        return found


def new_deal(
    board: int,
    reason: Reason,
    copies: Iterable[BoxCopy],
    contest: Contest = Contest.PAIRS,
    auction: Auction | None = None,
    edition: Edition = DEFAULT,
) -> NewDeal:
    """Whether and by which law *board* may be dealt anew, with every copy that this voids."""
    auction = auction or Auction()
    details: _Findings = []
    law = {
        Reason.DEALT_WRONG: Topic.REDEAL_BEFORE_AUCTION,
        Reason.CARD_SEEN: Topic.REDEAL_BEFORE_AUCTION,
        Reason.NOT_SHUFFLED: Topic.NOT_SHUFFLED,
        Reason.DIRECTOR: Topic.DIRECTOR_REDEALS,
    }[reason].law(edition)
    allowed, confirm = True, False
    if auction.passed_out and contest is not Contest.RUBBER:
        law, allowed = Topic.PASSED_OUT.law(edition), False
        details.append(("law.passed_out", {"board": board, "law": law}))
    elif auction.begun(edition) and reason in (Reason.DEALT_WRONG, Reason.CARD_SEEN):
        seen = Topic.CARD_SEEN.law(edition)
        if reason is Reason.CARD_SEEN:
            law, allowed = seen, False
            details.append(("law.seen_too_late", {"board": board, "law": seen}))
        elif edition is Edition.LAWS_2007:
            # 6D1 (2007): any illegally dealt board is cancelled, whenever that is found.
            confirm = True
            details.append(("law.illegal_cancelled", {"board": board}))
        else:
            law, allowed = "6D1", False
            details.append(("law.too_late", {"board": board, "edition": edition.value}))
    if allowed and contest is Contest.TEAMS and reason is not Reason.NOT_SHUFFLED:
        confirm = True
        teams = Topic.TEAMS_RESULT_KNOWN.law(edition)
        if auction.result_known:
            law, allowed, confirm = teams, False, False
        code = "law.teams_ask" if allowed else "law.teams_known"
        details.append((code, {"board": board, "law": teams}))
    return NewDeal(board, reason, law, allowed, confirm, tuple(copies), tuple(details))


def face_seen(
    board: int, who: str, plays: bool, auction: Auction, edition: Edition = DEFAULT
) -> _Findings:
    """A face of a card was seen by *who* (Law 16): what has to be done, and kept in the logbook.

    Whoever does not play has learned nothing that matters; a player has, and gets a new deal only
    before any call and if the contest allows it.
    """
    law = Topic.CARD_SEEN.law(edition)
    values: dict[str, object] = {"board": board, "who": who, "law": law}
    if not plays:
        return [("law.seen_no_player", values)]
    return [("law.seen_late" if auction.called else "law.seen_player", values)]


def with_new_deal(boards: Sequence[Board], number: int, deal: Deal) -> tuple[Board, ...]:
    """The set with one board dealt anew; its markings stay. DealError if there is no such board.

    The set is another one now: its code, records and exports are to be made again.
    """
    if number not in {board.number for board in boards}:
        raise DealError("law.no_such_board", board=number)
    return tuple(
        Board(b.number, b.dealer, b.vulnerable, deal) if b.number == number else b for b in boards
    )


def after_passes(scheme: Scheme, edition: Edition = DEFAULT) -> tuple[str, dict[str, object]]:
    """What happens to a deal that all pass: it scores 0 (Law 22); in Chicago it is dealt again."""
    if scheme is Scheme.DUPLICATE:
        return "law.passed_out_scores", {"law": Topic.PASSED_OUT.law(edition)}
    return "law.passed_out_again", {}
