"""The history of the tables, and the way from any earlier state to the present one."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from sqlalchemy import Connection, inspect

from controller.errors import StoreError

HEAD: Final = "0003"
"""The newest revision; a test holds it to the files."""


def upgrade(connection: Connection) -> None:
    """Brings the tables up to date, inside the transaction that is open."""
    found = _revision(connection)
    if found == HEAD:
        return
    from alembic import command  # late: only the first opening of a store needs it
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise StoreError("store.newer", revision=found, known=HEAD) from error


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    found = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
    return None if found is None else str(found)
