"""`predeal generate`: random sets that can be proven, each numbered in the logbook."""

from __future__ import annotations

import os
import secrets
import stat
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from controller.cli.files import Numbers
from controller.cli.output import complain, emit, json_option
from controller.cli.writing import write_private
from controller.errors import StoreError
from deals.boards import Board, Scheme
from deals.commit import Commitment, Terms, Timing, commit, meaning, parse, public_text
from deals.errors import DealFileError, PredealError
from deals.files import by_name, ranges, write_deals
from deals.generate import LONGEST_CONSTRAINT, Source, new_secret, parse_secret, plain_line
from deals.setcode import set_code
from deals.words import text

if TYPE_CHECKING:
    from controller.store import Store

STATE_VARIABLE: Final = "PREDEAL_STATE"
_UNNAMED: Final = "unnamed"
_PATIENCE_S: Final = 20.0
_LOGGED_SET: Final = "set generated"
_LOGGED_COMMITMENT: Final = "commitment made"


class GenerateError(PredealError, ValueError):
    """What was asked for cannot be generated."""


@dataclass(frozen=True, slots=True)
class Wish:
    """The options of one call, as given."""

    boards: tuple[int, ...]
    output: Path | None
    to: str | None
    commit: Path | None
    seed_file: Path | None
    public: str | None
    announce: str | None
    name: str
    scheme: Scheme
    constraint: str
    """As it is hashed: one line, blanks joined."""
    state: Path | None


@click.command()
@click.option("--boards", type=Numbers(), required=True, help="Such as 1-36 or 1-16,20.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The deal file to write.")
@click.option("--to", metavar="FORMAT", help="Its format; default: by its suffix.")
@click.option("--commit", type=click.Path(path_type=Path), help="Write the commitment here.")
@click.option(
    "--seed-file",
    type=click.Path(path_type=Path),
    help="Read the secret from here, or make one and write it here.",
)
@click.option("--public", metavar="TEXT", help="The public value, now that it is known.")
@click.option("--announce", metavar="NAME", help="Commit to a public value that is still to come.")
@click.option("--name", default="", help="Name of the set, on which its deals depend.")
@click.option(
    "--scheme",
    type=click.Choice([scheme.value for scheme in Scheme]),
    default=Scheme.DUPLICATE.value,
    show_default=True,
    help="How numbers give dealer and vulnerability.",
)
@click.option("--constraint", metavar="EXPR", default="", help="A TEACHING set: docs/teaching.md.")
@click.option("--state", type=click.Path(path_type=Path), help="Where the logbook is.")
@json_option
def generate(as_json: bool, scheme: str, **options: Any) -> None:
    """Make a set of random deals, uniform over all deals there are.

    With --commit and --seed-file the set can be proven later (`predeal prove`). To prove that no
    deal was chosen, commit first with --announce and without -o; publish; and when the value is
    known call again with --public and -o.
    """
    options["constraint"] = plain_line(options["constraint"], LONGEST_CONSTRAINT)
    wish = Wish(scheme=Scheme(scheme), **options)
    _check(wish)
    secret, fresh = _secret(wish)
    commitment = _commitment(wish, secret)
    if wish.output is None:
        _keep(wish, secret, fresh, commitment)
        _commit_only(wish, commitment, as_json)
        return
    public = public_text(commitment.terms, wish.public)
    boards = _deals(commitment.terms, secret, public)
    data = _encoded(wish, boards)
    _keep(wish, secret, fresh, commitment)
    code = set_code(boards) if len(boards) > 1 else None
    number = _log(wish, _LOGGED_SET, {"set": code, **_facts(commitment)})
    write_private(wish.output, data)
    _tell(wish, commitment, code, number, as_json)


def _check(wish: Wish) -> None:
    """Wrong usage that no single option shows."""
    if wish.announce and (not wish.commit or not wish.seed_file or wish.public or wish.output):
        raise click.UsageError(text("generate.announce_needs"))
    if not wish.announce and wish.output is None:
        raise click.UsageError(text("generate.needs_output"))
    for line in (wish.name, wish.public or "", wish.announce or ""):
        plain_line(line)
    if not wish.constraint:
        return
    from deals.teaching import FORMATS, Constraint

    Constraint(wish.constraint)
    if wish.output is not None and _format(wish) not in FORMATS:
        raise DealFileError("teaching.no_place", format=_format(wish), formats=FORMATS)


def _secret(wish: Wish) -> tuple[bytes, bool]:
    """The secret, and whether it was made just now."""
    if wish.seed_file is None or not wish.seed_file.exists():
        if wish.commit is not None and wish.commit.exists():
            raise GenerateError(
                "generate.secret_gone", path=wish.commit, seed=wish.seed_file or "-"
            )
        return new_secret(secrets.token_bytes), True
    if stat.S_IMODE(wish.seed_file.stat().st_mode) & 0o077:
        complain(text("generate.seed_open", {"path": wish.seed_file}))
    return parse_secret(wish.seed_file.read_text("utf-8", errors="replace")), False


