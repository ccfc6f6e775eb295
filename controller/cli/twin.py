"""`predeal twin`: the simulated machine as a process of its own."""

from __future__ import annotations

import os
import random
import shutil
import signal
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from controller.cli.machine_options import FIRMWARE_OPTION, FaultName
from controller.cli.output import emit, json_option
from controller.cli.parent import end_with_parent, with_parent_option
from controller.geometry import POCKET_ORDER, POCKET_ORDERS, PROFILES
from deals.words import text

if TYPE_CHECKING:
    from controller.twin.serve.panel import PanelWorld
    from controller.twin.world.build import Build
    from controller.twin.world.camera import Pictures


@click.group()
def twin() -> None:
    """Run the simulated machine by itself."""


@twin.command()
@click.option("--profile", type=click.Choice(list(PROFILES)), default="standard", show_default=True)
@click.option("--fault", "faults", type=FaultName(), multiple=True, help="See `predeal faults`.")
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--design", default="standard", show_default=True, help="A printed design.")
@click.option(
    "--deck-art",
    type=click.Path(path_type=Path),
    help="Print these 52 pictures on the simulated cards.",
)
@FIRMWARE_OPTION
@click.option("--pocket-order", type=click.Choice(POCKET_ORDERS), default=POCKET_ORDER)
@click.option(
    "--built",
    type=int,
    metavar="SEED",
    help="A machine that differs from its drawing, as `predeal calibrate --twin --seed` has it.",
)
@click.option("--trace", type=click.Path(path_type=Path), help="Write wire, pins and images here.")
@click.option(
    "--haste",
    type=click.FloatRange(1, 100),
    default=1,
    help="People at this machine are so many times as quick as people are.",
)
@click.option(
    "--socket-dir",
    type=click.Path(path_type=Path),
    help="Put port and sockets here, not in a folder of their own.",
)
@with_parent_option
@json_option
def serve(as_json: bool, socket_dir: Path | None, with_parent: bool, **options: Any) -> None:
    """Be a machine at the speed of a machine, until Ctrl-C: a port and sockets for a daemon."""
    if with_parent:
        end_with_parent()
    own = None if socket_dir else Path(tempfile.mkdtemp(prefix="predeal-twin-"))
    folder = (socket_dir or own or Path()).absolute()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        _serve(as_json, folder, options)
    finally:
        if own is not None:
            shutil.rmtree(own, ignore_errors=True)


def _serve(as_json: bool, folder: Path, options: dict[str, Any]) -> None:
    from controller.twin.serve.drawing import one_thread  # late: all of these need the twin

    one_thread()
    from controller.devices.realtime import RealClock
    from controller.twin.chips import new_chip
    from controller.twin.serve.panel import hurry
    from controller.twin.serve.server import Server, Sockets
    from controller.twin.trace import NoTrace, TraceFolder

    trace = TraceFolder(options["trace"]) if options["trace"] else None
    hurry(options["haste"])
    firmware = new_chip(options["firmware"])
    sockets = Sockets(folder)
    world = _world(firmware, trace or NoTrace(), options)
    server = Server(world, RealClock(), sockets)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: server.stop())
    found = {
        "pid": os.getpid(),
        **sockets.as_json(),
        "pty": server.mcu.device,
        "profile": options["profile"],
        "pocket_order": options["pocket_order"],
        "seed": options["seed"],
    }
    if as_json:
        emit(found)
    else:
        click.echo(text("twin.serving", found))
    try:
        server.serve()
    finally:
        firmware.close()
        if trace is not None:
            trace.close()


def _world(firmware: Any, trace: Any, options: dict[str, Any]) -> PanelWorld:
    from controller.twin.serve.panel import PanelWorld

    profile = PROFILES[options["profile"]]
    return PanelWorld(
        firmware,
        profile,
        random.Random(options["seed"]),
        options["faults"],
        pictures=_pictures(options),
        trace=trace,
        pocket_order=options["pocket_order"],
        build=_build(options),
    )


def _build(options: dict[str, Any]) -> Build:
    from controller.twin.world.build import DRAWING, Build

    return DRAWING if options["built"] is None else Build.seeded(options["built"])


def _pictures(options: dict[str, Any]) -> Pictures:
    """The drawn cards, each drawn once now: the first image of a card takes too long for 1x."""
    from controller.jobs.errors import JobError
    from controller.twin.pictures import DrawnPictures, conditions_of
    from controller.twin.serve.drawing import draw_all
    from vision.synthetic.art import DESIGNS

    profile = PROFILES[options["profile"]]
    seen = conditions_of(_build(options).camera)
    if options["deck_art"]:
        pictures = DrawnPictures.of_folder(options["deck_art"], profile, seen)
    elif options["design"] in DESIGNS:
        pictures = DrawnPictures.of_design(options["design"], profile, seen)
    else:
        raise JobError("job.no_art", design=options["design"])
    draw_all(pictures)
    return pictures
