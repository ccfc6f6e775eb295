"""A card that was read twice: which of the two readings to doubt, and what a person does about it.

With readings X and X, and Y missing at the end, one of the two cards is Y, or the pack has two X.
The later card lies in the tray and is fed again alone. The earlier one lies in a pocket: to get at
it the lid is opened, and then all four hands are fed again. Nothing here ever names a card.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from controller.engine import stops
from controller.engine.ledger import FedCard, Ledger, Twins
from controller.engine.stops import Stop
from deals.cards import Card
from vision.census import CLEARLY, doubt, likeness
from vision.reading import CardReading

ITSELF: Final = 0.55
"""A sure reading whose best rival among the missing cards is no more alike than this was right:
of clean windows the closest pair, queens of spades and clubs, comes to 0.49.
"""
SURE: Final = 0.97


class Verdict(Enum):
    """What the evidence of two readings says."""

    OPEN = 0
    EARLIER = 1
    LATER = 2
    PACK = 3
    """Both cards are what they were read as: the pack has two of it."""


def weigh(twins: Twins, missing: tuple[Card, ...]) -> Verdict:
    """Which of the two is likelier one of the missing cards."""
    earlier, later = _reading(twins.earlier), _reading(twins.later)
    if earlier is None or later is None:
        return Verdict.OPEN
    if _is_itself(earlier, missing) and _is_itself(later, missing):
        return Verdict.PACK
    before, after = doubt(earlier, missing), doubt(later, missing)
    if before > CLEARLY * after:
        return Verdict.EARLIER
    return Verdict.LATER if after > CLEARLY * before else Verdict.OPEN


def at_once(ledger: Ledger, feed: int, left: int, *, again: bool) -> Stop | None:
    """What a new duplicate means while the pack is still running; None: set it aside and go on.

    `left` is how many feeds of this pack were still to come with this one. At the last card the
    pack may be short, and this the first card of the next pack: that is asked before a misread.
    """
    if again:
        return stops.duplicate(feed, replace_pack=True)
    if ledger.passes == 1 and left <= 1:
        return stops.short_pack(feed)
    if len(ledger.twins) > 1 and ledger.passes == 1:
        return stops.duplicate(feed, replace_pack=False)
    return None


def at_the_end(ledger: Ledger, missing: tuple[Card, ...], aside: int) -> Stop:
    """The pack has ended with a duplicate in the tray, and cards of the deal are missing."""
    twins = ledger.twins[-1]
    feed = twins.later.feed
    verdict = weigh(twins, missing)
    if verdict is Verdict.PACK:
        return stops.duplicate(feed, replace_pack=True)
    if verdict is Verdict.EARLIER:
        return stops.duplicate(feed, replace_pack=False)
    if ledger.passes == 1:
        return stops.duplicate_aside(feed, aside)
    # From both its ends the later card was read the same: then it is the pack, most likely.
    twice = sum(one.card == twins.card for one in ledger.twins) > 1
    return stops.duplicate(feed, replace_pack=twice)


def _reading(entry: FedCard) -> CardReading | None:
    """The reading that decided; None where a person named the card."""
    if entry.by_name or not entry.readings:
        return None
    return entry.readings[max(entry.readings)]


def _is_itself(reading: CardReading, missing: tuple[Card, ...]) -> bool:
    rival = likeness(reading, missing)
    return rival is not None and rival <= ITSELF and reading.confidence >= SURE
