"""The journal of dealing: every intent before the act, everything seen after it, card by card."""

from __future__ import annotations

import struct
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, NewType

from sqlalchemy import Connection, Row, func, insert, select, update
from sqlalchemy.dialects import sqlite

from controller.errors import StoreError
from controller.store.context import SYSTEM, Context, Who
from controller.store.lineage import lineage, refuse_barred
from controller.store.recovery import CardFate, JournalRow, Kind, fates
from controller.store.schema import DEAL_SET, DEALING, JOURNAL
from controller.store.sets import SetId
from controller.store.settling import settle
from controller.store.vault import Vault, new_key

DealingId = NewType("DealingId", str)

ERASED: Final = b""
"""In place of a wrapped key: the attempt was at a sealed set and nobody can read its cards again."""

_HEAD: Final = struct.Struct("<bb")
_PAD: Final = 16
_COLUMNS: Final = [column.name for column in JOURNAL.columns]
# Compiled once: this statement runs for every card.
_INSERT: Final = str(insert(JOURNAL).compile(dialect=sqlite.dialect(paramstyle="qmark")))


class DealingState(StrEnum):
    """How one attempt at one copy of a board stands."""

    OPEN = "open"
    PROVEN = "proven"
    STOPPED = "stopped"
    VOID = "void"
    """It had been proven and is not any more."""


@dataclass(frozen=True, slots=True)
class Observation:
    """One thing seen or meant; card, pocket and detail are sealed in the journal."""

    kind: Kind
    feed: int | None = None
    card: int | None = None
    pocket: int | None = None
    detail: str = ""
    mono_us: int | None = None
    """When, on the store's clock; None is now."""


@dataclass(frozen=True, slots=True)
class CopyDealt:
    """A copy of a board that was proven: on which machine, when, with which design."""

    dealing: DealingId
    copy: int
    attempt: int
    machine: str
    design: str
    ended_wall_us: int


@dataclass(frozen=True, slots=True)
class Interrupted:
    """A dealing that was under way when the program ended, and where each card is."""

    dealing: DealingId
    set_id: SetId
    board: int
    copy: int
    attempt: int
    profile: str
    design: str
    cards: tuple[CardFate, ...]


