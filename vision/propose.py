"""Reading without a design: what was taught and the general reader propose, and none names a card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from vision import locate, outline
from vision.design import Design
from vision.general import GeneralReader
from vision.reading import CardReading, Kind
from vision.recognise import Reader
from vision.sources import as_pixels

_ENOUGH: Final = 0.7
"""With so much certainty of the general reader no taught index is searched for."""
_RANK: Final = {Kind.CARD: 3, Kind.STOP_CARD: 2, Kind.UNSURE: 1, Kind.NO_CARD: 0}


class Proposer:
    """Reads against all `designs` and proposes what the surest of them accepts; else the general reader's guess.

    Used where nobody has said which design the image shows: the answer is never of kind CARD, so
    that nothing can be dealt on the strength of it.
    """

    def __init__(self, designs: Sequence[Design]) -> None:
        self._readers = [Reader(design) for design in designs] or [Reader(None)]
        self._general = GeneralReader()

    def warm_up(self) -> None:
        """Makes what is made once."""
        for reader in self._readers:
            reader.warm_up()
        self._general.warm_up()

    def read(self, image: Any) -> CardReading:
        """The best proposal for *image*; ValueError if it is no image at all.

        First what the taught designs see at once, then the general reader; the slow search for a taught index comes
        last, as it is made for each design.
        """
        best = self._taught(image, search=False)
        if best.kind is not Kind.UNSURE:
            return _proposed(best)
        general = self._general.read(image)
        if general.confidence >= _ENOUGH or general.kind is Kind.STOP_CARD:
            return general
        if locate.is_window(as_pixels(image)) or _outlined(
            image
        ):  # its corners are where they were looked at: a joker, or a back
            return general if general.proposal is not None else best
        searched = self._taught(image, search=True)
        if searched.kind is not Kind.UNSURE:
            return _proposed(searched)
        return general if general.proposal is not None else searched

    def _taught(self, image: Any, *, search: bool) -> CardReading:
        return max((reader.read(image, search=search) for reader in self._readers), key=_sureness)


def _outlined(image: Any) -> bool:
    """Whether a whole card lies there with something about it."""
    return any(one.source == "outline" for one, _ in outline.cards_in(as_pixels(image)))


def _proposed(reading: CardReading) -> CardReading:
    if reading.kind is not Kind.CARD:
        return reading
    return replace(reading, kind=Kind.UNSURE, card=None, proposal=reading.card)


def _sureness(reading: CardReading) -> tuple[int, float]:
    return _RANK[reading.kind], reading.confidence
