"""The Law 7 verdict, and packs that were not shuffled (Law 6D2)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from deals import words
from deals.cards import Card, Seat
from deals.deal import Deal
from deals.laws import Displaced, Law7Verdict, law7, shows_pack_order
from tests.unit.deals.strategies import shuffled

DEAL = Deal.from_pbn("N:AJ9.K9542.Q.AK93 K.QJ76.K98763.75 QT6543.AT.JT.T62 872.83.A542.QJ84")
Pockets = dict[Seat, list[Card | None]]


def pockets(deal: Deal = DEAL) -> Pockets:
    return {seat: list(deal.hand(seat)) for seat in Seat}


def card(text: str) -> Card:
    return Card.parse(text)


def told(verdict: Law7Verdict) -> list[str]:
    return [words.text(code, values) for code, values in verdict.findings()]


@given(st.integers(0, 2**32), st.randoms(use_true_random=False))
def test_order_within_a_pocket_means_nothing(seed: int, random: object) -> None:
    deal = shuffled(seed)
    held = pockets(deal)
    for hand in held.values():
        random.shuffle(hand)  # type: ignore[attr-defined]
    assert law7(held, deal).right
    assert law7(held, deal).findings() == []


def test_a_card_in_the_wrong_pocket() -> None:
    held = pockets()
    held[Seat.N].remove(card("SA"))
    held[Seat.E].append(card("SA"))
    verdict = law7(held, DEAL)
    assert verdict.displaced == (Displaced(card("SA"), Seat.E, Seat.N),)
    assert [(c.seat, c.short, c.long) for c in verdict.counts] == [(Seat.N, 1, 0), (Seat.E, 0, 1)]
    assert told(verdict) == [
        "North is short: 12 cards instead of 13 (Law 13).",
        "East is long: 14 cards instead of 13 (Law 13).",
        "SA lies in East and belongs to North (Law 7).",
    ]


def test_two_cards_exchanged_keep_the_count() -> None:
    held = pockets()
    held[Seat.N][0], held[Seat.S][0] = held[Seat.S][0], held[Seat.N][0]
    verdict = law7(held, DEAL)
    assert not verdict.right
    assert verdict.counts == ()
    assert told(verdict) == [
        "SA lies in South and belongs to North (Law 7).",
        "SQ lies in North and belongs to South (Law 7).",
    ]


def test_a_missing_card() -> None:
    held = pockets()
    held[Seat.W].remove(card("C4"))
    assert told(law7(held, DEAL)) == [
        "West is short: 12 cards instead of 13 (Law 13).",
        "C4 is missing (Law 14).",
    ]


def test_a_double_card_in_place_of_another() -> None:
    held = pockets()
    held[Seat.W][held[Seat.W].index(card("C4"))] = card("SA")
    verdict = law7(held, DEAL)
    assert verdict.double == ((card("SA"), (Seat.N, Seat.W)),)
    assert told(verdict) == [
        "SA is there more than once: North, West (Law 1).",
        "C4 is missing (Law 14).",
        "SA lies in West and belongs to North (Law 7).",
    ]


def test_a_foreign_card() -> None:
    held = pockets()
    held[Seat.S][0] = None
    assert told(law7(held, DEAL)) == [
        "A card that is not of this pack lies in South (Law 1).",
        "SQ is missing (Law 14).",
    ]


def test_empty_pockets() -> None:
    verdict = law7({}, DEAL)
    assert [c.short for c in verdict.counts] == [13] * 4
    assert len(verdict.missing) == 52


@given(st.integers(0, 2**32), st.data())
def test_any_change_is_seen(seed: int, data: st.DataObject) -> None:
    deal = shuffled(seed)
    held = pockets(deal)
    seat = data.draw(st.sampled_from(Seat))
    place = data.draw(st.integers(0, 12))
    new = data.draw(st.sampled_from([None, *deal.hand(seat.next(1)), *deal.hand(seat.next(3))]))
    held[seat][place] = new
    assert not law7(held, deal).right


@given(st.integers(0, 2**32))
def test_a_shuffled_deal_shows_no_order(seed: int) -> None:
    assert not shows_pack_order(shuffled(seed))


@given(st.permutations(range(4)))
def test_order_of_a_pack_is_seen(seats: list[int]) -> None:
    assert shows_pack_order(Deal(bytes(seats[i // 13] for i in range(52))))
    assert shows_pack_order(Deal(bytes(seats[i % 4] for i in range(52))))
    # A new pack: ace low in two suits, downwards in the others, dealt one by one.
    suits = [range(13), range(13), range(12, -1, -1), range(12, -1, -1)]
    order = [13 * s + (12 - r if s < 2 else r) for s, ranks in enumerate(suits) for r in ranks]
    low = [13 * (i // 13) + (0 if i % 13 == 12 else i % 13 + 1) for i in order]
    owners = bytearray(52)
    for place, index in enumerate(low):
        owners[index] = seats[place % 4]
    assert shows_pack_order(Deal(bytes(owners)))
