"""Which image belongs to which look of which card.

An image belongs to card *n* only if its time stamp fits that strobe. Strobes and images both come
in the order of their own times, so the oldest of each must fit each other; if they do not,
something was lost, added, repeated or late, and from then on nothing can be trusted until the belt
is empty and one strobe has matched one image.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from dataclasses import dataclass
from enum import Enum
from typing import Final

IMAGE_DUE_US: Final = 400_000
"""So long after its strobe an image is given up when nothing else comes. Lateness is no doubt, a
time stamp is: meanwhile the belt holds the card, and 600 ms of the longest hold are left to read it.
"""
STROBE_DUE_US: Final = 150_000
"""A strobe event may be this much later than its image: five tries on a bad wire."""
DIGESTS_KEPT: Final = 256
"""A camera that repeats a picture repeats a recent one."""


class Doubt(Enum):
    """Why images and strobes no longer fit."""

    IMAGE_LOST = "image_lost"
    IMAGE_EXTRA = "image_extra"
    IMAGE_REPEATED = "image_repeated"
    BLIND = "blind"
    """Images come in time, but nothing can be read in them."""


@dataclass(frozen=True, slots=True)
class Match:
    """Image `number` is look `look` of card `feed`."""

    feed: int
    look: int
    number: int


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The tie is broken from card `feed` on (None: no strobe is waiting).

    A match is confirmed by the next one. The last match before the break never was: a stray image
    may have taken the place of the true one, so `revoked` says which match is void as well. Who
    acts on look 1 waits for the match of look 2, so that an image lost there costs this card alone.
    """

    doubt: Doubt
    feed: int | None
    revoked: Match | None = None


@dataclass(slots=True)
class _Strobe:
    at_us: int
    feed: int
    look: int


@dataclass(slots=True)
class _Image:
    captured_us: int
    number: int
    arrived_us: int


class ImageTie:
    """Ties images to strobes by time, within `tolerance_us`.

    The tolerance is a quarter pitch and never more than half the time between two looks, so that no
    image fits two strobes. After a mismatch the tie is broken: everything is dropped until `mend`.
    """

    def __init__(self, pitch_us: int, look_gap_us: int) -> None:
        self.tolerance_us = min(pitch_us // 4, look_gap_us // 2)
        self.broken = False
        self._strobes: deque[_Strobe] = deque()
        self._images: deque[_Image] = deque()
        self._digests: OrderedDict[bytes, None] = OrderedDict()
        self._last_captured_us = -1
        self._last_match: Match | None = None

    def strobe(self, now_us: int, at_us: int, feed: int, look: int) -> list[Match | Mismatch]:
        """Takes a strobe event; gives what it settles."""
        if self.broken:
            return []
        self._strobes.append(_Strobe(at_us, feed, look))
        return self._settle(now_us)

    def image(
        self, now_us: int, captured_us: int, number: int, digest: bytes
    ) -> list[Match | Mismatch]:
        """Takes an image; gives what it settles. A picture seen before is never a new one."""
        repeated = digest in self._digests
        self._digests[digest] = None
        if len(self._digests) > DIGESTS_KEPT:
            self._digests.popitem(last=False)
        if self.broken:
            return []
        if repeated or captured_us <= self._last_captured_us:
            return [self._break(Doubt.IMAGE_REPEATED)]
        self._last_captured_us = captured_us
        self._images.append(_Image(captured_us, number, now_us))
        return self._settle(now_us)

    def expire(self, now_us: int) -> list[Match | Mismatch]:
        """Looks at what should have come by now."""
        return [] if self.broken else self._settle(now_us)

    def mend(self) -> None:
        """Starts afresh: to be called only while the belt is empty."""
        self.broken = False
        self._strobes.clear()
        self._images.clear()
        self._last_match = None

    @property
    def next_due_us(self) -> int | None:
        """When `expire` has something to look at, or None."""
        due = []
        if self._strobes:
            due.append(self._strobes[0].at_us + IMAGE_DUE_US)
        if self._images:
            due.append(self._images[0].arrived_us + STROBE_DUE_US)
        return min(due) if due else None

    def _settle(self, now_us: int) -> list[Match | Mismatch]:
        found: list[Match | Mismatch] = []
        while self._strobes and self._images:
            strobe, image = self._strobes[0], self._images[0]
            apart_us = image.captured_us - strobe.at_us
            if apart_us > self.tolerance_us:
                return [*found, self._break(Doubt.IMAGE_LOST)]
            if apart_us < -self.tolerance_us:
                return [*found, self._break(Doubt.IMAGE_EXTRA)]
            self._strobes.popleft()
            self._images.popleft()
            self._last_match = Match(strobe.feed, strobe.look, image.number)
            found.append(self._last_match)
        if self._strobes and now_us >= self._strobes[0].at_us + IMAGE_DUE_US:
            return [*found, self._break(Doubt.IMAGE_LOST)]
        if self._images and now_us >= self._images[0].arrived_us + STROBE_DUE_US:
            return [*found, self._break(Doubt.IMAGE_EXTRA)]
        return found

    def _break(self, doubt: Doubt) -> Mismatch:
        feed = self._strobes[0].feed if self._strobes else None
        revoked, self._last_match = self._last_match, None
        self.broken = True
        self._strobes.clear()
        self._images.clear()
        return Mismatch(doubt, feed, revoked)
