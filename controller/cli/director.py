"""`predeal director`: who directs on this machine, and their passphrases."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from controller.cli.directing import (
    PASSPHRASE_VARIABLE,
    director_options,
    new_passphrase,
    permitted,
)
from controller.cli.output import date_of, emit, json_option
from controller.cli.stores import open_beside, open_or_make, operator, state_option
from deals.words import text

if TYPE_CHECKING:
    from controller.store import Store
    from controller.store.director import Permit

NEW_VARIABLE: Final = "PREDEAL_NEW_PASSPHRASE"


@click.group()
def director() -> None:
    """Say who may see hands, seal sets and decide new deals, each with a passphrase."""


@director.command("set")
@click.argument("name")
@click.option("--admin", is_flag=True, help="Somebody who looks after the machine, not the hands.")
@click.option(
    "--new-passphrase-file",
    type=click.Path(path_type=Path, allow_dash=True),
    help=f"The passphrase to be set; else {NEW_VARIABLE}, or asked.",
)
@director_options
@state_option
@json_option
def set_(
    name: str,
    admin: bool,
    new_passphrase_file: Path | None,
    director: str | None,
    passphrase_file: Path | None,
    state: Path | None,
    as_json: bool,
) -> None:
    """Give NAME a passphrase, the first or another.

    The first account of a machine needs nobody's leave but the right to write its files; any
    other the passphrase of a director, or NAME's own one.
    """
    from controller.store.director import Role

    role = Role.ADMIN if admin else Role.DIRECTOR
    with open_or_make(state) as store:
        by = _by(store, name, director, passphrase_file)
        first = by is None and new_passphrase_file is None
        file = passphrase_file if first else new_passphrase_file
        variable = PASSPHRASE_VARIABLE if by is None else NEW_VARIABLE
        store.directors.set(name, new_passphrase(file, name, variable), role, by)
    if as_json:
        emit({"name": name, "role": role.value})
    else:
        click.echo(text("director.is_set", {"name": name, "role": role.value}))


@director.command("list")
@state_option
@json_option
def list_(state: Path | None, as_json: bool) -> None:
    """List who directs, and who looks after the machine."""
    with open_beside(state) as store:
        accounts = store.directors.accounts()
    if as_json:
        emit(
            [
                {"name": a.name, "role": a.role.value, "set": date_of(a.set_wall_us)}
                for a in accounts
            ]
        )
        return
    for account in accounts:
        click.echo(f"{account.role.value:9} {account.name}  ({date_of(account.set_wall_us)})")
    if not accounts:
        click.echo(text("director.none"))


@director.command("remove")
@click.argument("name")
@director_options
@state_option
@json_option
def remove(
    name: str,
    director: str | None,
    passphrase_file: Path | None,
    state: Path | None,
    as_json: bool,
) -> None:
    """Take NAME's account away; another director, or an admin, decides."""
    from controller.store.director import Role

    with open_beside(state) as store:
        roles = (Role.DIRECTOR, Role.ADMIN)
        permit = permitted(
            store, director, passphrase_file, "account removed", {"name": name}, roles
        )
        store.directors.remove(name, permit)
    if as_json:
        emit({"removed": name})
    else:
        click.echo(text("director.removed", {"name": name}))


@director.command("reset")
@click.option("--lose-sealed-sets", is_flag=True, help="Yes: no sealed set can be opened again.")
@state_option
@json_option
def reset(lose_sealed_sets: bool, state: Path | None, as_json: bool) -> None:
    """Forget every account, when no passphrase is known any more."""
    if not lose_sealed_sets:
        raise click.UsageError(text("director.reset_warning"))
    with open_beside(state) as store:
        names = store.directors.reset(operator())
    if as_json:
        emit({"removed": names})
    else:
        click.echo(text("director.was_reset", {"names": names}))


def _by(
    store: Store, name: str, director: str | None, passphrase_file: Path | None
) -> Permit | None:
    """Who gives the leave: nobody for the first account, else who was named, or NAME himself."""
    from controller.store.director import Role

    accounts = store.directors.accounts()
    if not accounts:
        return None
    if director is None and any(account.name == name for account in accounts):
        director = name
    roles = (Role.DIRECTOR, Role.ADMIN)
    return permitted(store, director, passphrase_file, "passphrase set", {"name": name}, roles)
