"""What the commands share: the one JSON document, sentences on stderr, the console, exit codes.

Texts for a person go to stderr when something went wrong and to stdout when they are the result.
With `--json` nothing but one document is on stdout.
"""

from __future__ import annotations

import codecs
import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar

import click

from deals import words

if TYPE_CHECKING:
    from rich.console import Console

Command = TypeVar("Command", bound=Callable[..., Any])


class Exit(IntEnum):
    """The exit codes of every command."""

    DONE = 0
    COULD_NOT = 1
    WRONG_USAGE = 2
    WAITS_FOR_PERSON = 3


@dataclass
class Session:
    """What one run of the program remembers of its output."""

    as_json: bool = False
    emitted: bool = False


def _ask_json(context: click.Context, _parameter: click.Parameter, value: bool) -> bool:
    if value:
        context.ensure_object(Session).as_json = True
    return value


def _speak(_context: click.Context, _parameter: click.Parameter, value: str | None) -> None:
    if value is not None:
        words.speak(value)


lang_option: Final = click.option(
    "--lang",
    type=click.Choice(words.LANGUAGES),
    is_eager=True,
    expose_value=False,
    callback=_speak,
    help=f"Language of what is said and printed; default: {words.VARIABLE}, else the locale.",
)


def json_option(command: Command) -> Command:
    """Adds `--json`; the command gets it as `as_json` and then calls `emit` exactly once.

    Adds `--lang` too: whoever speaks to programs speaks to people as well.
    """
    option = click.option(
        "--json",
        "as_json",
        is_flag=True,
        is_eager=True,  # before other options can fail
        callback=_ask_json,
        help="Print one JSON document and nothing else.",
    )
    return lang_option(option(command))


# What stands for a sign that the terminal's encoding has not: one sign for one, so that tables stay.
_STANDS_FOR: Final = {
    **dict(zip("♠♥♦♣█░·✔■▸“”’‘–—…", "SHDC#..+!>\"\"''--.", strict=True)),
    **dict.fromkeys("┃│╻╹║", "|"),
    **dict.fromkeys("━─═", "-"),
}
_BOXES: Final = range(0x2500, 0x2580)


def _plain(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    signs = error.object[error.start : error.end]
    plain = "".join(_STANDS_FOR.get(s, "+" if ord(s) in _BOXES else "?") for s in signs)
    return plain, error.end


def settle_streams() -> None:
    """Nothing that is said ends the program because a terminal's encoding (LANG=C) has no sign for it."""
    codecs.register_error("predeal.plain", _plain)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="predeal.plain")


def _unicode() -> bool:
    return (getattr(sys.stdout, "encoding", None) or "").lower().startswith("utf")


def emit(document: object) -> None:
    """Prints the one JSON document of this run."""
    session = click.get_current_context().ensure_object(Session)
    if session.emitted:
        raise RuntimeError("a second JSON document")
    session.emitted = True
    click.echo(json.dumps(document, ensure_ascii=not _unicode()))


def complain(sentence: str) -> None:
    """One message on stderr: what happened, where, what to do now."""
    click.echo(f"predeal: {sentence}", err=True)


def finish(code: Exit) -> NoReturn:
    """Ends the command with an exit code; the output is already made."""
    click.get_current_context().exit(int(code))


def console() -> Console:
    """The terminal on stdout, for tables and live displays; plain where there is no terminal."""
    from rich.console import Console  # late: a JSON answer needs none

    return Console(file=sys.stdout, highlight=False, soft_wrap=not sys.stdout.isatty())


def date_of(wall_us: int) -> str:
    """A time of the store as documents and screens give it: UTC, to the second."""
    return datetime.fromtimestamp(wall_us / 1e6, UTC).isoformat(timespec="seconds")
