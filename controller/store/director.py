"""Directors and admins of a machine: who may see hands, seal sets, or decide a new deal.

    permit = store.directors.enter("Ann", passphrase, "hands shown", {"set": "NYX-3MQ-Y73"})
    store.sets.boards(set_id, permit)      # a permit opens sealed sets; its `who` goes into the logbook

Everybody may operate. A *director* may see the hands of a live set, export it, open a sealed one and
make the decisions that the Laws give to the Director; an *admin* may say who directors and admins are,
and sees no hand. There is no passphrase but the one that is set at first use (`predeal director set`).

A command takes `controller.cli.directing.director_options` and calls `permitted`, which reads the name
and the passphrase (`--passphrase-file`, `PREDEAL_PASSPHRASE`, or asked at a terminal) and enters it.
A live set is one that is kept and whose play is not ended: `SetInfo.live`.

`enter` takes a fifth of a second (scrypt, n = 2^15, r = 8, p = 3: 32 MB) and belongs in no control
loop. Each refusal doubles the wait before the next try, kept in the store, so neither a second
connection nor a restart makes guessing faster. Each entry and each refusal is in the logbook.

One random *director key* opens the sealed sets. It is kept only wrapped, once under each director's
passphrase, so directors share the sets and can change their passphrases. Forgotten is forgotten.
"""

from __future__ import annotations

import hashlib
import os
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from sqlalchemy import Connection, Row, delete, insert, select, update

from controller.errors import DirectorError, StoreError
from controller.store.context import Context, Who
from controller.store.logbook import Logbook
from controller.store.schema import ACCOUNT
from controller.store.vault import Vault, new_key

ENTERED: Final = "director entered"
REFUSED: Final = "director refused"
LEAST_SIGNS: Final = 8
FREE_TRIES: Final = 3
"""So many wrong passphrases cost no time beyond the hash itself."""
LONGEST_WAIT_S: Final = 900


class Role(StrEnum):
    """What somebody may do."""

    OPERATE = "operate"
    DIRECTOR = "director"
    ADMIN = "admin"


OPERATE: Final = Role.OPERATE.value
"""The role, in a `Who`, of whoever showed no passphrase: everybody may operate."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Parameters of scrypt; memory is 128 * n * r bytes. Kept with each account."""

    n: int = 2**15
    r: int = 8
    p: int = 3


COST: Final = Cost()


@dataclass(frozen=True, slots=True)
class Permit:
    """Somebody who has shown his passphrase; good for the one action it was entered for."""

    name: str
    role: Role
    key: bytes = field(repr=False)
    """The director key; empty for an admin."""

    @property
    def who(self) -> Who:
        """For the logbook."""
        return Who(self.name, self.role.value)


@dataclass(frozen=True, slots=True)
class Account:
    """A name that has a passphrase."""

    name: str
    role: Role
    set_wall_us: int


