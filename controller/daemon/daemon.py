"""The control loop: one job at a time, board by board; everything else waits on it or asks it."""

from __future__ import annotations

import contextlib
import secrets
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Final

from controller.api.desk import Desk
from controller.api.files import Wanted
from controller.api.models import DaemonState, FiguresView
from controller.api.tasks import WantedTask
from controller.daemon import plan, tasks
from controller.daemon.calibrating import Calibrating
from controller.daemon.control import Control
from controller.daemon.errors import GivenUpError
from controller.daemon.job import Job
from controller.daemon.live import Live
from controller.daemon.notify import Notifier
from controller.daemon.parts import Built, Parts
from controller.daemon.people import DeskPeople
from controller.daemon.plan import JobRecord
from controller.daemon.port import Port
from controller.daemon.tasks import Task
from controller.daemon.views import figures_view, interrupted_view
from controller.daemon.watch import MachineWatch
from controller.errors import StoreError
from controller.jobs.around import Around
from controller.jobs.calibrate.sections import calibration_of
from controller.jobs.deal import DealJob, DealSet
from controller.jobs.loading import load
from controller.jobs.order import Copies, Order
from controller.jobs.recover import close_interrupted
from controller.jobs.results import BoardResult
from controller.jobs.tasklog import DONE, GIVEN_UP
from controller.jobs.teachpass import TeachPassed
from controller.link.errors import LinkError
from controller.link.link import Link
from controller.machine.machine import Machine
from controller.protocol.messages import Status
from controller.store.director import OPERATE
from controller.store.journal import Interrupted
from controller.store.sets import SetId
from controller.store.store import Store, Who
from controller.store.wear import WearFile
from deals.errors import PredealError
from deals.words import text

IDLE_US: Final = 500_000


