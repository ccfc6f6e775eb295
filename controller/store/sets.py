"""Sets of boards: what is to be dealt, for which event, and whether it still may be.

Each set has a key of its own, with the board's number as associated data of each deal. The machine
key wraps it, or, once the set is *sealed*, the director key alone (`controller.store.director`); then
also nothing is left by which a guess at a deal could be tried without the director.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NewType

from sqlalchemy import ColumnElement, Connection, Row, insert, select

from controller.errors import StoreError
from controller.store.context import SYSTEM, Context, Who
from controller.store.director import Permit
from controller.store.schema import DEAL_SET, SET_BOARD
from controller.store.vault import Vault, new_key
from deals.errors import SetCodeError
from deals.setcode import NO_CODE, check_set_code

SetId = NewType("SetId", str)

ABOUT: Final = ("title", "event", "date", "session", "site", "contest")
"""What may be said about a set; values are lines of text."""


@dataclass(frozen=True, slots=True)
class BoardEntry:
    """One board of a set; `deal` is the whole deal as one text, North first."""

    number: int
    dealer: str
    vulnerable: str
    deal: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class SetInfo:
    """A set without its deals."""

    id: SetId
    code: str
    name: str
    boards: int
    laws: int
    origin: str
    about: Mapping[str, str]
    release: str
    sealed: bool
    added_wall_us: int
    ended_wall_us: int | None
    retired_wall_us: int | None
    replaces: SetId | None
    replaced_by: SetId | None

    @property
    def live(self) -> bool:
        """Whether its play has not ended: then its hands are the director's alone."""
        return self.ended_wall_us is None


