"""New deal (Law 6D) and same hands again (Law 14): what was dealt of a board becomes void.

A new deal makes another set: it takes the place of the old one, holds the same other boards, and has
its own code. Every copy of the board, wherever it lies, is void; the deal that was is kept in the
old set, as void. All of it is one transaction: after a loss of power it has happened or it has not.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from dataclasses import dataclass

from controller.errors import DirectorError, StoreError
from controller.jobs.errors import JobError
from controller.jobs.kept import boards_of, entries_of
from controller.store.director import Permit
from controller.store.journal import CopyDealt
from controller.store.sets import SetInfo
from controller.store.store import Store, Who
from deals.generate import Source, new_secret
from deals.laws import (
    Auction,
    BoxCopy,
    Contest,
    Edition,
    NewDeal,
    Reason,
    new_deal,
    with_new_deal,
)
from deals.records.release import Release
from deals.setcode import canonical, code_of


@dataclass(frozen=True, slots=True)
class DealtAnew:
    """What came of a new deal."""

    verdict: NewDeal
    old: SetInfo
    new: SetInfo
    voided: tuple[CopyDealt, ...]
    """Every copy of the board that had been dealt: all are to be dealt again."""
    stale: tuple[str, ...]
    """Files that were made of the old set."""


def consider(
    store: Store,
    info: SetInfo,
    board: int,
    reason: Reason,
    contest: Contest | None = None,
    auction: Auction | None = None,
) -> NewDeal:
    """What the Laws of the set's edition say to a new deal, with every copy that it would void."""
    if board not in store.sets.redealt(info.id):
        raise JobError("job.boards_not_there", file=info.code, boards=board)
    contest = contest or Contest(info.about.get("contest") or Contest.PAIRS.value)
    copies = copies_of(store, info, board)
    return new_deal(board, reason, copies, contest, auction, Edition(info.laws))


def copies_of(store: Store, info: SetInfo, board: int) -> list[BoxCopy]:
    """Every proven copy of a board, as people find it."""
    names = store.boxes.names(info.id)
    return [
        BoxCopy(names[dealt.copy].box, names[dealt.copy].section)
        if dealt.copy in names
        else BoxCopy(str(dealt.copy))
        for dealt in store.journal.copies_dealt(info.id, board)
    ]


def deal_anew(
    store: Store,
    info: SetInfo,
    verdict: NewDeal,
    told: str,
    who: Who,
    random: Callable[[int], bytes],
    permit: Permit | None = None,
) -> DealtAnew:
    """Does it. *told* is the reason in a person's words.

    JobError when the Laws forbid it; DirectorError when the Director has to confirm it first;
    StoreError when the set is sealed and no *permit* opens it.
    """
    if not verdict.allowed:
        raise JobError("job.no_new_deal", board=verdict.board, law=verdict.law)
    if not told.strip():
        raise JobError("job.reason_needed", board=verdict.board)
    if verdict.confirm and permit is None:
        raise DirectorError("director.must_confirm", board=verdict.board, law=verdict.law)
    boards = boards_of(store.sets.boards(info.id, permit))
    count = store.sets.redealt(info.id)[verdict.board] + 1
    fresh = Source(new_secret(random), f"new deal in {info.code}").deal(verdict.board, count)
    after = with_new_deal(boards, verdict.board, fresh)
    source, code = canonical(after), code_of(after)
    who = permit.who if permit else who
    done = store.voids.replace(
        info, verdict.board, entries_of(after), code, source, who, f"new deal: {told}"
    )
    new = store.sets.info(done.set_id)
    if info.release:
        held = Release.from_dict(json.loads(info.release)).with_new_deal([verdict.board])
        new = store.states.hold(new.id, json.dumps(held.as_dict()), who)
    if info.sealed and permit is not None:
        new = store.states.seal(new.id, permit)
    details = {
        "set": info.code,
        "after": new.code,
        "board": verdict.board,
        "law": verdict.law,
        "why": verdict.reason.value,
        "reason": told,
        "void": [copy.name for copy in verdict.copies],
    }
    store.logbook.append("new deal", details, who)
    return DealtAnew(verdict, store.sets.info(info.id), new, done.voided, done.stale)


def same_hands(
    store: Store, info: SetInfo, board: int, copies: Collection[int], told: str, who: Who
) -> list[CopyDealt]:
    """The same hands shall be dealt again with another pack (Law 14): these copies are void.

    Without *copies* the only one there is; JobError when there are several.
    """
    store.states.require_dealable(info.id)
    if board not in store.sets.redealt(info.id):
        raise JobError("job.boards_not_there", file=info.code, boards=board)
    if not told.strip():
        raise JobError("job.reason_needed", board=board)
    dealt = [copy.copy for copy in store.journal.copies_dealt(info.id, board)]
    if not copies and len(dealt) > 1:
        raise JobError("job.which_copy", board=board, copies=dealt)
    found = store.voids.take_back(info.id, board, copies or dealt, f"same hands: {told}")
    details = {"set": info.code, "board": board, "copies": [copy.copy for copy in found]}
    store.logbook.append("same hands again", {**details, "law": "14", "reason": told}, who)
    return found


def copies_in(store: Store, info: SetInfo, boxes: Collection[str]) -> list[int]:
    """Numbers of the copies that lie in *boxes*; StoreError for a box that has none of this set."""
    names = {name.box: copy for copy, name in store.boxes.names(info.id).items()}
    missing = sorted(set(boxes) - set(names))
    if missing:
        raise StoreError(
            "box.not_of_set", boxes=missing, set_code=info.code, there=sorted(names) or ["-"]
        )
    return sorted(names[box] for box in boxes)
