"""`predeal calibrate`: measure this machine, keep what was found, print the commissioning sheet."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from controller.cli.machine_options import FIRMWARE_OPTION, PROCESSES
from controller.cli.output import Exit, complain, emit, finish, json_option
from controller.cli.stores import socket_option, user_name
from controller.cli.writing import write_whole
from controller.geometry import CARD_LENGTH_MM, PROFILES
from controller.jobs.errors import JobError
from deals.words import text

if TYPE_CHECKING:
    from controller.jobs.calibrate.sections import Wanted
    from controller.store.calibrations import CalibrationFile
    from controller.twin.room import TwinRoom, TwinSetup

BEFORE: Final = {"feed": (), "gates": ("feed",), "sensors": ("feed", "gates"), "camera": ("feed",)}
"""What has to be known before a section can be measured."""


def _options(command: Any) -> Any:
    path = click.Path(path_type=Path)
    options = (
        click.option("--twin", is_flag=True, help="Measure a simulated machine."),
        click.option("--seed", type=int, default=1, show_default=True, help="Which one."),
        click.option(
            "--profile", type=click.Choice(list(PROFILES)), default="standard", show_default=True
        ),
        FIRMWARE_OPTION,
        click.option(
            "--speed",
            type=click.Choice(["lockstep", PROCESSES]),
            default="lockstep",
            show_default=True,
            help="Of the twin; 1x: machine and daemon as processes.",
        ),
        click.option(
            "--operator",
            type=click.Choice(["none", "auto"]),
            default="auto",
            show_default=True,
            help="Whether a technician stands beside the twin.",
        ),
        click.option(
            "--card-mm",
            type=click.FloatRange(50, 70),
            default=CARD_LENGTH_MM,
            show_default=True,
            help="Short side of a card in use, measured with a calliper.",
        ),
        click.option("--design", default="standard", show_default=True, help="The cards in use."),
        click.option("--who", default=None, help="Who measures; default: your login name."),
        click.option("--sheet", type=path, help="Write the commissioning sheet here, as PDF."),
        click.option("--state", type=path, help="Keep the values of a twin here."),
        socket_option,
    )
    for option in reversed(options):
        command = option(command)
    return json_option(command)


@click.group()
def calibrate() -> None:
    """Measure this machine: belt and feeder, gates, sensors, camera. Cards are fed; no deal is touched."""


@calibrate.command()
@_options
def feed(**options: Any) -> None:
    """Way of the belt in a step, slip of the feeder, place of the tray's sensor."""
    _calibrate("feed", options)


@calibrate.command()
@_options
def gates(**options: Any) -> None:
    """Place, lead and return of each gate. Some cards jam on purpose, two a gate: free them."""
    _calibrate("gates", options)


@calibrate.command()
@_options
def sensors(**options: Any) -> None:
    """Thickness and back of the cards, pockets empty and full, label reader, emergency stop."""
    _calibrate("sensors", options)


@calibrate.command()
@_options
def camera(**options: Any) -> None:
    """Place, tilt, scale, focus and light of the camera: two stop cards and a blank one pass four times."""
    _calibrate("camera", options)


@calibrate.command()
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path))
@click.option(
    "--state",
    type=click.Path(path_type=Path),
    default=Path("/var/lib/predeal"),
    show_default=True,
    help="Where the machine keeps its store.",
)
@json_option
def sheet(as_json: bool, output: Path, state: Path) -> None:
    """Print the commissioning sheet of all that was measured so far."""
    from controller.store.calibrations import CalibrationFile  # late

    file = CalibrationFile.load(state)
    if not file.sections:
        raise JobError("calibrate.nothing_measured")
    _write_sheet(file, output)
    if as_json:
        emit({"sections": sorted(file.sections), "sheet": str(output)})
    else:
        click.echo(text("calibrate.sheet_written", {"path": output}))


