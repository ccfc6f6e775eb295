"""`predeal design`: teach a printed pattern; list, show, export and import what is taught."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from controller.cli.machine_options import machine_options
from controller.cli.output import Exit, complain, console, emit, finish, json_option
from controller.cli.proposing import propose
from controller.cli.stores import state_dir, state_option
from controller.store.wear import BOARDS_A_SPAN, Trend, WearFile, told
from deals.cards import CARDS
from deals.words import text

if TYPE_CHECKING:
    from vision.corner import Model
    from vision.design import Design
    from vision.teach import Labelled, Progress, Reason, TeachResult

_TOLD: Final = 10
"""Names of files that one sentence may hold."""
_MOST_PX: Final = 2400
"""Pictures to teach from are all in memory at a time: 52 of a telephone are two gigabytes as they come."""
_STEPS: Final = {"find": "finding the indices", "fit": "learning", "prove": "proving"}


@click.group()
def design() -> None:
    """Teach, list, show, export and import card designs. Each is taught once, before it is dealt."""


design.add_command(propose)


@design.command()
@click.argument("name")
@click.option(
    "--from",
    "folder",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Labelled images: SA.png, HT-2.jpg, C10.png; windows, whole cards or bare corners.",
)
@click.option(
    "--from-art", type=click.Choice(["standard", "jumbo"]), help="Our own printed designs."
)
@click.option(
    "--from-machine", is_flag=True, help="A sorted pack passes the window; see --twin and below."
)
@click.option(
    "--keep",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Of a machine: keep its labelled pictures here, as --from reads them.",
)
@click.option(
    "--strip-alone",
    is_flag=True,
    help="Printed bars may name a card whose index cannot be read, if they are fit for that.",
)
@click.option(
    "--sheet", type=click.Path(path_type=Path), help="Write all indices here, as PNG picture."
)
@machine_options
@json_option
def teach(
    name: str,
    folder: Path | None,
    from_art: str | None,
    from_machine: bool,
    strip_alone: bool,
    sheet: Path | None,
    **options: Any,
) -> None:
    """Teach the design NAME from one or more images of each of the 52 cards.

    With --from-machine a sorted pack and its stop card go through the machine, ace of spades first: each
    picture has the name of its place. In the twin --design or --deck-art say what its cards look like.

    Bars that are printed on the cards are learned with them, and confirm what the index says. A design
    whose cards are too alike, or whose labels do not fit its pictures, is refused and not kept; a design
    of that name taught earlier stays.
    """
    as_json = options.pop("as_json")
    if [folder is not None, from_art is not None, from_machine].count(True) != 1:
        raise click.UsageError("Give one of --from DIR, --from-art NAME and --from-machine.")
    from vision.design import check_name, save  # late: the other commands need no camera
    from vision.teach import teach as learn
    from vision.threads import one_thread

    one_thread()
    check_name(name)
    images = _images(folder, from_art, as_json, options)
    unused = _unused(folder) if folder is not None else []
    with _progress(as_json) as progress:
        result = learn(name, images, progress, strip_alone=strip_alone, known=_others(name))
    if sheet is not None and result.design is not None:
        _contact_sheet(result.design.model, sheet)
    path = save(result.design) if result.accepted and result.design else None
    if as_json:
        emit({"design": name, **_document(result, unused)})
    for reason in (*result.reasons, *result.notes, *unused):
        complain(reason.text())
    if not as_json:
        _tell(name, result, path)
    finish(Exit.DONE if result.accepted else Exit.COULD_NOT)


def _images(
    folder: Path | None, from_art: str | None, as_json: bool, options: dict[str, Any]
) -> list[Labelled]:
    if from_art:
        return _drawn(from_art)
    if folder is not None:
        return _labelled(folder)
    from controller.cli.teaching import from_machine  # late: the machine's own

    return from_machine(as_json, options)


def _drawn(which: str | None) -> list[Labelled]:
    from vision.synthetic import art  # late: drawing is for set-up alone
    from vision.teach import Labelled

    return [Labelled(card, art.face(str(which), card), str(card)) for card in CARDS]


def _others(name: str) -> list[Design]:
    """The designs that are taught besides; one that cannot be read is of no use here."""
    from vision.design import design_files, load
    from vision.sources import VisionError

    found = []
    for other in design_files():
        with suppress(VisionError):
            found += [load(other)] if other != name else []
    return found


def _labelled(folder: Path | None) -> list[Labelled]:
    from vision.sources import VisionError, load_image, pictures_in
    from vision.teach import Labelled

    assert folder is not None  # noqa: S101 - the caller has checked
    found = pictures_in(folder)
    if not found.labelled and found.other_kinds:
        some = [path.name for path in found.other_kinds[:_TOLD]]
        raise VisionError("vision.only_other_kinds", folder=folder, files=some)
    if not found.labelled:
        raise VisionError("vision.no_labels", folder=folder)
    return [Labelled(card, load_image(path, _MOST_PX), path.name) for card, path in found.labelled]


def _unused(folder: Path) -> list[Reason]:
    """The pictures of *folder* that nothing was learned from, so that nobody takes them for cards of the design."""
    from vision.sources import pictures_in
    from vision.teach import Reason

    found = pictures_in(folder)
    told = (("teach.unnamed", found.unnamed), ("teach.other_kinds", found.other_kinds))
    return [
        Reason(code, {"count": len(paths), "files": [path.name for path in paths[:_TOLD]]})
        for code, paths in told
        if paths
    ]


def _document(result: TeachResult, unused: Sequence[Reason]) -> dict[str, Any]:
    return {
        "cards": result.cards,
        "images": result.images,
        "accepted": result.accepted,
        "weakest": [[str(a), str(b), likeness] for a, b, likeness in result.weakest],
        "reasons": [{"code": reason.code, "message": reason.text()} for reason in result.reasons],
        "notes": [{"code": note.code, "message": note.text()} for note in (*result.notes, *unused)],
        "readers": result.design.about["readers"] if result.design else [],
    }


@contextmanager
def _progress(as_json: bool) -> Iterator[Progress | None]:
    screen = console()
    if as_json or not screen.is_terminal:
        yield None
        return
    from rich.progress import Progress as Bars

    with Bars(console=screen, transient=True) as bars:
        tasks = {step: bars.add_task(words, total=None) for step, words in _STEPS.items()}

        def tell(step: str, done: int, of: int) -> None:
            bars.update(tasks[step], completed=done + 1, total=of)

        yield tell


def _tell(name: str, result: TeachResult, path: Path | None) -> None:
    screen = console()
    if path is None:
        screen.print(f"The design {name} is refused; nothing was kept.")
        return
    screen.print(f"The design {name} is taught from {result.images} images: {path}")
    pairs = ", ".join(f"{a} {b} {likeness:.2f}" for a, b, likeness in result.weakest)
    screen.print(f"Most alike (1 is the same): {pairs}")
    screen.print(f"Readers: {', '.join(result.design.about['readers'])}" if result.design else "")


@design.command()
@click.argument("name")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="The file, or a folder for it; default: NAME.design.npz here.",
)
@json_option
def export(name: str, output: Path | None, as_json: bool) -> None:
    """Write the taught design NAME to a file, for another machine to import."""
    from controller.cli.writing import write_whole
    from vision.design import SUFFIX, design_files, load

    found = load(name)  # a damaged one is not passed on
    file = output or Path(found.name + SUFFIX)
    if file.is_dir():
        file /= found.name + SUFFIX
    write_whole(file, design_files()[name].read_bytes())
    if as_json:
        emit({"design": found.name, "file": str(file)})
    else:
        click.echo(text("design.exported", {"design": found.name, "file": file}))


@design.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--as", "name", metavar="NAME", help="Keep it under this name.")
@click.option("--replace", is_flag=True, help="Also over a design of that name.")
@json_option
def import_(file: Path, name: str | None, replace: bool, as_json: bool) -> None:
    """Keep the design in FILE, which another machine has exported."""
    from dataclasses import replace as changed

    from vision.design import check_name, design_files, load, save
    from vision.sources import VisionError

    found = load(file)
    name = check_name(name or found.name)
    if name in design_files() and not replace:
        raise VisionError("vision.name_taken", name=name)
    path = save(changed(found, name=name))
    if as_json:
        emit({"design": name, "file": str(path)})
    else:
        click.echo(text("design.imported", {"design": name, "file": path}))


@design.command("list")
@state_option
@json_option
def list_(state: Path | None, as_json: bool) -> None:
    """List the designs that are taught, and how they are read since they were first dealt."""
    from vision.design import design_files, load
    from vision.sources import VisionError

    rows = []
    wear = WearFile(state_dir(state))
    for name, path in design_files().items():
        try:
            about = load(path).about
        except VisionError as error:
            complain(str(error))
            continue
        row = {"design": name, "images": about["images"], "file": str(path)}
        rows.append(row | {"wear": _wear_document(wear.trend(name))})
    if as_json:
        emit(rows)
        return
    from rich.table import Table

    table = Table("design", "images", "file", "boards", "reading", box=None, pad_edge=False)
    for row in rows:
        trend = wear.trend(row["design"])
        table.add_row(
            row["design"], str(row["images"]), row["file"], str(trend.boards), _in_words(trend)
        )
    console().print(table)


@design.command()
@click.argument("name")
@click.option(
    "--sheet", type=click.Path(path_type=Path), help="Write all its indices here, as PNG picture."
)
@state_option
@json_option
def show(name: str, sheet: Path | None, state: Path | None, as_json: bool) -> None:
    """Show how the design NAME was taught, which of its cards look most alike, and which are fading."""
    from dataclasses import asdict

    from vision.design import load

    found = load(name)
    if sheet is not None:
        _contact_sheet(found.model, sheet)
    trend = WearFile(state_dir(state)).trend(found.name)
    document = {"design": found.name, **found.about, "limits": asdict(found.limits)}
    document["wear"] = _wear_document(trend)
    if as_json:
        emit(document)
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False, show_header=False)
    for key, value in document.items():
        if key == "weakest":
            value = ", ".join(f"{a} {b} {likeness:.2f}" for a, b, likeness in value)
        elif key == "limits":
            value = ", ".join(f"{limit} {figure:.2f}" for limit, figure in value.items())
        elif key == "wear":
            value = _in_words(trend)
        elif key == "strip":
            value = ", ".join(
                f"{what.replace('_', ' ')} {figure}" for what, figure in value.items()
            )
        elif isinstance(value, list):
            value = ", ".join(value)
        table.add_row(key.replace("_", " "), str(value))
    console().print(table)


def _wear_document(trend: Trend) -> dict[str, Any]:
    return {
        "boards": trend.boards,
        "telling": trend.telling,
        "fallen": trend.fallen,
        "fading": [[str(card), lost] for card, lost in trend.fading],
    }


def _in_words(trend: Trend) -> str:
    """What has become of a design, for a person."""
    if not trend.telling:
        return text("wear.too_few", {"boards": trend.boards, "needed": 2 * BOARDS_A_SPAN})
    found = [text(code, values) for code, values in told(trend)]
    return " ".join(found) or text("wear.steady", {"boards": trend.boards})


def _contact_sheet(model: Model, path: Path) -> None:
    from controller.cli.writing import write_whole
    from vision.contact import contact_sheet, png

    write_whole(path, png(contact_sheet(model)))
