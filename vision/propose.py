"""Reading without a design: what was taught and the general reader propose, and none names a card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from vision.design import Design
from vision.general import GeneralReader
from vision.reading import CardReading, Kind
from vision.recognise import Reader

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
        """The best proposal for *image*; ValueError if it is no image at all."""
        best = max((reader.read(image) for reader in self._readers), key=_sureness)
        if best.kind is Kind.CARD:
            return replace(best, kind=Kind.UNSURE, card=None, proposal=best.card)
        if best.kind is not Kind.UNSURE:
            return best
        general = self._general.read(image)
        return general if general.proposal is not None else best


def _sureness(reading: CardReading) -> tuple[int, float]:
    return _RANK[reading.kind], reading.confidence
