"""A calibration on the daemon's machine, while no job is there: measured, written down, used from now on."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from controller.api.models import CalibrateRequest, CalibrationView, DaemonState, Notice
from controller.daemon.control import Control
from controller.daemon.errors import GivenUpError
from controller.daemon.figures import FiguresApart
from controller.daemon.parts import Built, ConfirmedLabels, Parts
from controller.daemon.people import DeskPeople
from controller.errors import StoreError
from controller.jobs.calibrate.errors import CalibrateError
from controller.jobs.calibrate.lost import is_lost, measured_on, take_back
from controller.jobs.calibrate.sections import Wanted, keep, measure
from controller.link.errors import LinkError
from controller.machine.machine import Machine
from controller.store.context import SYSTEM
from controller.store.store import Store
from deals.errors import PredealError
from deals.words import text


class Calibrating:
    """Belongs to the control loop."""

    def __init__(
        self,
        control: Control,
        machine: Machine,
        people: DeskPeople,
        parts: Parts,
        store: Store,
        built: Built,
        report: Callable[[str], None],
    ) -> None:
        self._control = control
        self._machine = machine
        self._people = people
        self._parts = parts
        self._store = store
        self._design = built.design
        self._file = built.calibrations
        self._problem = ""
        self._id = built.id
        self._report = report
        control.calibrations = self.view

    def look_for_lost(self) -> None:
        """At the begin of a session: a store that has lost its calibration takes it back from the MCU. What is
        in doubt is said, and not used.
        """
        if not is_lost(self._file, self._machine):
            return
        try:
            self._file = take_back(self._file, self._machine, self._id)
            day = measured_on(self._file)
            details = {"date": day, "values": len(self._file.values)}
            self._store.logbook.append("calibration taken back", details, SYSTEM)
        except (CalibrateError, StoreError) as error:
            values = {name: str(value) for name, value in error.values.items()}
            self._notice(Notice(code=error.code, values=values))
            return
        self._notice(Notice(code="calibrate.taken_back", values={"date": day}))
        self._control.live.tell("calibration", self.view())

    def _notice(self, notice: Notice | None) -> None:
        if notice is not None and notice != self._people.notice:
            self._report(text(notice.code, notice.values))
        self._people.notice = notice

    def view(self) -> CalibrationView:
        """As the API tells it."""
        asked = self._control.calibrating
        return CalibrationView(
            values=self._file.values,
            sections=self._file.sections,
            simulated=self._file.simulated,
            measuring=asked.section if asked else "",
            problem=self._problem,
        )

    def run(self, request: CalibrateRequest) -> None:
        """Measures one section; whatever goes wrong, nothing is kept and the machine stands."""
        control = self._control
        control.measure(request)
        self._problem = ""
        wanted = Wanted(
            request.section,
            request.by,
            request.card_mm,
            request.design or self._design,
            not isinstance(self._parts.labels, ConfirmedLabels),
            self._id,
        )
        try:
            figures = self._parts.figures or FiguresApart(self._machine, self._parts.clock)
            found = measure(
                wanted, self._machine, self._people, self._parts.clock, self._file, figures
            )
            wall_us = self._store.context.clock.wall_us()
            self._file = keep(found, wanted, self._machine, self._file, wall_us)
            if found.good:
                self._notice(None)
        except GivenUpError:
            self._problem = text("daemon.calibration_given_up")
        except PredealError as error:
            self._problem = error.text()
        finally:
            with contextlib.suppress(LinkError, PredealError):  # then the dead-man stops it
                self._machine.stop()
            control.calibrating = control.stop_by = control.given_up_by = control.resumed = None
            control.enter(DaemonState.IDLE, self._problem or text("daemon.state_idle"))
            control.live.tell("calibration", self.view())
