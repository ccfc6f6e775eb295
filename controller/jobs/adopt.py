"""Adopt: what was played of a board becomes its record (Law 87). The Director decides it, nobody else.

The record is another set, which takes the place of the old one; its other boards are the same, its code
is its own. The copies that were proven of the old deal are void, for what lies in them, or should, is no
longer the record: each is listed, to be held against the new one. One transaction, as a new deal is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from controller.errors import StoreError
from controller.jobs.errors import JobError
from controller.jobs.kept import boards_of, entries_of
from controller.jobs.newdeal import copies_of
from controller.store.director import Permit
from controller.store.sets import SetInfo
from controller.store.store import Store
from deals.boards import Board
from deals.deal import Deal
from deals.setcode import NO_CODE, canonical, code_of

ORIGIN: Final = "adopted"
LAW: Final = "87"


@dataclass(frozen=True, slots=True)
class Adopted:
    """What came of it; `new` is `old` where the board lay as its record says."""

    old: SetInfo
    new: SetInfo
    void: tuple[str, ...] = ()
    """The copies of the board that had been proven, as people find them."""
    stale: tuple[str, ...] = ()
    """Files that were made of the old set."""

    @property
    def changed(self) -> bool:
        """Whether the record is another now."""
        return self.old.id != self.new.id


def kept_set(store: Store, boards: Sequence[Board], code: str) -> SetInfo | None:
    """The set that the store keeps of these very boards, if it does.

    StoreError "store.set_replaced" where another has taken its place: that one is to be adopted to.
    """
    if code == NO_CODE:
        deals = {board.deal.pbn(): board.number for board in boards}
        held = {info.id for info, n in store.sets.with_deals(deals) if n in deals.values()}
        found = [one for one in store.sets.infos() if one.id in held and one.boards == len(boards)]
    else:
        found = [one for one in store.sets.infos() if one.code == code]
    if not found:
        return None
    info = found[-1]
    if info.replaced_by is not None:
        after = store.sets.info(info.replaced_by).code
        raise StoreError("store.set_replaced", set_code=info.code, after=after)
    return info


def adopt(
    store: Store, info: SetInfo, board: int, deal: Deal, told: str, permit: Permit
) -> Adopted:
    """Makes *deal* the record of *board*. *told* is the reason in a person's words.

    JobError without a board of that number or a reason; StoreError when the set was replaced
    meanwhile, a copy of the board is being dealt, or *permit* does not open the set.
    """
    if not told.strip():
        raise JobError("adopt.reason_needed", board=board)
    boards = boards_of(store.sets.boards(info.id, permit))
    record = next((one for one in boards if one.number == board), None)
    if record is None:
        raise JobError("job.boards_not_there", file=info.code, boards=board)
    done = Adopted(info, info)
    if record.deal != deal:
        names = tuple(copy.name for copy in copies_of(store, info, board))
        after = [replace(one, deal=deal) if one.number == board else one for one in boards]
        done = _replaced(store, info, board, after, told, permit, names)
    details = {
        "set": info.code,
        "after": done.new.code,
        "board": board,
        "law": LAW,
        "reason": told,
        "void": list(done.void),
    }
    store.logbook.append(ORIGIN, details, permit.who)
    return done


def _replaced(
    store: Store,
    info: SetInfo,
    board: int,
    after: Sequence[Board],
    told: str,
    permit: Permit,
    names: tuple[str, ...],
) -> Adopted:
    """The set with the new record in the place of *info*, in the same state as that."""
    done = store.voids.replace(
        info,
        board,
        entries_of(after),
        code_of(after),
        canonical(after),
        permit.who,
        f"{ORIGIN}: {told}",
        origin=ORIGIN,
    )
    if info.release:  # who has played the board has seen it: what may be seen stays so
        store.states.hold(done.set_id, info.release, permit.who)
    if info.sealed:
        store.states.seal(done.set_id, permit)
    if not info.live:
        store.states.end(done.set_id, permit)
    if info.retired_wall_us is not None:
        store.states.retire(done.set_id, ORIGIN, permit.who)
    return Adopted(store.sets.info(info.id), store.sets.info(done.set_id), names, done.stale)
