"""Sets with keys, event data and an end; copies, boxes, exports; directors."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds columns and tables; what earlier programs kept stays readable as it is."""
    _sets()
    _copies_and_boxes()
    _exports_and_accounts()


def downgrade() -> None:
    """A store is never taken back: an older program would pass over what this one has barred."""
    raise NotImplementedError


def _sets() -> None:
    for column in (
        sa.Column("laws", sa.Integer(), nullable=False, server_default="2017"),
        sa.Column("origin", sa.String(20), nullable=False, server_default="imported"),
        sa.Column("about", sa.Text(), nullable=False, server_default="{}"),
        sa.Column("release", sa.Text(), nullable=False, server_default=""),
        sa.Column("wrapped_key", sa.LargeBinary()),
        sa.Column("sealed", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("ended_wall_us", sa.BigInteger()),
        sa.Column("retired_wall_us", sa.BigInteger()),
    ):
        op.add_column("deal_set", column)
    # Not by a batch: that would drop and rebuild a table to which others refer.
    op.execute(
        "ALTER TABLE deal_set ADD COLUMN replaces_id VARCHAR(48) "
        "CONSTRAINT fk_deal_set_replaces_id REFERENCES deal_set (id)"
    )
    op.add_column(
        "set_board", sa.Column("redealt", sa.Integer(), nullable=False, server_default="0")
    )
    op.add_column("set_board", sa.Column("job_deal", sa.LargeBinary()))
    op.add_column("dealing", sa.Column("wrapped_key", sa.LargeBinary()))


def _copies_and_boxes() -> None:
    op.create_table(
        "deal_copy",
        sa.Column("id", sa.String(48), nullable=False),
        sa.Column("set_id", sa.String(48), nullable=False),
        sa.Column("copy", sa.Integer(), nullable=False),
        sa.Column("box", sa.String(40), nullable=False),
        sa.Column("section", sa.String(40), nullable=False),
        sa.ForeignKeyConstraint(["set_id"], ["deal_set.id"], op.f("fk_deal_copy_set_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_deal_copy")),
        sa.UniqueConstraint("set_id", "copy", name=op.f("uq_deal_copy_set_id_copy")),
    )
    op.create_table(
        "box",
        sa.Column("id", sa.String(48), nullable=False),
        sa.Column("machine_id", sa.String(48), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("set_id", sa.String(48), nullable=False),
        sa.Column("copy", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("changed_wall_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["machine_id"], ["machine.id"], op.f("fk_box_machine_id")),
        sa.ForeignKeyConstraint(["set_id"], ["deal_set.id"], op.f("fk_box_set_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_box")),
        sa.UniqueConstraint(
            "machine_id", "name", "board", name=op.f("uq_box_machine_id_name_board")
        ),
        sa.CheckConstraint(
            "state in ('loaded', 'out', 'played', 'back', 'void')", name=op.f("ck_box_state")
        ),
    )


def _exports_and_accounts() -> None:
    op.create_table(
        "export",
        sa.Column("id", sa.String(48), nullable=False),
        sa.Column("actor", sa.String(80), nullable=False),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("set_id", sa.String(48), nullable=False),
        sa.Column("path", sa.String(400), nullable=False),
        sa.Column("format", sa.String(20), nullable=False),
        sa.Column("wall_us", sa.BigInteger(), nullable=False),
        sa.Column("stale", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["set_id"], ["deal_set.id"], op.f("fk_export_set_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_export")),
    )
    op.create_table(
        "account",
        sa.Column("id", sa.String(48), nullable=False),
        sa.Column("machine_id", sa.String(48), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("salt", sa.LargeBinary(16), nullable=False),
        sa.Column("cost", sa.String(40), nullable=False),
        sa.Column("wrapped_key", sa.LargeBinary(), nullable=False),
        sa.Column("set_wall_us", sa.BigInteger(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("failed_wall_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["machine_id"], ["machine.id"], op.f("fk_account_machine_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account")),
        sa.UniqueConstraint("machine_id", "name", name=op.f("uq_account_machine_id_name")),
    )
