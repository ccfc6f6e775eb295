"""What the engine sees: images tied to looks, readings asked for and taken, each for its own card."""

from __future__ import annotations

from controller.devices.happenings import Happening, ImageArrived, ReadingArrived, Strobed
from controller.engine.ledger import FedCard, Ledger
from controller.engine.orders import Order, ReadImage
from controller.engine.tie import ImageTie, Match, Mismatch
from vision.reading import CardReading, Kind


class Sight:
    """Ties images to the cards of a ledger and has them read: look 2 only if look 1 is unsure."""

    def __init__(
        self, ledger: Ledger, pitch_us: int, look_gap_us: int, departure_us: int | None = None
    ) -> None:
        self.second_looks = 0
        self.on_trust: FedCard | None = None
        """The card that was sent off before the match of look 2: the next match clears it."""
        self._ledger = ledger
        self._tie = ImageTie(pitch_us, look_gap_us)
        self._departure_us = departure_us
        self._asked: dict[int, tuple[FedCard, int]] = {}
        self._unconfirmed: FedCard | None = None
        self._confirmed: list[FedCard] = []
        self._strobed: tuple[int, int] = (0, 0)
        """Feed number and time of the newest look 1."""

    def begin(self) -> None:
        """The belt is empty: trust images anew."""
        self._tie.mend()
        self.on_trust = None

    def forget(self) -> None:
        """Readings still under way are of another pass."""
        self._asked.clear()
        self._unconfirmed = self.on_trust = None
        self._confirmed.clear()

    @property
    def next_due_us(self) -> int | None:
        """When an image or a strobe will be overdue."""
        return self._tie.next_due_us

    def see(self, happening: Happening) -> tuple[list[Order], Mismatch | None]:
        """Takes a strobe, an image or time; gives readings to ask for and the doubt, if any."""
        now_us = happening.at_us
        match happening:
            case Strobed():
                if happening.look == 1:
                    self._strobed = happening.feed, now_us
                found = self._tie.strobe(now_us, now_us, happening.feed, happening.look)
            case ImageArrived():
                found = self._tie.image(
                    now_us, happening.captured_us, happening.number, happening.digest
                )
            case _:
                found = self._tie.expire(now_us)
        orders: list[Order] = []
        for result in found:
            if isinstance(result, Mismatch):
                return orders, result
            orders += self._matched(result)
        return orders, None

    def take(self, happening: ReadingArrived) -> tuple[FedCard | None, list[Order]]:
        """The card that a reading settles, or what else has to be read first.

        A reading that nobody waits for any more is void.
        """
        asked = self._asked.pop(happening.number, None)
        if asked is None:
            return None, []
        entry, look = asked
        entry.readings[look] = happening.reading
        if entry.decided:
            return None, []
        if look == 1 and _wants_second_look(happening.reading):
            self.second_looks += 1
            entry.wants_look_2 = True
            return None, self._ask(entry, 2) if 2 in entry.images else []
        if look == 1 and 2 not in entry.images:
            self._unconfirmed = entry
            return None, []
        return entry, []

    def take_confirmed(self) -> list[FedCard]:
        """Cards whose reading had come before the match of look 2 confirmed the match of look 1.

        The last match before a break is void, so that a card is only sent off when the next match
        has come: 20 ms later, long before its gate.
        """
        confirmed, self._confirmed = self._confirmed, []
        return confirmed

    @property
    def departs_at_us(self) -> int | None:
        """When the card whose reading waits for look 2 must be sent off, or None."""
        waiting, (feed, strobed_us) = self._unconfirmed, self._strobed
        if waiting is None or self._departure_us is None or waiting.feed != feed:
            return None
        return strobed_us + self._departure_us

    def take_departing(self, now_us: int) -> list[FedCard]:
        """The card that can wait for look 2 no longer: accepted at look 1, its image in time, nothing
        broken since. It goes on trust, and whoever sends it off keeps that in mind.
        """
        due_us = self.departs_at_us
        if self._unconfirmed is None or due_us is None or now_us < due_us:
            return []
        self.on_trust, self._unconfirmed = self._unconfirmed, None
        return [self.on_trust]

    def is_waited_for(self, entry: FedCard) -> bool:
        """Whether an image that was tied to this card is being read."""
        return any(waiting is entry for waiting, _ in self._asked.values())

    def drop(self, match: Match) -> bool:
        """Voids what an image said of a card that was not sent off yet; False when it was."""
        waiting, self._unconfirmed = self._unconfirmed, None
        if waiting is not None and waiting.images.get(match.look) == match.number:
            return True
        return self._asked.pop(match.number, None) is not None

    def _matched(self, match: Match) -> list[Order]:
        entry = self._ledger.card(match.feed)
        entry.images[match.look] = match.number
        self.on_trust = None
        waiting, self._unconfirmed = self._unconfirmed, None
        if waiting is not None:
            self._confirmed.append(waiting)
        if match.look == 1 or entry.wants_look_2:
            return self._ask(entry, match.look)
        return []

    def _ask(self, entry: FedCard, look: int) -> list[Order]:
        if entry.decided:
            return []
        self._asked[entry.images[look]] = (entry, look)
        return [ReadImage(entry.images[look], entry.feed, look)]


def _wants_second_look(reading: CardReading) -> bool:
    return reading.kind in (Kind.UNSURE, Kind.NO_CARD)
