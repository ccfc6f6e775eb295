"""What becomes of a set: sealed, ended, retired, held or released; and its boards for a job."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from sqlalchemy import Connection, Row, select, update

from controller.errors import StoreError
from controller.store.context import SYSTEM, Context, Who
from controller.store.director import Permit
from controller.store.journal import ERASED, refuse_open
from controller.store.lineage import refuse_barred
from controller.store.logbook import Logbook
from controller.store.schema import DEAL_SET, DEALING, SET_BOARD
from controller.store.sets import (
    BoardEntry,
    SetId,
    SetInfo,
    Sets,
    about_text,
    board_owner,
    key_owner,
)
from controller.store.settling import settle
from controller.store.vault import Vault, new_key
from deals.setcode import NO_CODE


class SetStates:
    """Changes of the sets of one machine; each is in the logbook."""

    def __init__(self, context: Context, sets: Sets, logbook: Logbook) -> None:
        self._context = context
        self._sets = sets
        self._logbook = logbook

    def end(self, set_id: SetId, permit: Permit) -> SetInfo:
        """Its play is over: from now on its hands are no secret."""
        return self._mark(set_id, "ended_wall_us", "set ended", permit.who)

    def retire(self, set_id: SetId, reason: str = "", who: Who = SYSTEM) -> SetInfo:
        """It is never dealt again. Its hands stay closed until its play is said to have ended."""
        return self._mark(set_id, "retired_wall_us", "set retired", who, {"reason": reason})

    def describe(self, set_id: SetId, about: Mapping[str, str], who: Who = SYSTEM) -> SetInfo:
        """Other words about the event: all of them anew."""
        self._update(set_id, {"about": about_text(about)})
        info = self._sets.info(set_id)
        self._logbook.append("set described", {"set": info.code}, who)
        return info

    def hold(self, set_id: SetId, release: str, who: Who) -> SetInfo:
        """Keeps which rounds are held and released (`deals.records.release`, as JSON)."""
        self._update(set_id, {"release": release})
        info = self._sets.info(set_id)
        self._logbook.append("records held or released", {"set": info.code}, who)
        return info

    def seal(self, set_id: SetId, permit: Permit) -> SetInfo:
        """Puts a set under the director key alone. Deals, and the cards in the journals of its
        boards, are encrypted anew or erased; tags are made anew; what was before is overwritten.

        StoreError when a board of it is under way, or when *permit* has no director key.
        """
        if not permit.key:
            raise StoreError("store.needs_director", set_code=self._sets.info(set_id).code)
        entries = self._sets.boards(set_id, permit)
        key, guard = new_key(), Vault(permit.key)
        vault = Vault(key)
        with self._context.database.transaction() as connection:
            row = self._row(connection, set_id)
            refuse_open(connection, [set_id])
            for entry in entries:
                deal = entry.deal.encode()
                values: dict[str, Any] = {
                    "sealed_deal": vault.seal(deal, board_owner(set_id, entry.number)),
                    "fingerprint": guard.tag("deal", deal),
                    "job_deal": None,
                }
                connection.execute(_board(set_id, entry.number).values(**values))
            values = {
                "sealed": True,
                "wrapped_key": guard.seal(key, key_owner(set_id)),
                # The old one was of the whole file under the machine key: good for trying guesses.
                "source_tag": os.urandom(32),
            }
            if row.code.startswith(NO_CODE):
                values["code"] = f"{NO_CODE} {os.urandom(16).hex()}"
            connection.execute(update(DEAL_SET).where(DEAL_SET.c.id == set_id).values(**values))
            connection.execute(
                update(DEALING).where(DEALING.c.set_id == set_id).values(wrapped_key=ERASED)
            )
        settle(self._context, erase=True)
        info = self._sets.info(set_id)
        self._logbook.append("set sealed", {"set": info.code}, permit.who)
        return info

    # -- a job's boards --------------------------------------------------------------------

    def lend_entries(self, set_id: SetId, entries: Iterable[BoardEntry]) -> None:
        """Puts boards of a sealed set under the machine key for a job; nothing for other sets.

        *entries*: deals that somebody with the right to them has opened, or read in a file.
        """
        if not self._sets.info(set_id).sealed:
            return
        with self._context.database.transaction() as connection:
            for entry in entries:
                owner = board_owner(set_id, entry.number)
                lent = self._context.vault.seal(entry.deal.encode(), owner)
                connection.execute(_board(set_id, entry.number).values(job_deal=lent))

    def give_back(self, set_id: SetId, numbers: Collection[int] | None = None) -> None:
        """Erases what was lent: of boards that are done, or all when the job ends."""
        change = update(SET_BOARD).where(
            SET_BOARD.c.set_id == set_id, SET_BOARD.c.job_deal.is_not(None)
        )
        if numbers is not None:
            change = change.where(SET_BOARD.c.number.in_(list(numbers)))
        with self._context.database.transaction() as connection:
            erased = connection.execute(change.values(job_deal=None)).rowcount
        if erased:
            settle(self._context, erase=True)

    def require_dealable(self, set_id: SetId) -> SetInfo:
        """Refuses, with a StoreError, a set that is retired or replaced."""
        with self._context.database.transaction() as connection:
            refuse_barred(connection, set_id)
        return self._sets.info(set_id)

    # -- rows ------------------------------------------------------------------------------

    def _mark(
        self,
        set_id: SetId,
        column: str,
        what: str,
        who: Who,
        details: Mapping[str, object] | None = None,
    ) -> SetInfo:
        info = self._sets.info(set_id)
        if getattr(info, column) is None:
            self._update(set_id, {column: self._context.clock.wall_us()})
            self._logbook.append(what, {"set": info.code, **(details or {})}, who)
        return self._sets.info(set_id)

    def _update(self, set_id: SetId, values: Mapping[str, Any]) -> None:
        with self._context.database.transaction() as connection:
            self._row(connection, set_id)
            connection.execute(update(DEAL_SET).where(DEAL_SET.c.id == set_id).values(**values))

    def _row(self, connection: Connection, set_id: SetId) -> Row[Any]:
        row = connection.execute(select(DEAL_SET).where(DEAL_SET.c.id == set_id)).first()
        if row is None:
            raise StoreError("store.no_set", set_code=set_id)
        return row


def _board(set_id: str, number: int) -> Any:
    return update(SET_BOARD).where(SET_BOARD.c.set_id == set_id, SET_BOARD.c.number == number)
