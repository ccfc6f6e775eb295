"""The general reader on a pack that nobody taught and that it was not trained on; it proposes and never names."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import cv2
import numpy as np
import pytest

from deals.cards import CARDS, Card
from tests.unit.vision.cards import window
from vision import general
from vision.crosscheck import exchanged
from vision.general import GLYPHS, GeneralReader, Net
from vision.propose import Proposer
from vision.reading import Kind
from vision.synthetic import art
from vision.synthetic.canvas import paint
from vision.synthetic.outlines import mask
from vision.synthetic.photo import PHOTO, photograph
from vision.synthetic.suits import suit_shape
from vision.teach import Labelled, teach

NATIONAL = {"A": "1", "K": "R", "Q": "D", "J": "V"}


@cache
def foreign(card: Card, french: bool = False) -> Any:
    """A face in a hand that nobody trained on: OpenCV's own lettering, grey-blue and brick red."""
    face = art.blank().copy()
    rank = "10" if card.rank.letter == "T" else card.rank.letter
    rank = NATIONAL.get(rank, rank) if french else rank
    font, scale = cv2.FONT_HERSHEY_TRIPLEX, 2.6
    (wide, _), _ = cv2.getTextSize(rank, font, scale, 5)
    colour = (30, 45, 190) if card.suit.letter in "HD" else (60, 45, 40)
    column = np.full((90, wide + 8, 3), 252, np.uint8)
    cv2.putText(column, rank, (4, 78), font, scale, colour, 5, cv2.LINE_AA)
    column = cv2.resize(column, (min(wide, 58), 84), interpolation=cv2.INTER_AREA)
    pip = mask(suit_shape(card.suit.letter).moved(5, 5, 3, 3), (60, 60), 10)
    for _ in range(2):
        face[26 : 26 + 84, 28 : 28 + column.shape[1]] = column
        paint(face, pip, colour, 2.8 + column.shape[1] / 20, 14.5)
        face = np.ascontiguousarray(face[::-1, ::-1])
    return face


def right(images: list[tuple[Card, Any]]) -> float:
    """Share of proposals that are right."""
    reader, good = GeneralReader(), 0
    for card, image in images:
        reading = reader.read(image)
        assert reading.kind is not Kind.CARD and reading.card is None
        good += reading.proposal is card
    return good / len(images)


def test_windows_of_an_untaught_pack() -> None:
    images = [
        (card, window(foreign(card), card.index, turned=bool(k)))
        for k, card in enumerate(CARDS[::2])
    ]
    assert right(images) >= 0.85


def test_national_letters_of_an_untaught_pack() -> None:
    cards = [card for card in CARDS if card.rank.letter in NATIONAL]
    assert right([(card, window(foreign(card, french=True), card.index)) for card in cards]) >= 0.75


def test_photos_of_an_untaught_pack() -> None:
    rng = np.random.default_rng(11)
    images = [(card, photograph(foreign(card), PHOTO, rng)) for card in CARDS[::4]]
    assert right(images) >= 0.75


def test_bare_corners_of_an_untaught_pack() -> None:
    images = [(card, foreign(card)[:250, :170]) for card in CARDS[::3]]
    assert right(images) >= 0.8


@pytest.mark.parametrize("face", [art.blank(), art.back("red"), art.back("blue")])
def test_what_is_no_card_is_never_named_and_hardly_proposed(face: Any) -> None:
    readings = [GeneralReader().read(window(face, seed)) for seed in range(4)]
    assert all(one.card is None for one in readings)
    assert sum(one.confidence > 0.8 for one in readings) == 0


def test_the_general_reader_steps_in_where_no_taught_design_accepts() -> None:
    card = Card.parse("H7")
    reading = Proposer([]).read(window(foreign(card), 3))
    assert (reading.kind, reading.card, reading.proposal) == (Kind.UNSURE, None, card)


def test_the_net_computes_what_a_plain_convolution_would() -> None:
    rng = np.random.default_rng(2)
    image = rng.normal(size=(1, 56, 32, 3)).astype(np.float32)
    kernel = rng.normal(size=(3, 3, 3, 2)).astype(np.float32)
    found = general._convolved(image, kernel)
    for out in range(2):
        plain = sum(
            cv2.filter2D(
                image[0, :, :, k], -1, kernel[:, :, k, out], borderType=cv2.BORDER_CONSTANT
            )
            for k in range(3)
        )
        assert np.allclose(found[0, :, :, out], plain, atol=1e-4)


def test_the_file_says_how_it_was_made_and_fits_the_classes() -> None:
    with np.load(general.MODEL_FILE) as held:
        about = json.loads(str(held["about"]))
    assert about["seed"] == 1 and about["rounds"] >= 1 and about["fonts"] > 50
    net: Net = general.net()
    assert net.answer[1].shape == (len(GLYPHS) + 5,)


def test_two_suits_or_ranks_that_changed_names_are_found_and_nothing_else_is() -> None:
    truth = np.eye(52, dtype=np.float32)
    assert list(exchanged(truth)) == []
    order = np.arange(52).reshape(4, 13)
    swapped = truth[order[[3, 1, 2, 0]].ravel()]
    assert list(exchanged(swapped)) == [("teach.suits_exchanged", {"one": "S", "other": "C"})]
    ranks = order.copy()
    ranks[:, [2, 3]] = order[:, [3, 2]]
    found = list(exchanged(truth[ranks.ravel()]))
    assert found == [("teach.ranks_exchanged", {"one": "Q", "other": "J"})]
    one_way = truth.copy()
    one_way[39:] = truth[:13]  # clubs look like spades, but spades do too
    assert list(exchanged(one_way)) == []


def test_teaching_finds_two_suits_under_each_others_names() -> None:
    other = {"S": "C", "C": "S"}
    pictures = []
    for card in CARDS:
        shown = Card.parse(other.get(card.suit.letter, card.suit.letter) + card.rank.letter)
        pictures.append(Labelled(card, art.face("standard", shown), str(card)))
    result = teach("exchanged", pictures)
    assert not result.accepted and result.design is None
    assert [reason.code for reason in result.reasons] == ["teach.suits_exchanged"]
    assert "suit S look like C" in result.reasons[0].text()
