"""Check a board: are the hands in its pockets what the record says, and are its copies alike?

The job tells facts with their Laws. Whether a board is fouled is the Director's word, and nothing
here says it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from controller.devices.happenings import Happening
from controller.devices.ports import Clock
from controller.jobs.feeding import Feeding, GivenUpError, Progress, SpoiledError
from controller.jobs.hands import HandsRead, read_hands
from controller.jobs.people import Servers
from controller.machine.machine import Machine
from deals.boards import Board
from deals.laws import (
    DEFAULT,
    Comparison,
    CopiesVerdict,
    Copy,
    Edition,
    Stage,
    compare,
    compare_copies,
    law13,
)


class Conclusion(StrEnum):
    """What a check says of one copy."""

    SAME = "same"
    """Each hand of the record lies in its pocket, every card read for certain."""
    DIFFERS = "differs"
    UNPROVEN = "unproven"
    """It cannot be told: a card could not be read, or the machine was at fault."""


@dataclass(slots=True)
class CopyChecked:
    """One copy of the board, as read."""

    name: str
    hands: HandsRead = field(default_factory=HandsRead)
    conclusion: Conclusion | None = None
    """None: not read to the end."""
    comparison: Comparison | None = None
    spoiled: bool = False
    """The machine itself may have put a card into a wrong pocket: deal this copy right again."""

    def findings(self, edition: Edition, stage: Stage) -> list[tuple[str, dict[str, object]]]:
        """Codes and values for `deals.words.text`; those that name cards come last."""
        if self.spoiled or self.comparison is None:
            return [("check.spoiled", {})] if self.spoiled else []
        found = [] if self.conclusion is Conclusion.UNPROVEN else self.comparison.findings()
        if self.hands.unread:
            found.append(("check.unread", self.hands.unread_where))
        if self.hands.unsettled:
            found.append(("check.unsettled", {"hands": self.hands.unsettled}))
        if self.comparison.verdict.counts:
            # A card too many that is in no other hand is "surplus" to Law 13 as well.
            letter = law13(stage, edition, seen=False, surplus=bool(self.comparison.verdict.double))
            found.append(("check.wrong_number", {"law": letter}))
        return found


@dataclass(slots=True)
class CheckResult(Progress):
    """What came of a check."""

    copies: list[CopyChecked] = field(default_factory=list)
    alike: CopiesVerdict | None = None
    """The copies against each other (Law 87); None for a single one or while some are unproven."""

    @property
    def done(self) -> bool:
        """All copies were read to the end."""
        return not self.waiting and all(copy.conclusion for copy in self.copies)

    @property
    def right(self) -> bool:
        """All copies are as the record says."""
        same = [copy.conclusion is Conclusion.SAME for copy in self.copies]
        return bool(same) and all(same)


class CheckJob:
    """Reads `copies` of one board one after the other and compares them."""

    def __init__(
        self,
        record: Board,
        others: Sequence[Board],
        machine: Machine,
        people: Servers,
        clock: Clock,
        *,
        copies: Sequence[str] = ("",),
        edition: Edition = DEFAULT,
        progress: Callable[[Progress], None] | None = None,
        on_happening: Callable[[Happening], None] | None = None,
    ) -> None:
        self.result = CheckResult(board=record.number)
        self._record = record
        self._others = others
        self._copies = copies
        self._edition = edition
        self._progress = progress or (lambda told: None)
        self._feeding = Feeding(machine, people, clock, progress, on_happening)

    def run(self) -> CheckResult:
        """Checks every copy; ends early where nobody goes on."""
        for name in self._copies:
            copy = CopyChecked(name)
            self.result.copies.append(copy)
            self.result.copy = name
            try:
                copy.hands = read_hands(self._feeding, self.result)
                self._judge(copy)
            except SpoiledError:
                copy.spoiled, copy.conclusion = True, Conclusion.UNPROVEN
            except GivenUpError:
                break
            self._progress(self.result)
        self._compare_copies()
        self._progress(self.result)
        return self.result

    def _judge(self, copy: CopyChecked) -> None:
        copy.comparison = compare(copy.hands.pockets, self._record, self._others, self._edition)
        verdict = copy.comparison.verdict
        if verdict.right and copy.hands.proven:
            copy.conclusion = Conclusion.SAME
        elif copy.hands.unsettled:
            copy.conclusion = Conclusion.UNPROVEN
        elif verdict.counts or verdict.double or verdict.displaced or not copy.hands.unread:
            copy.conclusion = Conclusion.DIFFERS
        else:
            copy.conclusion = Conclusion.UNPROVEN  # only the card without a name is missing

    def _compare_copies(self) -> None:
        sure = (Conclusion.SAME, Conclusion.DIFFERS)
        read = [copy for copy in self.result.copies if copy.conclusion in sure]
        if len(self._copies) < 2 or len(read) < len(self._copies):
            return
        copies = [Copy(copy.name, copy.hands.pockets) for copy in read]
        self.result.alike = compare_copies(self._record.number, copies, self._edition)
