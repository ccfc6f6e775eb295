"""Files that are whole or absent whenever the power goes."""

from __future__ import annotations

import contextlib
import fcntl
import os
from pathlib import Path
from typing import IO

from controller.errors import StoreError


def write_whole(path: Path, content: bytes, *, mode: int = 0o644) -> None:
    """Writes *path*; after power loss at any instant it holds all of the old or all of the new."""
    part = path.with_name(path.name + ".part")
    with contextlib.suppress(FileNotFoundError):
        part.unlink()
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
    sync_directory(path.parent)


def sync_directory(path: Path) -> None:
    """Makes names in a directory as durable as the files."""
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def make_private_directory(path: Path) -> None:
    """Creates the directory, for its owner only, with a durable name."""
    if not path.is_dir():
        path.mkdir(mode=0o700, parents=True)
        sync_directory(path.parent)


def lock(state_dir: Path) -> IO[bytes]:
    """Takes the directory for this process alone; the system frees it when the process ends."""
    file = (state_dir / "lock").open("ab")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        file.close()
        raise StoreError("store.in_use", path=state_dir) from error
    return file
