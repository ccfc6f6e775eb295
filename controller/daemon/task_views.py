"""Results of jobs that read cards as the API tells them: words and numbers, without any card.

A pack of no set is another matter: what a deck check or a deck test finds names cards.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from controller.api.models import CopyView, TaskView
from controller.api.tasks import WantedTask
from controller.daemon.views import stop_view
from controller.jobs.adopt import Adopted
from controller.jobs.around import Finding, blind
from controller.jobs.check import CheckResult
from controller.jobs.decktest import DeckTestResult
from controller.jobs.feeding import Progress
from controller.jobs.packs import PackResult
from controller.jobs.record import RecordResult
from controller.jobs.restore import RestoreResult
from controller.jobs.teachpass import TeachPassed
from deals.cards import Seat
from deals.laws import Edition, Stage
from deals.words import text

STAGES: Final = {"before": Stage.BEFORE_CALL, "playing": Stage.PLAYING, "after": Stage.ENDED}


def task_view(
    wanted: WantedTask, now: Progress, *, done: bool, set_code: str, adopted: Adopted | None
) -> TaskView:
    """A job as far as it is."""
    hand = None if now.pocket is None else now.pocket.name
    return TaskView(
        kind=wanted.request.kind,
        board=now.board,
        copy_name=now.copy,
        hand=hand,
        lots=now.lots,
        right=_right(now) if done else None,
        copies=_copies(now),
        findings=[text(code, values) for code, values in _findings(wanted, now)],
        figures=_figures(now),
        stops=[stop_view(stop) for stop in now.stops],
        set_code=set_code,
        replaces=adopted.old.code if adopted and adopted.changed else "",
        void=list(adopted.void) if adopted else [],
        stale=list(adopted.stale) if adopted else [],
    )


def _right(now: Progress) -> bool:
    return bool(getattr(now, "right", False))


def _copies(now: Progress) -> list[CopyView]:
    if isinstance(now, CheckResult):
        return [
            CopyView(
                board=now.board or 0,
                copy_name=copy.name,
                conclusion="" if copy.conclusion is None else copy.conclusion.value,
                counts={s.letter: len(copy.hands.pockets.get(s, ())) for s in Seat},
            )
            for copy in now.copies
        ]
    if isinstance(now, RecordResult):
        return [
            CopyView(
                board=one.board,
                copy_name="",
                conclusion="recorded" if one.deal else "",
                counts={s.letter: len(one.hands.pockets.get(s, ())) for s in Seat},
            )
            for one in now.boards
        ]
    return []


def _findings(wanted: WantedTask, now: Progress) -> Iterable[Finding]:
    if isinstance(now, CheckResult):
        edition, stage = Edition(wanted.request.laws), STAGES[wanted.request.when]
        found = [one for copy in now.copies for one in copy.findings(edition, stage)]
        return blind(found + ([] if now.alike is None else now.alike.findings()))
    if isinstance(now, RecordResult):
        read = [one for one in now.boards if one.hands.pockets or one.spoiled]
        return blind(finding for one in read for finding in one.findings())
    if isinstance(now, DeckTestResult):
        return now.findings()
    if isinstance(now, PackResult) and now.verdict is not None:
        found = now.verdict.findings()
        return blind(found) if now.board is not None else found
    return []


def _figures(now: Progress) -> dict[str, int]:
    figures = {
        "second_looks": now.second_looks,
        "held": now.held,
        "set_aside": now.set_aside,
    }
    if isinstance(now, DeckTestResult):
        figures |= {
            "rounds": now.rounds,
            "readings": now.readings,
            "misread": now.misread.total(),
            "unread": now.unread.total(),
        }
    if isinstance(now, TeachPassed):
        figures |= {"cards": now.cards, "pictures": len(now.sights)}
    if isinstance(now, PackResult):
        figures |= {"readings": now.readings, "done": len(now.done)}
    if isinstance(now, RestoreResult) and now.dealt is not None:
        figures |= {"cards": now.dealt.cards, "attempts": now.dealt.attempts}
    return figures
