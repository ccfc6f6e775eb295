"""`predeal design propose`: a pack in no order, named by proposals that a person corrects before it is taught."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from controller.cli.machine_options import machine_options
from controller.cli.output import Exit, complain, emit, finish, json_option
from controller.cli.writing import write_whole
from controller.jobs.errors import JobError
from deals.cards import CARDS
from deals.words import text

if TYPE_CHECKING:
    from vision.proposals import Proposal

_TOLD: Final = 10
"""Names of files that one sentence may hold."""
_MOST_PX: Final = 2400
"""Longer side of a picture: all of them are in memory at a time."""
Look = tuple[int, int, bytes | Path]
"""Place, look, and the picture or where it lies."""


@click.command()
@click.argument("output", metavar="OUT", type=click.Path(path_type=Path))
@click.option(
    "--from",
    "folder",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Pictures of the cards, one or more of each, whatever their names.",
)
@click.option("--from-machine", is_flag=True, help="A pack in any order passes the window.")
@machine_options
@json_option
def propose(
    output: Path, folder: Path | None, from_machine: bool, as_json: bool, **options: Any
) -> None:
    """Propose a name for each card of a pack that lies in no order, and write its pictures to OUT.

    Look at OUT/sheet.png: rename every picture whose name is wrong, then teach: predeal design teach NAME
    --from OUT. Nothing is taught here.
    """
    if (folder is None) != from_machine:
        raise click.UsageError(text("propose.source"))
    if output.exists() and any(output.iterdir()):
        raise JobError("propose.not_empty", folder=output)
    looks = _of_folder(folder) if folder is not None else _of_machine(as_json, options)
    proposals = _proposed(looks, output)
    from vision.proposals import SURE, missing

    found = [one for one in proposals if not one.stop_card]
    doubtful = [o for o in found if o.card is None or o.doubled or o.confidence < SURE]
    left = missing(proposals)
    if as_json:
        emit(_document(output, found, doubtful, [str(card) for card in left]))
    else:
        values = {"count": len(found), "folder": output, "doubtful": len(doubtful)}
        click.echo(text("propose.written", values))
    if len(found) != len(CARDS):
        complain(text("propose.count", {"count": len(found)}))
    if left:
        complain(text("propose.missing", {"cards": left}))
    finish(Exit.DONE)


def _document(
    output: Path, found: Sequence[Proposal], doubtful: Sequence[Proposal], left: list[str]
) -> dict[str, Any]:
    return {
        "folder": str(output),
        "sheet": str(output / "sheet.png"),
        "cards": len(found),
        "doubtful": [one.place for one in doubtful],
        "missing": left,
        "proposals": [
            {
                "place": one.place,
                "proposal": None if one.card is None else str(one.card),
                "confidence": one.confidence,
                "doubled": one.doubled,
            }
            for one in found
        ],
    }


def _of_folder(folder: Path) -> list[Look]:
    from vision.sources import pictures_in  # late: needs OpenCV

    found = pictures_in(folder)
    paths = sorted([*(path for _, path in found.labelled), *found.unnamed])
    if found.other_kinds:
        names = [path.name for path in found.other_kinds[:_TOLD]]
        complain(text("teach.other_kinds", {"count": len(found.other_kinds), "files": names}))
    if not paths:
        raise JobError("propose.no_pictures", folder=folder)
    return [(place, 1, path) for place, path in enumerate(paths, 1)]


def _of_machine(as_json: bool, options: dict[str, Any]) -> list[Look]:
    from controller.cli.teaching import sights_of

    sights = sights_of(as_json, options, in_order=False)
    return [(one.place, one.look, one.png) for one in sights]


def _proposed(looks: Sequence[Look], output: Path) -> list[Proposal]:
    """Reads, and writes the pictures under their proposals, and the sheet."""
    from vision import proposals
    from vision.contact import png
    from vision.crop import decoded
    from vision.design import design_files, load
    from vision.propose import Proposer
    from vision.sources import load_image, on_white
    from vision.threads import one_thread

    one_thread()
    reader = Proposer([load(name) for name in design_files()])
    images = [
        (
            place,
            decoded(picture)
            if isinstance(picture, bytes)
            else on_white(load_image(picture, _MOST_PX)),
        )
        for place, _, picture in looks
    ]
    found = proposals.propose(reader, images)
    output.mkdir(parents=True, exist_ok=True)
    by_place = {one.place: one for one in found}
    for place, look, picture in looks:
        one = by_place[place]
        if not one.stop_card:
            suffix = ".png" if isinstance(picture, bytes) else picture.suffix
            data = picture if isinstance(picture, bytes) else picture.read_bytes()
            write_whole(output / f"{one.stem}-{look}{suffix}", data)
    write_whole(output / "sheet.png", png(proposals.sheet(found, images)))
    return found
