"""Jobs that read cards, in the daemon: begun from a request, run on its machine, told without a card.

Such a job is in the logbook from begin to end. Nothing of it is resumed after a crash: what it had
read is gone, and the cards of the hand under way are all of one pocket, which is told.
"""

from __future__ import annotations

import json
import random
import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from controller.api.models import JobView, TaskKind
from controller.api.tasks import WantedTask
from controller.daemon.job import Job
from controller.daemon.plan import JobRecord
from controller.daemon.task_views import task_view
from controller.errors import DirectorError
from controller.jobs.adopt import ORIGIN as ADOPTED
from controller.jobs.adopt import Adopted, adopt, kept_set
from controller.jobs.around import Around, Runs
from controller.jobs.check import CheckJob
from controller.jobs.deal import DealSet
from controller.jobs.decktest import DeckTest
from controller.jobs.feeding import Progress
from controller.jobs.kept import keep
from controller.jobs.packs import DeckCheck, Scramble, Sort
from controller.jobs.record import RecordJob, RecordResult
from controller.jobs.restore import RestoreJob
from controller.jobs.tasklog import BEGUN, ENDED, HAND, INTERRUPTED, TaskBegun, TaskLog
from controller.jobs.teachpass import TeachPass
from controller.store.director import OPERATE
from controller.store.store import Store, Who
from deals.boards import Board
from deals.deal import Deal
from deals.laws import Edition
from deals.setcode import code_of
from deals.words import text

RECORDED: Final = "tables"


class Task(Job):
    """A job that reads cards, as the daemon holds it."""

    reads = True

    def __init__(self, record: JobRecord, wanted: WantedTask) -> None:
        super().__init__(record, {}, [])
        self.wanted = wanted
        self.now: Progress = Progress(board=wanted.request.board)
        self.done = False
        self.set_code = ""
        self.adopted: Adopted | None = None

    def log(self, store: Store) -> TaskLog:
        """Its rows in the logbook."""
        kind, board = self.wanted.request.kind.value, self.wanted.request.board
        owner = Who(self.record.owner, OPERATE)
        return TaskLog(store, TaskBegun(self.record.id, kind, board, owner))

    def view(self) -> JobView:
        """As the API tells it."""
        task = task_view(
            self.wanted, self.now, done=self.done, set_code=self.set_code, adopted=self.adopted
        )
        return super().view().model_copy(update={"task": task})


def begin(store: Store, wanted: WantedTask, design: str, profile: str) -> Task:
    """Makes the job and writes down that it begins. DirectorError where the director must permit it."""
    request = wanted.request
    if request.kind is TaskKind.ADOPT and wanted.permit is None:
        raise DirectorError("adopt.wants_passphrase")
    record = JobRecord(
        id=secrets.token_hex(4),
        owner=request.owner,
        set_id="",
        set_code=wanted.code,
        name=request.name or request.kind.value,
        design=design,
        profile=profile,
        copies=(),
    )
    task = Task(record, wanted)
    task.log(store).begin()
    return task


def run(task: Task, around: Around, changed: Callable[[], None]) -> None:
    """Runs it to its end; `changed` hears whenever its view has changed."""
    log = task.log(around.store)

    def note(now: Progress) -> None:
        task.now = now
        log.note(now)
        changed()

    task.now = _made(task, replace(around, progress=note)).run()
    task.done = not task.now.waiting
    if task.done:
        task.set_code = _kept(task, around.store)
    changed()


def end(store: Store, task: Task, why: str, by: str) -> None:
    """Writes down that it is over, and why."""
    task.log(store).end(why, Who(by, OPERATE))


def interrupted(store: Store, job: Job | None) -> str:
    """What became, in words, of a job that was begun, has not ended, and is not `job`; else empty."""
    found, hand = _left_open(store, job)
    if found is None:
        return ""
    if hand is not None:
        values = {"kind": found["kind"], "board": hand["board"], "hand": hand["hand"]}
        return text("task.interrupted_hand", values)
    return text("task.interrupted", {"kind": found["kind"]})


def close_interrupted(store: Store, job: Job | None) -> None:
    """A person has heard of it: it is over."""
    found, _ = _left_open(store, job)
    if found is not None:
        store.logbook.append(ENDED, {"id": found["id"], "why": INTERRUPTED})


