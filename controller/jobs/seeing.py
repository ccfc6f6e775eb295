"""Whose hands may be seen by whom: of a live set the director's, unless its round is released.

A set is live until its play is said to have ended. Rounds (`deals.records.release`) let boards go
earlier, each at its time or when the director says so, or hold them longer than the set is live.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence

from controller.store.sets import SetInfo
from controller.store.store import Store
from deals.boards import Board
from deals.records.release import Release


def release_of(info: SetInfo) -> Release | None:
    """The rounds of a set; None where none were made."""
    return Release.from_dict(json.loads(info.release)) if info.release else None


def held(info: SetInfo, numbers: Collection[int], now_us: int) -> list[int]:
    """Those of *numbers* that only the director may see now; *now_us* is the wall clock."""
    release = release_of(info)
    if release is None:
        return sorted(numbers) if info.live else []
    seen = set(release.open_boards(now_us))
    if not info.live:
        seen |= set(numbers) - {number for one in release.rounds for number in one.boards}
    return sorted(set(numbers) - seen)


def held_in_file(
    store: Store, boards: Sequence[Board], code: Callable[[], str], now_us: int
) -> list[tuple[SetInfo, list[int]]]:
    """Kept sets whose held boards are among *boards* of a file, with their numbers in the set.

    *code* makes the set code of the whole file, for sealed sets, whose deals leave no trace.
    """
    found: dict[str, tuple[SetInfo, set[int]]] = {}
    for info, number in store.sets.with_deals([board.deal.pbn() for board in boards]):
        found.setdefault(info.id, (info, set()))[1].add(number)
    for info in store.sets.live_among([board.deal.pbn() for board in boards], code):
        if info.id not in found:
            found[info.id] = (info, {board.number for board in boards})
    result = [(info, held(info, numbers, now_us)) for info, numbers in found.values()]
    return [(info, numbers) for info, numbers in result if numbers]