def _commitment(wish: Wish, secret: bytes) -> Commitment:
    """The one that is there already, if it fits the wish; else a new one."""
    if wish.commit is None or not wish.commit.exists():
        timing, public = Timing.NONE, ""
        if wish.announce:
            timing, public = Timing.ANNOUNCED, plain_line(wish.announce)
        elif wish.public:
            timing, public = Timing.KNOWN, plain_line(wish.public)
        name = plain_line(wish.name) or _UNNAMED
        terms = Terms(name, wish.boards, wish.scheme, timing, public, wish.constraint)
        return commit(secret, terms)
    found = parse(wish.commit.read_text("utf-8", errors="replace"))
    terms = found.terms
    wanted: dict[str, tuple[object, object]] = {
        "boards": (wish.boards, terms.boards),
        "scheme": (wish.scheme, terms.scheme),
        "constraint": (wish.constraint, terms.constraint),
        # In the second call the name need not be said again.
        "set": (plain_line(wish.name) or terms.name, terms.name),
        "public": (plain_line(wish.announce or terms.public), terms.public),
    }
    for what, (asked, there) in wanted.items():
        if asked != there:
            raise GenerateError("generate.commitment_other", path=wish.commit, what=what)
    if not found.fits(secret):
        raise GenerateError("generate.secret_other", path=wish.commit, seed=wish.seed_file)
    return found


def _deals(terms: Terms, secret: bytes, public: str) -> list[Board]:
    source = Source(secret, terms.name, public)
    if terms.constraint:
        from deals.teaching import Constraint  # late: most sets have none, and it needs NumPy

        key, constraint = source.key(), Constraint(terms.constraint)
        deals = [constraint.first(key, number) for number in _watched(terms.boards)]
    else:
        deals = source.deals(terms.boards)
    return [Board.standard(n, d, terms.scheme) for n, d in zip(terms.boards, deals, strict=True)]


def _watched(numbers: tuple[int, ...]) -> Iterable[int]:
    """The numbers one by one, with a display for whoever waits at a terminal."""
    from rich.console import Console
    from rich.progress import track

    return track(
        numbers,
        description="",
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )


def _format(wish: Wish) -> str:
    output = wish.output or Path()
    return by_name(wish.to or output.suffix or output.name).NAME


def _encoded(wish: Wish, boards: list[Board]) -> bytes:
    if wish.constraint:
        from deals.teaching import write_teaching

        complain(text("teaching.marked"))
        return write_teaching(boards, _format(wish), wish.constraint)
    written = write_deals(boards, _format(wish))
    for warning in written.warnings:
        place = {"place": wish.output, "message": warning.message()}
        complain(text("file.warning_at", place))
    return written.data


def _keep(wish: Wish, secret: bytes, fresh: bool, commitment: Commitment) -> None:
    """Secret first: a published commitment without its secret is worth nothing."""
    if wish.seed_file is not None and fresh:
        write_private(wish.seed_file, f"{secret.hex()}\n".encode())
    if wish.commit is not None and not wish.commit.exists():
        write_private(wish.commit, commitment.text().encode(), 0o644)


def _facts(commitment: Commitment) -> dict[str, object]:
    terms = commitment.terms
    return {
        "boards": ranges(terms.boards),
        "name": terms.name,
        "commitment": commitment.label,
        "teaching": bool(terms.constraint),
    }


class _Clock:
    """The system's clocks; only the edge may ask them."""

    def now_us(self) -> int:
        return time.monotonic_ns() // 1000

    def wall_us(self) -> int:
        return time.time_ns() // 1000


def _open(state: Path) -> Store:
    from controller.store import Store  # late: help and wrong usage need no database

    return Store.open(state, _Clock(), os.urandom)


def _log(wish: Wish, what: str, details: dict[str, object]) -> int:
    """Enters it in the logbook before anyone can see a deal; returns its number among its like."""
    until = time.monotonic() + _PATIENCE_S
    while True:
        try:
            with _open(_state(wish)) as store:
                number = 1 + sum(entry.what == what for entry in store.logbook.entries())
                store.logbook.append(what, {"number": number, **details})
                return number
        except StoreError as error:
            # Another call of this program, not the daemon, lets go in a moment.
            if error.code != "store.in_use" or time.monotonic() > until:
                raise
        time.sleep(0.1)


def _state(wish: Wish) -> Path:
    if wish.state is not None:
        return wish.state
    if STATE_VARIABLE in os.environ:
        return Path(os.environ[STATE_VARIABLE])
    base = os.environ.get("XDG_STATE_HOME")
    return (Path(base) if base else Path.home() / ".local" / "state") / "predeal"


def _commit_only(wish: Wish, commitment: Commitment, as_json: bool) -> None:
    number = _log(wish, _LOGGED_COMMITMENT, _facts(commitment))
    if as_json:
        count = len(commitment.terms.boards)
        emit({"set": None, "boards": count, "commitment": commitment.label, "number": number})
        return
    values = {"label": commitment.label, "path": wish.commit, "seed": wish.seed_file}
    click.echo(text("generate.committed", {**values, "name": commitment.terms.public}))


def _tell(wish: Wish, commitment: Commitment, code: str | None, number: int, as_json: bool) -> None:
    terms = commitment.terms
    proves = [text(name, values) for name, values in meaning(terms)]
    if as_json:
        emit(
            {
                "set": code,
                "boards": len(terms.boards),
                "commitment": commitment.label,
                "number": number,
                "teaching": bool(terms.constraint),
                "proves": proves if wish.seed_file else [],
            }
        )
        return
    values: dict[str, object] = {"set_code": code, "number": number}
    values |= {"boards": ranges(terms.boards), "path": wish.output, "label": commitment.label}
    click.echo(text("generate.done" if code else "generate.done_one", values))
    if wish.seed_file is None:
        click.echo(text("generate.not_kept"))
    for line in proves if wish.seed_file else ():
        click.echo(text("generate.says", {"seed": wish.seed_file, "text": line}))