def _left_open(
    store: Store, job: Job | None
) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    """The job that has not ended and is not `job`, and the last hand of it that was begun."""
    found: dict[str, Any] | None = None
    hand: dict[str, Any] | None = None
    for entry in store.logbook.entries():
        if entry.what == BEGUN:
            found, hand = json.loads(entry.details), None
        elif entry.what == HAND:
            hand = json.loads(entry.details)
        elif entry.what == ENDED:
            found = hand = None
    if found is not None and isinstance(job, Task) and job.record.id == found["id"]:
        return None, None
    return found, hand


def _made(task: Task, a: Around) -> Runs[Progress]:
    request, record = task.wanted.request, task.wanted.record
    common: dict[str, Any] = {"progress": a.progress, "on_happening": a.on_happening}
    three = (a.machine, a.people, a.clock)
    match request.kind:
        case TaskKind.CHECK if record is not None:
            return CheckJob(
                record,
                task.wanted.boards,
                *three,
                copies=request.copies,
                edition=Edition(request.laws),
                **common,
            )
        case TaskKind.RESTORE if record is not None:
            return _restore(task, record, a)
        case TaskKind.ADOPT if record is not None:
            return RecordJob([record.number], *three, **common)
        case TaskKind.RECORD:
            return RecordJob(request.boards, *three, **common)
        case TaskKind.SCRAMBLE:
            return Scramble(request.boards, random.SystemRandom(), *three, **common)
        case TaskKind.SORT:
            return Sort(*three, **common)
        case TaskKind.DECK_CHECK:
            return DeckCheck(*three, **common)
        case TaskKind.DECK_TEACH:
            return TeachPass(*three, in_order=request.in_order, **common)
        case TaskKind.DECK_TEST:
            return DeckTest(request.rounds, *three, **common)
    raise TypeError(request.kind)


def _restore(task: Task, record: Board, a: Around) -> RestoreJob:
    request, boards = task.wanted.request, task.wanted.boards
    what = DealSet(
        request.name, task.wanted.code, request.file, boards, (record,), task.wanted.teaching
    )
    who = Who(request.owner, OPERATE)
    return RestoreJob(
        record,
        request.copy_number,
        a.machine,
        a.people,
        a.clock,
        journal=a.store.journal,
        set_id=keep(a.store, what, who),
        design=task.record.design,
        progress=a.progress,
        on_happening=a.on_happening,
    )


def _kept(task: Task, store: Store) -> str:
    """What was recorded or adopted is kept as a set; gives its code."""
    result, request = task.now, task.wanted.request
    if not isinstance(result, RecordResult) or not result.right:
        return ""
    deals = {one.board: one.deal for one in result.boards if one.deal is not None}
    if request.kind is TaskKind.ADOPT:
        return _adopted(task, store, deals)
    boards = tuple(Board.standard(number, deal) for number, deal in deals.items())
    return _keep(task, store, boards, RECORDED, Who(request.owner, OPERATE), {})


def _adopted(task: Task, store: Store, deals: Mapping[int, Deal]) -> str:
    """Makes what was read the record: in the place of the set that is kept, or as a set of its own."""
    wanted, request = task.wanted, task.wanted.request
    permit = wanted.permit
    if permit is None or wanted.record is None:
        raise DirectorError("adopt.wants_passphrase")
    number = wanted.record.number
    info = kept_set(store, wanted.boards, wanted.code)
    if info is not None:
        task.adopted = adopt(store, info, number, deals[number], request.reason, permit)
        return task.adopted.new.code
    boards = tuple(replace(b, deal=deals.get(b.number, b.deal)) for b in wanted.boards)
    about = {"reason": request.reason, "board": number, "of": wanted.code}
    return _keep(task, store, boards, ADOPTED, permit.who, about)


def _keep(
    task: Task,
    store: Store,
    boards: tuple[Board, ...],
    origin: str,
    who: Who,
    about: Mapping[str, object],
) -> str:
    request, code = task.wanted.request, code_of(boards)
    source = "\n".join(board.deal.pbn() for board in boards).encode()
    what = DealSet(request.name or code, code, source, boards, boards)
    set_id = keep(store, what, who, edition=Edition(request.laws), origin=origin)
    code = store.sets.info(set_id).code
    store.logbook.append(f"set {origin}", {"set": code, **about}, who)
    return code