class Directors:
    """The accounts of one machine."""

    def __init__(self, context: Context, logbook: Logbook) -> None:
        self._context = context
        self._logbook = logbook

    def accounts(self) -> list[Account]:
        """All names, in order of name."""
        query = self._mine().order_by(ACCOUNT.c.name)
        with self._context.database.transaction() as connection:
            rows = connection.execute(query).all()
        return [Account(row.name, Role(row.role), row.set_wall_us) for row in rows]

    def only(self, role: Role | None = None) -> str:
        """The name to take where none was given; DirectorError if that is not clear."""
        names = [a.name for a in self.accounts() if role is None or a.role is role]
        if not names:
            raise DirectorError("director.none")
        if len(names) > 1:
            raise DirectorError("director.which", names=names)
        return names[0]

    def enter(
        self,
        name: str,
        passphrase: str,
        purpose: str,
        details: Mapping[str, object] | None = None,
        roles: tuple[Role, ...] = (Role.DIRECTOR,),
    ) -> Permit:
        """Checks the passphrase and writes down who enters and what for.

        DirectorError: no account yet ("director.none"), wrong name or passphrase
        ("director.wrong"), another role ("director.not_allowed"), too many tries ("director.wait").
        """
        row = self._try(name)
        key = None if row is None else _opened(row, passphrase)
        if row is None or key is None:
            self._logbook.append(REFUSED, {"purpose": purpose}, Who(name[:80], OPERATE))
            raise DirectorError("director.wrong", name=name)
        self._reset(name)
        role = Role(row.role)
        if role not in roles:
            self._logbook.append(REFUSED, {"purpose": purpose}, Who(row.name, role.value))
            raise DirectorError("director.not_allowed", name=name, role=role.value)
        permit = Permit(row.name, role, key)
        self._logbook.append(ENTERED, {"purpose": purpose, **(details or {})}, permit.who)
        return permit

    def set(
        self, name: str, passphrase: str, role: Role = Role.DIRECTOR, by: Permit | None = None
    ) -> None:
        """Makes an account, or gives it another passphrase.

        The first account needs no permit but the right to write the store's files. Then a director
        may set any; an admin may set admins, himself, and the first director, for only a director
        has the director key to hand on.
        """
        name, plain = _checked(name, passphrase)
        row = self._row(name)
        known = self.accounts()
        if by is None and known:
            raise DirectorError("director.needs_permit", name=name)
        if row is not None and Role(row.role) is not role:
            raise DirectorError("director.has_role", name=name, role=row.role)
        first = not any(account.role is Role.DIRECTOR for account in known)
        if by is not None and not by.key and role is Role.DIRECTOR and not first:
            raise DirectorError("director.not_allowed", name=by.name, role=by.role.value)
        self._keep(name, plain, role, self._key_for(role, by))
        self._logbook.append(
            "passphrase set", {"name": name, "as": role.value}, by.who if by else Who(name, role)
        )

    def remove(self, name: str, by: Permit) -> None:
        """Takes an account away; never the last director, with whom the sealed sets would go."""
        row = self._row(name)
        if row is None:
            raise DirectorError("director.unknown", name=name)
        directors = [a for a in self.accounts() if a.role is Role.DIRECTOR]
        if Role(row.role) is Role.DIRECTOR and len(directors) == 1:
            raise DirectorError("director.last", name=name)
        with self._context.database.transaction() as connection:
            connection.execute(delete(ACCOUNT).where(ACCOUNT.c.id == row.id))
        self._logbook.append("account removed", {"name": name}, by.who)

    def reset(self, who: Who) -> list[str]:
        """Forgets every account, when no passphrase is known any more; gives their names.

        Sealed sets can never be opened again. For whoever owns the files: not for the API.
        """
        names = [account.name for account in self.accounts()]
        with self._context.database.transaction() as connection:
            connection.execute(delete(ACCOUNT).where(ACCOUNT.c.machine_id == self._context.machine))
        self._logbook.append("accounts reset", {"names": names}, who)
        return names

    # -- rows ------------------------------------------------------------------------------

    def _mine(self) -> Any:
        return select(ACCOUNT).where(ACCOUNT.c.machine_id == self._context.machine)

    def _row(self, name: str) -> Row[Any] | None:
        with self._context.database.transaction() as connection:
            return self._found(connection, name)

    def _found(self, connection: Connection, name: str) -> Row[Any] | None:
        found: Row[Any] | None = connection.execute(
            self._mine().where(ACCOUNT.c.name == _normal(name))
        ).first()
        return found

    def _try(self, name: str) -> Row[Any] | None:
        """Counts the try before it is looked at: tries side by side are not faster."""
        now = self._context.clock.wall_us()
        with self._context.database.transaction() as connection:
            rows = connection.execute(self._mine()).all()
            if not rows:
                raise DirectorError("director.none")
            row = self._found(connection, name)
            # A name that nobody has waits as long as the one that was tried most.
            counted = row or max(rows, key=lambda one: int(one.failures))
            wait_us = _wait_us(counted.failures, counted.failed_wall_us, now)
            change = {"failed_wall_us": now}
            if not wait_us:
                change["failures"] = counted.failures + 1
            elif counted.failed_wall_us <= now:
                change = {}
            if change:
                connection.execute(
                    update(ACCOUNT).where(ACCOUNT.c.id == counted.id).values(**change)
                )
        if wait_us:
            raise DirectorError("director.wait", seconds=-(-wait_us // 1_000_000))
        return row

    def _reset(self, name: str) -> None:
        with self._context.database.transaction() as connection:
            connection.execute(
                update(ACCOUNT)
                .where(
                    ACCOUNT.c.machine_id == self._context.machine, ACCOUNT.c.name == _normal(name)
                )
                .values(failures=0)
            )

    def _key_for(self, role: Role, by: Permit | None) -> bytes:
        if role is not Role.DIRECTOR:
            return b""
        if by is not None and by.key:
            return by.key
        return new_key()

    def _keep(self, name: str, passphrase: str, role: Role, key: bytes) -> None:
        salt = os.urandom(16)
        wrapping = Vault(_derived(passphrase, salt, COST))
        values = {
            "role": role.value,
            "salt": salt,
            "cost": f"{COST.n} {COST.r} {COST.p}",
            "wrapped_key": wrapping.seal(key, _owner(name, role)),
            "set_wall_us": self._context.clock.wall_us(),
            "failures": 0,
            "failed_wall_us": 0,
        }
        with self._context.database.transaction() as connection:
            row = self._found(connection, name)
            if row is not None:
                connection.execute(update(ACCOUNT).where(ACCOUNT.c.id == row.id).values(**values))
                return
            values |= {"id": self._context.keys.new(), "machine_id": self._context.machine}
            connection.execute(insert(ACCOUNT).values(name=name, **values))


def _wait_us(failures: int, last_us: int, now_us: int) -> int:
    """How long to wait still. A date that went back makes the wait whole again, never endless."""
    if failures < FREE_TRIES:
        return 0
    wait: int = min(LONGEST_WAIT_S, 2 ** min(failures - FREE_TRIES, 20)) * 1_000_000
    return wait if now_us < last_us else max(0, last_us + wait - now_us)


def _opened(row: Row[Any], passphrase: str) -> bytes | None:
    cost = Cost(*map(int, row.cost.split()))
    vault = Vault(_derived(_normal(passphrase), row.salt, cost))
    try:
        return vault.unseal(row.wrapped_key, _owner(row.name, Role(row.role)))
    except StoreError:
        return None


def _owner(name: str, role: Role) -> str:
    # With the role in it, an admin's row that was turned into a director's does not open.
    return f"{role.value} {name}"


def _derived(passphrase: str, salt: bytes, cost: Cost) -> bytes:
    memory = 128 * cost.n * cost.r + 128 * cost.r * cost.p + 2**20
    return hashlib.scrypt(
        passphrase.encode(), salt=salt, n=cost.n, r=cost.r, p=cost.p, maxmem=memory, dklen=32
    )


def _normal(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _checked(name: str, passphrase: str) -> tuple[str, str]:
    name, plain = _normal(name).strip(), _normal(passphrase)
    if not name or len(name) > 64 or not name.isprintable():
        raise DirectorError("director.bad_name")
    if len(plain) < LEAST_SIGNS or len(set(plain)) < 4 or plain.casefold() == name.casefold():
        raise DirectorError("director.weak", least=LEAST_SIGNS)
    return name, plain
