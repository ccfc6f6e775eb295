"""A set on its way to be dealt: kept in the store, with what Law 6D2 says of deals dealt before.

A session is one set of the store, with those that it replaces or is replaced by after a new deal
(Law 6D). A set whose play is said to have ended is another session than any later one.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from controller.jobs.deal import DealSet
from controller.jobs.errors import JobError
from controller.jobs.kept import keep
from controller.store.boxes import BoxState
from controller.store.director import Permit
from controller.store.sets import SetId, SetInfo
from controller.store.store import Store, Who
from deals.boards import Board
from deals.files import ranges
from deals.laws import DEFAULT, Earlier, Edition, law6d2
from deals.setcode import NO_CODE

Findings = tuple[tuple[str, dict[str, object]], ...]
DEALT_BEFORE = "deals from another session"
WITNESSED = "dealing witnessed"
PLAYED = (BoxState.PLAYED, BoxState.BACK)
_NOW = "\0 the session that is being dealt"


@dataclass(frozen=True, slots=True)
class Loaded:
    """A set that is kept now."""

    id: SetId
    warnings: Findings
    """Codes and values for `deals.words.text`."""


def load(store: Store, what: DealSet, who: Who) -> Loaded:
    """Keeps the set and looks for its deals in other sessions.

    JobError "job.other_laws" when the set is kept under another edition than is asked for. What is
    found, and who was present (Law 6C), is in the logbook.
    """
    edition = Edition(what.laws) if what.laws else DEFAULT
    store.require_room()
    set_id = what.kept or keep(store, what, who, edition=edition)
    info = store.states.require_dealable(set_id)
    if what.laws and info.laws != what.laws:
        raise JobError("job.other_laws", set_code=info.code, laws=info.laws, asked=what.laws)
    warnings = dealt_before(store, info, what.chosen, replay=what.replay, who=who)
    if what.witness:
        boards = ranges([board.number for board in what.chosen])
        details = {"set": info.code, "boards": boards, "witness": what.witness}
        store.logbook.append(WITNESSED, details, who)
    return Loaded(set_id, warnings)


def dealt_before(
    store: Store,
    own: SetInfo,
    boards: Collection[Board],
    *,
    replay: bool,
    who: Who,
    permit: Permit | None = None,
) -> Findings:
    """What Law 6D2 of the set's edition says against *boards*: each board and session once.

    *replay*: the purpose of the contest, which 2007 and 2017 allow; the logbook tells that it was
    stated. Deals of sealed sets are found only with the director's *permit*.
    """
    infos = {info.id: info for info in store.sets.infos()}
    same = _session(own.id, infos) if own.live else set()
    edition = Edition(own.laws)
    played: dict[tuple[SetId, int], bool] = {}
    for one in store.boxes.contents():
        place = one.set_id, one.board
        played[place] = played.get(place, False) or one.state in PLAYED
    warnings: list[tuple[str, dict[str, object]]] = []
    found = []
    for board in boards:
        uses = [
            Earlier(_name(info), number, played.get((info.id, number)) if info.live else True)
            for info, number in store.sets.with_deals([board.deal.pbn()], permit)
            if info.id not in same and store.journal.copies_dealt(info.id, number)
        ]
        if law6d2(board.number, uses, _NOW, edition):
            found.append(board.number)
        warnings += law6d2(board.number, uses, _NOW, edition, replay=replay)
    if found:
        details = {"set": own.code, "boards": ranges(found), "replay": replay, "laws": own.laws}
        store.logbook.append(DEALT_BEFORE, details, who)
    return tuple(warnings)


def _session(set_id: SetId, infos: dict[SetId, SetInfo]) -> set[SetId]:
    """The set, what it replaces and what replaces it: one session, however often dealt anew."""
    found: set[SetId] = set()
    waiting = [set_id]
    while waiting:
        at = waiting.pop()
        if at in found or at not in infos:
            continue
        found.add(at)
        waiting += [one for one in (infos[at].replaces, infos[at].replaced_by) if one is not None]
    return found


def _name(info: SetInfo) -> str:
    title = info.about.get("title") or info.about.get("event") or info.name
    return title if info.code.startswith(NO_CODE) else f"{title} ({info.code})"
