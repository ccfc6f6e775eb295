"""Packs that are read as a whole: is it a pack, put it in order, scramble it into the pockets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from controller.devices.happenings import Happening
from controller.devices.ports import Clock
from controller.engine.ledger import FedCard
from controller.engine.start import ALL_EMPTY
from controller.engine.stops import Fault, Step, request
from controller.jobs.feeding import Feeding, GivenUpError, Lot, Progress
from controller.jobs.people import Servers
from controller.machine.machine import Machine
from controller.protocol.messages import Pocket
from deals.cards import CARDS, Card
from deals.laws import PackVerdict, law1

PACK: Final = len(CARDS)
HANDS: Final = (Pocket.N, Pocket.E, Pocket.S, Pocket.W)
READINGS_AT_MOST: Final = 3
SWEEPS_AT_MOST: Final = 3


class Shuffles(Protocol):
    """A source of chance, such as `random.SystemRandom`."""

    def shuffle(self, x: list[Pocket]) -> None:
        """Puts a list into random order, each order as likely as any other."""
        ...


class ToTray:
    """Every card keeps straight on: the pack lies in the tray in the order in which it came."""

    def pocket(self, entry: FedCard) -> Pocket | None:
        """The tray."""
        return Pocket.TRAY

    def taken_back(self, entry: FedCard) -> None:
        """Every card has the same way."""


class ByKey:
    """Each card into the pocket that its key says; `last`: what has no key into the last pocket."""

    def __init__(self, key: Callable[[Card], int], *, last: bool) -> None:
        self._key = key
        self._last = last

    def pocket(self, entry: FedCard) -> Pocket | None:
        """The pocket of the card's key."""
        if entry.card is None:
            return HANDS[-1] if self._last else None
        return HANDS[self._key(entry.card)]

    def taken_back(self, entry: FedCard) -> None:
        """The key stays."""


