"""Children that never outlive the program that started them, however that ends."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from types import FrameType
from typing import Any

import click

from controller.house import ENDINGS


def with_parent_option(command: Any) -> Any:
    """Adds the hidden `--with-parent`, for children; the command gets it as `with_parent`."""
    return click.option("--with-parent", is_flag=True, hidden=True)(command)


def end_with_parent() -> None:
    """From now on SIGTERM comes when the parent is gone: it holds the other end of our stdin."""
    threading.Thread(target=_until_alone, name="parent", daemon=True).start()


def _until_alone() -> None:
    with contextlib.suppress(OSError):
        while os.read(sys.stdin.fileno(), 4096):
            pass
    os.kill(os.getpid(), signal.SIGTERM)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


@contextlib.contextmanager
def ended_like_ctrl_c() -> Iterator[None]:
    """A request to end, or a terminal that is closed, ends what runs within as Ctrl-C does."""
    before = {number: signal.signal(number, _interrupt) for number in ENDINGS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
