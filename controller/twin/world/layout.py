"""Where everything along the way of a card is, in belt steps from the hopper's exit."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final, NamedTuple

from controller import geometry
from controller.geometry import steps
from controller.twin.world.build import DRAWING, Build
from controller.twin.world.pins import In, Out

CARD: Final = steps(geometry.CARD_LENGTH_MM)
GRIP: Final = steps(geometry.BELT_GRIPS_AT_MM)
WINDOW: Final = steps(geometry.HOPPER_TO_WINDOW_MM)
TRAY_GATE: Final = -1
"""In place of a gate's index: the tray."""


class What(IntEnum):
    """What happens when a leading edge reaches a waypoint."""

    WINDOW_ON = 0
    LEFT_FEEDER = 1
    WINDOW_OFF = 2
    MEET_GATE = 3
    CLEAR_GATE = 4
    PASS_ON = 5
    LAND = 6
    """The trailing edge has left the passing sensor."""


class Waypoint(NamedTuple):
    """A place of the leading edge and what happens there."""

    at: int
    what: What
    gate: int


@dataclass(frozen=True, slots=True)
class Layout:
    """One machine's order of pockets, and the ways a card can take."""

    order: str
    """Seats along the belt, first gate first."""
    gates: tuple[int, ...]
    """Where each gate begins."""
    straight: tuple[Waypoint, ...]
    diverted: tuple[tuple[Waypoint, ...], ...]
    """By gate: the way of a card from the gate on."""
    gate_pins: tuple[Out, ...]
    pass_pins: tuple[In, ...]
    """By gate, then the tray: index -1 is the tray."""
    present_pins: tuple[In, ...]


def layout(order: str = geometry.POCKET_ORDER, build: Build = DRAWING) -> Layout:
    """The machine of `geometry`, built with its pockets in *order*, and as *build* says."""
    places = tuple(gate_at(gate) + shift for gate, shift in enumerate(build.gate_shift))
    tray = steps(geometry.tray_mm()) + build.tray_shift
    straight = [
        Waypoint(WINDOW, What.WINDOW_ON, 0),
        Waypoint(CARD, What.LEFT_FEEDER, 0),
        Waypoint(WINDOW + CARD, What.WINDOW_OFF, 0),
        Waypoint(tray, What.PASS_ON, TRAY_GATE),
        Waypoint(tray + CARD, What.LAND, TRAY_GATE),
    ]
    for gate, place in enumerate(places):
        straight.append(Waypoint(place, What.MEET_GATE, gate))
        straight.append(Waypoint(place + CARD, What.CLEAR_GATE, gate))
    return Layout(
        order,
        places,
        tuple(sorted(straight)),
        tuple(_diverted(gate, place) for gate, place in enumerate(places)),
        tuple(Out[f"GATE_{seat}"] for seat in order),
        (*(In[f"PASS_{seat}"] for seat in order), In.PASS_TRAY),
        (*(In[f"PRESENT_{seat}"] for seat in order), In.PRESENT_TRAY),
    )


def gate_at(gate: int) -> int:
    """Where gate *gate* begins on the drawing."""
    return steps(geometry.gate_mm(gate))


def pocket_at(gate: int) -> int:
    """Where the passing sensor behind gate *gate* is on the drawing."""
    return steps(geometry.pocket_mm(gate))


def _diverted(gate: int, place: int) -> tuple[Waypoint, ...]:
    sensor = place + pocket_at(gate) - gate_at(gate)
    return (
        Waypoint(place + CARD, What.CLEAR_GATE, gate),
        Waypoint(sensor, What.PASS_ON, gate),
        Waypoint(sensor + CARD, What.LAND, gate),
    )
