"""One job in the twin, from the boards of a file to what the world really holds."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from controller.devices.happenings import Happening
from controller.engine.stops import Stop
from controller.errors import StoreError
from controller.jobs.deal import DealJob, DealSet
from controller.jobs.loading import load
from controller.jobs.order import Copies, note_proven, prepare_boxes
from controller.jobs.people import FaceSeen
from controller.jobs.recover import close_interrupted, first_copy
from controller.jobs.results import BoardResult, Summary
from controller.store.director import OPERATE
from controller.store.journal import Interrupted
from controller.store.sets import SetId
from controller.store.store import SYSTEM, Who
from controller.store.wear import WearFile
from controller.twin.room import TwinRoom, TwinSetup
from deals.words import text

__all__ = ["TwinReport", "TwinSession", "TwinSetup"]


@dataclass(slots=True)
class TwinReport:
    """What came of a job in the twin; `contents` is the world's own word, board by board."""

    firmware: dict[str, str]
    results: list[BoardResult] = field(default_factory=list)
    contents: list[dict[str, Any]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    """What the Laws say about the set."""
    reminders: list[str] = field(default_factory=list)
    """What is to be cleaned or taught anew, by cards fed and by how surely they were read."""

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
        on_warning: Callable[[str], None] | None = None,
        on_picture: Callable[[bytes], None] | None = None,
    ) -> None:
        """`on_picture` hears of each card that has to be named, before anybody does: a small JPEG."""
        self._setup = setup
        self._on_picture = on_picture
        self._shown: Stop | None = None
        self._on_interrupted = on_interrupted
        self._progress = progress
        self._room = TwinRoom(setup)
        self.world, self.twin, self.store = self._room.world, self._room.twin, self._room.store
        self.report = TwinReport({})
        self._wear = WearFile(setup.state_dir)
        try:
            self.job = self._make_job(what, on_happening, on_interrupted, on_warning)
        except BaseException:
            self._room.close()
            raise

    def run(self) -> TwinReport:
        """Deals, and gives the report; everything is closed afterwards."""
        try:
            self.report.results = self.job.run()
            self.report.firmware = self._room.identity()
        except StoreError:
            self._tell_interrupted()
            raise
        finally:
            self._room.close()
        return self.report

    def _tell_interrupted(self) -> None:
        """The disk failed in the middle of a board: where its cards are, as far as it is written."""
        with contextlib.suppress(StoreError):
            for dealing in self.store.journal.interrupted():
                if self._on_interrupted is not None:
                    self._on_interrupted(dealing)

    def _make_job(
        self,
        what: DealSet,
        on_happening: Callable[[Happening], None] | None,
        on_interrupted: Callable[[Interrupted], None] | None,
        on_warning: Callable[[str], None] | None,
    ) -> DealJob:
        journal = self.store.journal
        for dealing in close_interrupted(journal):
            if on_interrupted is not None:
                on_interrupted(dealing)
        loaded = load(self.store, what, SYSTEM)
        self.report.warnings = [text(code, values) for code, values in loaded.warnings]
        for warning in self.report.warnings:
            if on_warning is not None:
                on_warning(warning)
        self._set_id = set_id = loaded.id
        setup = self._setup
        copies = self._copies(set_id, what)
        prepare_boxes(self.store, set_id, copies, what.chosen, over=setup.over)
        return DealJob(
            what.chosen,
            self.twin.machine,
            self._room.people,
            journal,
            self.twin.time,
            set_id,
            design=setup.design,
            copies=copies,
            progress=self._note,
            on_happening=on_happening,
            on_face=self._note_face,
        )

    def _copies(self, set_id: SetId, what: DealSet) -> Copies:
        setup = self._setup
        if setup.plan.only is not None:
            return setup.plan
        first = first_copy(self.store.journal, set_id, what.chosen, again=setup.again)
        return replace(setup.plan, count=setup.copies, first=first)

    def _note_face(self, result: BoardResult, face: FaceSeen) -> None:
        details = {"board": result.board, "copy": result.copy, "plays": face.plays}
        self.store.logbook.append("face_seen", details, Who(face.who, OPERATE))

    def _show(self, stop: Stop) -> None:
        """The pictures of a stop that asks for names, once."""
        if self._on_picture is None or stop is self._shown:
            return
        self._shown = stop
        for feed in stop.named:
            crop = self.twin.machine.crop(feed)
            if crop:
                self._on_picture(crop)

    def _note(self, result: BoardResult) -> None:
        if result.stops:
            self._show(result.stops[-1])
        if result.proven:
            note_proven(self.store, self._set_id, result.board, result.copy)
            due = self._wear.note(self._setup.design, result.margins)
            self.report.reminders += [text(code, values) for code, values in due]
        if result.proven or result.waiting:
            result.machine_us = self.world.timing.machine_us
            self.report.contents.append(self._room.contents())
        if self._progress is not None:
            self._progress(result)
