"""The program `predeal`: finds the command and turns whatever it raises into a sentence."""

from __future__ import annotations

import errno
import importlib
import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Final, cast

import click
from click.shell_completion import CompletionItem

from controller.cli.output import Exit, Session, complain, lang_option, settle_streams
from deals import words
from deals.errors import PredealError

TRACEBACK_VARIABLE: Final = "PREDEAL_TRACEBACK"
MATRIX_THREADS_VARIABLE: Final = "OPENBLAS_NUM_THREADS"
"""Read when NumPy is imported, which commands do late. Products as small as a card's take several times as long
where threads on busy cores have to wait for each other."""
_OURS: Final = {"deals", "vision", "controller"}
_INTERRUPTED: Final = 130

# Name: (module, what the menu says). The command is the attribute of that name in the module.
COMMANDS: Final = {
    "adopt": ("controller.cli.adopt", "Make what was played the record of a board."),
    "bench": ("controller.cli.bench", "Measure the program's figures, here and now."),
    "box": ("controller.cli.box", "Keep the ledger of boxes: out, played, back."),
    "by-hand": ("controller.cli.byhand", "Print the sheet for dealing by hand."),
    "check": ("controller.cli.check", "Check a board against its record and its copies."),
    "calibrate": ("controller.cli.calibrate", "Measure the machine: feed, gates, sensors, camera."),
    "completion": ("controller.cli.shell", "Print the completion script for a shell."),
    "daemon": ("controller.cli.daemon", "Own a machine and serve clients."),
    "deal": ("controller.cli.deal", "Deal a set of boards, and prove each."),
    "deck": ("controller.cli.pack", "Check a pack, or test how its design is read."),
    "design": ("controller.cli.design", "Teach, list, export and import card designs."),
    "director": ("controller.cli.director", "Say who directs, each with a passphrase."),
    "doctor": ("controller.cli.doctor", "Check that the machine's computer has all it needs."),
    "faults": ("controller.cli.faults", "List the named faults of the simulated machine."),
    "files": ("controller.cli.files", "Show and convert deal files."),
    "generate": ("controller.cli.generate", "Make random deals that can be proven."),
    "labels": ("controller.cli.labels", "Print labels for boards and boxes."),
    "lesson": ("controller.cli.lesson", "Arrange deals for a class, marked TEACHING."),
    "logbook": ("controller.cli.store", "Show who did what, and prove it unchanged."),
    "man": ("controller.cli.shell", "Print the manual page."),
    "new-deal": ("controller.cli.newdeal", "Deal a board anew, all its copies void (Law 6D)."),
    "prove": ("controller.cli.prove", "Prove a set from its commitment and secret."),
    "read": ("controller.cli.read", "Recognise cards in images."),
    "record": ("controller.cli.record", "Record boards that players have dealt."),
    "records": ("controller.cli.records", "Print hand records, with double dummy results."),
    "restore": ("controller.cli.record", "Deal a board right again, and prove it."),
    "resume": ("controller.cli.status", "Go on after a stop."),
    "same-hands": ("controller.cli.newdeal", "Deal the same hands again, other pack (Law 14)."),
    "scramble": ("controller.cli.pack", "Put the cards of boards to random pockets."),
    "set": (
        "controller.cli.sets",
        "Keep sets: import, list, show, hold, release, seal, retire, end.",
    ),
    "sort": ("controller.cli.pack", "Put a pack into suit order."),
    "status": ("controller.cli.status", "Say what the machine does and wants next."),
    "stop": ("controller.cli.status", "Stop the machine now."),
    "store": ("controller.cli.store", "Check, back up and restore the store."),
    "twin": ("controller.cli.twin", "Run the simulated machine as a process of its own."),
}


WAITS: Final = ("box.unplayed", "director.must_confirm")
"""Refusals that wait for a person's word, after which the same command does it."""


