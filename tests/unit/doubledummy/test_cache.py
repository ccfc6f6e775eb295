"""The file of tables: found again, shared, and of no use to who lacks the key."""

from __future__ import annotations

from pathlib import Path

import pytest

from deals.doubledummy.cache import FileCache, digits_of, table_from
from tests.unit.deals.strategies import shuffled

KEY = bytes(range(32))
TABLE = table_from([7, 6, 7, 6, 13, 0, 12, 1, 8, 5, 8, 5, 3, 10, 3, 10, 9, 4, 9, 4])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tables"


def test_a_table_is_found_by_the_next_process(path):
    FileCache(path, KEY).put(shuffled(1), TABLE)
    later = FileCache(path, KEY)
    assert later.get(shuffled(1)) == TABLE
    assert later.get(shuffled(2)) is None
    assert path.stat().st_mode & 0o777 == 0o600


def test_two_at_once_lose_nothing(path):
    one, other = FileCache(path, KEY), FileCache(path, KEY)
    one.put(shuffled(1), TABLE)
    other.put(shuffled(2), TABLE)
    later = FileCache(path, KEY)
    assert later.get(shuffled(1)) == later.get(shuffled(2)) == TABLE


def test_a_torn_end_and_a_broken_record_are_left_aside(path):
    FileCache(path, KEY).put(shuffled(1), TABLE)
    FileCache(path, KEY).put(shuffled(2), TABLE)
    data = bytearray(path.read_bytes())
    data[3] ^= 1
    path.write_bytes(data + b"torn")
    FileCache(path, KEY).put(shuffled(3), TABLE)
    later = FileCache(path, KEY)
    assert later.get(shuffled(1)) is None
    assert later.get(shuffled(2)) == later.get(shuffled(3)) == TABLE


def test_the_file_shows_neither_deal_nor_tricks(path):
    digits = digits_of(TABLE)
    packed = bytes(digits[i] << 4 | digits[i + 1] for i in range(0, 20, 2))
    FileCache(path, KEY).put(shuffled(1), TABLE)
    FileCache(path, KEY).put(shuffled(2), TABLE)
    data = path.read_bytes()
    assert packed not in data
    assert data[16:26] != data[48:58], "equal tables of two deals do not look equal"
    assert FileCache(path, bytes(32)).get(shuffled(1)) is None
