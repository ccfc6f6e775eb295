"""Record: hands that players have dealt, or have played, become a deal (Law 6E1); nothing is guessed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from controller.devices.happenings import Happening
from controller.devices.ports import Clock
from controller.jobs.feeding import Feeding, GivenUpError, Progress, SpoiledError
from controller.jobs.hands import HandsRead, read_hands
from controller.jobs.people import Servers
from controller.machine.machine import Machine
from deals.cards import Card, Seat
from deals.deal import Deal
from deals.laws import law1


@dataclass(slots=True)
class BoardRecorded:
    """One board; `deal` only if four hands of 13 different cards were read for certain."""

    board: int
    hands: HandsRead = field(default_factory=HandsRead)
    deal: Deal | None = None
    spoiled: bool = False

    def findings(self) -> list[tuple[str, dict[str, object]]]:
        """Why it is no deal, as codes and values; empty when it is one."""
        if self.deal is not None:
            return []
        if self.spoiled:
            return [("check.spoiled", {})]
        found: list[tuple[str, dict[str, object]]] = [("recorded.no_deal", {"board": self.board})]
        for seat, hand in self.hands.pockets.items():
            if len(hand) != 13:
                code = "law7.hand_short" if len(hand) < 13 else "law7.hand_long"
                found.append((code, {"hand": seat, "count": len(hand)}))
        if self.hands.unread:
            found.append(("check.unread", self.hands.unread_where))
        if self.hands.unsettled:
            found.append(("check.unsettled", {"hands": self.hands.unsettled}))
        cards: list[Card | None] = [card for hand in self.hands.pockets.values() for card in hand]
        verdict = law1(card for card in cards if card is not None)
        return found + verdict.findings()


@dataclass(slots=True)
class RecordResult(Progress):
    """What was recorded, board by board."""

    boards: list[BoardRecorded] = field(default_factory=list)

    @property
    def right(self) -> bool:
        """All that were asked for are deals."""
        return not self.waiting and all(board.deal is not None for board in self.boards)


class RecordJob:
    """Reads the hands of `boards` one after the other, each card back into its pocket."""

    def __init__(
        self,
        boards: Sequence[int],
        machine: Machine,
        people: Servers,
        clock: Clock,
        *,
        progress: Callable[[Progress], None] | None = None,
        on_happening: Callable[[Happening], None] | None = None,
    ) -> None:
        self.result = RecordResult()
        self._boards = boards
        self._progress = progress or (lambda told: None)
        self._feeding = Feeding(machine, people, clock, progress, on_happening)

    def run(self) -> RecordResult:
        """Records board by board; ends early where nobody goes on."""
        for number in self._boards:
            recorded = BoardRecorded(number)
            self.result.boards.append(recorded)
            self.result.board = number
            try:
                recorded.hands = read_hands(self._feeding, self.result)
            except SpoiledError:
                recorded.spoiled = True
            except GivenUpError:
                break
            if recorded.hands.proven:
                recorded.deal = _deal(recorded.hands)
            self._progress(self.result)
        return self.result


def _deal(hands: HandsRead) -> Deal:
    return Deal.from_hands(
        [[card for card in hands.pockets[seat] if card is not None] for seat in Seat]
    )