def _calibrate(section: str, options: dict[str, Any]) -> None:
    from controller.jobs.calibrate.sections import Wanted  # late

    wanted = Wanted(section, options["who"] or user_name(), options["card_mm"], options["design"])
    if options["twin"] and options["speed"] == PROCESSES:
        file, truth = _in_processes(wanted, options)
    elif options["twin"]:
        file, truth = _in_twin(wanted, options)
    else:
        from controller.cli.calibrating import by_daemon

        file, truth = by_daemon(wanted, options["socket"], quiet=options["as_json"]), None
    document = {**file.sections[section], "section": section, "values": file.values}
    if truth is not None:
        document["world"] = truth
    if options["as_json"]:
        emit(document)
    else:
        _tell(document)
    if options["sheet"]:
        _write_sheet(file, options["sheet"])
    finish(Exit.DONE if document["good"] else Exit.COULD_NOT)


def _in_twin(wanted: Wanted, options: dict[str, Any]) -> tuple[CalibrationFile, dict[str, Any]]:
    from controller.twin.room import TwinRoom

    room = TwinRoom(_setup(wanted.section, options))
    try:
        file = room.calibrations
        for section in BEFORE[wanted.section]:
            if section not in file.sections:
                file = _measured(room, wanted.of(section), file, options["seed"])
        file = _measured(room, wanted, file, options["seed"])
        return file, room.world.build.as_json()
    finally:
        room.close()


def _in_processes(
    wanted: Wanted, options: dict[str, Any]
) -> tuple[CalibrationFile, dict[str, Any]]:
    """In a twin and a daemon of this run alone, at the speed of a machine."""
    from controller.cli.calibrating import at_1x
    from controller.twin.world.build import Build

    sections = (*BEFORE[wanted.section], wanted.section)
    found = at_1x([wanted.of(section) for section in sections], options)
    return found, Build.seeded(options["seed"]).as_json()


def _measured(room: TwinRoom, wanted: Wanted, file: CalibrationFile, seed: int) -> CalibrationFile:
    from controller.jobs.calibrate import sections
    from controller.jobs.calibrate.figures import figures_here

    machine = room.twin.machine
    found = sections.measure(wanted, machine, room.people, room.twin.time, file, figures_here)
    return sections.keep(found, wanted, machine, file.of_twin(seed), time.time_ns() // 1000)


def _setup(section: str, options: dict[str, Any]) -> TwinSetup:
    from controller.twin.pictures import DrawnPictures, NoPictures, conditions_of
    from controller.twin.room import TwinSetup
    from controller.twin.world.build import Build

    profile = PROFILES[options["profile"]]
    build = Build.seeded(options["seed"])
    seen = conditions_of(build.camera)
    looks = section == "camera"
    return TwinSetup(
        profile=profile,
        pictures=DrawnPictures.of_design("standard", profile, seen) if looks else NoPictures(),
        reader=NoPictures(),
        design=options["design"],
        seed=options["seed"],
        build=build,
        firmware=options["firmware"],
        operator=options["operator"],
        state_dir=options["state"],
        wall_us=time.time_ns() // 1000,
    )


def _tell(document: dict[str, Any]) -> None:
    from controller.jobs.calibrate.findings import words_of

    for one in document["measures"]:
        mark = click.style("✔", "green") if one["within"] else click.style("■", "red")
        limits = f"{one['low']:g} .. {one['high']:g}"
        words = words_of(one["name"])
        click.echo(f"{mark} {words:<44} {one['value']:>9.2f} {one['unit']:<3} ({limits})")
    for one in document["measures"]:
        if one["remedy"]:
            complain(one["remedy"])
    for note in document["notes"]:
        complain(note)
    if document["failed"]:
        complain(document["failed"])
    click.echo(text("calibrate.kept" if document["good"] else "calibrate.not_kept"))


def _write_sheet(file: CalibrationFile, output: Path) -> None:
    from controller.cli.commissioning import commissioning_sheet

    write_whole(output, commissioning_sheet(file.sections, simulated=file.simulated))
