"""Hands of a live set are the director's: asked before any command shows or prints them.

A plain file is no secret, but when its deals are those of a set that this machine keeps for a session
still to be played, showing them here needs the director, and is in the logbook.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from controller.cli.directing import offered, passphrase, permitted
from controller.cli.output import complain
from controller.cli.stores import (
    SOCKET_VARIABLE,
    STATE_VARIABLE,
    SystemClock,
    open_beside,
    operator,
    state_dir,
)
from deals.files import ranges
from deals.words import text

if TYPE_CHECKING:
    from controller.client.client import Client
    from controller.store import Store
    from deals.boards import Board

DATABASE: Final = "predeal.db"
"""As `controller.store.database` calls it, which would cost half a second to import."""
_SOCKET: Final = "/run/predeal/daemon.sock"
"""As `controller.config` has it; a test holds both names to theirs."""
Answer = TypeVar("Answer")
_NOT_OURS: Final = ("store.not_there", "store.cannot_open")


def store_there(state: Path | None) -> bool:
    """Whether there is a store to ask."""
    try:
        return (state_dir(state) / DATABASE).exists()
    except PermissionError:
        return False


def asked(state: Path | None) -> Store | None:
    """The store beside; None where there is none that this user may open. Its faults are told."""
    if not store_there(state):
        return None
    from controller.errors import StoreError

    try:
        return open_beside(state)
    except StoreError as error:
        if error.code not in _NOT_OURS:
            complain(error.text())
        return None


def the_daemon(state: Path | None) -> Client | None:
    """The daemon, where it keeps the store that this user may not open; None where there is none."""
    if state is not None or STATE_VARIABLE in os.environ:
        return None  # another store was named
    path = Path(os.environ.get(SOCKET_VARIABLE, _SOCKET))
    if not (os.access(path, os.R_OK | os.W_OK) and path.is_socket()):
        return None
    from controller.client.client import Client

    return Client(path, operator().actor)


def far(state: Path | None) -> Client | None:
    """The daemon, where the store is its own and no other was named."""
    return None if store_there(state) else the_daemon(state)


def words_of(
    options: dict[str, Any], call: Callable[..., Answer], *arguments: Any, **more: Any
) -> Answer:
    """What the daemon answers; where it wants the director, once more with his passphrase."""
    from controller.client.errors import RefusedByDaemonError

    try:
        return call(*arguments, **more)
    except RefusedByDaemonError as error:
        if error.problem.code != "director.not_there":
            raise
        complain(error.problem.message)
    name = options["director"]
    phrase = passphrase(options["passphrase_file"], name or text("director.director"))
    return call(*arguments, **more, director=name, passphrase=phrase)


def may_show(
    boards: Sequence[Board],
    code: Callable[[], str],
    options: dict[str, Any],
    purpose: str,
    file: tuple[str, bytes],
) -> None:
    """Asks the director, if *boards* of a *file* (name, content) are held in a set that is kept here.

    *code* makes the set code of the whole file. DirectorError when he is not there. Where the store
    is its daemon's alone, the daemon is asked.
    """
    store = asked(options["state"])
    if store is None:
        client = the_daemon(options["state"])
        if client is not None:
            numbers = [board.number for board in boards]
            words_of(options, client.file_hands, *file, numbers, purpose)
        return
    from controller.jobs.seeing import held_in_file

    with store:
        found = held_in_file(store, boards, code, SystemClock().wall_us())
        for info, numbers in [] if offered(options["passphrase_file"]) else found:
            values = {"set_code": info.code, "boards": ranges(numbers)}
            complain(text("release.live", values))
        if found:
            details = {"set": ", ".join(info.code for info, _ in found)}
            who = options["director"], options["passphrase_file"]
            permitted(store, *who, purpose, details)


def logbook_head(state: Path | None) -> str:
    """The head of the logbook as it is printed; empty where there is none."""
    store = asked(state)
    if store is None:
        return ""
    from controller.cli.store import shown_head

    with store:
        number, digest = store.logbook.head()
    return shown_head(number, digest) if number else ""
