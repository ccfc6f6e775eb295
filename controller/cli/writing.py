"""Writing a file whole or not at all, for commands whose output holds hands or secrets."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path


def write_private(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Writes *path* whole or not at all, never more readable than *mode*; OSError names *path*."""
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(handle)
        fresh.replace(path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        fresh.unlink(missing_ok=True)


def write_whole(path: Path, data: bytes) -> None:
    """Writes *path* whole or not at all, readable as any file of this user; OSError names *path*."""
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        fresh.write_bytes(data)
        fresh.replace(path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        with contextlib.suppress(OSError):
            fresh.unlink(missing_ok=True)
