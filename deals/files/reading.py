"""Reads deal files within bounds: what is no file, or too big, is refused before it is read."""

from __future__ import annotations

import errno
import os
import stat
from dataclasses import replace
from pathlib import Path
from typing import Final

from deals.errors import DealFileError
from deals.files import foreign
from deals.files.base import DealFile
from deals.files.collect import TooManyProblemsError
from deals.files.marks import is_teaching
from deals.files.registry import recognise

MOST_BYTES: Final = 16 * 2**20
"""More than 10,000 boards with all that a PBN file says about a board."""


def read_deals_file(path: str | Path, first_board: int | None = None) -> DealFile:
    """Read the deal file at *path*; DealFileError if there is none that could be read."""
    return read_deals(read_bytes(path), Path(path).name, first_board)


def read_deals(data: bytes, name: str, first_board: int | None = None) -> DealFile:
    """Read *data* by its content; *name* is for messages only.

    Numbers of formats without numbers begin at *first_board* (default 1). DealFileError if the
    content is no deal file; faults of boards are listed in the result, never raised.
    """
    if first_board is not None and first_board < 1:
        raise DealFileError("file.first_board_below_1", first=first_board)
    if len(data) > MOST_BYTES:
        raise _too_big(name, len(data))
    known = recognise(data)
    if known is None:
        raise DealFileError(foreign.code_for(data), name=name)
    try:
        found = known.loads(data, first_board)
    except TooManyProblemsError as garbage:
        found = garbage.found.finish()
    return replace(found, teaching=True) if is_teaching(data, known.NAME) else found


def read_bytes(path: str | Path) -> bytes:
    """The content of a regular file of at most MOST_BYTES; DealFileError says why not."""
    name = str(path)
    try:
        # Not blocking: opening a FIFO that nobody writes to would wait for ever.
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        raise _cannot_open(name, error) from None
    try:
        _check_regular(name, os.fstat(handle))
        with os.fdopen(handle, "rb", closefd=False) as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise _cannot_open(name, error) from None
    finally:
        os.close(handle)
    if len(data) > MOST_BYTES:
        raise _too_big(name, len(data))
    return data


def _check_regular(name: str, status: os.stat_result) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise DealFileError("file.is_directory", name=name)
    if not stat.S_ISREG(status.st_mode):
        raise DealFileError("file.not_regular", name=name)
    if status.st_size > MOST_BYTES:
        raise _too_big(name, status.st_size)


def _too_big(name: str, size: int) -> DealFileError:
    megabytes = f"{size / 2**20:.0f}"
    return DealFileError("file.too_big", name=name, size=megabytes, most=MOST_BYTES // 2**20)


def _cannot_open(name: str, error: OSError | ValueError) -> DealFileError:
    number = error.errno if isinstance(error, OSError) else None
    if number in (errno.ENOENT, errno.ENOTDIR):
        return DealFileError("file.not_there", name=name)
    if number in (errno.EACCES, errno.EPERM):
        return DealFileError("file.not_allowed", name=name)
    if number in (errno.ENXIO, errno.ENODEV):
        return DealFileError("file.not_regular", name=name)
    reason = os.strerror(number) if number else str(error)
    return DealFileError("file.cannot_read", name=name, reason=reason)
