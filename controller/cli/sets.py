"""`predeal set`: the sets that the store keeps, from their import to the end of their play."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from controller.cli.directing import director_options, permitted
from controller.cli.findings import finding_document, tell_findings
from controller.cli.holding import COMMANDS
from controller.cli.output import Exit, complain, date_of, emit, finish, json_option
from controller.cli.stores import open_beside, open_or_make, operator, state_option
from controller.cli.writing import write_private
from deals.words import text

if TYPE_CHECKING:
    from controller.store import Permit, SetInfo, Store
    from deals.boards import Board

_EDITIONS: Final = ("1997", "2007", "2017")
_CONTESTS: Final = ("pairs", "teams", "rubber")


@click.group("set")
def set_() -> None:
    """Keep sets of boards: import, list, show, seal, retire, export, end."""


for _command in COMMANDS:
    set_.add_command(_command)


@set_.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--first-board", type=click.IntRange(1), help="For formats without numbers.")
@click.option("--laws", type=click.Choice(_EDITIONS), default="2017", show_default=True)
@click.option("--contest", type=click.Choice(_CONTESTS), default="pairs", show_default=True)
@click.option("--title", default="", help="On records and exports, as are these:")
@click.option("--event", default="")
@click.option("--date", default="")
@click.option("--session", default="")
@click.option("--site", default="")
@click.option("--seal", is_flag=True, help="Seal it at once; needs the director.")
@click.option("--replay", is_flag=True, help="Replaying deals is the purpose (Law 6D2).")
@director_options
@state_option
@json_option
def import_(
    file: Path,
    first_board: int | None,
    laws: str,
    seal: bool,
    replay: bool,
    director: str | None,
    passphrase_file: Path | None,
    state: Path | None,
    as_json: bool,
    **about: str,
) -> None:
    """Keep the set in FILE; what happens to the file afterwards changes nothing."""
    from controller.jobs.deal import DealSet
    from controller.jobs.kept import keep
    from controller.jobs.loading import dealt_before
    from deals.laws import Edition
    from deals.setcode import code_of

    found, source = _read(file, first_board, as_json)
    edition = Edition(int(laws))
    what = DealSet(
        file.stem, code_of(found.boards), source, found.boards, found.boards, found.teaching
    )
    with open_or_make(state) as store:
        known = {info.id for info in store.sets.infos()}
        asked = (store, director, passphrase_file, "set sealed", {"set": what.code})
        permit = permitted(*asked) if seal else None
        set_id = keep(store, what, operator(), edition=edition, about=about)
        new = set_id not in known
        info = store.sets.info(set_id)
        before = dealt_before(
            store, info, what.boards, replay=replay, who=operator(), permit=permit
        )
        if new:
            details = {"set": info.code, "boards": info.boards}
            store.logbook.append("set imported", details, operator())
        if permit is not None:
            info = store.states.seal(set_id, permit)
    warnings = [*(w.message() for w in found.warnings), *(text(*one) for one in before)]
    if found.sealed and not info.sealed:
        warnings.append(text("set.sealed_hint", {"set_code": info.code}))
    for warning in warnings:
        complain(warning)
    if as_json:
        emit(_document(info) | {"new": new, "warnings": warnings})
    else:
        code = "set.imported" if new else "set.known"
        click.echo(text(code, {"set_code": info.code, "boards": info.boards}))


@set_.command("list")
@click.option("--live", is_flag=True, help="Only sets whose play has not ended.")
@state_option
@json_option
def list_(live: bool, state: Path | None, as_json: bool) -> None:
    """List the sets, oldest first."""
    with open_beside(state) as store:
        infos = [info for info in store.sets.infos() if info.live or not live]
        copies = {info.id: _copies(store, info) for info in infos}
    if as_json:
        emit([_document(info) | {"copies": len(copies[info.id])} for info in infos])
        return
    for info in infos:
        words = ", ".join(text(f"set.is_{name}") for name in _states(info))
        values = {"boards": info.boards, "copies": len(copies[info.id])}
        about = " ".join(info.about.get(key, "") for key in ("event", "date", "session"))
        click.echo(
            f"{info.code:13} {text('set.counts', values):24} {words:16} {info.name}  {about}".rstrip()
        )
    if not infos:
        click.echo(text("set.no_sets"))


@set_.command("show")
@click.argument("code")
@click.option("--reveal", is_flag=True, help="Show the hands; of a live set the director may.")
@director_options
@state_option
@json_option
def show(
    code: str,
    reveal: bool,
    director: str | None,
    passphrase_file: Path | None,
    state: Path | None,
    as_json: bool,
) -> None:
    """Tell all that is kept about the set CODE: its event, its copies, its exports."""
    from controller.jobs.kept import boards_of

    with open_beside(state) as store:
        info = store.sets.find(code)
        boards: Sequence[Board] = ()
        if reveal:
            permit = _for_hands(store, info, director, passphrase_file, "hands shown")
            boards = boards_of(store.sets.boards(info.id, permit))
        document = _document(info) | {
            "dealt": _dealt(store, info),
            "exports": [
                {"file": one.path, "format": one.format, "stale": one.stale}
                for one in store.exports.of(info.id)
            ],
        }
    if as_json:
        if reveal:
            document["hands"] = [
                {"board": board.number, "deal": board.deal.pbn()} for board in boards
            ]
        emit(document)
        return
    _print(info, document)
    if boards:
        from deals.diagram import diagram, plain

        for board in boards:
            click.echo("\n" + plain(diagram(board)))


@set_.command("seal")
@click.argument("code")
@director_options
@state_option
@json_option
def seal(
    code: str,
    director: str | None,
    passphrase_file: Path | None,
    state: Path | None,
    as_json: bool,
) -> None:
    """Put the deals of the set CODE under the directors' key alone."""
    with open_beside(state) as store:
        info = store.sets.find(code)
        permit = permitted(store, director, passphrase_file, "set sealed", {"set": info.code})
        info = store.states.seal(info.id, permit)
    _tell(info, as_json, "set.was_sealed")


