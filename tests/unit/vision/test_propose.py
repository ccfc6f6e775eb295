"""Without a design there are proposals, never a card."""

from __future__ import annotations

from typing import Any

import pytest

from deals.cards import Card
from vision import propose
from vision.reading import CardReading, Kind

ACE, TWO = Card.parse("SA"), Card.parse("H2")


def proposer(*readings: CardReading, monkeypatch: pytest.MonkeyPatch) -> propose.Proposer:
    """A proposer whose designs read like this."""

    class Scripted:
        def __init__(self, reading: CardReading) -> None:
            self.reading = reading

        def read(self, image: Any) -> CardReading:
            return self.reading

    monkeypatch.setattr(propose, "Reader", Scripted)
    return propose.Proposer(readings)  # type: ignore[arg-type]


def test_the_surest_design_proposes_and_none_names(monkeypatch: pytest.MonkeyPatch) -> None:
    readings = (
        CardReading(Kind.UNSURE, proposal=TWO, confidence=0.99),
        CardReading(Kind.CARD, ACE, ACE, 0.93, TWO),
        CardReading(Kind.NO_CARD),
    )
    reading = proposer(*readings, monkeypatch=monkeypatch).read(None)
    assert (reading.kind, reading.card, reading.proposal) == (Kind.UNSURE, None, ACE)
    assert reading.runner_up == TWO


@pytest.mark.parametrize("kind", [Kind.STOP_CARD, Kind.NO_CARD])
def test_what_is_no_card_is_told_as_such(kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    assert proposer(CardReading(kind), monkeypatch=monkeypatch).read(None).kind is kind


def test_with_nothing_taught_there_is_no_proposal() -> None:
    import numpy as np

    image = np.full((400, 300, 3), 255, np.uint8)
    assert propose.Proposer([]).read(image).proposal is None
