"""At every moment of a board the journal is true: whatever happens next, nothing in it is wrong.

The real job, firmware and journal deal in lock-step. Between any two moments of the world the power
could go; so at each of them what the journal would tell after a crash is held against the world.
"""

from __future__ import annotations

import pytest

from controller.bench.dealing import random_boards
from controller.bench.identity import IdentityPictures, IdentityReader
from controller.geometry import PROFILES
from controller.jobs.deal import DealSet
from controller.protocol.messages import Pocket
from controller.store import CardFate, DealingId, JournalRow, Store, Where
from controller.store import Kind as Written
from controller.twin.faults import parse
from controller.twin.session import TwinSession, TwinSetup
from controller.twin.world.things import Kind
from deals.cards import CARDS, SEAT_LETTERS, Card

STANDARD = PROFILES["standard"]


class Witness:
    """Stands beside the machine and compares, at each moment, journal and world."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *faults: str) -> None:
        boards = random_boards(1)
        setup = TwinSetup(
            STANDARD,
            IdentityPictures(),
            IdentityReader(),
            "standard",
            faults=tuple(parse(fault) for fault in faults),
            operator="auto",
        )
        self.session = TwinSession(DealSet("t", "T", b"", boards, boards), setup)
        self.world = self.session.world
        self.moments = self.landed = self.routed = 0
        self._written: dict[DealingId, int] | None = None
        self._fates: tuple[CardFate, ...] = ()
        machine = self.session.twin.machine
        self._run, self._route, self._credit = self.world.run, machine.route, machine.credit
        monkeypatch.setattr(self.world, "run", self.run)
        monkeypatch.setattr(machine, "route", self.route)
        monkeypatch.setattr(machine, "credit", self.credit)

    def run(self, until_us: int) -> None:
        self._run(until_us)
        # A card is told as landed from its pocket's sensor on, while it still falls.
        falling = {passage.card.card for passage in self.world.track.cards}
        for fate in self.after_a_crash():
            self.moments += 1
            if fate.where is Where.LANDED:
                self.landed += 1
                assert fate.card is not None
                assert CARDS[fate.card] in self.lying(SEAT_LETTERS[fate.pocket]) | falling
        unmoved = sum(fate.where is Where.HOPPER for fate in self._fates)
        cards = sum(thing.kind is Kind.CARD for thing in self.world.hopper.cards)
        if self._fates:
            assert unmoved <= cards

    def lying(self, seat: str) -> set[Card | None]:
        """The cards in this pocket of the board, be it in the slot or pulled out."""
        board = self.world.pulled_board or self.world.slot.board
        return {thing.card for thing in board.pockets[seat]} if board else set()

    def route(self, feed: int, pocket: Pocket) -> None:
        """The intent is written before the route leaves."""
        last = self.rows()[-1]
        assert (last.kind, last.feed, last.pocket) == (Written.INTENT, feed, int(pocket))
        self.routed += 1
        self._route(feed, pocket)

    def credit(self, up_to: int) -> None:
        """The credit is written before it is given."""
        last = self.rows()[-1]
        assert (last.kind, last.feed) == (Written.CREDIT, up_to)
        self._credit(up_to)

    def rows(self) -> list[JournalRow]:
        journal = self.session.store.journal
        [board] = journal.interrupted()
        return journal.rows(board.dealing)

    def after_a_crash(self) -> tuple[CardFate, ...]:
        """What the journal would tell if the program ended now; empty between two boards."""
        journal = self.session.store.journal
        written = dict(journal._numbers)
        if written != self._written:
            self._written = written
            found = journal.interrupted()
            self._fates = found[0].cards if found and self.rows() else ()
        return self._fates


@pytest.mark.parametrize(
    "faults",
    [
        (),
        ("unreadable_card@1.17",),
        ("image_lost@1.20",),
        ("image_late_one_pitch@1.10",),
        ("mcu_reset@1.25",),
        ("link_cut@1.30",),
        ("estop@1.40",),
        ("board_removed@1.12",),
    ],
    ids=str,
)
def test_the_journal_is_true_at_every_moment(faults, monkeypatch):
    witness = Witness(monkeypatch, *faults)
    report = witness.session.run()
    assert report.summary.proven == 1
    assert witness.routed >= 52
    assert witness.moments > 52 * 100
    assert witness.landed > 52 * 10


def test_a_proven_board_is_told_as_dealt_and_nothing_is_left_open(monkeypatch):
    session = Witness(monkeypatch).session
    monkeypatch.setattr(session.store, "close", lambda: None)
    session.run()
    [(set_id,)] = query(session.store, "SELECT id FROM deal_set")
    [copy] = session.store.journal.copies_dealt(set_id, 1)
    assert (copy.copy, copy.attempt, copy.design) == (1, 1, "standard")
    assert session.store.journal.interrupted() == []
    landed = [row for row in session.store.journal.rows(copy.dealing) if row.kind is Written.LANDED]
    pockets = [row.pocket for row in landed if row.pocket != Pocket.TRAY]
    assert [pockets.count(pocket) for pocket in range(4)] == [13, 13, 13, 13]


def query(store: Store, statement: str):
    with store.context.database.transaction() as connection:
        return connection.exec_driver_sql(statement).all()
