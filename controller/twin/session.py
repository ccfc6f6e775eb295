"""One job in the twin, from the boards of a file to what the world really holds."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from controller import geometry
from controller.devices.happenings import Happening
from controller.geometry import Profile
from controller.jobs.deal import Copies, DealJob, DealSet
from controller.jobs.recover import close_interrupted, first_copy
from controller.jobs.results import BoardResult, Summary
from controller.store.clock import DatedClock
from controller.store.journal import Interrupted
from controller.store.sets import BoardEntry, SetId
from controller.store.store import Store
from controller.twin.careless import Careless
from controller.twin.faults import Fault
from controller.twin.firmware import HostFirmware, library_path
from controller.twin.lockstep import LockstepTwin, Reads
from controller.twin.operator import Operator, Staff
from controller.twin.trace import NoTrace, TraceFolder
from controller.twin.world.camera import Pictures
from controller.twin.world.things import Kind
from controller.twin.world.world import World

OPERATORS = {"none": Staff, "auto": Operator, "careless": Careless}


@dataclass(frozen=True, slots=True)
class TwinSetup:
    """How the simulated machine is made."""

    profile: Profile
    pictures: Pictures
    reader: Reads
    design: str
    seed: int = 1
    faults: tuple[Fault, ...] = ()
    operator: str = "none"
    copies: int = 1
    pocket_order: str = geometry.POCKET_ORDER
    again: bool = False
    """Boards that were dealt before are dealt once more, as further copies."""
    trace: Path | None = None
    state_dir: Path | None = None
    wall_us: int = 0
    """The date at which the virtual clock shows zero."""
    pace: Callable[[int], None] | None = None


@dataclass(slots=True)
class TwinReport:
    """What came of a job in the twin; `contents` is the world's own word, board by board."""

    firmware: dict[str, str]
    results: list[BoardResult] = field(default_factory=list)
    contents: list[dict[str, Any]] = field(default_factory=list)

    @property
    def summary(self) -> Summary:
        """Boards proven, mended, stopped."""
        return Summary.of(self.results)

    @property
    def waiting(self) -> bool:
        """Whether the job ended at a board that waits for a person."""
        return any(result.waiting for result in self.results)


class TwinSession:
    """World, host and job of one command. `job` may be watched while `run` goes on."""

    def __init__(
        self,
        what: DealSet,
        setup: TwinSetup,
        progress: Callable[[BoardResult], None] | None = None,
        on_happening: Callable[[Happening], None] | None = None,
        on_interrupted: Callable[[Interrupted], None] | None = None,
    ) -> None:
        self._setup = setup
        self._progress = progress
        self._firmware = HostFirmware()
        self._trace = TraceFolder(setup.trace) if setup.trace else None
        self.world = World(
            self._firmware,
            setup.profile,
            random.Random(setup.seed),
            setup.faults,
            pictures=setup.pictures,
            trace=self._trace or NoTrace(),
            pocket_order=setup.pocket_order,
        )
        self.twin = LockstepTwin(self.world, setup.reader, setup.profile, setup.seed, setup.pace)
        clock = DatedClock(self.twin.time, setup.wall_us)
        entropy = random.Random(f"{setup.seed} store").randbytes
        self.store = Store.open(setup.state_dir, clock, entropy, twin=True)
        self.report = TwinReport({})
        try:
            self.job = self._make_job(what, on_happening, on_interrupted)
        except BaseException:
            self._close()
            raise

    def run(self) -> TwinReport:
        """Deals, and gives the report; everything is closed afterwards."""
        try:
            self.report.results = self.job.run()
            self.report.firmware = self._identity()
        finally:
            self._close()
        return self.report

    def _make_job(
        self,
        what: DealSet,
        on_happening: Callable[[Happening], None] | None,
        on_interrupted: Callable[[Interrupted], None] | None,
    ) -> DealJob:
        journal = self.store.journal
        for dealing in close_interrupted(journal):
            if on_interrupted is not None:
                on_interrupted(dealing)
        set_id = self._keep(what)
        setup = self._setup
        first = first_copy(journal, set_id, what.chosen, again=setup.again)
        return DealJob(
            what.chosen,
            self.twin.machine,
            OPERATORS[setup.operator](self.world, self.twin.idle),
            journal,
            self.twin.time,
            set_id,
            design=setup.design,
            copies=Copies(setup.copies, first),
            progress=self._note,
            on_happening=on_happening,
        )

    def _close(self) -> None:
        self.store.close()
        self._firmware.close()
        if self._trace is not None:
            self._trace.close()

    def _keep(self, what: DealSet) -> SetId:
        entries = [
            BoardEntry(b.number, b.dealer.letter, b.vulnerable.value, b.deal.pbn())
            for b in what.boards
        ]
        return self.store.sets.add(
            code=what.code, name=what.name, source=what.source, boards=entries
        )

    def _note(self, result: BoardResult) -> None:
        if result.proven or result.waiting:
            result.machine_us = self.world.timing.machine_us
            self.report.contents.append(_contents(self.world))
        if self._progress is not None:
            self._progress(result)

    def _identity(self) -> dict[str, str]:
        """Version as the firmware told it, and a digest of the very library that ran."""
        identity = self.twin.machine.identity
        word = identity.firmware if identity else 0
        version = f"{word >> 24}.{word >> 16 & 0xFF}.{word & 0xFFFF}"
        digest = hashlib.sha256(library_path().read_bytes()).hexdigest()
        return {"kind": "host", "id": f"{version}+{digest[:12]}"}


def _contents(world: World) -> dict[str, Any]:
    """The world's contents; a stop card in the tray is counted apart from the cards there."""
    found = world.contents().as_json()
    stop_card = Kind.STOP.value
    stop_cards = found["tray"].count(stop_card)
    return {
        **found,
        "tray": [name for name in found["tray"] if name != stop_card],
        "stop_cards_in_tray": stop_cards,
    }