class Sets:
    """The sets that this machine knows."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def add(
        self,
        *,
        code: str,
        name: str,
        source: bytes,
        boards: Sequence[BoardEntry],
        edition: int = 1,
        who: Who = SYSTEM,
        laws: int = 2017,
        origin: str = "imported",
        about: Mapping[str, str] | None = None,
        replaces: SetId | None = None,
        redealt: Mapping[int, int] | None = None,
        also: Callable[[Connection, SetId], None] | None = None,
    ) -> SetId:
        """Keeps a set as read from *source*; the same set again is the one already kept. *replaces*:
        the set whose place it takes; *redealt*: how often a board was dealt anew; *also*: what
        happens together with it or not at all.
        """
        vault = self._context.vault
        tag = vault.tag("source", source)
        code = _own_code(tag) if code == NO_CODE else code
        prints = [vault.tag("deal", board.deal.encode()) for board in boards]
        known = self._find(code, edition)
        if known is not None:
            if self._same(known, boards, prints):
                return SetId(known.id)
            raise StoreError("store.set_differs", set_code=code, edition=edition)
        set_id, key = SetId(self._context.keys.new()), new_key()
        values = {
            **self._head(set_id, who),
            "code": code,
            "name": name,
            "source_tag": tag,
            "board_count": len(boards),
            "edition": edition,
            "added_wall_us": self._context.clock.wall_us(),
            "laws": laws,
            "origin": origin,
            "about": about_text(about or {}),
            "wrapped_key": vault.seal(key, key_owner(set_id)),
            "replaces_id": replaces,
        }
        rows = [
            self._row(set_id, board, tag, key, (redealt or {}).get(board.number, 0))
            for board, tag in zip(boards, prints, strict=True)
        ]
        self._insert(set_id, values, rows, also)
        return set_id

    def _head(self, set_id: SetId, who: Who) -> dict[str, object]:
        machine = self._context.machine
        return {"id": set_id, "machine_id": machine, "actor": who.actor, "role": who.role}

    def _insert(
        self,
        set_id: SetId,
        values: dict[str, object],
        rows: list[dict[str, object]],
        also: Callable[[Connection, SetId], None] | None,
    ) -> None:
        with self._context.database.transaction() as connection:
            connection.execute(insert(DEAL_SET).values(**values))
            if rows:
                connection.execute(insert(SET_BOARD), rows)
            if also is not None:
                also(connection, set_id)

    def boards(
        self,
        set_id: SetId,
        permit: Permit | None = None,
        numbers: Collection[int] | None = None,
    ) -> list[BoardEntry]:
        """The boards of a set (or those *numbers* of it) in order of number, opened.

        Of a sealed set without a *permit* only those that a job under way holds.
        """
        query = select(SET_BOARD).where(SET_BOARD.c.set_id == set_id).order_by(SET_BOARD.c.number)
        with self._context.database.transaction() as connection:
            row = connection.execute(select(DEAL_SET).where(DEAL_SET.c.id == set_id)).first()
            rows = connection.execute(query).all()
        if row is None:
            raise StoreError("store.no_set", set_code=set_id)
        key = self.key(row, permit)
        wanted = [one for one in rows if numbers is None or one.number in numbers]
        return [self._opened(row, one, key) for one in wanted]

    def redealt(self, set_id: SetId) -> dict[int, int]:
        """By number, how often each board has been dealt anew (Law 6D)."""
        query = select(SET_BOARD.c.number, SET_BOARD.c.redealt).where(SET_BOARD.c.set_id == set_id)
        with self._context.database.transaction() as connection:
            return {row.number: row.redealt for row in connection.execute(query)}

    def infos(self) -> list[SetInfo]:
        """All sets, oldest first."""
        return self._infos()

    def info(self, set_id: SetId) -> SetInfo:
        """One set by its key."""
        for info in self._infos(DEAL_SET.c.id == set_id):
            return info
        raise StoreError("store.no_set", set_code=set_id)

    def _infos(self, *which: ColumnElement[bool]) -> list[SetInfo]:
        """The sets of which all of *which* holds, oldest first."""
        own = DEAL_SET.c.machine_id == self._context.machine
        query = select(DEAL_SET).where(own, *which).order_by(DEAL_SET.c.id)
        follows = (
            select(DEAL_SET.c.replaces_id, DEAL_SET.c.id)
            .where(own, DEAL_SET.c.replaces_id.is_not(None))
            .order_by(DEAL_SET.c.id)
        )
        with self._context.database.transaction() as connection:
            rows = connection.execute(query).all()
            after = {row.replaces_id: SetId(row.id) for row in connection.execute(follows)}
        return [_info(row, after) for row in rows]

    def find(self, named: str) -> SetInfo:
        """A set by its code as a person says it, by its key, or by its name if only one has it.

        StoreError when there is none; SetCodeError when a code was mistyped.
        """
        infos = self.infos()
        exact = [info for info in infos if named in (info.code, info.id)]
        by_name = [info for info in infos if info.name == named]
        if exact or len(by_name) == 1:
            return (exact or by_name)[-1]
        if len(by_name) > 1:
            keys = [info.code for info in by_name]
            raise StoreError("store.which_set", name=named, codes=keys)
        try:
            code = check_set_code(named)
        except SetCodeError:
            if any(sign.isdecimal() for sign in named) and len(named.replace("-", "")) == 9:
                raise
            raise StoreError("store.no_set", set_code=named) from None
        found = [info for info in infos if info.code == code]
        if not found:
            raise StoreError("store.no_set", set_code=code)
        return found[-1]

    def live_among(self, deals: Iterable[str], code: Callable[[], str]) -> list[SetInfo]:
        """Live sets that hold one of *deals*: before they are shown the director has to be asked.

        *code* makes the set code of the whole file, a slow thing: it is called only when a live set
        is sealed, whose single deals leave no trace here.
        """
        found = {info.id: info for info, _ in self.with_deals(deals) if info.live}
        sealed = [info for info in self.infos() if info.sealed and info.live]
        if sealed:
            whole = code()
            found |= {info.id: info for info in sealed if info.code == whole}
        return sorted(found.values(), key=lambda info: info.id)

    def with_deals(
        self, deals: Iterable[str], permit: Permit | None = None
    ) -> list[tuple[SetInfo, int]]:
        """Sets and numbers under which one of *deals* is kept already (PBN, North first).

        Deals of a sealed set are found only with a *permit*; compare its code for the whole set.
        """
        deals = list(deals)
        tags = [self._context.vault.tag("deal", deal.encode()) for deal in deals]
        if permit is not None and permit.key:
            sealed = Vault(permit.key)
            tags += [sealed.tag("deal", deal.encode()) for deal in deals]
        query = select(SET_BOARD.c.set_id, SET_BOARD.c.number).where(
            SET_BOARD.c.fingerprint.in_(tags)
        )
        with self._context.database.transaction() as connection:
            rows = connection.execute(query).all()
        found = DEAL_SET.c.id.in_({row.set_id for row in rows})
        infos = {info.id: info for info in self._infos(found)}
        return sorted(
            ((infos[SetId(row.set_id)], row.number) for row in rows if row.set_id in infos),
            key=lambda one: (one[0].id, one[1]),
        )

    def key(self, row: Row[Any], permit: Permit | None) -> bytes | None:
        """The key of a set; None where each deal is under the machine key itself, or sealed."""
        if row.wrapped_key is None:
            return None
        if not row.sealed:
            return self._context.vault.unseal(row.wrapped_key, key_owner(row.id))
        if permit is None or not permit.key:
            return None
        try:
            return Vault(permit.key).unseal(row.wrapped_key, key_owner(row.id))
        except StoreError as error:
            raise StoreError("store.other_director", set_code=row.code) from error

    def _opened(self, row: Row[Any], board: Row[Any], key: bytes | None) -> BoardEntry:
        if key is not None:
            deal = Vault(key).unseal(board.sealed_deal, board_owner(row.id, board.number))
        elif row.wrapped_key is None:
            deal = self._context.vault.unseal(board.sealed_deal, board.id)
        elif board.job_deal is not None:
            deal = self._context.vault.unseal(board.job_deal, board_owner(row.id, board.number))
        else:
            raise StoreError("store.set_sealed", set_code=row.code)
        return BoardEntry(board.number, board.dealer, board.vulnerable, deal.decode())

    def _find(self, code: str, edition: int) -> Row[Any] | None:
        query = select(DEAL_SET).where(
            DEAL_SET.c.machine_id == self._context.machine,
            DEAL_SET.c.code == code,
            DEAL_SET.c.edition == edition,
        )
        with self._context.database.transaction() as connection:
            return connection.execute(query).first()

    def _same(self, known: Row[Any], boards: Sequence[BoardEntry], prints: Sequence[bytes]) -> bool:
        columns = SET_BOARD.c
        query = select(columns.number, columns.dealer, columns.vulnerable, columns.fingerprint)
        with self._context.database.transaction() as connection:
            kept = connection.execute(query.where(columns.set_id == known.id)).all()
        given = [
            (board.number, board.dealer, board.vulnerable, tag)
            for board, tag in zip(boards, prints, strict=True)
        ]
        if known.sealed:  # its deals can be compared only through the code, which was found equal
            return sorted(tuple(row)[:3] for row in kept) == sorted(one[:3] for one in given)
        return sorted(map(tuple, kept)) == sorted(given)

    def _row(
        self, set_id: SetId, board: BoardEntry, tag: bytes, key: bytes, redealt: int
    ) -> dict[str, object]:
        return {
            "id": self._context.keys.new(),
            "set_id": set_id,
            "number": board.number,
            "dealer": board.dealer,
            "vulnerable": board.vulnerable,
            "sealed_deal": Vault(key).seal(board.deal.encode(), board_owner(set_id, board.number)),
            "fingerprint": tag,
            "redealt": redealt,
        }


def board_owner(set_id: str, number: int) -> str:
    """The associated data of a board's deal."""
    return f"{set_id} board {number}"


def key_owner(set_id: str) -> str:
    """The associated data of a set's key."""
    return f"{set_id} key"


def _own_code(tag: bytes) -> str:
    """For a single board. Keyed: from outside nobody can compute it to try deals against."""
    return f"{NO_CODE} {tag.hex()[:32]}"


def about_text(about: Mapping[str, str]) -> str:
    """*about* as it is kept; StoreError for a word that is not in ABOUT."""
    for name in about:
        if name not in ABOUT:
            raise StoreError("store.unknown_about", name=name, known=ABOUT)
    return json.dumps({k: v for k, v in about.items() if v}, ensure_ascii=False, sort_keys=True)


def _info(row: Row[Any], after: Mapping[str, SetId]) -> SetInfo:
    return SetInfo(
        id=SetId(row.id),
        code=row.code,
        name=row.name,
        boards=row.board_count,
        laws=row.laws,
        origin=row.origin,
        about=json.loads(row.about),
        release=row.release,
        sealed=row.sealed,
        added_wall_us=row.added_wall_us,
        ended_wall_us=row.ended_wall_us,
        retired_wall_us=row.retired_wall_us,
        replaces=None if row.replaces_id is None else SetId(row.replaces_id),
        replaced_by=after.get(row.id),
    )
