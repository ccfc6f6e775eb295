"""`predeal box`: which set and copy lies in which box, and whether it has been played."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from controller.cli.files import Numbers
from controller.cli.output import emit, json_option
from controller.cli.stores import open_beside, operator, state_option
from deals.files import ranges
from deals.words import text

if TYPE_CHECKING:
    from controller.store.boxes import BoxBoard


@click.group()
def box() -> None:
    """Keep the ledger of boxes: loaded, out, played, back."""


@box.command("list")
@click.argument("name", required=False)
@state_option
@json_option
def list_(name: str | None, state: Path | None, as_json: bool) -> None:
    """List what lies in the boards of each box, or of the box NAME."""
    with open_beside(state) as store:
        _tell(store.boxes.contents(name), as_json)


def _mover(state_name: str, help_text: str) -> click.Command:
    @click.command(state_name, help=help_text)
    @click.argument("name")
    @click.option("--boards", type=Numbers(), help="Only these of the box, such as 1-8.")
    @state_option
    @json_option
    def move(name: str, boards: tuple[int, ...] | None, state: Path | None, as_json: bool) -> None:
        from controller.store.boxes import BoxState

        with open_beside(state) as store:
            _tell(store.boxes.move(name, BoxState(state_name), boards, operator()), as_json)

    return move


box.add_command(_mover("out", "The box NAME went out to the room."))
box.add_command(_mover("played", "The boards of the box NAME have been played."))
box.add_command(_mover("back", "The box NAME is back, played or not: it may be dealt over."))


def _tell(found: list[BoxBoard], as_json: bool) -> None:
    if as_json:
        emit([_document(one) for one in found])
        return
    groups: dict[tuple[str, str, int, str], list[int]] = {}
    for one in found:
        key = (one.box, one.set_code, one.copy, one.state.value)
        groups.setdefault(key, []).append(one.board)
    for (name, code, copy, state), boards in groups.items():
        values = {"box": name, "set_code": code, "copy": copy, "boards": ranges(boards)}
        click.echo(text(f"box.is_{state}", values))
    if not found:
        click.echo(text("box.no_boxes"))


def _document(one: BoxBoard) -> dict[str, Any]:
    return {
        "box": one.box,
        "board": one.board,
        "set": one.set_code,
        "copy": one.copy,
        "state": one.state.value,
    }
