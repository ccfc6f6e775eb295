"""A card whose two ends look different is learned as two forms, and read either way round."""

from __future__ import annotations

from functools import cache
from typing import Any

import cv2
import numpy as np
import pytest

from deals.cards import CARDS, Card
from tests.unit.vision.cards import window
from vision import corner as corners
from vision import locate
from vision.augment import USUAL, plain, vary
from vision.corner import Model
from vision.ends import Form, forms_of, unseen_ends
from vision.features import look_at
from vision.lineup import Lineup, Placed, by_card, line_up
from vision.patch import Corner
from vision.reading import Kind
from vision.recognise import Reader
from vision.synthetic import art
from vision.synthetic.optics import CLEAN
from vision.teach import Labelled, teach

ACE, NINE, KING = (Card.parse(name) for name in ("DA", "C9", "HK"))


def ornamented(face: Any) -> Any:
    """With a broad ornament close beside the first index alone."""
    drawn = face.copy()
    cv2.ellipse(drawn, (125, 80), (45, 32), 20, 0, 360, (60, 40, 200), 9)
    cv2.line(drawn, (95, 120), (150, 40), (60, 40, 200), 7)
    return drawn


def askew(face: Any) -> Any:
    """Printed 0.7 mm away from the middle, both ways."""
    drawn = np.full_like(face, 255)
    drawn[7:, 7:] = face[:-7, :-7]
    return drawn


@cache
def faces() -> dict[Card, Any]:
    """Our design, with one ace ornamented and one nine off the middle."""
    drawn = {card: art.face("standard", card) for card in CARDS}
    return drawn | {ACE: ornamented(drawn[ACE]), NINE: askew(drawn[NINE])}


@cache
def lineup() -> Lineup:
    return line_up([(card, f"{card}.png", face) for card, face in faces().items()])


@cache
def forms() -> list[Form]:
    return forms_of(by_card(lineup().placed), lineup().layout.zoom)


@cache
def model() -> Model:
    """From few variations: only the ends matter here."""
    rng = np.random.default_rng(5)
    few = [
        (row, form.sources[k % len(form.sources)])
        for row, form in enumerate(forms())
        for k in range(6)
    ]
    cards = np.array([form.card.index for form in forms()])
    area = np.zeros((112, 64), np.float32)
    area[12:80, 8:40] = 1
    return corners.fit(
        [look_at(vary(s, USUAL, rng)) for _, s in few], [row for row, _ in few], area, cards
    )


def test_both_ends_are_taken_and_only_cards_whose_ends_differ_have_two_forms() -> None:
    assert all(len(one.corners) == 2 and one.other_end is None for one in lineup().placed)
    assert [form.card for form in forms()] == [*CARDS, ACE, NINE]
    assert [len(form.sources) for form in forms()] == [2 - (c in (ACE, NINE)) for c in CARDS] + [
        1,
        1,
    ]


def test_either_end_is_that_card_and_fits() -> None:
    for form in forms():
        for source in form.sources:
            opinion = corners.judge(model(), look_at(plain(source)))
            assert CARDS[opinion.order[0]] is form.card
            assert (
                opinion.misfit < 0.6 and opinion.doubt < 0.33 and opinion.distances.shape == (52,)
            )


def test_the_other_form_of_a_card_is_no_rival_of_it() -> None:
    far = np.full(len(model().cards), 9.0, np.float32)
    far[53], far[NINE.index], far[7] = 1.0, 2.0, 3.0
    rows = model().forms(far)
    assert rows[NINE.index] == 53 and rows[ACE.index] == ACE.index and len(rows) == 52
    far[53] = 2.5
    assert model().forms(far)[NINE.index] == NINE.index


def test_an_end_without_its_index_is_not_learned_but_told() -> None:
    bare = faces()[KING].copy()
    bare[-280:, -170:] = 255
    placed = by_card(
        line_up([(c, "", bare if c is KING else face) for c, face in faces().items()]).placed
    )
    (king,) = placed[KING]
    assert len(king.corners) == 1 and king.other_end is not None
    told = list(unseen_ends(placed, forms_of(placed, 0.8)))
    assert told == [("teach.end_without_index", {"cards": [KING]})]


def test_a_picture_that_may_not_show_the_index_is_no_form_of_its_own() -> None:
    placed = by_card(lineup().placed)
    another = placed[ACE][0].pixels  # whatever lies before the index, it is not what the king has
    for clear, more in ((False, 0), (True, 1)):
        one = Placed(KING, "", another, placed[KING][0].corners, clear=clear)
        found = forms_of({**placed, KING: [*placed[KING], one]}, 0.8)
        assert len(found) == len(forms()) + more


def at(row: float) -> Placed:
    """A window whose card begins at *row*."""
    corner = Corner(np.array([[0, -10.0, 600], [10, 0, row], [0, 0, 1]]), "window")
    return Placed(KING, "", np.zeros((400, 640, 3), np.uint8), (corner,))


@pytest.mark.parametrize(
    ("rows", "one_end"),
    [((40,), True), ((40, 225), True), ((40, 44), False), ((40, 225, 43), False)],
)
def test_pictures_of_one_end_are_told(rows: tuple[float, ...], one_end: bool) -> None:
    """Two looks of one pass are of one end; a second pass may be of the other."""
    windows = {card: [at(row) for row in rows] for card in CARDS}
    single = [Form(card, ()) for card in CARDS]
    told = list(unseen_ends(windows, single))
    assert told == ([("teach.one_end_each", {})] if one_end else [])
    assert not list(unseen_ends(windows, [*single, Form(ACE, ())]))
    some = {**windows, ACE: by_card(lineup().placed)[ACE]}
    told = list(unseen_ends(some, single))
    assert told == (
        [("teach.one_end", {"cards": [c for c in CARDS if c is not ACE]})] if one_end else []
    )


@pytest.mark.long
def test_cards_whose_ends_differ_are_accepted_either_way_round() -> None:
    result = teach("ends", [Labelled(card, face) for card, face in faces().items()])
    assert result.accepted and result.design is not None and not result.notes
    assert result.design.about["two_ends"] == 2
    reader = Reader(result.design)
    for card in (ACE, NINE, KING):
        for seed in range(20):
            reading = reader.read(window(faces()[card], seed, CLEAN, turned=seed % 2 == 0))
            assert (reading.kind, reading.card) == (Kind.CARD, card), (card, seed)


@pytest.mark.long
def test_a_pass_both_ways_round_teaches_both_ends_and_a_pass_one_way_says_so() -> None:
    one_way = [Labelled(card, window(face, 1)) for card, face in faces().items()]
    result = teach("once", one_way)
    assert result.accepted and [note.code for note in result.notes] == ["teach.one_end_each"]
    turned = [Labelled(card, window(face, 2, turned=True)) for card, face in faces().items()]
    result = teach("twice", [*one_way, *turned])
    assert result.accepted and not result.notes and result.design is not None
    assert set(result.design.model.cards[52:]) == {ACE.index, NINE.index}
    assert locate.is_window(turned[0].image)
    reader = Reader(result.design)
    for way in (False, True):
        assert reader.read(window(faces()[ACE], 9, turned=way)).card is ACE
