"""Which copies of which boards a job deals, and how a job outlives the program.

A job is in the logbook from its beginning to its end; its boards are in the set. So what is left of
it after a crash is: what the logbook asked for, without what the journal has proven.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Final

from controller.api.files import Wanted
from controller.jobs.errors import JobError
from controller.jobs.kept import boards_of, entries_of
from controller.jobs.order import Choice, Copies, Order, note_proven, prepare_boxes
from controller.store.director import OPERATE
from controller.store.journal import Journal
from controller.store.logbook import Logbook, LogbookEntry
from controller.store.sets import SetId, Sets
from controller.store.store import Store, Who
from deals.boards import Board
from deals.files import ranges

BEGUN: Final = "job.begun"
ENDED: Final = "job.ended"

Copy = tuple[int, int]
"""A board's number and which copy of it."""


@dataclass(frozen=True, slots=True)
class JobRecord:
    """A job as the logbook keeps it: no card, no deal."""

    id: str
    owner: str
    set_id: str
    set_code: str
    name: str
    design: str
    profile: str
    copies: tuple[Copy, ...]
    order: str = Order.BOARD


def plan(
    journal: Journal,
    set_id: SetId,
    set_code: str,
    numbers: Sequence[int],
    copies: int | None,
    order: str = Order.BOARD,
) -> tuple[Copy, ...]:
    """The copies to deal, board by board or set by set.

    Without *copies* the first of each; that it was dealt before is an error, so that no board is
    dealt twice unasked. With it, so many more of each as there are.
    """
    dealt = {
        number: max((known.copy for known in journal.copies_dealt(set_id, number)), default=0)
        for number in numbers
    }
    if copies is None:
        again = [number for number in numbers if dealt[number]]
        if again:
            raise JobError("daemon.dealt_before", boards=ranges(again), set_code=set_code)
        return tuple((number, 1) for number in numbers)
    wanted = [(number, dealt[number] + n) for number in numbers for n in range(1, copies + 1)]
    if order == Order.SET:
        wanted.sort(key=lambda one: one[1])  # stable: boards keep their order
    return tuple(wanted)


def prepare(store: Store, set_id: SetId, wanted: Wanted, copies: Sequence[Copy]) -> None:
    """Names the boxes, and holds the boards of a sealed set for the job.

    StoreError "box.unplayed" when a box would be dealt over that nobody called played.
    """
    chosen = [board for board in wanted.boards if board.number in wanted.numbers]
    if wanted.boxes:
        numbers = sorted({copy for _, copy in copies})
        if len(numbers) * len(chosen) != len(copies):
            raise JobError("job.boxes", boxes=len(wanted.boxes), copies=len(numbers))
        plan = Copies(len(numbers), numbers[0], boxes=tuple(wanted.boxes), section=wanted.section)
        who = Who(wanted.owner, OPERATE)
        prepare_boxes(store, set_id, plan, chosen, over=wanted.over, who=who)
    store.states.lend_entries(set_id, entries_of(chosen))


def proven(store: Store, record: JobRecord, copy: Copy, left: Sequence[Copy]) -> None:
    """A copy was proven: its box is loaded; of a sealed set a board that is done is given back."""
    set_id = SetId(record.set_id)
    note_proven(store, set_id, *copy, Who(record.owner, OPERATE))
    if all(number != copy[0] for number, _ in left):
        store.states.give_back(set_id, [copy[0]])


def left(journal: Journal, record: JobRecord) -> list[Copy]:
    """The copies of a job that are not proven yet."""
    set_id = SetId(record.set_id)
    proven = {
        number: {known.copy for known in journal.copies_dealt(set_id, number)}
        for number in {number for number, _ in record.copies}
    }
    return [(number, copy) for number, copy in record.copies if copy not in proven[number]]


def choice(store: Store, record: JobRecord, left: Sequence[Copy]) -> Choice:
    """What may come next where the labels say which board it is."""
    names = store.boxes.names(SetId(record.set_id))
    return Choice(tuple(left), {copy: name.box for copy, name in names.items()})


def begin(logbook: Logbook, record: JobRecord) -> None:
    """Writes down that a job begins."""
    logbook.append(BEGUN, asdict(record), Who(record.owner, OPERATE))


def end(store: Store, record: JobRecord, why: str, by: str) -> None:
    """Writes down that a job is over, and why; what was held of a sealed set is erased."""
    store.logbook.append(ENDED, {"id": record.id, "why": why}, Who(by, OPERATE))
    store.states.give_back(SetId(record.set_id))


def under_way(entries: Iterable[LogbookEntry]) -> JobRecord | None:
    """The job that was begun and has not ended."""
    found: JobRecord | None = None
    for entry in entries:
        if entry.what == BEGUN:
            found = _record(json.loads(entry.details))
        elif entry.what == ENDED and found and json.loads(entry.details)["id"] == found.id:
            found = None
    return found


def _record(details: dict[str, object]) -> JobRecord:
    copies = details.pop("copies")
    if not isinstance(copies, list):
        raise TypeError("copies")
    pairs = tuple((int(number), int(copy)) for number, copy in copies)
    return JobRecord(copies=pairs, **{key: str(value) for key, value in details.items()})


def boards(sets: Sets, set_id: SetId, numbers: Collection[int] | None = None) -> dict[int, Board]:
    """The boards of a kept set by number; of a sealed one those that a job holds."""
    return {board.number: board for board in boards_of(sets.boards(set_id, numbers=numbers))}
