"""What commands share that need the director: who it is, the passphrase, and entering both.

@director_options
@state_option
def command(director: str | None, passphrase_file: Path | None, ..):
    with open_beside(state) as store:
        permit = permitted(store, director, passphrase_file, "hands shown", {"set": code})
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from controller.errors import DirectorError
from deals.words import text

if TYPE_CHECKING:
    from controller.store import Permit, Role, Store

PASSPHRASE_VARIABLE: Final = "PREDEAL_PASSPHRASE"
DIRECTOR_VARIABLE: Final = "PREDEAL_DIRECTOR"
_MOST_BYTES: Final = 4096


def director_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds `--director NAME` and `--passphrase-file FILE` (- is standard input)."""
    for option in (
        click.option(
            "--passphrase-file",
            type=click.Path(path_type=Path, allow_dash=True),
            help=f"The director's passphrase, first line; else {PASSPHRASE_VARIABLE}, or asked.",
        ),
        click.option(
            "--director",
            metavar="NAME",
            envvar=DIRECTOR_VARIABLE,
            help="Who directs; needed only where several do.",
        ),
    ):
        command = option(command)
    return command


def permitted(
    store: Store,
    director: str | None,
    passphrase_file: Path | None,
    purpose: str,
    details: Mapping[str, object] | None = None,
    roles: tuple[Role, ...] | None = None,
) -> Permit:
    """The director's permit for *purpose*, which is in the logbook now; DirectorError without."""
    from controller.store.director import Role

    roles = roles or (Role.DIRECTOR,)
    name = director or store.directors.only(roles[0] if len(roles) == 1 else None)
    phrase = passphrase(passphrase_file, name)
    return store.directors.enter(name, phrase, purpose, details, roles)


def maybe_permitted(
    store: Store,
    director: str | None,
    passphrase_file: Path | None,
    purpose: str,
    details: Mapping[str, object] | None = None,
) -> Permit | None:
    """As `permitted`, but None when nobody offered a passphrase; never asks for one."""
    if not offered(passphrase_file):
        return None
    return permitted(store, director, passphrase_file, purpose, details)


def offered(passphrase_file: Path | None) -> bool:
    """Whether somebody gave a passphrase with the command, so that nobody need be asked for it."""
    return passphrase_file is not None or PASSPHRASE_VARIABLE in os.environ


def passphrase(file: Path | None, name: str, variable: str = PASSPHRASE_VARIABLE) -> str:
    """From the file, the environment, or a person at the terminal; DirectorError where none is."""
    if file is not None:
        return _from_file(file)
    if variable in os.environ:
        return os.environ[variable]
    if not sys.stdin.isatty():
        raise DirectorError("director.no_passphrase", name=name, variable=variable)
    return str(click.prompt(text("director.prompt", {"name": name}), hide_input=True, err=True))


def new_passphrase(file: Path | None, name: str, variable: str) -> str:
    """A passphrase to be set; a person at the terminal is asked twice."""
    if file is not None or variable in os.environ or not sys.stdin.isatty():
        return passphrase(file, name, variable)
    prompt = text("director.prompt_new", {"name": name})
    again = text("director.prompt_again")
    return str(click.prompt(prompt, hide_input=True, confirmation_prompt=again, err=True))


def _from_file(file: Path) -> str:
    if str(file) == "-":
        data = sys.stdin.buffer.read(_MOST_BYTES)
    else:
        with file.open("rb") as opened:
            data = opened.read(_MOST_BYTES)
    line = data.split(b"\n", 1)[0].removesuffix(b"\r")
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        # None of its bytes in the message: it is a secret.
        raise DirectorError("director.not_text", path=file) from None
