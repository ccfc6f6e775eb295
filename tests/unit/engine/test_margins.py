"""What is kept of a proven board: how surely each card was read at first, and nothing of where it went."""

from __future__ import annotations

from controller.engine.ledger import FedCard, Ledger
from controller.engine.margins import margins
from deals.cards import CARDS, Card
from vision.reading import CardReading, Kind

UNSURE = CardReading(Kind.UNSURE)


def ledger_of(change: dict[Card, FedCard]) -> Ledger:
    """A pack in reverse order, each card read with a margin of 0.5, but for some."""
    ledger = Ledger()
    for feed, card in enumerate(reversed(CARDS), 1):
        sure = CardReading(Kind.CARD, card, card, 0.99, evidence={"margin": 0.5})
        ledger.placed[card] = change.get(card) or FedCard(feed, readings={1: sure}, card=card)
    return ledger


def test_margins_come_in_the_order_of_the_cards_whatever_the_pack_was() -> None:
    found = margins(ledger_of({}))
    assert list(found) == list(CARDS) and set(found.values()) == {0.5}


def test_a_card_that_only_the_second_look_read_had_no_room_left() -> None:
    card = CARDS[7]
    sure = CardReading(Kind.CARD, card, card, 0.99, evidence={"margin": 0.8})
    found = margins(ledger_of({card: FedCard(7, readings={1: UNSURE, 2: sure}, card=card)}))
    assert found[card] == 0.0 and sum(found.values()) == 51 * 0.5


def test_a_board_with_a_card_that_a_person_named_or_no_margins_counts_nothing() -> None:
    card = CARDS[7]
    assert margins(ledger_of({card: FedCard(7, readings={1: UNSURE}, by_name=True)})) == {}
    bare = CardReading(Kind.CARD, card, card, 0.99)
    assert margins(ledger_of({card: FedCard(7, readings={1: bare}, card=card)})) == {}
    assert margins(Ledger()) == {}
