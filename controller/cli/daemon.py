"""`predeal daemon`: own the machine and serve clients."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from controller.cli.parent import end_with_parent, with_parent_option
from deals import words

CONFIG_FILE: Final = Path("/etc/predeal/predeal.toml")


@click.command()
@click.option(
    "--config",
    "file",
    type=click.Path(path_type=Path),
    help=f"The configuration; without it {CONFIG_FILE}, if that is there.",
)
@with_parent_option
def daemon(file: Path | None, with_parent: bool) -> None:
    """Own port, pins and camera, deal what clients ask for, until SIGTERM or Ctrl-C."""
    from controller.config import Config, load  # late: only the daemon needs all of this
    from controller.daemon.serve import serve

    words.speak("en")  # its clients come from anywhere: they are told in English, with codes
    if with_parent:
        end_with_parent()
    if file is None and CONFIG_FILE.is_file():
        file = CONFIG_FILE
    serve(load(file) if file else Config(), _report)


def _report(line: str) -> None:
    """To stderr, where the system's journal takes it with its date."""
    click.echo(f"predeal: {line}", err=True)
