"""The tables. Keys are texts, unique across machines; identities are only in sealed columns.

Times in `*_wall_us` are dates (UTC, for people), `*_mono_us` are of the machine's monotonic clock
and mean something only together with `opening`, the count of the store's openings.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
)

METADATA: Final = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _key() -> Column[str]:
    return Column("id", String(48), primary_key=True)


def _who() -> list[Column[str]]:
    return [Column("actor", String(80), nullable=False), Column("role", String(20), nullable=False)]


MACHINE: Final = Table(
    "machine",
    METADATA,
    _key(),
    Column("twin", Boolean, nullable=False),
    Column("created_wall_us", BigInteger, nullable=False),
    Column("openings", Integer, nullable=False),
    Column("key_check", LargeBinary, nullable=False),
    # Keyed, of the last row of its logbook.
    Column("logbook_tag", LargeBinary(32)),
)

DEAL_SET: Final = Table(
    "deal_set",
    METADATA,
    _key(),
    Column("machine_id", ForeignKey("machine.id"), nullable=False),
    *_who(),
    Column("code", String(40), nullable=False),
    Column("name", String(200), nullable=False),
    # Keyed: a plain hash of a short file would let a guess at its deals be proven.
    Column("source_tag", LargeBinary(32), nullable=False),
    Column("board_count", Integer, nullable=False),
    Column("edition", Integer, nullable=False),
    Column("added_wall_us", BigInteger, nullable=False),
    # Edition of the Laws that the set is played under, and where its deals came from.
    Column("laws", Integer, nullable=False, server_default="2017"),
    Column("origin", String(20), nullable=False, server_default="imported"),
    # JSON for people: title, event, date, session, site; and rounds held or released.
    Column("about", Text, nullable=False, server_default="{}"),
    Column("release", Text, nullable=False, server_default=""),
    # The key of this set's deals: under the machine key, or under the director's when sealed.
    Column("wrapped_key", LargeBinary),
    Column("sealed", Boolean, nullable=False, server_default=false()),
    Column("ended_wall_us", BigInteger),
    Column("retired_wall_us", BigInteger),
    Column("replaces_id", ForeignKey("deal_set.id")),
    UniqueConstraint("machine_id", "code", "edition"),
)

SET_BOARD: Final = Table(
    "set_board",
    METADATA,
    _key(),
    Column("set_id", ForeignKey("deal_set.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("dealer", String(1), nullable=False),
    Column("vulnerable", String(4), nullable=False),
    Column("sealed_deal", LargeBinary, nullable=False),
    Column("fingerprint", LargeBinary(32), nullable=False, index=True),
    # How often this number has been dealt anew (Law 6D) in this set and those it replaces.
    Column("redealt", Integer, nullable=False, server_default="0"),
    # Under the machine key, of a sealed set's board, as long as a job needs it.
    Column("job_deal", LargeBinary),
    UniqueConstraint("set_id", "number"),
)

DEAL_COPY: Final = Table(
    "deal_copy",
    METADATA,
    _key(),
    Column("set_id", ForeignKey("deal_set.id"), nullable=False),
    Column("copy", Integer, nullable=False),
    Column("box", String(40), nullable=False),
    Column("section", String(40), nullable=False),
    UniqueConstraint("set_id", "copy"),
)

BOX: Final = Table(
    "box",
    METADATA,
    _key(),
    Column("machine_id", ForeignKey("machine.id"), nullable=False),
    Column("name", String(40), nullable=False),
    Column("board", Integer, nullable=False),
    Column("set_id", ForeignKey("deal_set.id"), nullable=False),
    Column("copy", Integer, nullable=False),
    Column("state", String(10), nullable=False),
    Column("changed_wall_us", BigInteger, nullable=False),
    UniqueConstraint("machine_id", "name", "board"),
    CheckConstraint("state in ('loaded', 'out', 'played', 'back', 'void')", name="state"),
)

EXPORT: Final = Table(
    "export",
    METADATA,
    _key(),
    *_who(),
    Column("set_id", ForeignKey("deal_set.id"), nullable=False),
    Column("path", String(400), nullable=False),
    Column("format", String(20), nullable=False),
    Column("wall_us", BigInteger, nullable=False),
    Column("stale", Boolean, nullable=False),
)

ACCOUNT: Final = Table(
    "account",
    METADATA,
    _key(),
    Column("machine_id", ForeignKey("machine.id"), nullable=False),
    Column("name", String(80), nullable=False),
    Column("role", String(20), nullable=False),
    Column("salt", LargeBinary(16), nullable=False),
    Column("cost", String(40), nullable=False),
    # The director key (empty for an admin) under the passphrase: that it opens is the check.
    Column("wrapped_key", LargeBinary, nullable=False),
    Column("set_wall_us", BigInteger, nullable=False),
    Column("failures", Integer, nullable=False),
    Column("failed_wall_us", BigInteger, nullable=False),
    UniqueConstraint("machine_id", "name"),
)

DEALING: Final = Table(
    "dealing",
    METADATA,
    _key(),
    Column("machine_id", ForeignKey("machine.id"), nullable=False),
    *_who(),
    Column("twin", Boolean, nullable=False),
    Column("set_id", ForeignKey("deal_set.id"), nullable=False),
    Column("board", Integer, nullable=False),
    Column("copy", Integer, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("state", String(10), nullable=False),
    Column("reason", String(200), nullable=False),
    Column("profile", String(40), nullable=False),
    Column("design", String(80), nullable=False),
    Column("opening", Integer, nullable=False),
    Column("started_wall_us", BigInteger, nullable=False),
    Column("started_mono_us", BigInteger, nullable=False),
    Column("ended_wall_us", BigInteger),
    # The key of this attempt's journal, under the machine key; gone after a sealed set's board.
    Column("wrapped_key", LargeBinary),
    UniqueConstraint("machine_id", "set_id", "board", "copy", "attempt"),
    CheckConstraint("state in ('open', 'proven', 'stopped', 'void')", name="state"),
    # One board under way on a machine, and a copy is proven once: the database itself says so.
    Index(
        "uq_dealing_open",
        "machine_id",
        unique=True,
        sqlite_where=text("state = 'open'"),
        postgresql_where=text("state = 'open'"),
    ),
    Index(
        "uq_dealing_proven",
        "set_id",
        "board",
        "copy",
        unique=True,
        sqlite_where=text("state = 'proven'"),
        postgresql_where=text("state = 'proven'"),
    ),
)

JOURNAL: Final = Table(
    "journal",
    METADATA,
    _key(),
    Column("dealing_id", ForeignKey("dealing.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("run", Integer, nullable=False),
    Column("feed", Integer),
    Column("kind", String(12), nullable=False),
    Column("opening", Integer, nullable=False),
    Column("mono_us", BigInteger, nullable=False),
    Column("sealed", LargeBinary, nullable=False),
    UniqueConstraint("dealing_id", "number"),
)

LOGBOOK: Final = Table(
    "logbook",
    METADATA,
    _key(),
    Column("machine_id", ForeignKey("machine.id"), nullable=False),
    *_who(),
    Column("number", Integer, nullable=False),
    Column("opening", Integer, nullable=False),
    Column("wall_us", BigInteger, nullable=False),
    Column("mono_us", BigInteger, nullable=False),
    Column("what", String(80), nullable=False),
    Column("details", String, nullable=False),
    Column("previous", LargeBinary(32), nullable=False),
    UniqueConstraint("machine_id", "number"),
)