@set_.command("retire")
@click.argument("code")
@click.option("--reason", default="", help="For the logbook.")
@state_option
@json_option
def retire(code: str, reason: str, state: Path | None, as_json: bool) -> None:
    """Bar the set CODE: it is never dealt again. Its hands stay closed until its play has ended."""
    with open_beside(state) as store:
        info = store.states.retire(store.sets.find(code).id, reason, operator())
    _tell(info, as_json, "set.was_retired")


@set_.command("end")
@click.argument("code")
@director_options
@state_option
@json_option
def end(
    code: str,
    director: str | None,
    passphrase_file: Path | None,
    state: Path | None,
    as_json: bool,
) -> None:
    """Say that play of the set CODE has ended: its hands are no secret any more."""
    with open_beside(state) as store:
        info = store.sets.find(code)
        permit = permitted(store, director, passphrase_file, "set ended", {"set": info.code})
        info = store.states.end(info.id, permit)
    _tell(info, as_json, "set.was_ended")


@set_.command("export")
@click.argument("code")
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path))
@click.option("--to", "to", metavar="FORMAT", help="Its format; default: by its suffix.")
@director_options
@state_option
@json_option
def export(
    code: str,
    output: Path,
    to: str | None,
    director: str | None,
    passphrase_file: Path | None,
    state: Path | None,
    as_json: bool,
) -> None:
    """Write the set CODE as a deal file; of a live set the director may."""
    from controller.jobs.kept import boards_of
    from deals.files import by_name

    wanted = by_name(to or output.suffix or output.name).NAME
    with open_beside(state) as store:
        info = store.sets.find(code)
        permit = _for_hands(store, info, director, passphrase_file, "set exported")
        boards = boards_of(store.sets.boards(info.id, permit))
        data, warnings = _encoded(boards, wanted, teaching=info.origin == "teaching")
        write_private(output, data)
        who = permit.who if permit else operator()
        store.exports.add(info.id, str(output.absolute()), wanted, who)
        store.logbook.append("set exported", {"set": info.code, "format": wanted}, who)
    for warning in warnings:
        complain(text("file.warning_at", {"place": output, "message": warning}))
    if as_json:
        emit({"set": info.code, "written": len(boards), "format": wanted, "warnings": warnings})
    else:
        values = {"set_code": info.code, "path": output, "boards": len(boards)}
        click.echo(text("set.was_exported", values))


