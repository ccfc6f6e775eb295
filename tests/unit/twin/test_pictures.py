"""Drawn pictures: what is over the window is what is drawn, dirt and darkness included."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from controller import geometry
from controller.twin.pictures import DrawnPictures
from controller.twin.world.camera import Shown
from controller.twin.world.things import PhysicalCard, PrintShop, Smudge
from controller.twin.world.view import View
from deals.cards import CARDS, Card
from vision.synthetic import art
from vision.synthetic.canvas import Face

STANDARD = geometry.PROFILES["standard"]
CORNER = (slice(50, 170), slice(360, 600))
"""Where the index of a card is at look 1: by the leading edge, at the right."""


@pytest.fixture(scope="module")
def pictures() -> DrawnPictures:
    return DrawnPictures.of_design("standard", STANDARD)


def card(text: str, turned: bool = False) -> PhysicalCard:
    made = PrintShop(random.Random(1)).card(Card.parse(text))
    made.turned = turned
    return made


def shown(one: PhysicalCard, row: int = 40) -> Shown:
    return Shown(one, row, 0.0, 0.0)


def draw(pictures: DrawnPictures, pieces: Sequence[Shown], light: float = 150.0) -> Face:
    window = pictures.window(pieces, View(light), random.Random(1))
    assert window.shape == (400, 640, 3)
    assert window.dtype == np.uint8
    return window


def ink(window: Face) -> float:
    """How dark the index corner is."""
    return float(np.mean(window[CORNER] < 90))


def test_the_leading_edge_lies_at_its_row(pictures: DrawnPictures) -> None:
    for row in (40, 225):
        window = draw(pictures, [shown(card("SA"), row)])
        middle = window[:, 200:320].mean(axis=(1, 2))
        assert middle[row - 12] < 60 < 100 < middle[row + 12]


def test_each_card_looks_different(pictures: DrawnPictures) -> None:
    faces = [draw(pictures, [shown(card(name))])[CORNER] for name in ("SA", "SK", "C9", "C8")]
    for at, one in enumerate(faces):
        for other in faces[at + 1 :]:
            assert np.mean(np.abs(one.astype(int) - other.astype(int))) > 3


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("smudge", [Smudge.DIRT, Smudge.DAMAGE])
def test_a_smudge_hides_the_index_of_its_own_end_only(
    pictures: DrawnPictures, turned: bool, smudge: Smudge
) -> None:
    clean, dirty, other = (card("S8", turned) for _ in range(3))
    dirty.smudges[int(turned)] = smudge
    other.smudges[1 - int(turned)] = smudge
    seen = [draw(pictures, [shown(one)])[CORNER].astype(int) for one in (clean, dirty, other)]
    assert np.mean(np.abs(seen[0] - seen[1])) > 25
    assert np.mean(np.abs(seen[0] - seen[2])) < 1
    assert np.std(seen[1][20:-20, 60:-20]) < 12  # nothing of the index is left


def test_a_clean_face_is_shared_and_stays_clean(pictures: DrawnPictures) -> None:
    before = art.face("standard", CARDS[0]).copy()
    dirty = card("SA")
    dirty.smudges[:] = [Smudge.DIRT, Smudge.DIRT]
    draw(pictures, [shown(dirty)])
    assert np.array_equal(art.face("standard", CARDS[0]), before)


def test_of_two_cards_on_each_other_the_first_is_seen(pictures: DrawnPictures) -> None:
    first, second = card("SA"), card("HK")
    both, one, other = (
        draw(pictures, [shown(each) for each in cards])[CORNER].astype(int)
        for cards in ((first, second), (first,), (second,))
    )
    red = [float(np.mean(seen[..., 2] - seen[..., 0] > 60)) for seen in (both, one, other)]
    assert red[0] == red[1] == 0.0 < 0.02 < red[2]
    alone = draw(pictures, [shown(first, -400)])
    behind = draw(pictures, [shown(first, -400), shown(second, -200)])
    assert alone[220:340, 100:500].mean() < 60 < 100 < behind[220:340, 100:500].mean()


def test_without_light_it_is_dark_and_with_more_light_brighter(pictures: DrawnPictures) -> None:
    dark, one, two = (draw(pictures, [shown(card("SA"))], light).mean() for light in (0, 150, 250))
    assert dark < 8
    assert two > one * 1.3


def test_a_face_up_card_shows_its_back(pictures: DrawnPictures) -> None:
    up = card("SA")
    up.face_up = True
    window = draw(pictures, [shown(up)])
    other = card("C2")
    other.face_up = True
    assert np.array_equal(window, draw(pictures, [shown(other)]))
    assert not np.array_equal(window, draw(pictures, [shown(card("SA"))]))


def test_stop_cards_and_jokers_have_faces_of_their_own(pictures: DrawnPictures) -> None:
    shop = PrintShop(random.Random(1))
    stop, joker = shop.stop_card(), shop.joker()
    seen = [draw(pictures, [shown(one)]) for one in (stop, joker, card("SA"))]
    assert len({window.tobytes() for window in seen}) == 3


def test_the_belt_alone_is_dark(pictures: DrawnPictures) -> None:
    assert draw(pictures, []).mean() < 60


def test_a_folder_of_pictures_is_printed_on_the_cards_that_its_names_say(tmp_path: Path) -> None:
    for one in CARDS:
        cv2.imwrite(str(tmp_path / f"{one}.png"), art.face("standard", one))
    ace, king = tmp_path / "SA.png", tmp_path / "HK.png"
    swapped = ace.read_bytes()
    ace.write_bytes(king.read_bytes())
    king.write_bytes(swapped)
    folder = DrawnPictures.of_folder(tmp_path, STANDARD)
    own = DrawnPictures.of_design("standard", STANDARD)
    assert np.array_equal(draw(folder, [shown(card("SA"))]), draw(own, [shown(card("HK"))]))
    assert np.array_equal(draw(folder, [shown(card("C5"))]), draw(own, [shown(card("C5"))]))


def test_a_faster_belt_blurs_more() -> None:
    slow = DrawnPictures.of_design("standard", STANDARD)
    fast = DrawnPictures.of_design("standard", geometry.PROFILES["stress"])
    sharpness = [
        np.abs(np.diff(draw(pictures, [shown(card("SA"))])[CORNER].astype(int), axis=0)).mean()
        for pictures in (slow, fast)
    ]
    assert sharpness[0] > sharpness[1]
