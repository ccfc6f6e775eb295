"""Sets that the store keeps, as boards: taken in with their warnings, and taken out to be dealt."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from controller.jobs.deal import DealSet
from controller.jobs.errors import JobError
from controller.store.boxes import BoxState
from controller.store.context import SYSTEM, Who
from controller.store.director import Permit
from controller.store.sets import BoardEntry, SetId, SetInfo
from controller.store.store import Store
from deals.boards import Board, Vulnerability
from deals.cards import Seat
from deals.deal import Deal
from deals.files import ranges
from deals.laws import Earlier, Edition, law6d2

Findings = list[tuple[str, dict[str, object]]]


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
    """Keeps the whole set; the same set again is the one that is kept already."""
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


def dealt_before(
    store: Store,
    boards: Sequence[Board],
    own: SetId | None,
    session: str,
    edition: Edition = Edition.LAWS_2017,
    *,
    replay: bool = False,
    permit: Permit | None = None,
) -> Findings:
    """Law 6D2: which of these deals belong to other sets than *own* and those it replaces."""
    family = _family(store, own)
    played = {
        (one.set_id, one.board): one.state in (BoxState.PLAYED, BoxState.BACK)
        for one in store.boxes.contents()
    }
    known: dict[str, list[tuple[SetInfo, int]]] = {}
    for info, number in store.sets.with_deals([board.deal.pbn() for board in boards], permit):
        if info.id not in family:
            known.setdefault(_deal(store, info, number, permit), []).append((info, number))
    found: Findings = []
    for board in boards:
        uses = [
            Earlier(info.code, number, _was_played(info, number, played))
            for info, number in known.get(board.deal.pbn(), ())
        ]
        found += law6d2(board.number, uses, session, edition, replay=replay)
    return found


def _deal(store: Store, info: SetInfo, number: int, permit: Permit | None) -> str:
    (entry,) = store.sets.boards(info.id, permit, [number])
    return entry.deal


def _was_played(
    info: SetInfo, number: int, played: Mapping[tuple[SetId, int], bool]
) -> bool | None:
    if not info.live:
        return True
    return played.get((info.id, number))


def _family(store: Store, set_id: SetId | None) -> set[SetId]:
    """A set, those it replaces, and those that replace it."""
    infos = {info.id: info for info in store.sets.infos()}
    found: set[SetId] = set()
    while set_id is not None and set_id in infos:
        found.add(set_id)
        set_id = infos[set_id].replaces
    return found


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
    chosen = sorted(there if numbers is None else set(numbers))
    boards = boards_of(store.sets.boards(info.id, permit, chosen))
    teaching = info.origin == "teaching"
    return info, DealSet(info.name, info.code, b"", boards, boards, teaching)
