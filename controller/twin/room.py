"""The room of one command: a world with its machine and people, and the store of the host."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from controller import geometry
from controller.geometry import Profile
from controller.jobs.calibrate.sections import calibration_of
from controller.jobs.order import Copies
from controller.store.calibrations import CalibrationFile
from controller.store.clock import DatedClock
from controller.store.store import Store
from controller.twin.careless import Careless
from controller.twin.chips import HOST, identity, new_chip
from controller.twin.faults import Fault
from controller.twin.lockstep import LockstepTwin, Reads
from controller.twin.operator import Operator, Staff
from controller.twin.trace import NoTrace, TraceFolder
from controller.twin.world.build import DRAWING, Build
from controller.twin.world.camera import Pictures
from controller.twin.world.things import Kind
from controller.twin.world.world import World

OPERATORS: dict[str, type[Staff]] = {"none": Staff, "auto": Operator, "careless": Careless}


@dataclass(frozen=True, slots=True)
class TwinSetup:
    """How the simulated machine is made."""

    profile: Profile
    pictures: Pictures
    reader: Reads
    design: str
    seed: int = 1
    faults: tuple[Fault, ...] = ()
    build: Build | None = None
    """How it differs from the drawing; None: as the store remembers it."""
    firmware: str = HOST
    """Which chip: the core built for this computer, or the ATmega2560's program in simavr."""
    operator: str = "none"
    copies: int = 1
    pocket_order: str = geometry.POCKET_ORDER
    again: bool = False
    """Boards that were dealt before are dealt once more, as further copies."""
    plan: Copies = field(default_factory=Copies)
    """Order, boxes and section of the copies; for copies one by one also which."""
    over: bool = False
    """Boxes are dealt over although nobody said that they were played."""
    trace: Path | None = None
    state_dir: Path | None = None
    wall_us: int = 0
    """The date at which the virtual clock shows zero."""
    pace: Callable[[int], None] | None = None


def build_of(state_dir: Path | None) -> Build:
    """The machine that this store was calibrated for, or one exactly as drawn."""
    seed = CalibrationFile.load(state_dir).simulated
    return DRAWING if seed is None else Build.seeded(seed)


class TwinRoom:
    """World, host and store; `close` lets go of everything."""

    def __init__(self, setup: TwinSetup) -> None:
        self._kind = setup.firmware
        self._firmware = new_chip(setup.firmware)
        self._trace = TraceFolder(setup.trace) if setup.trace else None
        self.world = World(
            self._firmware,
            setup.profile,
            random.Random(setup.seed),
            setup.faults,
            pictures=setup.pictures,
            trace=self._trace or NoTrace(),
            pocket_order=setup.pocket_order,
            build=setup.build or build_of(setup.state_dir),
        )
        self.twin = LockstepTwin(self.world, setup.reader, setup.profile, setup.seed, setup.pace)
        clock = DatedClock(self.twin.time, setup.wall_us)
        entropy = random.Random(f"{setup.seed} store").randbytes
        self.calibrations = CalibrationFile.load(setup.state_dir)
        self.twin.machine.calibration = calibration_of(self.calibrations)
        self.store = Store.open(setup.state_dir, clock, entropy, twin=True)
        self.people = self._staff(OPERATORS[setup.operator], setup.seed)

    def _staff(self, kind: type[Staff], seed: int) -> Staff:
        """Those who slip do so by the seed of the run."""
        if issubclass(kind, Careless):
            return kind(self.world, self.twin.idle, seed)
        return kind(self.world, self.twin.idle)

    def close(self) -> None:
        """Lets go of files and firmware."""
        self.store.close()
        self._firmware.close()
        if self._trace is not None:
            self._trace.close()

    def identity(self) -> dict[str, str]:
        """Version as the firmware told it, and a digest of the very file that ran."""
        told = self.twin.machine.identity
        word = told.firmware if told else 0
        return identity(self._kind, f"{word >> 24}.{word >> 16 & 0xFF}.{word & 0xFFFF}")

    def contents(self) -> dict[str, Any]:
        """What the world holds; a stop card in the tray is counted apart from the cards there."""
        found = self.world.contents().as_json()
        stop_card = Kind.STOP.value
        stop_cards = found["tray"].count(stop_card)
        return {
            **found,
            "tray": [name for name in found["tray"] if name != stop_card],
            "stop_cards_in_tray": stop_cards,
        }
