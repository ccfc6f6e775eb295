"""What an earlier life of this program left behind: boards under way, copies already dealt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from controller.jobs.errors import JobError
from controller.store.journal import DealingState, Interrupted, Journal
from controller.store.recovery import Where
from controller.store.sets import SetId
from deals.boards import Board
from deals.files import ranges

INTERRUPTED = "interrupted"


def close_interrupted(journal: Journal) -> list[Interrupted]:
    """Boards that were under way when the program ended: they have lost their proof.

    Nobody watched them meanwhile, so they are closed as stopped and never resumed; the cards of
    each are named as landed, in the tray, in flight or in the hopper.
    """
    found = journal.interrupted()
    for dealing in found:
        journal.close_board(dealing.dealing, DealingState.STOPPED, INTERRUPTED)
    return found


def places(interrupted: Interrupted) -> dict[str, object]:
    """Values for the text "job.interrupted": how many cards lie where. No card is named."""
    counts = Counter(fate.where for fate in interrupted.cards)
    return {
        "board": interrupted.board,
        "copy": interrupted.copy,
        "landed": counts[Where.LANDED],
        "tray": counts[Where.TRAY],
        "flight": counts[Where.IN_FLIGHT],
        "hopper": counts[Where.HOPPER],
    }


def first_copy(journal: Journal, set_id: SetId, boards: Sequence[Board], *, again: bool) -> int:
    """The number of the first copy to deal: 1, or `again` the next after those dealt before.

    JobError when a board was dealt before and nobody asked for another copy: no board is dealt
    twice unknowingly.
    """
    dealt = {board.number: journal.copies_dealt(set_id, board.number) for board in boards}
    before = [number for number, copies in dealt.items() if copies]
    if not before:
        return 1
    if not again:
        raise JobError("job.dealt_before", boards=ranges(before))
    return 1 + max(copy.copy for copies in dealt.values() for copy in copies)
