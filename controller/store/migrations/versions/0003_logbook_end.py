"""The machine keeps a keyed tag of its logbook's last row: what was cut off at the end shows."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Empty until the next row is written."""
    op.add_column("machine", sa.Column("logbook_tag", sa.LargeBinary(32)))


def downgrade() -> None:
    """A store is never taken back."""
    raise NotImplementedError
