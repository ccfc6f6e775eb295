"""Writing a file whole or not at all, for all commands that are told where to write."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Writes *path* whole or not at all, readable as any file of this user; OSError names *path*."""
    write_private(path, data, 0o666)  # less the user's own mask


def write_private(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Writes *path* whole or not at all, never more readable than *mode*; OSError names *path*.

    What is there and no file (a pipe, a terminal, a device) is written to and stays what it is;
    of a link, what it leads to.
    """
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)
        else:
            _in_one_step(Path(os.path.realpath(path)), data, mode)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def _in_one_step(path: Path, data: bytes, mode: int) -> None:
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(handle)
        fresh.replace(path)
    finally:
        with contextlib.suppress(OSError):
            fresh.unlink(missing_ok=True)
