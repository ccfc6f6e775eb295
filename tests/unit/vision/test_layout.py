"""Where designs print rank and suit, and that wrong labels stand out."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from deals.cards import CARDS, Card
from tests.unit.vision.cards import photo, window
from vision.labels import check_labels
from vision.layout import Box
from vision.lineup import Lineup, line_up
from vision.synthetic import art


@cache
def lined_up(design: str = "standard") -> Lineup:
    """The faces of one of our designs."""
    return line_up([(card, str(card), art.face(design, card)) for card in CARDS])


def near(box: Box | None, expected: tuple[float, float, float, float]) -> bool:
    return box is not None and np.allclose((box.x0, box.y0, box.x1, box.y1), expected, atol=1.3)


def test_rank_and_suit_are_found_where_they_are_printed() -> None:
    standard, jumbo = lined_up().layout, lined_up("jumbo").layout
    assert near(standard.rank, (2.5, 4.0, 8.1, 11.6)) and near(
        standard.suit, (2.6, 12.5, 8.0, 17.9)
    )
    assert near(jumbo.suit, (4.0, 17.4, 12.4, 25.8))
    assert standard.zoom == 0.8 and 0.95 < jumbo.zoom < 1.15


def test_whole_cards_show_both_corners_and_no_border() -> None:
    lineup = lined_up()
    assert {len(one.corners) for one in lineup.placed} == {2}
    assert lineup.inset_mm == (0.0, 0.0)


def test_a_printed_black_border_is_measured() -> None:
    pictures = []
    for card in CARDS:
        face = art.face("standard", card).copy()
        face[:8] = face[-8:] = 10
        face[:, :8] = face[:, -8:] = 10
        pictures.append((card, str(card), face))
    assert line_up(pictures).inset_mm == pytest.approx((0.8, 0.8), abs=0.15)


def test_windows_show_one_corner_and_the_same_layout() -> None:
    images = [(card, "", window(art.face("standard", card), card.index)) for card in CARDS]
    lineup = line_up(images)
    assert {one.corners[0].source for one in lineup.placed} == {"window"}
    assert near(lineup.layout.rank, (2.5, 4.0, 8.1, 11.6))


def test_pictures_without_a_card_are_told() -> None:
    nothing = np.full((400, 640, 3), 200, np.uint8)
    images = [(card, f"{card}.png", art.face("standard", card)) for card in CARDS[:-1]]
    lineup = line_up([*images, (CARDS[-1], "C2.png", np.zeros((3, 3, 3), np.uint8))])
    assert len(lineup.placed) + len(lineup.lost) == 52
    assert len(line_up([(CARDS[0], "SA.png", nothing)]).placed) <= 1


@pytest.mark.parametrize("design", art.DESIGNS)
def test_right_labels_raise_no_doubt(design: str) -> None:
    assert list(check_labels(lined_up(design).canvases, lined_up(design).layout)) == []


@settings(max_examples=4)
@given(st.lists(st.sampled_from(CARDS), min_size=2, max_size=2, unique=True))
@example([Card.parse("SA"), Card.parse("CA")])
@example([Card.parse("H8"), Card.parse("H6")])
def test_any_two_exchanged_pictures_are_both_doubted(pair: list[Card]) -> None:
    one, other = pair
    canvases = lined_up().canvases.copy()
    canvases[[one.index, other.index]] = canvases[[other.index, one.index]]
    doubted = {
        (values["card"], values["like"])
        for code, values in check_labels(canvases, lined_up().layout)
        if code == "teach.wrong_label"
    }
    assert doubted == {(one, str(other)), (other, str(one))}


def test_a_pack_of_other_pictures_is_confused_not_fifty_two_times_wrong() -> None:
    canvases = lined_up().canvases[np.random.default_rng(5).permutation(52)]
    codes = [code for code, _ in check_labels(canvases, lined_up().layout)]
    assert codes == ["teach.confused"]


def test_photos_from_one_place_are_lined_up_by_their_cards() -> None:
    """The ground, the same in all of them, agrees better than the cards do; the cards lie askew in each picture."""
    pictures = [
        (card, str(card), photo(art.face("standard", card), 3.0, 240, seed=card.index))
        for card in CARDS
    ]
    lineup = line_up(pictures)
    assert {one.corners[0].source for one in lineup.placed} == {"outline"}
    assert near(lineup.layout.rank, (2.5, 4.0, 8.1, 11.6))
