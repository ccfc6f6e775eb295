"""`predeal deal`: deal the boards of a file, on the machine or in its twin, and prove each."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, cast

import click
from click.core import ParameterSource

from controller.cli.files import Numbers
from controller.cli.findings import finding_document, tell_findings
from controller.cli.kept import box_wish, copies_asked, kept_options, named_set
from controller.cli.machine_options import (
    FIRMWARE_OPTION,
    PROCESSES,
    FaultName,
    Pace,
    Speed,
    twin_setup,
    without_effect,
)
from controller.cli.output import Exit, complain, emit, finish, json_option
from controller.cli.pictures import Album, PicturePath
from controller.cli.stores import socket_option
from controller.cli.telling import stop_document
from controller.geometry import POCKET_ORDER, POCKET_ORDERS, PROFILES
from controller.jobs.deal import DealSet
from controller.jobs.errors import JobError
from controller.jobs.recover import places
from controller.jobs.results import by_fault
from deals.boards import Board
from deals.errors import DealFileError
from deals.files import DealFile, ranges, write_deals
from deals.files.reading import read_bytes, read_deals
from deals.laws import Edition
from deals.setcode import NO_CODE, code_of
from deals.words import text

if TYPE_CHECKING:
    from controller.jobs.results import BoardResult
    from controller.store.journal import Interrupted
    from controller.twin.session import TwinReport, TwinSetup


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--twin", is_flag=True, help="Deal in the simulated machine.")
@click.option("--boards", type=Numbers(), help="Only these, such as 1-4 or 1-4,7.")
@click.option("--first-board", type=click.IntRange(1), help="For formats without numbers.")
@click.option("--copies", type=click.IntRange(1, 99), default=1, show_default=True)
@click.option("--profile", type=click.Choice(list(PROFILES)), default="standard", show_default=True)
@click.option(
    "--speed",
    type=Speed(),
    default="lockstep",
    help="lockstep, Nx: N times real time at most, or 1x: machine and daemon as processes.",
)
@FIRMWARE_OPTION
@click.option("--design", default="standard", show_default=True, help="A taught design.")
@click.option(
    "--deck-art",
    type=click.Path(path_type=Path),
    help="Print these 52 pictures on the simulated cards.",
)
@click.option(
    "--pocket-order",
    type=click.Choice(POCKET_ORDERS),
    default=POCKET_ORDER,
    help="How the twin's pockets lie along its belt.",
)
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--fault", "faults", type=FaultName(), multiple=True, help="See `predeal faults`.")
@click.option(
    "--operator",
    type=click.Choice(["none", "auto", "careless"]),
    default="none",
    help="Who acts on a stop in the twin.",
)
@kept_options
@click.option("--teaching", is_flag=True, help="Deal a TEACHING set: not for normal play.")
@click.option(
    "--laws",
    type=click.Choice([str(edition.value) for edition in Edition]),
    help="Edition of the Laws for this set; it is kept with it.  [default: 2017]",
)
@click.option("--replay", is_flag=True, help="Meant: deals that were dealt before (Law 6D2).")
@click.option("--witness", default="", help="Who of the other side is present (Law 6C).")
@click.option("--again", is_flag=True, help="Deal boards once more that were dealt before.")
@socket_option
@click.option("--trace", type=click.Path(path_type=Path), help="Write wire, pins and images here.")
@click.option(
    "--picture",
    type=PicturePath(),
    metavar="FILE",
    help="In the twin: write pictures of cards that have to be named; else status --picture.",
)
@click.option("--state", type=click.Path(path_type=Path), help="Keep the store here.")
@json_option
def deal(file: Path, twin: bool, as_json: bool, **options: Any) -> None:
    """Deal the boards of FILE, each until its four hands are proven.

    FILE may also be the code of a set that the store keeps.
    """
    what = named_set(file, options | {"twin": twin}) or _of_file(file, as_json, options)
    if what.teaching and not options["teaching"]:
        raise JobError("job.teaching", file=file)
    options["copies"] = copies_asked(options)
    notes = without_effect(options["faults"], twin, {board.number for board in what.chosen})
    for note in notes:
        complain(note)
    if not twin:
        if options["picture"]:
            raise click.UsageError(text("picture.by_status"))
        _on_machine(what, file, as_json, options, notes)
    if options["speed"] == PROCESSES:
        report, setup = _in_processes(what, file, as_json, options)
    else:
        report, setup = _in_twin(what, as_json, options)
    report.warnings = notes + report.warnings + _changed(file, what.source)
    for reminder in report.reminders:
        complain(reminder)
    if as_json:
        emit(_document(report, what, setup))
    else:
        from controller.cli.live import conclusion  # late: JSON needs no terminal

        conclusion(report, what, setup)
    finish(Exit.WAITS_FOR_PERSON if report.waiting else Exit.DONE)


def _of_file(file: Path, as_json: bool, options: dict[str, Any]) -> DealSet:
    found, source = _read(file, options["first_board"], as_json)
    chosen = _choose(file, found, options["boards"])
    return DealSet(
        file.stem,
        code_of(found.boards),
        source,
        found.boards,
        chosen,
        found.teaching,
        int(options["laws"]) if options["laws"] else None,
        options["replay"],
        options["witness"],
    )


def _changed(file: Path, source: bytes) -> list[str]:
    """Whether the file is another by now; what was dealt is what it held at the start."""
    if not source:
        return []
    try:
        same = hashlib.sha256(read_bytes(file)).digest() == hashlib.sha256(source).digest()
        code = "" if same else "job.file_changed"
    except DealFileError:
        code = "job.file_gone"
    if not code:
        return []
    warning = text(code, {"file": file})
    complain(warning)
    return [warning]


def _wish(what: DealSet, file: Path, options: dict[str, Any]) -> dict[str, Any]:
    """What the daemon is asked for. Copies count only when they were asked for."""
    given = click.get_current_context().get_parameter_source("copies")
    asked = options["again"] or given is not ParameterSource.DEFAULT or len(options["boxes"]) > 1
    return {
        "name": file.name,
        "source": what.source or write_deals(what.boards, "pbn").data,
        "boards": list(options["boards"]) if options["boards"] else None,
        "first_board": options["first_board"],
        "copies": options["copies"] if asked else None,
        "teaching": options["teaching"],
        "laws": what.laws,
        "replay": what.replay,
        "witness": what.witness,
        **box_wish(options),
    }


def _on_machine(
    what: DealSet, file: Path, as_json: bool, options: dict[str, Any], notes: list[str]
) -> NoReturn:
    """On the machine whose daemon runs; ends the command."""
    from controller.cli import status  # late: only here
    from controller.twin.session import TwinReport

    asked = status.client(options["socket"])
    wish = _wish(what, file, options)
    view = status.NoView() if as_json else status.RemoteView(what)
    ran = status.deal_on_daemon(asked, wish, view, stay=not as_json)
    for warning in ran.warnings:
        complain(warning)
    if as_json:
        firmware = {"kind": "machine", "id": ran.firmware}
        report = TwinReport(firmware, ran.results, warnings=notes + ran.warnings)
        boards = [board_document(result) for result in ran.results]
        emit(_head(report, what, ran.profile, ran.design) | {"boards": boards})
    elif ran.words:
        click.echo(ran.words)
    finish(Exit.WAITS_FOR_PERSON if ran.waits else Exit.DONE if ran.proven else Exit.COULD_NOT)


def _in_processes(
    what: DealSet, file: Path, as_json: bool, options: dict[str, Any]
) -> tuple[TwinReport, TwinSetup]:
    """In a twin and a daemon of this run alone, at the speed of a machine."""
    from controller.cli import status  # late: only here
    from controller.twin.session import TwinReport, TwinSetup

    wish = _wish(what, file, options) | {"copies": options["copies"]}
    view = status.NoView() if as_json else status.RemoteView(what)
    ran, seen = status.deal_at_1x(wish, view, options)
    for result, (_, machine_us) in zip(ran.results, seen, strict=False):
        result.machine_us = machine_us
    for warning in ran.warnings:
        complain(warning)
    contents = [held for held, _ in seen]
    firmware = ran.firmware_document(options["firmware"])
    report = TwinReport(firmware, ran.results, contents, ran.warnings)
    setup = TwinSetup(
        profile=PROFILES[options["profile"]],
        pictures=cast(Any, None),
        reader=cast(Any, None),
        design=options["design"],
        seed=options["seed"],
    )
    return report, setup


def _read(file: Path, first_board: int | None, as_json: bool) -> tuple[DealFile, bytes]:
    """The boards of the file; any problem ends the command before anything moves."""
    source = read_bytes(file)
    found = read_deals(source, file.name, first_board)
    tell_findings(file, found.warnings, found.problems)
    if found.problems:
        complain(text("job.file_refused", {"file": file}))
        if as_json:
            emit(
                {
                    "boards": [],
                    "problems": [finding_document(problem) for problem in found.problems],
                }
            )
        finish(Exit.COULD_NOT)
    return found, source


def _choose(file: Path, found: DealFile, numbers: tuple[int, ...] | None) -> tuple[Board, ...]:
    if not found.boards:
        raise JobError("job.nothing_to_deal", file=file)
    if numbers is None:
        return found.boards
    there = {board.number for board in found.boards}
    missing = [number for number in numbers if number not in there]
    if missing:
        raise JobError("job.boards_not_there", file=file, boards=ranges(missing))
    return tuple(board for board in found.boards if board.number in numbers)


def _in_twin(what: DealSet, as_json: bool, options: dict[str, Any]) -> tuple[TwinReport, TwinSetup]:
    from controller.twin.session import TwinSession  # late: the twin is no dependency

    album = Album(options["picture"]).add if options["picture"] else None
    if as_json:
        setup = twin_setup(options, Pace(options["speed"]).wait)
        session = TwinSession(
            what, setup, on_interrupted=_tell_interrupted, on_warning=complain, on_picture=album
        )
        return session.run(), setup
    from controller.cli.live import LiveView  # late: JSON needs no terminal

    pace = Pace(options["speed"])
    with LiveView(what, options["operator"]) as view:

        def tick(now_us: int) -> None:
            pace.wait(now_us)
            view.tick(now_us)

        setup = twin_setup(options, tick)
        session = TwinSession(
            what, setup, view.progress, view.happened, _tell_interrupted, complain, album
        )
        return session.run(), setup


def _tell_interrupted(dealing: Interrupted) -> None:
    complain(text("job.interrupted", places(dealing)))


def _document(report: TwinReport, what: DealSet, setup: TwinSetup) -> dict[str, Any]:
    return _head(report, what, setup.profile.name, setup.design) | {
        "seed": setup.seed,
        "boards": board_documents(report),
    }


def _head(report: TwinReport, what: DealSet, profile: str, design: str) -> dict[str, Any]:
    return {
        "set": None if what.code == NO_CODE else what.code,
        "teaching": what.teaching,
        "profile": profile,
        "design": design,
        "mechanical_limit_s": round(PROFILES[profile].mechanical_limit_us / 1e6, 3),
        "firmware": report.firmware,
        "boards": [],
        "warnings": report.warnings,
        "reminders": report.reminders,
        "summary": {
            "proven": report.summary.proven,
            "mended": report.summary.mended,
            "stopped": report.summary.stopped,
        },
        "by_fault": {
            fault: {"mended": count.mended, "stopped": count.stopped}
            for fault, count in by_fault(report.results).items()
        },
    }


def board_documents(report: TwinReport) -> list[dict[str, Any]]:
    """The boards of a job in the twin, each with what then lay in its pockets."""
    return [
        {**board_document(result), "contents": contents}
        for result, contents in zip(report.results, report.contents, strict=True)
    ]


def board_document(result: BoardResult) -> dict[str, Any]:
    """One dealt board as JSON; `contents` is for the caller to add."""
    return {
        "board": result.board,
        "copy": result.copy,
        "proven": result.proven,
        "attempts": result.attempts,
        "machine_s": None if result.machine_us is None else round(result.machine_us / 1e6, 4),
        "cards": result.cards,
        "pockets": result.pockets or dict.fromkeys("NESW", 0),
        "second_looks": result.second_looks,
        "parked": result.parked,
        "held": result.held,
        "named": result.named,
        "faces_seen": [{"who": face.who, "plays": face.plays} for face in result.faces],
        "stops": [stop_document(stop) for stop in result.stops],
    }
