"""The revisions lead to exactly the tables that the code uses, from an installed package too."""

from __future__ import annotations

from pathlib import Path

import pytest
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
