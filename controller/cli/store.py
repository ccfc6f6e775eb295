"""`predeal store` and `predeal logbook`: is all of it sound, a copy elsewhere, who did what."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from controller.cli.output import Exit, complain, date_of, emit, finish, json_option
from controller.cli.stores import SystemClock, open_beside, operator, state_dir, state_option
from deals.errors import PredealError
from deals.files import ranges
from deals.words import text

if TYPE_CHECKING:
    from controller.store.logbook import LogbookEntry
    from controller.store.upkeep import Soundness

_HEAD: Final = re.compile(r"(\d+)\s*:\s*([0-9A-Fa-f -]{8,80})")
SHOWN_DIGITS: Final = 16
"""So many digits of a head are printed: enough that nobody makes a second logbook that fits."""


@click.group()
def store() -> None:
    """Check the store of sets, journal and logbook; copy it, and bring a copy back."""


@store.command("check")
@state_option
@json_option
def check(state: Path | None, as_json: bool) -> None:
    """Read all of the store: pages, every sealed value, the chain of the logbook."""
    from controller.store.upkeep import check as look

    with open_beside(state) as opened:
        found = look(opened)
    _tell(found, as_json, {})


@store.command("backup")
@click.argument("output", type=click.Path(path_type=Path))
@click.option(
    "--key-file",
    type=click.Path(path_type=Path),
    help="Copy the machine key here too: to another disk than OUTPUT.",
)
@state_option
@json_option
def backup(output: Path, key_file: Path | None, state: Path | None, as_json: bool) -> None:
    """Copy the store as it is now to the file OUTPUT, also while the machine deals."""
    from controller.store.upkeep import backup as copy
    from controller.store.vault import KEY_FILE

    with open_beside(state) as opened:
        found = copy(opened, output, key_file)
        opened.logbook.append("backup made", {"file": output.name}, operator())
    own = state_dir(state) / KEY_FILE
    where = {"path": key_file or own}
    key = text("store.key_kept" if key_file else "store.key_not_kept", where)
    if not as_json:
        click.echo(text("store.backed_up", {"path": output, "key": key}))
    _tell(found, as_json, {"backup": str(output), "key": str(key_file) if key_file else None})


@store.command("restore")
@click.argument("backup_file", type=click.Path(path_type=Path))
@click.option(
    "--key-file",
    type=click.Path(path_type=Path),
    help="The machine key of that backup; default: the one that lies in the store's directory.",
)
@state_option
@json_option
def restore(backup_file: Path, key_file: Path | None, state: Path | None, as_json: bool) -> None:
    """Bring the store back from BACKUP_FILE. What is there now is kept in a directory beside it."""
    from controller.store.upkeep import restore as bring_back
    from controller.store.vault import KEY_FILE

    place = state_dir(state)
    key = key_file or place / KEY_FILE
    found, aside = bring_back(backup_file, key, place, SystemClock(), os.urandom, operator())
    if not as_json:
        values = {"path": backup_file, "sets": found.sets, "entries": found.entries}
        click.echo(text("store.restored", values))
        if aside is not None:
            click.echo(text("store.put_aside", {"path": aside}))
    _tell(found, as_json, {"restored": str(backup_file), "old": str(aside) if aside else None})


def _tell(found: Soundness, as_json: bool, more: dict[str, Any]) -> None:
    problems = [text(code, values) for code, values in found.problems]
    for problem in problems:
        complain(problem)
    if as_json:
        emit(
            {
                "ok": not problems,
                "problems": problems,
                "sets": found.sets,
                "sealed": found.sealed,
                "boards": found.boards,
                "dealings": found.dealings,
                "open_dealings": found.open_dealings,
                "logbook": {"entries": found.entries, "head": found.head},
                **more,
            }
        )
    elif not problems:
        values = {name: getattr(found, name) for name in ("sets", "sealed", "boards", "dealings")}
        head = shown_head(found.entries, found.head)
        click.echo(text("store.sound", {**values, "entries": found.entries, "head": head}))
    finish(Exit.COULD_NOT if problems else Exit.DONE)


# -- logbook --------------------------------------------------------------------------------


@click.group()
def logbook() -> None:
    """Read who did what, and prove that nobody changed it since."""


@logbook.command("show")
@click.option("--last", type=click.IntRange(1), help="Only so many rows from the end.")
@click.option("--what", help="Only rows whose action holds this.")
@state_option
@json_option
def show(last: int | None, what: str | None, state: Path | None, as_json: bool) -> None:
    """Print the rows, oldest first."""
    with open_beside(state) as opened:
        entries = [e for e in opened.logbook.entries() if what is None or what in e.what]
    rows = [_row(entry) for entry in entries[-(last or len(entries)) :]]
    if as_json:
        emit(rows)
        return
    for row in rows:
        details = "  ".join(f"{name} {_shown(value)}" for name, value in row["details"].items())
        who = f"{row['actor']} ({row['role']})"
        click.echo(f"{row['number']:6} {row['date']} {who:24} {row['what']}  {details}")


def _shown(value: object) -> str:
    """A detail for a person: a list by its members, boards as ranges."""
    if not isinstance(value, list):
        return str(value)
    if value and all(type(one) is int for one in value):
        return ranges(value)
    return ", ".join(str(one) for one in value) or "-"


@logbook.command("check")
@click.option("--head", metavar="N:HEX", help="A head that stands on a hand record.")
@state_option
@json_option
def check_(head: str | None, state: Path | None, as_json: bool) -> None:
    """Prove the chain; with --head also that the row printed then is still the same."""
    wanted = None if head is None else _parsed(head)
    with open_beside(state) as opened:
        broken = opened.logbook.broken()
        number, digest = opened.logbook.head()
        fits = None if wanted is None else opened.logbook.holds(*wanted)
    problems = [text("logbook.broken_at", {"number": row}) for row in broken]
    if wanted is not None and not fits:
        problems.append(text("logbook.head_differs", {"number": wanted[0]}))
    for problem in problems:
        complain(problem)
    if as_json:
        document = {"ok": not problems, "entries": number, "head": digest, "broken": broken}
        emit(document | {"head_fits": fits, "problems": problems})
    elif not problems:
        values = {"entries": number, "head": shown_head(number, digest)}
        click.echo(text("logbook.sound", values))
        if wanted is not None:
            click.echo(text("logbook.head_fits", {"number": wanted[0]}))
    finish(Exit.COULD_NOT if problems else Exit.DONE)


def shown_head(number: int, digest: str) -> str:
    """A head as it is printed and typed: "17:3FA2-90C4-11D0-77AB"."""
    signs = digest[:SHOWN_DIGITS].upper()
    return f"{number}:" + "-".join(signs[at : at + 4] for at in range(0, len(signs), 4))


def _parsed(head: str) -> tuple[int, str]:
    found = _HEAD.fullmatch(head.strip())
    if found is None or len(found[2].replace("-", "").replace(" ", "")) < 8:
        raise PredealError("logbook.bad_head", text=head)
    return int(found[1]), found[2]


def _row(entry: LogbookEntry) -> dict[str, Any]:
    return {
        "number": entry.number,
        "date": date_of(entry.wall_us),
        "opening": entry.opening,
        "monotonic_us": entry.mono_us,
        "actor": entry.actor,
        "role": entry.role,
        "what": entry.what,
        "details": json.loads(entry.details),
        "previous": entry.previous.hex(),
    }
