"""Hands of a live set are the director's: asked before any command shows or prints them.

A plain file is no secret, but when its deals are those of a set that this machine keeps for a session
still to be played, showing them here needs the director, and is in the logbook.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from controller.cli.directing import permitted
from controller.cli.output import complain
from controller.cli.stores import SystemClock, open_beside, state_dir
from deals.files import ranges
from deals.words import text

if TYPE_CHECKING:
    from controller.store import Store
    from deals.boards import Board

DATABASE: Final = "predeal.db"
"""As `controller.store.database` calls it, which would cost half a second to import."""
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


def may_show(
    boards: Sequence[Board], code: Callable[[], str], options: dict[str, Any], purpose: str
) -> None:
    """Asks the director, if *boards* of a file are held in a set that is kept here.

    *code* makes the set code of the whole file. DirectorError when he is not there. A store that
    this user may not open cannot be asked: it is its machine's that has to guard it.
    """
    store = asked(options["state"])
    if store is None:
        return
    from controller.jobs.seeing import held_in_file

    with store:
        found = held_in_file(store, boards, code, SystemClock().wall_us())
        for info, numbers in found:
            values = {"set_code": info.code, "boards": ranges(numbers)}
            complain(text("release.live", values))
        if found:
            details = {"set": ", ".join(info.code for info, _ in found)}
            who = options["director"], options["passphrase_file"]
            permitted(store, *who, purpose, details)
