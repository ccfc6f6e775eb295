"""Teaching accepts a good design and refuses wrong labels, by name."""

from __future__ import annotations

import pytest

from deals.cards import CARDS, Card
from tests.unit.vision.cards import taught
from vision.synthetic import art
from vision.teach import Labelled, TeachResult, teach


def relabelled(**labels: str) -> TeachResult:
    """Teaches with some pictures under other names: `SA="HK"` puts the king of hearts there."""
    images = []
    for card in CARDS:
        shown = Card.parse(labels.get(str(card), str(card)))
        images.append(Labelled(card, art.face("standard", shown), f"{card}.png"))
    return teach("club", images)


def told(result: TeachResult) -> str:
    return " ".join(reason.text() for reason in result.reasons)


@pytest.mark.parametrize("design", ["standard", "jumbo"])
def test_our_own_designs_are_accepted(design: str) -> None:
    result = taught(design)
    assert result.accepted and result.design is not None
    assert (result.cards, result.images) == (52, 52)
    assert len(result.weakest) >= 1


def test_two_pictures_exchanged_are_noticed() -> None:
    result = relabelled(S9="H4", H4="S9")
    assert not result.accepted
    assert "S9" in told(result) or "H4" in told(result)


def test_a_picture_under_two_names_is_noticed() -> None:
    result = relabelled(D3="D8")
    assert not result.accepted
    assert "D3" in told(result) and "D8" in told(result)


def test_a_missing_card_is_named() -> None:
    images = [Labelled(card, art.face("standard", card)) for card in CARDS if str(card) != "CQ"]
    result = teach("club", images)
    assert not result.accepted
    assert "CQ" in told(result)
