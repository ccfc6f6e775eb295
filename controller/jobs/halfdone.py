"""A board that the machine left half done: which cards of it lie in their pockets for certain."""

from __future__ import annotations

from controller.jobs.errors import JobError
from controller.store.journal import DealingState
from controller.store.recovery import Where, fates
from controller.store.sets import SetInfo
from controller.store.store import Store
from deals.boards import Board
from deals.cards import CARDS, Card, Seat


def in_their_pockets(store: Store, info: SetInfo, board: Board) -> frozenset[Card]:
    """The cards of *board* that the last attempt at it saw land where the deal wants them.

    JobError when there is no attempt that ended before its time, or when anything that landed is in
    doubt: then only the whole pack may be dealt by hand.
    """
    last = store.journal.last_attempt(info.id, board.number)
    if last is None or last[1] not in (DealingState.OPEN, DealingState.STOPPED):
        raise JobError("byhand.nothing_begun", board=board.number, set_code=info.code)
    cards: list[Card] = []
    for fate in fates(store.journal.rows(last[0])):
        if fate.where is not Where.LANDED:
            continue
        card = None if fate.card is None else CARDS[fate.card]
        if card is None or fate.pocket is None or board.deal.seat_of(card) is not Seat(fate.pocket):
            raise JobError("byhand.doubtful", board=board.number)
        cards.append(card)
    if len(set(cards)) != len(cards):
        raise JobError("byhand.doubtful", board=board.number)
    return frozenset(cards)
