"""Which of two readings of one card is doubted: the cards that are missing speak, nothing else does."""

from __future__ import annotations

import pytest

from controller.engine.doubts import Verdict, weigh
from controller.engine.ledger import FedCard, Twins
from deals.cards import Card
from vision.reading import CardReading, Kind

EIGHT, NINE, TWO = Card.parse("S8"), Card.parse("S9"), Card.parse("H2")
LIKE, UNLIKE = 0.7, 0.2
"""Likeness to the nine of spades of an eight that may be one, and of one that is none."""


def read(sureness: float = 0.99, **scores: float) -> CardReading:
    """A reading of the eight of spades; other cards' likeness by name, its own being 0.9."""
    evidence = {"scores": {str(EIGHT): 0.9, **scores}}
    return CardReading(Kind.CARD, EIGHT, EIGHT, sureness, evidence=evidence)


def bare(sureness: float = 0.99) -> CardReading:
    """A reading that kept no scores, as of a bar code."""
    return CardReading(Kind.CARD, EIGHT, EIGHT, sureness)


def fed(feed: int, *looks: CardReading) -> FedCard:
    """A card that was read so, look by look."""
    return FedCard(feed, card=EIGHT, readings=dict(enumerate(looks, start=1)))


def weighed(earlier: CardReading, later: CardReading, *missing: Card) -> Verdict:
    return weigh(Twins(EIGHT, fed(11, earlier), fed(30, later)), missing)


@pytest.mark.parametrize("missing", [(NINE,), (NINE, TWO), (TWO, NINE)])
def test_the_reading_that_looks_like_a_missing_card_is_doubted(missing: tuple[Card, ...]) -> None:
    like, unlike = read(S9=LIKE), read(S9=UNLIKE)
    assert weighed(like, unlike, *missing) is Verdict.EARLIER
    assert weighed(unlike, like, *missing) is Verdict.LATER


def test_a_card_that_is_not_missing_speaks_against_nobody() -> None:
    for sureness, told in ((0.99, Verdict.PACK), (0.95, Verdict.OPEN)):
        like, unlike = read(sureness, S9=LIKE), read(sureness, S9=UNLIKE)
        assert weighed(like, unlike, TWO) is told
        assert weighed(unlike, like, TWO) is told


def test_of_two_that_are_nearly_as_doubtful_neither_is_named() -> None:
    for one, other in ((LIKE, LIKE), (LIKE, 0.6), (0.6, LIKE)):
        assert weighed(read(S9=one), read(S9=other), NINE) is Verdict.OPEN


def test_two_that_are_both_clearly_themselves_are_two_in_the_pack() -> None:
    clear = read(S9=0.9 * 0.49)  # as alike as the closest pair of cards is
    assert weighed(clear, clear, NINE) is Verdict.PACK
    assert weighed(clear, read(S9=UNLIKE), NINE) is Verdict.PACK
    assert weighed(read(), read(), NINE) is Verdict.PACK


@pytest.mark.parametrize("doubtful", [read(S9=0.9 * 0.6), read(0.96, S9=0.9 * 0.49)])
def test_one_that_is_not_clearly_itself_says_nothing_of_the_pack(doubtful: CardReading) -> None:
    clear = read(S9=0.9 * 0.49)
    assert weighed(doubtful, doubtful, NINE) is Verdict.OPEN
    assert weighed(doubtful, clear, NINE) is not Verdict.PACK
    assert weighed(clear, doubtful, NINE) is not Verdict.PACK


def test_without_scores_only_sureness_speaks() -> None:
    assert weighed(bare(), bare(), NINE) is Verdict.OPEN
    assert weighed(bare(0.92), bare(), NINE) is Verdict.EARLIER
    assert weighed(bare(), bare(0.92), NINE) is Verdict.LATER


def test_the_last_look_decides() -> None:
    like, unlike = read(S9=LIKE), read(S9=UNLIKE)
    turned = Twins(EIGHT, fed(11, unlike, like), fed(30, like, unlike))
    assert weigh(turned, (NINE,)) is Verdict.EARLIER


def test_what_a_person_named_or_nobody_read_is_weighed_against_nothing() -> None:
    like, unlike = fed(11, read(S9=LIKE)), fed(30, read(S9=UNLIKE))
    named = FedCard(12, card=EIGHT, by_name=True, readings={1: read(S9=LIKE)})
    unread = FedCard(13, card=EIGHT)
    for silent in (named, unread):
        assert weigh(Twins(EIGHT, silent, unlike), (NINE,)) is Verdict.OPEN
        assert weigh(Twins(EIGHT, like, silent), (NINE,)) is Verdict.OPEN
