"""Which store a command means, and opening it: beside the machine that may be working with it."""

from __future__ import annotations

import getpass
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

if TYPE_CHECKING:
    from controller.store import Store, Who

STATE_VARIABLE: Final = "PREDEAL_STATE"
SOCKET_VARIABLE: Final = "PREDEAL_SOCKET"


class SystemClock:
    """The system's clocks; only the edge may ask them."""

    def now_us(self) -> int:
        """Microseconds of the monotonic clock."""
        return time.monotonic_ns() // 1000

    def wall_us(self) -> int:
        """Microseconds since 1970-01-01 UTC."""
        return time.time_ns() // 1000


def state_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds `--state DIR`; the command gets it as `state`, None if it was not said."""
    return click.option(
        "--state",
        type=click.Path(path_type=Path),
        envvar=STATE_VARIABLE,
        help="The directory of the store; else the machine's.",
    )(command)


def socket_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds `--socket`; the command gets it as `socket`."""
    return click.option(
        "--socket",
        type=click.Path(path_type=Path),
        envvar=SOCKET_VARIABLE,
        help="Where the daemon of the machine answers.",
    )(command)


def state_dir(state: Path | None) -> Path:
    """Where the store is: as said, as the machine's configuration says, or this user's own."""
    if state is not None:
        return state
    if STATE_VARIABLE in os.environ:
        return Path(os.environ[STATE_VARIABLE])
    configured = _configured()
    return configured if configured is not None else own_state_dir()


def own_state_dir() -> Path:
    """The store of a user without a machine."""
    base = os.environ.get("XDG_STATE_HOME")
    return (Path(base) if base else Path.home() / ".local" / "state") / "predeal"


def open_beside(state: Path | None) -> Store:
    """The store that is there; StoreError when there is none or it may not be opened."""
    from controller.store import Store  # late: help and wrong usage need no database

    return Store.beside(state_dir(state), SystemClock(), os.urandom)


def open_or_make(state: Path | None) -> Store:
    """As `open_beside`, but makes a store where there is none."""
    from controller.errors import StoreError
    from controller.store import Store

    try:
        return open_beside(state)
    except StoreError as error:
        if error.code != "store.not_there":
            raise
    Store.open(state_dir(state), SystemClock(), os.urandom).close()
    return open_beside(state)


def operator() -> Who:
    """Whoever runs the program, as an operator."""
    from controller.store import OPERATE, Who

    return Who(user_name()[:80], OPERATE)


def user_name() -> str:
    """Whoever runs the program, also where the system has no name for him."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return f"user {os.getuid()}"


def _configured() -> Path | None:
    from controller.cli.daemon import CONFIG_FILE

    if not os.access(CONFIG_FILE, os.R_OK):
        return None
    from controller.config import load  # late: pydantic

    try:
        return load(CONFIG_FILE).store.state_dir
    except ValueError:
        return None  # the daemon itself will say what is wrong with it
