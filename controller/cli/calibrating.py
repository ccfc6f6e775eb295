"""A calibration on the daemon's machine: begun by a request, followed, mended by whoever stands there."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from controller.api.models import CalibrationView, DaemonState, StateView
from controller.cli.parent import ended_like_ctrl_c
from controller.cli.status import client
from controller.jobs.calibrate.errors import CalibrateError
from controller.store.calibrations import CalibrationFile
from deals.words import text

if TYPE_CHECKING:
    from controller.jobs.calibrate.sections import Wanted

PAUSE_S: Final = 0.2


def by_daemon(wanted: Wanted, socket: Path | None, *, quiet: bool) -> CalibrationFile:
    """Measures one section there. What people must do is told; they say `predeal resume` when it is
    done. CalibrateError when it could not be measured.
    """
    asked = client(socket)
    if wanted.who:
        asked.who = wanted.who
    before = asked.state().event
    asked.calibrate(wanted.section, wanted.card_mm, wanted.design)
    said = ""
    for told in asked.events(before, lambda: time.sleep(PAUSE_S)):
        if told.kind == "calibration":
            return _file(CalibrationView.model_validate_json(told.data))
        if told.kind == "reset":
            view = asked.calibration()
            if not view.measuring:
                return _file(view)
        if told.kind not in ("state", "reset"):
            continue
        state = StateView.model_validate_json(told.data)
        if state.words != said and not quiet:
            said = state.words
            click.echo(said if state.state is not DaemonState.WAITS else _waits(said))
    raise AssertionError("the events never end")


def at_1x(wanted: Sequence[Wanted], options: dict[str, Any]) -> CalibrationFile:
    """Measures sections one after the other in a twin and a daemon of this run alone."""
    from controller.house import CrewThread, TwinHouse  # late: only at 1x

    seed = options["seed"]
    twin = [f"--seed={seed}", f"--built={seed}", f"--firmware={options['firmware']}"]
    house = TwinHouse(options["profile"], options["design"], options["state"], twin)
    with ended_like_ctrl_c(), house:
        asked = client(house.socket)
        house.wait_for(asked)
        file = CalibrationFile(None)
        with CrewThread(asked, house.control, options["operator"]) as people:
            for one in wanted:
                if not file.sections.get(one.section, {}).get("good"):
                    file = by_daemon(one, house.socket, quiet=options["as_json"])
        if people.problem is not None:
            raise people.problem
    if options["state"] is not None:  # the same machine again, whoever deals with these values
        CalibrationFile.load(options["state"]).of_twin(seed).save()
    return file.of_twin(seed)


def _waits(words: str) -> str:
    return f"{click.style(words, fg='yellow')} {text('calibrate.resume')}"


def _file(view: CalibrationView) -> CalibrationFile:
    if view.problem:
        raise CalibrateError("calibrate.failed", why=view.problem)
    return CalibrationFile(None, view.values, view.sections, view.simulated)