class Daemon:
    """Owns the machine for as long as it runs. All of it belongs to the thread that calls `run`,
    but for the desk.
    """

    def __init__(
        self,
        parts: Parts,
        store: Store,
        desk: Desk,
        built: Built,
        notifier: Notifier,
        report: Callable[[str], None],
    ) -> None:
        self._parts = parts
        self._store = store
        self._notifier = notifier
        self._report = report
        self._built = built
        self._wear = WearFile(store.state_dir)
        self._heard: Status | None = None
        port = Port(parts.transport)
        self._link = Link(port, parts.clock, self.wait)
        self._machine = Machine(
            self._link,
            parts.eye,
            parts.labels,
            parts.clock,
            self.wait,
            built.profile,
            built.pocket_order,
            built.box,
            calibration_of(built.calibrations),
        )
        self._watch = MachineWatch(
            self._machine, self._link, port, parts.clock, self.wait, parts.panel.hold_reset
        )
        live = Live(desk, built.profile)
        self._control = Control(
            desk,
            live,
            port,
            store,
            parts.labels,
            parts.panel,
            self._begin,
            self._figures,
            notifier.status,
        )
        self._control.crop = self._machine.crop
        self._people = DeskPeople(self._control, self._machine, self._watch, parts, built.id)
        self._calibrating = Calibrating(
            self._control, self._machine, self._people, parts, store, built, report
        )
        self._watch.on_session = self._calibrating.look_for_lost

    def end(self) -> None:
        """Ends `run` soon; may be called from a signal handler."""
        self._control.ending = True
        self._parts.wake()

    def run(self) -> None:
        """Until `end`. A board or job that an earlier life left is told first, and waits."""
        self._recall("")
        self._notifier.ready()
        while not self._control.ending:
            if self._control.state is DaemonState.INTERRUPTED:
                self._wait_interrupted()
            elif self._control.job is not None:
                self._work(self._control.job)
            elif self._control.calibrating is not None:
                self._calibrating.run(self._control.calibrating)
            else:
                self._idle()
        self._notifier.stopping()
        self._control.enter(DaemonState.UNKNOWN, text("daemon.state_ended"))

    # -- waiting ---------------------------------------------------------------------------

    def wait(self, until_us: int) -> None:
        """The loop's one way to wait: answers clients, and tells the service manager that it lives
        when the MCU has just said so, or when there is no MCU to ask.
        """
        self._control.attend()
        self._parts.wait(until_us)
        self._control.attend()
        if self._link.status is not self._heard or not self._link.open:
            self._heard = self._link.status
            self._notifier.alive()

    def _idle(self) -> None:
        self._people.idle(self._parts.clock.now_us() + IDLE_US)
        if self._control.job is not None:
            return
        problem = self._control.live.view.machine.problem
        if self._control.state is DaemonState.UNKNOWN and not self._watch.connected:
            self._control.enter(DaemonState.UNKNOWN, problem or text("daemon.state_unknown"))
        else:
            self._control.enter(DaemonState.IDLE, problem or text("daemon.state_idle"))

    def _figures(self) -> FiguresView:
        return figures_view(self._machine, self._link, self._parts.eye_figures())

    # -- jobs ------------------------------------------------------------------------------

    def _begin(self, wanted: Wanted | WantedTask) -> Job:
        """Makes a job of what a client wants, and writes it down."""
        self._store.require_room()
        if isinstance(wanted, WantedTask):
            return tasks.begin(self._store, wanted, self._built.design, self._built.profile.name)
        what = DealSet(
            wanted.name,
            wanted.code,
            wanted.source,
            wanted.boards,
            tuple(board for board in wanted.boards if board.number in wanted.numbers),
            wanted.teaching,
            wanted.laws,
            wanted.replay,
            wanted.witness,
        )
        loaded = load(self._store, what, Who(wanted.owner, OPERATE))
        set_id = loaded.id
        journal = self._store.journal
        copies = plan.plan(
            journal, set_id, wanted.code, wanted.numbers, wanted.copies, wanted.order
        )
        plan.prepare(self._store, set_id, wanted, copies)
        record = JobRecord(
            id=secrets.token_hex(4),
            owner=wanted.owner,
            set_id=set_id,
            set_code=wanted.code,
            name=wanted.name,
            design=self._built.design,
            profile=self._built.profile.name,
            copies=copies,
            order=wanted.order,
        )
        plan.begin(self._store.logbook, record)
        self._report(text("daemon.log_begun", {"owner": record.owner, "set_code": wanted.code}))
        warnings = [text(code, values) for code, values in loaded.warnings]
        for warning in warnings:
            self._report(warning)
        boards = {board.number: board for board in wanted.boards}
        return Job(record, boards, list(copies), warnings)

    def _work(self, job: Job) -> None:
        """Deals what is left of the job; whatever goes wrong leads to INTERRUPTED, never on."""
        self._people.forget()
        try:
            if isinstance(job, Task):
                self._read(job)
            while job.left:
                copy = self._next(job)
                result = self._deal(job, *copy)
                if result.proven:
                    job.left.remove(copy)
                    plan.proven(self._store, job.record, copy, job.left)
                    due = self._wear.note(job.record.design, result.margins)
                    job.warnings += [text(code, values) for code, values in due]
                elif not self._mended(result):
                    break
        except GivenUpError:
            pass
        except PredealError as error:
            self._fail(error.text())
            return
        except Exception as error:  # noqa: BLE001 - any exception leads to UNKNOWN, then to a person
            self._report(text("daemon.log_failed", _kind_and_place(error)))
            self._fail(text("api.unexpected", {"kind": type(error).__name__}))
            return
        finally:
            self._machine.crops.forget()
        if not self._control.ending:
            self._end_job(job)

    def _next(self, job: Job) -> plan.Copy:
        """The first that is left, or whichever of them people have brought."""
        if job.record.order != Order.LABEL:
            return job.left[0]
        return self._people.bring_any(plan.choice(self._store, job.record, job.left))

    def _deal(self, job: Job, number: int, copy: int) -> BoardResult:
        self._store.require_room()
        dealing = DealJob(
            [job.boards[number]],
            self._machine,
            self._people,
            self._store.journal,
            self._parts.clock,
            SetId(job.record.set_id),
            design=job.record.design,
            copies=Copies(1, copy, boxes=self._boxes(job, copy)),
            progress=self._control.progressed,
            on_happening=self._control.live.happened,
        )
        return dealing.run()[0]

    def _boxes(self, job: Job, copy: int) -> tuple[str, ...]:
        """The box whose board this copy is dealt into, where it has one."""
        name = self._store.boxes.names(SetId(job.record.set_id)).get(copy)
        return (name.box,) if name is not None and name.box else ()

    def _read(self, task: Task) -> None:
        control = self._control
        around = Around(
            self._machine,
            self._people,
            self._parts.clock,
            self._store,
            lambda now: None,
            control.live.happened,
        )
        tasks.run(task, around, control.task_progressed)
        if isinstance(task.now, TeachPassed) and task.done:
            control.lesson = tuple(task.now.sights)

    def _mended(self, result: BoardResult) -> bool:
        """A board that stopped so often that its job asks no more: only a person can want more."""
        if self._control.ending or self._control.given_up_by is not None:
            return False
        return self._people.act(result.stops[-1], result.board) is not None

    def _end_job(self, job: Job) -> None:
        by = self._control.given_up_by
        if isinstance(job, Task):
            self._end_task(job, by)
            return
        why = "given up" if by else "dealt"
        plan.end(self._store, job.record, why, by or job.owner)
        code = "daemon.job_given_up" if by else "daemon.job_dealt"
        self._control.end_job(text(code, {"who": by or job.owner}))
        self._report(text("daemon.log_ended", {"set_code": job.record.set_code, "why": why}))

    def _end_task(self, task: Task, by: str | None) -> None:
        done = task.done and not by
        tasks.end(self._store, task, DONE if done else GIVEN_UP, by or task.owner)
        code = "task.done" if done else "daemon.job_given_up"
        self._control.end_job(text(code, {"who": by or task.owner}))

    # -- what was interrupted --------------------------------------------------------------

    def _fail(self, why: str) -> None:
        """The job cannot go on. The machine is stopped, and a person decides, as after a crash."""
        with contextlib.suppress(LinkError):  # then the dead-man stops it
            self._machine.stop()
        self._watch.used()
        self._report(why)
        self._recall(why)

    def _recall(self, why: str) -> None:
        """Finds the board and the job that were under way; *why* they are, if it was no crash."""
        control = self._control
        try:
            found = self._store.journal.interrupted()
            if control.job is None:
                control.job = self._job_left()
        except StoreError as error:
            if not why:
                raise
            self._report(error.text())
            found = []
        read = tasks.interrupted(self._store, control.job)
        if not found and control.job is None and not read:
            return
        views = [interrupted_view(dealing, self._code(dealing)) for dealing in found]
        words = [why, read, *(view.message for view in views)]
        if not found and not why and not read and control.job is not None:
            words.append(text("daemon.job_left", {"left": len(control.job.left)}))
        words.append(text("daemon.resume_or_end"))
        control.enter(
            DaemonState.INTERRUPTED, " ".join(word for word in words if word), interrupted=views
        )

    def _job_left(self) -> Job | None:
        record = plan.under_way(self._store.logbook.entries())
        if record is None:
            return None
        left = plan.left(self._store.journal, record)
        numbers = {number for number, _ in left}
        boards = plan.boards(self._store.sets, SetId(record.set_id), numbers)
        return Job(record, boards, left)

    def _code(self, dealing: Interrupted) -> str:
        job = self._control.job
        return job.record.set_code if job and job.record.set_id == dealing.set_id else ""

    def _wait_interrupted(self) -> None:
        control = self._control
        control.resumed = control.given_up_by = control.stop_by = None
        while not self._decided():
            self._people.idle(self._parts.clock.now_us() + IDLE_US)
        if control.ending:
            return
        try:
            close_interrupted(self._store.journal)
            tasks.close_interrupted(self._store, control.job)
            if self._given_up() and control.job is not None:
                self._end_job(control.job)
        except StoreError as error:
            self._recall(error.text())
            return
        control.resumed = control.stop_by = control.given_up_by = None
        control.enter(DaemonState.IDLE, text("daemon.state_idle"))

    def _decided(self) -> bool:
        control = self._control
        return control.ending or control.resumed is not None or self._given_up()

    def _given_up(self) -> bool:
        return self._control.given_up_by is not None


def _kind_and_place(error: Exception) -> dict[str, object]:
    """What a log may tell of a stray exception: its text may hold a card of a live set."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "-"
    return {"kind": type(error).__name__, "place": place}
