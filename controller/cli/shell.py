"""`predeal man` and `predeal completion`: manual page and completion, made from the commands."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import metadata

import click
from click.shell_completion import get_completion_class

from controller.cli.main import cli


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script for SHELL.

    For bash: predeal completion bash > ~/.local/share/bash-completion/completions/predeal
    """
    kind = get_completion_class(shell)
    if kind is None:  # pragma: no cover - the choice above names only those that exist
        raise click.UsageError(f"no completion for {shell}")
    click.echo(kind(cli, {}, "predeal", "_PREDEAL_COMPLETE").source())


@click.command()
def man() -> None:
    """Print the manual page: predeal man | man -l -"""
    click.echo(manual_page())


def manual_page() -> str:
    """The manual page in the language of `man`, from the commands themselves."""
    lines = [
        f'.TH PREDEAL 1 "" "predeal {metadata.version("predeal")}" "Predeal"',
        ".SH NAME",
        "predeal \\- deals duplicate-bridge boards by machine and proves them",
        ".SH SYNOPSIS",
        ".B predeal",
        ".I COMMAND",
        "[options]",
        ".SH DESCRIPTION",
        _roff(cli.help or ""),
        ".SH COMMANDS",
    ]
    root = click.Context(cli, info_name="predeal")
    for name in cli.list_commands(root):
        command = cli.get_command(root, name)
        if command is not None:
            lines += _sections(command, click.Context(command, info_name=name, parent=root))
    return "\n".join(lines)


def _sections(command: click.Command, context: click.Context) -> Iterator[str]:
    usage = " ".join(command.collect_usage_pieces(context))
    yield f".SS {_roff(f'{context.command_path} {usage}')}"
    yield _roff(command.help or "")
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record and record[0] != "--help":
            yield ".TP"
            yield f".B {_roff(record[0])}"
            yield _roff(record[1])
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            if inner is not None:
                yield from _sections(inner, click.Context(inner, info_name=name, parent=context))


def _roff(text: str) -> str:
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("\n\n", "\n.PP\n")
    # A line that begins with a dot or a quote would be a command of roff.
    return "\n".join(
        f"\\&{line}" if line.startswith(("'", ".")) and line != ".PP" else line
        for line in (part.strip() for part in escaped.splitlines())
    )
