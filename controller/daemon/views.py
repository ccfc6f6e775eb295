"""Results, stops and interrupted boards as the API tells them: without any card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Final

from controller.api.models import (
    BoardView,
    CardFateView,
    FaceView,
    FiguresView,
    InterruptedView,
    MachineView,
    Notice,
    StopView,
)
from controller.daemon.watch import MachineWatch
from controller.devices.happenings import Input
from controller.engine.stops import REQUESTS, Fault, Stop
from controller.jobs.recover import places
from controller.jobs.results import BoardResult
from controller.link.link import Link
from controller.machine.machine import Machine
from controller.protocol.messages import Pocket
from controller.store.journal import Interrupted
from controller.store.recovery import CardFate
from deals.errors import PredealError
from deals.words import text

POCKETS: Final = ("N", "E", "S", "W", "tray")
_SWITCHES: Final = {
    "hopper": Input.HOPPER,
    "board": Input.BOARD,
    "lid": Input.LID,
    "estop_released": Input.ESTOP,
    "pocket_n": Input.PRESENT_N,
    "pocket_e": Input.PRESENT_E,
    "pocket_s": Input.PRESENT_S,
    "pocket_w": Input.PRESENT_W,
    "tray": Input.PRESENT_TRAY,
}


def pocket_name(pocket: Pocket) -> str:
    """Its name on the screen."""
    return "tray" if pocket is Pocket.TRAY else pocket.name


def stop_view(stop: Stop, asked_by: str | None = None) -> StopView:
    """A stop. It names a feed number or a pocket in words, never both (design.md section 8)."""
    by_person = asked_by is not None and stop.fault is Fault.INTERNAL
    return StopView(
        fault="stopped_by_person" if by_person else stop.fault.value,
        feed=stop.feed,
        pocket=None if stop.pocket is None else stop.pocket.name,
        steps=[step.value for step in stop.steps],
        then=stop.then.value,
        set_aside=stop.set_aside,
        asked_by=asked_by if by_person else None,
        message=_stop_message(stop, asked_by if by_person else None),
        board=stop.board,
        copy_name=stop.copy,
    )


def _stop_message(stop: Stop, asked_by: str | None) -> str:
    where = ""
    if stop.feed is not None:
        where = text("stop.at_feed", {"feed": stop.feed})
    elif stop.pocket is not None:
        where = text("stop.at_pocket", {"pocket": stop.pocket.name})
    code = f"stop.{stop.fault.value}"
    if stop.fault in REQUESTS and stop.board is None:
        code += "_any"
    what = text(code, {"board": stop.board})
    if stop.copy:
        what += " " + text("stop.of_copy", {"copy": stop.copy})
    if asked_by is not None:
        what = text("daemon.stopped_by", {"who": asked_by})
    return " ".join(part for part in (what, where, steps_text(stop)) if part)


def steps_text(stop: Stop) -> str:
    """What a person does now, step by step."""
    return " ".join(text(f"step.{step.value}") for step in stop.steps)


def board_view(result: BoardResult, asked_by: Sequence[str | None] = ()) -> BoardView:
    """A result; *asked_by* says of each stop who asked for it, if anybody did."""
    who = [*asked_by, *[None] * (len(result.stops) - len(asked_by))]
    return BoardView(
        board=result.board,
        copy_number=result.copy,
        proven=result.proven,
        waiting=result.waiting,
        attempts=result.attempts,
        cards=result.cards,
        pockets=result.pockets,
        second_looks=result.second_looks,
        parked=result.parked,
        held=result.held,
        named=result.named,
        machine_us=result.machine_us,
        faces_seen=[FaceView(who=face.who, plays=face.plays) for face in result.faces],
        stops=[stop_view(stop, by) for stop, by in zip(result.stops, who, strict=True)],
    )


def interrupted_view(found: Interrupted, set_code: str) -> InterruptedView:
    """A board that nobody has ended, with the place of each card and what to do."""
    return InterruptedView(
        set_code=set_code,
        board=found.board,
        copy_number=found.copy,
        attempt=found.attempt,
        cards=[_fate_view(fate) for fate in found.cards],
        message=text("job.interrupted", places(found)),
    )


def _fate_view(fate: CardFate) -> CardFateView:
    pocket = None if fate.pocket is None else pocket_name(Pocket(fate.pocket))
    return CardFateView(run=fate.run, feed=fate.feed, where=fate.where.value, pocket=pocket)


def machine_view(
    machine: Machine, watch: MachineWatch, machine_id: str, notice: Notice | None
) -> MachineView:
    """The machine as last heard."""
    word = machine.identity.firmware if machine.identity else 0
    return MachineView(
        id=machine_id,
        connected=watch.connected,
        state=watch.state.name,
        firmware=f"{word >> 24}.{word >> 16 & 0xFF}.{word & 0xFFFF}" if word else "",
        profile=machine.profile.name,
        pocket_order=machine.pocket_order,
        switches={name: machine.inputs[switch] for name, switch in _SWITCHES.items()},
        label=watch.label,
        problem=problem_text(watch.problem),
        notice=notice,
    )


def figures_view(machine: Machine, link: Link, eye: dict[str, int]) -> FiguresView:
    """What a technician reads."""
    wire = {
        **asdict(link.statistics),
        "dropped": link.dropped,
        "clock_error_us": link.clocks.error_us,
    }
    counted = {} if machine.counted is None else asdict(machine.counted)
    way = machine.calibration.belt_mm
    transit_mm = {
        leg.name.lower(): [
            round(way(steps), 1) for steps in (one.least, one.sum / one.count, one.most)
        ]
        for leg, one in machine.travelled.items()
        if one.count
    }
    return FiguresView(
        route_us=list(machine.route_us), link=wire, eye=eye, mcu=counted, transit_mm=transit_mm
    )


def problem_text(problem: Exception | None) -> str:
    """What is wrong with the machine, in words."""
    if problem is None:
        return ""
    if isinstance(problem, PredealError):
        return problem.text()
    return text("link.port_gone")