class LazyGroup(click.Group):
    """Commands by name; a module is imported when its command is called and not before."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names for menu and completion."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Imports the command."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(COMMANDS[cmd_name][0])
        name = cmd_name.replace("-", "_")
        # A command whose name is Python's too has a line behind it: `set_`.
        return cast(click.Command, getattr(module, name, None) or getattr(module, f"{name}_"))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The menu from the table above, so that `--help` imports nothing."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Names from the table; options as usual."""
        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        return [
            CompletionItem(name, help=text)
            for name, (_, text) in COMMANDS.items()
            if name.startswith(incomplete)
        ]


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@lang_option
@click.version_option(package_name="predeal", message="%(prog)s %(version)s")
def cli() -> None:
    """The open controller for machines that deal duplicate-bridge boards.

    Exit codes: 0 done, 1 could not, 2 wrong usage, 3 stopped and waiting for a person.
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Entry point: runs one command and exits with its code."""
    os.environ.setdefault(MATRIX_THREADS_VARIABLE, "1")
    settle_streams()
    session = Session()
    code = run(sys.argv[1:] if arguments is None else arguments, session)
    try:
        sys.stdout.flush()
    except OSError as error:
        code = _output_lost(error)
    sys.exit(code)


def run(arguments: Sequence[str], session: Session) -> int:
    """Runs one command and returns its exit code."""
    words.speak(words.language_of(os.environ))
    try:
        result = cli.main(list(arguments), "predeal", standalone_mode=False, obj=session)
        return result if isinstance(result, int) else int(Exit.DONE)
    except click.UsageError as error:
        error.show()
        return Exit.WRONG_USAGE
    except click.Abort:
        return _INTERRUPTED
    except click.ClickException as error:
        return _tell(session, "cli.failed", error.format_message())
    except PredealError as error:
        return _tell(session, error.code, error.text(), error)
    except OSError as error:
        if error.errno == errno.EPIPE:
            return _output_lost(error)
        return _tell_os_error(session, error)
    except ImportError as error:
        return _tell_import_error(session, error)
    except Exception as error:  # noqa: BLE001 - the last resort: whatever it is becomes a sentence
        return _tell_unexpected(session, error)


def _tell(session: Session, code: str, message: str, error: Exception | None = None) -> int:
    if error is not None and os.environ.get(TRACEBACK_VARIABLE):
        traceback.print_exception(error)
    complain(message)
    if session.as_json and not session.emitted:
        import json

        session.emitted = True
        click.echo(json.dumps({"error": {"code": code, "message": message}}))
    return Exit.WAITS_FOR_PERSON if code in WAITS else Exit.COULD_NOT


def _tell_os_error(session: Session, error: OSError) -> int:
    reason = error.strerror or type(error).__name__
    told = (
        PredealError("cli.os_error", reason=reason)
        if error.filename is None
        else PredealError("cli.os_error_at", path=error.filename, reason=reason)
    )
    return _tell(session, told.code, told.text(), error)


def _tell_import_error(session: Session, error: ImportError) -> int:
    library = (error.name or "").partition(".")[0]
    if not library or library in _OURS:
        return _tell_unexpected(session, error)
    told = PredealError("cli.library_missing", library=library)
    return _tell(session, told.code, told.text(), error)


def _tell_unexpected(session: Session, error: Exception) -> int:
    # Only kind and place: the text of a stray exception may hold a card of a live set.
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if _OURS & set(Path(frame.filename).parts)] or frames
    place = f"{Path(ours[-1].filename).name}:{ours[-1].lineno}"
    told = PredealError(
        "cli.unexpected", kind=type(error).__name__, place=place, variable=TRACEBACK_VARIABLE
    )
    return _tell(session, told.code, told.text(), error)


def _output_lost(error: OSError) -> int:
    # The interpreter flushes stdout once more on its way out; let that go nowhere.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    if error.errno != errno.EPIPE:  # whoever closed the pipe knows
        complain(PredealError("cli.os_error", reason=error.strerror).text())
    return Exit.COULD_NOT


if __name__ == "__main__":
    main()
