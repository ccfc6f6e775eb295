"""The things that a daemon drives, whatever they are made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from controller import geometry
from controller.devices.eye import Eye
from controller.devices.ports import Clock, Label, LabelReader, Transport
from controller.geometry import Profile
from controller.jobs.calibrate.camera import Figures
from controller.store.calibrations import CalibrationFile


class ReopenedTransport(Transport, Protocol):
    """A transport whose port can be opened anew after it was lost."""

    def reopen(self) -> None:
        """Closes what is left and opens anew; OSError while the port is not there."""
        ...


class Panel(Protocol):
    """What the Pi's own pins show and feel."""

    def show(self, lamp: str) -> None:
        """Lights the stacklight for one of `LAMPS`."""
        ...

    def pressed(self) -> bool:
        """Whether the start button was pressed since the last question."""
        ...

    def stop_released(self) -> bool:
        """Whether the emergency stop is released, as the Pi senses it."""
        ...

    def hold_reset(self, on: bool) -> None:
        """Holds the MCU's reset line, or lets it go."""
        ...


class NoPanel:
    """A machine without button and lamps."""

    def show(self, lamp: str) -> None:
        """Nothing to light."""

    def pressed(self) -> bool:
        """Never."""
        return False

    def stop_released(self) -> bool:
        """Only the MCU knows."""
        return True

    def hold_reset(self, on: bool) -> None:
        """No such line."""


class ConfirmedLabels:
    """In place of a label reader: the number that the operator has confirmed for this board."""

    def __init__(self) -> None:
        self._board: int | None = None

    def read(self) -> Label | None:
        """The confirmed number, as a label would tell it."""
        return None if self._board is None else Label(self._board, "", backwards=False)

    def confirm(self, board: int | None) -> None:
        """Somebody has looked; None when the board was taken out."""
        self._board = board


@dataclass(frozen=True, slots=True)
class Built:
    """One machine as it was built and set up, by its configuration."""

    profile: Profile
    design: str
    pocket_order: str = geometry.POCKET_ORDER
    box: str = ""
    """The only box whose boards are dealt here; empty: any."""
    id: str = ""
    calibrations: CalibrationFile = field(default_factory=CalibrationFile)


@dataclass(slots=True)
class Parts:
    """One machine's outside, as the daemon sees it."""

    transport: ReopenedTransport
    eye: Eye
    labels: LabelReader
    clock: Clock
    wait: Callable[[int], None]
    wake: Callable[[], None]
    panel: Panel = field(default_factory=NoPanel)
    eye_problem: Callable[[], str] = lambda: ""
    """Why no card can be read now, in words; empty when the eye is well."""
    figures: Figures | None = None
    """What measures the camera's pictures; None: a process of its own."""
    eye_figures: Callable[[], dict[str, int]] = dict
    """What the eye has been through since the program began."""
