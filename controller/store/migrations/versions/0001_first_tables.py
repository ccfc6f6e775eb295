"""First tables: machine, deal_set, set_board, dealing, journal, logbook."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Makes the tables; what has been written to the logbook can only be added to."""
    _machine_and_sets()
    _dealing()
    _journal()
    _logbook()


def downgrade() -> None:
    """There is nothing before the first tables."""
    raise NotImplementedError


def _machine_and_sets() -> None:
    op.create_table(
        "machine",
        sa.Column("id", sa.String(48), nullable=False),
        sa.Column("twin", sa.Boolean(), nullable=False),
        sa.Column("created_wall_us", sa.BigInteger(), nullable=False),
        sa.Column("openings", sa.Integer(), nullable=False),
        sa.Column("key_check", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_machine")),
    )
    op.create_table(
        "deal_set",
        sa.Column("id", sa.String(48), nullable=False),
        sa.Column("machine_id", sa.String(48), nullable=False),
        sa.Column("actor", sa.String(80), nullable=False),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("code", sa.String(40), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("source_tag", sa.LargeBinary(32), nullable=False),
        sa.Column("board_count", sa.Integer(), nullable=False),
        sa.Column("edition", sa.Integer(), nullable=False),
        sa.Column("added_wall_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["machine_id"], ["machine.id"], op.f("fk_deal_set_machine_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_deal_set")),
        sa.UniqueConstraint(
            "machine_id", "code", "edition", name=op.f("uq_deal_set_machine_id_code_edition")
        ),
    )
    op.create_table(
        "set_board",
        sa.Column("id", sa.String(48), nullable=False),
        sa.Column("set_id", sa.String(48), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("dealer", sa.String(1), nullable=False),
        sa.Column("vulnerable", sa.String(4), nullable=False),
        sa.Column("sealed_deal", sa.LargeBinary(), nullable=False),
        sa.Column("fingerprint", sa.LargeBinary(32), nullable=False),
        sa.ForeignKeyConstraint(["set_id"], ["deal_set.id"], op.f("fk_set_board_set_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_set_board")),
        sa.UniqueConstraint("set_id", "number", name=op.f("uq_set_board_set_id_number")),
    )
    op.create_index(op.f("ix_set_board_fingerprint"), "set_board", ["fingerprint"])


def _dealing() -> None:
    op.create_table(
        "dealing",
        sa.Column("id", sa.String(48), nullable=False),
        sa.Column("machine_id", sa.String(48), nullable=False),
        sa.Column("actor", sa.String(80), nullable=False),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("twin", sa.Boolean(), nullable=False),
        sa.Column("set_id", sa.String(48), nullable=False),
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("copy", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("reason", sa.String(200), nullable=False),
        sa.Column("profile", sa.String(40), nullable=False),
        sa.Column("design", sa.String(80), nullable=False),
        sa.Column("opening", sa.Integer(), nullable=False),
        sa.Column("started_wall_us", sa.BigInteger(), nullable=False),
        sa.Column("started_mono_us", sa.BigInteger(), nullable=False),
        sa.Column("ended_wall_us", sa.BigInteger()),
        sa.ForeignKeyConstraint(["machine_id"], ["machine.id"], op.f("fk_dealing_machine_id")),
        sa.ForeignKeyConstraint(["set_id"], ["deal_set.id"], op.f("fk_dealing_set_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_dealing")),
        sa.UniqueConstraint(
            "machine_id",
            "set_id",
            "board",
            "copy",
            "attempt",
            name=op.f("uq_dealing_machine_id_set_id_board_copy_attempt"),
        ),
        sa.CheckConstraint(
            "state in ('open', 'proven', 'stopped', 'void')", name=op.f("ck_dealing_state")
        ),
    )
    for name, columns in (
        ("open", ["machine_id"]),
        ("proven", ["set_id", "board", "copy"]),
    ):
        where = sa.text(f"state = '{name}'")
        op.create_index(
            f"uq_dealing_{name}",
            "dealing",
            columns,
            unique=True,
            sqlite_where=where,
            postgresql_where=where,
        )


def _journal() -> None:
    op.create_table(
        "journal",
        sa.Column("id", sa.String(48), nullable=False),
        sa.Column("dealing_id", sa.String(48), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("run", sa.Integer(), nullable=False),
        sa.Column("feed", sa.Integer()),
        sa.Column("kind", sa.String(12), nullable=False),
        sa.Column("opening", sa.Integer(), nullable=False),
        sa.Column("mono_us", sa.BigInteger(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["dealing_id"], ["dealing.id"], op.f("fk_journal_dealing_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_journal")),
        sa.UniqueConstraint("dealing_id", "number", name=op.f("uq_journal_dealing_id_number")),
    )


def _logbook() -> None:
    op.create_table(
        "logbook",
        sa.Column("id", sa.String(48), nullable=False),
        sa.Column("machine_id", sa.String(48), nullable=False),
        sa.Column("actor", sa.String(80), nullable=False),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("opening", sa.Integer(), nullable=False),
        sa.Column("wall_us", sa.BigInteger(), nullable=False),
        sa.Column("mono_us", sa.BigInteger(), nullable=False),
        sa.Column("what", sa.String(80), nullable=False),
        sa.Column("details", sa.String(), nullable=False),
        sa.Column("previous", sa.LargeBinary(32), nullable=False),
        sa.ForeignKeyConstraint(["machine_id"], ["machine.id"], op.f("fk_logbook_machine_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_logbook")),
        sa.UniqueConstraint("machine_id", "number", name=op.f("uq_logbook_machine_id_number")),
    )
    if op.get_bind().dialect.name == "sqlite":
        for event in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER logbook_no_{event.lower()} BEFORE {event} ON logbook "
                "BEGIN SELECT RAISE(ABORT, 'the logbook can only be added to'); END"
            )
