"""Options that commands share which run on a machine or in its twin, and the twin they ask for."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from click.core import ParameterSource

from controller.cli.output import complain
from controller.cli.stores import socket_option
from controller.geometry import POCKET_ORDER, PROFILES
from controller.jobs.errors import JobError
from deals.words import text

if TYPE_CHECKING:
    from controller.twin.session import TwinSetup

_SPEED: Final = re.compile(r"(\d+(?:\.\d+)?)x")

PROCESSES: Final = "1x"


class Speed(click.ParamType[float | str | None]):
    """`lockstep` (None: as fast as it goes), `Nx`: at most N times real time, or `1x`: as it is."""

    name = "speed"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float | str | None:
        """The factor; PROCESSES for the machine and its daemon as processes of their own."""
        if value is None or isinstance(value, float) or value == PROCESSES:
            return value  # type: ignore[no-any-return]
        found = _SPEED.fullmatch(value)
        if value == "lockstep":
            return None
        if found is None or float(found[1]) <= 0:
            self.fail(text("job.bad_speed", {"speed": value}), param, ctx)
        return float(found[1])


class FaultName(click.ParamType[Any]):
    """A fault of the twin: NAME, NAME@BOARD or NAME@BOARD.CARD."""

    name = "fault"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The fault."""
        from controller.twin.faults import (  # late: only the twin has faults
            Fault,
            FaultError,
            ignored_card,
            parse,
        )

        if isinstance(value, Fault):
            return value
        try:
            fault = parse(value)
        except FaultError as error:
            self.fail(str(error), param, ctx)
        if ignored_card(value):
            complain(text("twin.fault_takes_no_card", {"name": fault.name, "board": fault.board}))
        return fault


FIRMWARE_OPTION: Final = click.option(
    "--firmware",
    type=click.Choice(["host", "avr"]),
    default="host",
    show_default=True,
    help="The twin's chip: the core on this computer, or the ATmega2560's program in simavr.",
)


def machine_options(command: Any) -> Any:
    """Adds what a job needs that reads cards: `--twin` and how it is made, or the daemon's socket."""
    path = click.Path(path_type=Path)
    options = (
        click.option("--twin", is_flag=True, help="Work in the simulated machine."),
        click.option(
            "--profile", type=click.Choice(list(PROFILES)), default="standard", show_default=True
        ),
        click.option(
            "--speed",
            type=Speed(),
            default="lockstep",
            help="lockstep, Nx: N times real time, or 1x: machine and daemon as processes.",
        ),
        FIRMWARE_OPTION,
        click.option("--design", default="standard", show_default=True, help="A taught design."),
        click.option("--deck-art", type=path, help="Print these pictures on the simulated cards."),
        click.option("--seed", type=int, default=1, show_default=True),
        click.option(
            "--fault", "faults", type=FaultName(), multiple=True, help="See `predeal faults`."
        ),
        click.option(
            "--operator",
            type=click.Choice(["none", "auto", "careless"]),
            default="none",
            help="Who acts on a stop in the twin.",
        ),
        click.option("--trace", type=path, help="Write wire, pins and images here."),
        click.option("--state", type=path, help="Keep the store here."),
        socket_option,
    )
    for option in reversed(options):
        command = option(command)
    return command


_TWIN_ONLY: Final = {
    "profile": "--profile",
    "speed": "--speed",
    "firmware": "--firmware",
    "design": "--design",
    "deck_art": "--deck-art",
    "pocket_order": "--pocket-order",
    "seed": "--seed",
    "faults": "--fault",
    "operator": "--operator",
    "trace": "--trace",
}


def without_effect(faults: Iterable[Any], twin: bool, numbers: Collection[int]) -> list[str]:
    """What was asked for and cannot happen: options of the twin on a machine, faults of other boards."""
    given = click.get_current_context().get_parameter_source
    if not twin:
        names = [o for n, o in _TWIN_ONLY.items() if given(n) is ParameterSource.COMMANDLINE]
        return [text("job.twin_only", {"options": names})] if names else []
    strange = [fault for fault in faults if fault.board and fault.board not in numbers]
    values = [{"fault": str(fault), "board": fault.board} for fault in strange]
    return [text("twin.fault_of_no_board", one) for one in values]


def twin_setup(options: dict[str, Any], pace: Callable[[int], None]) -> TwinSetup:
    """The simulated machine that the options ask for."""
    from controller.cli.kept import plan_of
    from controller.jobs.order import Copies
    from controller.twin.pictures import DrawnPictures, conditions_of  # late: these need OpenCV
    from controller.twin.room import build_of
    from controller.twin.session import TwinSetup
    from vision.design import load
    from vision.recognise import Reader

    profile = PROFILES[options["profile"]]
    design = load(options["design"])
    reader = Reader(design)
    reader.warm_up()
    conditions = conditions_of(build_of(options["state"]).camera)
    if options["deck_art"]:
        pictures = DrawnPictures.of_folder(options["deck_art"], profile, conditions)
    else:
        pictures = DrawnPictures.of_design(art_of(options["design"]), profile, conditions)
    return TwinSetup(
        profile=profile,
        pictures=pictures,
        reader=reader,
        design=design.name,
        seed=options["seed"],
        faults=tuple(options["faults"]),
        firmware=options["firmware"],
        operator=options["operator"],
        copies=options.get("copies", 1),
        pocket_order=options.get("pocket_order", POCKET_ORDER),
        again=options.get("again", False),
        plan=options.get("plan") or (plan_of(options) if "order" in options else Copies()),
        over=options.get("over", False),
        trace=options["trace"],
        state_dir=options["state"],
        wall_us=time.time_ns() // 1000,
        pace=pace,
    )


def art_of(design: str) -> str:
    """Which of our own printed decks the simulated cards are; others come as --deck-art."""
    from vision.synthetic.art import DESIGNS

    if design not in DESIGNS:
        raise JobError("job.no_art", design=design)
    return design


class Pace:
    """Keeps virtual time from running more than `factor` times as fast as the clock on the wall."""

    def __init__(self, factor: float | None) -> None:
        self._factor = factor
        self._started_s: float | None = None

    def wait(self, now_us: int) -> None:
        """Sleeps until the wall has come as far."""
        if self._factor is None:
            return
        virtual_s = now_us / 1_000_000 / self._factor
        if self._started_s is None:
            self._started_s = time.monotonic() - virtual_s
        ahead_s = self._started_s + virtual_s - time.monotonic()
        if ahead_s > 0.002:
            time.sleep(ahead_s)