class Journal:
    """Used by one job at a time; whatever a method has written is on the disk when it returns."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._numbers: dict[DealingId, int] = {}
        self._runs: dict[DealingId, int] = {}
        self._vaults: dict[DealingId, Vault | None] = {}

    def open_board(
        self,
        set_id: SetId,
        board: int,
        copy: int,
        attempt: int | None = None,
        *,
        profile: str,
        design: str,
        who: Who = SYSTEM,
    ) -> DealingId:
        """Begins an attempt at one copy of a board; without *attempt*, the next one."""
        dealing = DealingId(self._context.keys.new())
        this = (DEALING.c.board == board) & (DEALING.c.copy == copy)
        same = this & (DEALING.c.set_id == set_id)
        key = new_key()
        with self._context.database.transaction() as connection:
            this &= DEALING.c.set_id.in_(lineage(connection, set_id, board))
            refuse_barred(connection, set_id)
            self._refuse_twice(connection, this)
            if attempt is None:
                highest = connection.execute(select(func.max(DEALING.c.attempt)).where(same))
                attempt = (highest.scalar() or 0) + 1
            connection.execute(
                insert(DEALING).values(
                    id=dealing,
                    machine_id=self._machine,
                    actor=who.actor,
                    role=who.role,
                    twin=self._context.twin,
                    set_id=set_id,
                    board=board,
                    copy=copy,
                    attempt=attempt,
                    state=DealingState.OPEN,
                    reason="",
                    profile=profile,
                    design=design,
                    opening=self._context.opening,
                    started_wall_us=self._context.clock.wall_us(),
                    started_mono_us=self._context.clock.now_us(),
                    wrapped_key=self._context.vault.seal(key, dealing),
                )
            )
        self._vaults[dealing] = Vault(key)
        self._numbers[dealing] = 0
        self._runs[dealing] = 0
        return dealing

    def _refuse_twice(self, connection: Connection, this: Any) -> None:
        states = select(DEALING.c.state, DEALING.c.board, DEALING.c.copy)
        for row in connection.execute(states.where(DEALING.c.machine_id == self._machine)):
            if row.state == DealingState.OPEN:
                raise StoreError("store.board_open", board=row.board, copy=row.copy)
        for row in connection.execute(states.where(this)):
            if row.state == DealingState.PROVEN:
                raise StoreError("store.copy_dealt", board=row.board, copy=row.copy)

    def begin_run(self, dealing: DealingId, run: int) -> None:
        """A run of the belt is about to start: all cards but the landed are in the hopper."""
        self._resume(dealing)
        self._runs[dealing] = run
        self._write(dealing, [Observation(Kind.RUN)])

    def intent(
        self,
        dealing: DealingId,
        feed: int,
        card: int | None,
        pocket: int,
        seen: Sequence[Observation] = (),
    ) -> None:
        """All seen since the card before, and where this card shall go: all of it or nothing."""
        self._write(dealing, [*seen, Observation(Kind.INTENT, feed, card, pocket)])

    def record(self, dealing: DealingId, observations: Iterable[Observation]) -> None:
        """What was seen, without a decision."""
        self._write(dealing, list(observations))

    def close_board(self, dealing: DealingId, state: DealingState, reason: str = "") -> None:
        """Ends an attempt. A proven one can later become void, nothing else changes again.

        Of a sealed set's board the cards in the journal can be read by nobody from now on.
        """
        before = DealingState.PROVEN if state is DealingState.VOID else DealingState.OPEN
        sealed = select(DEAL_SET.c.id).where(DEAL_SET.c.sealed)
        with self._context.database.transaction() as connection:
            change = (
                update(DEALING)
                .where(DEALING.c.id == dealing, DEALING.c.state.in_([before, DealingState.OPEN]))
                .values(state=state, reason=reason, ended_wall_us=self._context.clock.wall_us())
            )
            if state is DealingState.OPEN or connection.execute(change).rowcount != 1:
                raise StoreError("store.not_open", state=state.value)
            connection.execute(
                update(DEALING)
                .where(DEALING.c.id == dealing, DEALING.c.set_id.in_(sealed))
                .values(wrapped_key=ERASED)
            )
        self._vaults.pop(dealing, None)
        self._numbers.pop(dealing, None)
        self._runs.pop(dealing, None)
        settle(self._context)

    def interrupted(self) -> list[Interrupted]:
        """Dealings of this machine that no one has closed, with the place of each card."""
        query = select(DEALING).where(
            DEALING.c.machine_id == self._machine, DEALING.c.state == DealingState.OPEN
        )
        with self._context.database.transaction() as connection:
            rows = connection.execute(query).all()
        return [
            Interrupted(
                dealing=DealingId(row.id),
                set_id=SetId(row.set_id),
                board=row.board,
                copy=row.copy,
                attempt=row.attempt,
                profile=row.profile,
                design=row.design,
                cards=fates(self.rows(DealingId(row.id))),
            )
            for row in rows
        ]

    def last_attempt(self, set_id: SetId, board: int) -> tuple[DealingId, DealingState] | None:
        """The newest attempt at any copy of a board, and how it stands."""
        query = (
            select(DEALING.c.id, DEALING.c.state)
            .where(DEALING.c.set_id == set_id, DEALING.c.board == board)
            .order_by(DEALING.c.id.desc())
            .limit(1)
        )
        with self._context.database.transaction() as connection:
            row = connection.execute(query).first()
        return None if row is None else (DealingId(row.id), DealingState(row.state))

    def copies_dealt(self, set_id: SetId, board: int) -> list[CopyDealt]:
        """The proven copies of a board, in order; also those dealt for a set that this one replaces,
        as long as this board was not dealt anew since.
        """
        with self._context.database.transaction() as connection:
            query = (
                select(DEALING)
                .where(
                    DEALING.c.set_id.in_(lineage(connection, set_id, board)),
                    DEALING.c.board == board,
                    DEALING.c.state == DealingState.PROVEN,
                )
                .order_by(DEALING.c.copy)
            )
            return [
                CopyDealt(
                    dealing=DealingId(row.id),
                    copy=row.copy,
                    attempt=row.attempt,
                    machine=row.machine_id,
                    design=row.design,
                    ended_wall_us=row.ended_wall_us,
                )
                for row in connection.execute(query)
            ]

    def rows(self, dealing: DealingId) -> list[JournalRow]:
        """Everything that was written about one dealing, opened, in order."""
        query = select(JOURNAL).where(JOURNAL.c.dealing_id == dealing).order_by(JOURNAL.c.number)
        vault = self._vault(dealing)
        with self._context.database.transaction() as connection:
            return [self._open(row, vault) for row in connection.execute(query)]

    @property
    def _machine(self) -> str:
        return self._context.machine

    def _resume(self, dealing: DealingId) -> None:
        if dealing in self._numbers:
            return
        query = select(func.max(JOURNAL.c.number), func.max(JOURNAL.c.run)).where(
            JOURNAL.c.dealing_id == dealing
        )
        with self._context.database.transaction() as connection:
            number, run = connection.execute(query).one()
        self._numbers[dealing] = number or 0
        self._runs[dealing] = run or 0

    def _vault(self, dealing: DealingId) -> Vault | None:
        """Of one attempt; None once its cards can be read by nobody."""
        if dealing not in self._vaults:
            query = select(DEALING.c.wrapped_key).where(DEALING.c.id == dealing)
            with self._context.database.transaction() as connection:
                wrapped = connection.execute(query).scalar()
            if wrapped is None:  # of a program that had one key for all
                return self._context.vault
            if wrapped == ERASED:
                return None
            self._vaults[dealing] = Vault(self._context.vault.unseal(wrapped, dealing))
        return self._vaults[dealing]

    def _write(self, dealing: DealingId, observations: Sequence[Observation]) -> None:
        self._resume(dealing)
        first = self._numbers[dealing] + 1
        rows = [
            self._row(dealing, number, observation)
            for number, observation in enumerate(observations, first)
        ]
        if rows:
            with self._context.database.transaction() as connection:
                connection.exec_driver_sql(_INSERT, rows)
            self._numbers[dealing] += len(rows)

    def _row(self, dealing: DealingId, number: int, seen: Observation) -> tuple[Any, ...]:
        context = self._context
        vault = self._vault(dealing)
        if vault is None:
            raise StoreError("store.not_open", state=seen.kind.value)
        key = context.keys.new()
        head = _HEAD.pack(
            -1 if seen.card is None else seen.card, -1 if seen.pocket is None else seen.pocket
        )
        plain = head + seen.detail.encode()
        plain += bytes(-len(plain) % _PAD)  # the length would tell which kind of card it was
        return (
            key,
            dealing,
            number,
            self._runs[dealing],
            seen.feed,
            seen.kind.value,
            context.opening,
            context.clock.now_us() if seen.mono_us is None else seen.mono_us,
            vault.seal(plain, key),
        )

    def _open(self, row: Row[Any], vault: Vault | None) -> JournalRow:
        plain = _HEAD.pack(-1, -1) if vault is None else vault.unseal(row.sealed, row.id)
        card, pocket = _HEAD.unpack_from(plain)
        return JournalRow(
            number=row.number,
            run=row.run,
            kind=Kind(row.kind),
            feed=row.feed,
            card=None if card < 0 else card,
            pocket=None if pocket < 0 else pocket,
            detail=plain[_HEAD.size :].rstrip(b"\0").decode(),
            mono_us=row.mono_us,
        )


def refuse_open(connection: Connection, set_ids: Collection[str]) -> None:
    """StoreError when a board of one of these sets is under way."""
    query = select(DEALING.c.board, DEALING.c.copy).where(
        DEALING.c.set_id.in_(set_ids), DEALING.c.state == DealingState.OPEN
    )
    found = connection.execute(query).first()
    if found is not None:
        raise StoreError("store.board_open", board=found.board, copy=found.copy)


class BoardJournal:
    """What `Journal` does, for the one dealing that is under way."""

    def __init__(self, journal: Journal, dealing: DealingId) -> None:
        self._journal = journal
        self.dealing = dealing

    def begin_run(self, run: int) -> None:
        """A run of the belt is about to start: all cards but the landed are in the hopper."""
        self._journal.begin_run(self.dealing, run)

    def intent(
        self, feed: int, card: int | None, pocket: int, seen: Sequence[Observation] = ()
    ) -> None:
        """All seen since the card before, and where this card shall go: all of it or nothing."""
        self._journal.intent(self.dealing, feed, card, pocket, seen)

    def record(self, seen: Iterable[Observation]) -> None:
        """What was seen, without a decision."""
        self._journal.record(self.dealing, seen)

    def close(self, state: DealingState, reason: str = "") -> None:
        """Ends the attempt."""
        self._journal.close_board(self.dealing, state, reason)