def _encoded(boards: Sequence[Board], wanted: str, *, teaching: bool) -> tuple[bytes, list[str]]:
    """A deal file and its warnings; a TEACHING set keeps its mark or is refused."""
    if teaching:
        from deals.teaching import write_teaching  # late: it needs NumPy

        return write_teaching(boards, wanted, "-"), []
    from deals.files import write_deals

    written = write_deals(boards, wanted)
    return written.data, [warning.message() for warning in written.warnings]


# -- parts ----------------------------------------------------------------------------------


def _read(file: Path, first_board: int | None, as_json: bool) -> tuple[Any, bytes]:
    """The boards of a file without fault; any problem ends the command."""
    from deals.files.reading import read_bytes, read_deals

    source = read_bytes(file)
    found = read_deals(source, file.name, first_board)
    tell_findings(file, found.warnings if as_json else (), found.problems)
    if found.problems or not found.boards:
        complain(text("job.file_refused", {"file": file}))
        if as_json:
            emit({"set": None, "problems": [finding_document(one) for one in found.problems]})
        finish(Exit.COULD_NOT)
    return found, source


def _for_hands(
    store: Store, info: SetInfo, director: str | None, passphrase_file: Path | None, purpose: str
) -> Permit | None:
    """The permit that the hands of a set need: none once its play has ended and it is not sealed."""
    if not info.live and not info.sealed:
        return None
    return permitted(store, director, passphrase_file, purpose, {"set": info.code})


def _tell(info: SetInfo, as_json: bool, code: str) -> None:
    if as_json:
        emit(_document(info))
    else:
        click.echo(text(code, {"set_code": info.code}))


def _states(info: SetInfo) -> list[str]:
    marks: list[tuple[str, Callable[[SetInfo], object]]] = [
        ("live", lambda one: one.live),
        ("ended", lambda one: not one.live),
        ("sealed", lambda one: one.sealed),
        ("retired", lambda one: one.retired_wall_us),
        ("replaced", lambda one: one.replaced_by),
    ]
    return [name for name, holds in marks if holds(info)]


def _document(info: SetInfo) -> dict[str, Any]:
    return {
        "set": info.code,
        "id": info.id,
        "name": info.name,
        "boards": info.boards,
        "laws": info.laws,
        "origin": info.origin,
        **{key: info.about.get(key, "") for key in ("title", "event", "date", "session", "site")},
        "contest": info.about.get("contest", "pairs"),
        "added": date_of(info.added_wall_us),
        "live": info.live,
        "sealed": info.sealed,
        "retired": info.retired_wall_us is not None,
        "ended": date_of(info.ended_wall_us) if info.ended_wall_us is not None else None,
        "replaces": info.replaces,
        "replaced_by": info.replaced_by,
    }


def _copies(store: Store, info: SetInfo) -> set[int]:
    return {one["copy"] for one in _dealt(store, info)}


def _dealt(store: Store, info: SetInfo) -> list[dict[str, Any]]:
    """Every proven copy of every board: where it lies, which machine dealt it when with what."""
    names = store.boxes.names(info.id)
    found = []
    for number in sorted(store.sets.redealt(info.id)):
        for copy in store.journal.copies_dealt(info.id, number):
            name = names.get(copy.copy)
            found.append(
                {
                    "board": number,
                    "copy": copy.copy,
                    "box": name.box if name else "",
                    "section": name.section if name else "",
                    "machine": copy.machine,
                    "design": copy.design,
                    "date": date_of(copy.ended_wall_us),
                }
            )
    return found


def _print(info: SetInfo, document: dict[str, Any]) -> None:
    words = ", ".join(text(f"set.is_{name}") for name in _states(info))
    click.echo(f"{info.code}  {info.name}  ({words})")
    values = {"boards": info.boards, "laws": info.laws, "date": document["added"]}
    click.echo(text("set.facts", values))
    for key in ("title", "event", "date", "session", "site"):
        if info.about.get(key):
            click.echo(f"  {info.about[key]}")
    for one in document["dealt"]:
        box = " ".join(part for part in (one["box"], one["section"]) if part)
        values = {key: one[key] for key in ("board", "copy", "machine", "design", "date")}
        click.echo(text("set.copy_dealt", {**values, "box": box or "-"}))
    for one in document["exports"]:
        code = "set.export_stale" if one["stale"] else "set.export"
        click.echo(text(code, {"path": one["file"]}))