class AtRandom:
    """The places that are left, drawn without looking at the card; beyond 52 cards the tray."""

    def __init__(self, kept: Sequence[FedCard], random: Shuffles, *, last: bool) -> None:
        self._last = last
        taken = Counter(entry.pocket for entry in kept)
        self._left = [pocket for pocket in HANDS for _ in range(PACK // 4 - taken[pocket])]
        random.shuffle(self._left)

    def pocket(self, entry: FedCard) -> Pocket | None:
        """The next place; a card that cannot be read is fed again once, turned round."""
        if entry.card is None and not self._last:
            return None
        return self._left.pop() if self._left else Pocket.TRAY

    def taken_back(self, entry: FedCard) -> None:
        """The place is free again."""
        if entry.pocket in HANDS:
            self._left.append(entry.pocket)


@dataclass(slots=True)
class PackResult(Progress):
    """What came of a pack or of several."""

    verdict: PackVerdict | None = None
    """Against a pack of 52 (Law 1); None: not read to the end."""
    done: list[int] = field(default_factory=list)
    """Boards that are finished, for jobs with boards."""
    readings: int = 0

    @property
    def right(self) -> bool:
        """One pack of 52 different cards with one back."""
        return self.verdict is not None and self.verdict.right


class PackJob:
    """What the jobs with packs share."""

    def __init__(
        self,
        machine: Machine,
        people: Servers,
        clock: Clock,
        *,
        progress: Callable[[Progress], None] | None = None,
        on_happening: Callable[[Happening], None] | None = None,
    ) -> None:
        self.result = PackResult()
        self._feeding = Feeding(machine, people, clock, progress, on_happening)

    def run(self) -> PackResult:
        """Runs to the end, or to where nobody goes on."""
        try:
            self._run()
        except GivenUpError:
            self.result.waiting = True
        return self.result

    def _run(self) -> None:
        raise NotImplementedError

    def _judge(self, entries: Sequence[FedCard]) -> None:
        self.result.readings += 1
        self.result.verdict = law1((entry.card for entry in entries), other_backs(entries))


class DeckCheck(PackJob):
    """Deck check: 52 different cards of one design and one back (Law 1)? The pack ends in the tray.

    What does not look like a pack is fed again, turned half round, before it is said.
    """

    def _run(self) -> None:
        steps: tuple[Step, ...] = (Step.BRING_EMPTY, Step.FEED_PACK)
        rounds: list[list[FedCard]] = []
        while len(rounds) < READINGS_AT_MOST:
            rounds.append(self._feeding.read(tray_lot(*steps), self.result))
            self._judge(rounds[-1])
            self.result.verdict = law1(merged(rounds), other_backs(rounds[-1]))
            if self.result.verdict.right:
                return
            steps = (Step.FEED_TRAY, Step.TURN_HAND)


class Sort(PackJob):
    """Sort: three passes put a pack into suit order, one suit in each pocket, the ace first.

    Four pockets: the remainder of the rank by four, then its quarter, then the suit. In each pass
    cards of one pocket keep the order of the pass before; where a card had to be fed again that
    order is lost, so the end is looked at, and all three passes begin anew if need be.
    """

    KEYS: Final[tuple[Callable[[Card], int], ...]] = (
        lambda card: card.rank % 4,
        lambda card: card.rank // 4,
        lambda card: card.suit.value,
    )

    def _run(self) -> None:
        steps: tuple[Step, ...] = (Step.BRING_EMPTY, Step.FEED_PACK)
        for _ in range(SWEEPS_AT_MOST):
            for key in self.KEYS:
                entries = self._feeding.read(_sort_lot(key, *steps), self.result)
                steps = (Step.FEED_PILES,)
            self._judge(entries)
            if in_order(entries):
                self.result.done = [1]
                return


class Scramble(PackJob):
    """Scramble: the cards of each board go to random places, 13 a pocket. Which they are is read to
    count the pack, and kept nowhere.
    """

    def __init__(
        self,
        boards: Sequence[int],
        random: Shuffles,
        machine: Machine,
        people: Servers,
        clock: Clock,
        *,
        progress: Callable[[Progress], None] | None = None,
        on_happening: Callable[[Happening], None] | None = None,
    ) -> None:
        super().__init__(machine, people, clock, progress=progress, on_happening=on_happening)
        self.verdicts: dict[int, PackVerdict] = {}
        self._boards = boards
        self._random = random

    def _run(self) -> None:
        for number in self._boards:
            self.result.board = number
            bring = request(Fault.BOARD_DUE, Step.BRING_DEALT, board=number)
            self._feeding.bring(bring, {}, self.result)
            lot = Lot(
                request=request(Fault.PACK_DUE, Step.FEED_PILES, board=number),
                router=lambda kept, last: AtRandom(kept, self._random, last=last),
                expected=PACK,
                held=ALL_EMPTY,
                stop_card=True,
            )
            self._judge(self._feeding.read(lot, self.result))
            if self.result.verdict is not None:
                self.verdicts[number] = self.result.verdict
            self.result.done.append(number)


def tray_lot(*steps: Step) -> Lot:
    """A pack that runs into the tray, in order."""
    return Lot(
        request=request(Fault.PACK_DUE, *steps),
        router=lambda kept, last: ToTray(),
        expected=PACK,
        held=ALL_EMPTY,
        stop_card=True,
        whole=True,
    )


def _sort_lot(key: Callable[[Card], int], *steps: Step) -> Lot:
    return Lot(
        request=request(Fault.PACK_DUE, *steps),
        router=lambda kept, last: ByKey(key, last=last),
        expected=PACK,
        held=ALL_EMPTY,
        stop_card=True,
    )


def merged(rounds: Sequence[Sequence[FedCard]]) -> list[Card | None]:
    """Several readings of one pack in one order: the card of each place, None where it stays unread
    or was read as two different cards. Readings of another length than the last are not counted.
    """
    last = rounds[-1]
    found: list[Card | None] = []
    for place in range(len(last)):
        cards = {one[place].card for one in rounds if len(one) == len(last)} - {None}
        found.append(cards.pop() if len(cards) == 1 else None)
    return found


def in_order(entries: Sequence[FedCard]) -> bool:
    """Whether each pocket holds one suit from the ace down, in the order in which they came."""
    for pocket in HANDS:
        cards = [entry.card for entry in entries if entry.pocket is pocket]
        sure = [card for card in cards if card is not None]
        if sure != sorted(sure) or any(card.suit.value != pocket for card in sure):
            return False
    return True


def other_backs(entries: Sequence[FedCard]) -> int:
    """Cards whose back is not that of the most."""
    backs = Counter(entry.back for entry in entries)
    return len(entries) - max(backs.values(), default=0)
