"""Tables by deal, so that no deal is solved twice; on disk only in a form that tells nobody a deal.

A deal can be told from its tricks, and a plain hash of a deal can be found by trying. So the file
holds neither: its records are keyed by a secret that lies elsewhere or is readable by its owner
only, and the tricks are masked with a stream of the same secret and deal.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Protocol

from deals.cards import Seat
from deals.deal import Deal
from deals.tricks import Strain, TrickTable

KEY_BYTES: Final = 32
_NAME, _BODY, _CHECK = 16, 10, 6
_RECORD: Final = _NAME + _BODY + _CHECK
_ORDER: Final = tuple((seat, strain) for strain in Strain for seat in Seat)


class Cache(Protocol):
    """Remembers tables."""

    def get(self, deal: Deal) -> TrickTable | None:
        """The table of *deal* if it is known."""

    def put(self, deal: Deal, table: TrickTable) -> None:
        """Remember a complete table."""


class MemoryCache:
    """As long as the process lives."""

    def __init__(self) -> None:
        self._tables: dict[Deal, TrickTable] = {}

    def get(self, deal: Deal) -> TrickTable | None:
        """The table of *deal* if it is known."""
        return self._tables.get(deal)

    def put(self, deal: Deal, table: TrickTable) -> None:
        """Remember it."""
        self._tables[deal] = table


class FileCache:
    """A file of records of 32 bytes, only ever appended to, one write a record: many may share it.

    Broken records and a torn end are left aside. OSError if the file cannot be read.
    """

    def __init__(self, path: Path, key: bytes) -> None:
        """*key* are KEY_BYTES secret bytes."""
        self._path, self._key = path, key
        self._known: dict[bytes, bytes] = {}
        data = path.read_bytes() if path.exists() else b""
        for at in range(0, len(data) - _RECORD + 1, _RECORD):
            record = data[at : at + _RECORD]
            if self._check(record[: _NAME + _BODY]) == record[_NAME + _BODY :]:
                self._known[record[:_NAME]] = record[_NAME : _NAME + _BODY]
        self._torn = len(data) % _RECORD

    def get(self, deal: Deal) -> TrickTable | None:
        """The table of *deal* if it is known."""
        masked = self._known.get(self._hash(deal.owners, b"name", _NAME))
        if masked is None:
            return None
        packed = bytes(a ^ b for a, b in zip(masked, self._mask(deal), strict=True))
        return table_from([digit for byte in packed for digit in (byte >> 4, byte & 15)])

    def put(self, deal: Deal, table: TrickTable) -> None:
        """Remember it, here and on disk."""
        digits = digits_of(table)
        packed = bytes(digits[i] << 4 | digits[i + 1] for i in range(0, 20, 2))
        masked = bytes(a ^ b for a, b in zip(packed, self._mask(deal), strict=True))
        name = self._hash(deal.owners, b"name", _NAME)
        if name in self._known:
            return
        self._known[name] = masked
        fill = bytes(_RECORD - self._torn) if self._torn else b""
        self._torn = 0
        handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        try:
            os.write(handle, fill + name + masked + self._check(name + masked))
        finally:
            os.close(handle)

    def _mask(self, deal: Deal) -> bytes:
        return self._hash(deal.owners, b"mask", _BODY)

    def _check(self, record: bytes) -> bytes:
        return self._hash(record, b"check", _CHECK)

    def _hash(self, data: bytes, purpose: bytes, size: int) -> bytes:
        return hashlib.blake2b(data, digest_size=size, key=self._key, person=purpose).digest()


def table_from(digits: Sequence[int]) -> TrickTable:
    """A table from 20 tricks in the library's order: strains S H D C NT, declarers N E S W."""
    return TrickTable(dict(zip(_ORDER, digits, strict=True)))


def digits_of(table: TrickTable) -> list[int]:
    """The 20 tricks in the library's order."""
    return [table.tricks[key] for key in _ORDER]
