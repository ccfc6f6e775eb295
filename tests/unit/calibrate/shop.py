"""A machine that differs from its drawing, with a technician beside it."""

from __future__ import annotations

import random

from controller.geometry import PROFILES
from controller.jobs.calibrate.runs import Runs
from controller.machine.calibration import Calibration
from controller.twin.firmware import HostFirmware
from controller.twin.lockstep import LockstepTwin
from controller.twin.operator import Operator
from controller.twin.world.build import Build
from controller.twin.world.camera import Pictures
from controller.twin.world.world import World


class NoPictures:
    """Nobody looks."""

    def window(self, *given: object) -> bytes:
        """An image without anything."""
        return b""


class NoReader:
    """Nothing is read."""

    def read(self, image: object) -> None:
        """Never asked."""
        raise AssertionError("a calibration reads no card")


class Shop:
    """World, machine and technician."""

    def __init__(
        self,
        build: Build,
        seed: int = 1,
        profile: str = "standard",
        pictures: Pictures | None = None,
    ) -> None:
        self.build = build
        self.chip = HostFirmware()
        self.world = World(
            self.chip,
            PROFILES[profile],
            random.Random(seed),
            pictures=pictures or NoPictures(),
            build=build,
        )
        self.twin = LockstepTwin(self.world, NoReader(), PROFILES[profile], seed)
        self.machine = self.twin.machine
        self.people = Operator(self.world, self.twin.idle)
        self.runs = Runs(self.machine, self.people, self.twin.time)
        self.calibration = Calibration()

    def close(self) -> None:
        """Frees the chip."""
        self.chip.close()
