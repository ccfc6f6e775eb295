"""Sets that the store keeps, as boards: taken in, and taken out to be dealt."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping

from controller.jobs.deal import DealSet
from controller.jobs.errors import JobError
from controller.store.context import SYSTEM, Who
from controller.store.director import Permit
from controller.store.sets import BoardEntry, SetId, SetInfo
from controller.store.store import Store
from deals.boards import Board, Vulnerability
from deals.cards import Seat
from deals.deal import Deal
from deals.files import ranges
from deals.laws import Edition
from deals.setcode import NO_CODE

GENERATED = "set generated"
"""As `predeal generate` enters it in the logbook."""


def entries_of(boards: Iterable[Board]) -> list[BoardEntry]:
    """Boards as the store keeps them."""
    return [BoardEntry(b.number, b.dealer.letter, b.vulnerable.value, b.deal.pbn()) for b in boards]


def boards_of(entries: Iterable[BoardEntry]) -> tuple[Board, ...]:
    """And back."""
    return tuple(
        Board(
            entry.number,
            Seat[entry.dealer],
            Vulnerability(entry.vulnerable),
            Deal.from_pbn(entry.deal),
        )
        for entry in entries
    )


def keep(
    store: Store,
    what: DealSet,
    who: Who = SYSTEM,
    *,
    edition: Edition = Edition.LAWS_2017,
    origin: str = "imported",
    about: Mapping[str, str] | None = None,
) -> SetId:
    """Keeps the whole set; the same set again is the one that is kept already.

    A set that was generated here, by the logbook, and not changed since is of origin "generated".
    """
    if generated_here(store, what.code):
        origin = "generated"
    return store.sets.add(
        code=what.code,
        name=what.name,
        source=what.source,
        boards=entries_of(what.boards),
        who=who,
        laws=edition.value,
        origin="teaching" if what.teaching else origin,
        about=about,
    )


def generated_here(store: Store, code: str) -> bool:
    """Whether the logbook says that this very set was generated on this machine, uniformly (6E4)."""
    return code != NO_CODE and any(
        entry.what == GENERATED
        and (details := json.loads(entry.details)).get("set") == code
        and not details.get("teaching")
        for entry in store.logbook.entries()
    )


def stored(
    store: Store,
    named: str,
    numbers: Collection[int] | None = None,
    permit: Permit | None = None,
) -> tuple[SetInfo, DealSet]:
    """A kept set that may be dealt, by its code: what is to be dealt of it.

    StoreError when it is retired, replaced or sealed; JobError when it lacks a board.
    """
    info = store.sets.find(named)
    store.states.require_dealable(info.id)
    there = set(store.sets.redealt(info.id))
    missing = sorted(set(numbers or ()) - there)
    if missing:
        raise JobError("job.boards_not_there", file=info.code, boards=ranges(missing))
    boards = boards_of(store.sets.boards(info.id, permit))
    chosen = tuple(board for board in boards if numbers is None or board.number in numbers)
    teaching = info.origin == "teaching"
    what = DealSet(info.name, info.code, b"", boards, chosen, teaching, info.laws, kept=info.id)
    return info, what
