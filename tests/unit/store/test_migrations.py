"""The revisions lead to exactly the tables that the code uses, from an installed package too."""

from __future__ import annotations

from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

import controller.store.migrations as migrations
from controller.store.schema import METADATA


def test_head_is_the_newest_revision():
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    config.set_main_option("path_separator", "os")
    assert ScriptDirectory.from_config(config).get_heads() == [migrations.HEAD]


def test_revisions_make_the_tables_of_the_code():
    engine = create_engine("sqlite://")
    try:
        with engine.begin() as connection:
            migrations.upgrade(connection)
            differences = compare_metadata(MigrationContext.configure(connection), METADATA)
    finally:
        engine.dispose()
    assert differences == []


def test_upgrade_of_what_is_up_to_date_does_nothing(monkeypatch: pytest.MonkeyPatch):
    engine = create_engine("sqlite://")
    try:
        with engine.begin() as connection:
            migrations.upgrade(connection)
            monkeypatch.setattr("alembic.command.upgrade", None)
            migrations.upgrade(connection)
    finally:
        engine.dispose()


def test_a_store_of_the_first_revision_keeps_its_rows(tmp_path: Path):
    engine = create_engine(f"sqlite:///{tmp_path / 'old.db'}")
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    config.set_main_option("path_separator", "os")
    rows = (
        "INSERT INTO machine VALUES ('m', 0, 1, 1, x'00')",
        "INSERT INTO deal_set VALUES ('s', 'm', 'a', 'r', 'C', 'n', x'00', 1, 1, 1)",
        "INSERT INTO set_board VALUES ('b', 's', 1, 'N', 'None', x'01', x'02')",
    )
    try:
        with engine.begin() as connection:
            connection.exec_driver_sql("PRAGMA foreign_keys = ON")
            config.attributes["connection"] = connection
            command.upgrade(config, "0001")
            for row in rows:
                connection.exec_driver_sql(row)
        with engine.begin() as connection:
            connection.exec_driver_sql("PRAGMA foreign_keys = ON")
            migrations.upgrade(connection)
            found = connection.exec_driver_sql(
                "SELECT code, laws, sealed, ended_wall_us, redealt, sealed_deal "
                "FROM deal_set JOIN set_board ON set_id = deal_set.id"
            ).one()
    finally:
        engine.dispose()
    assert tuple(found) == ("C", 2017, 0, None, 0, b"\x01")
