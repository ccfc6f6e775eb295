"""Pictures as people have them: without colour, of sensors with 12 bit, with a second card in them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from deals.cards import CARDS, Card
from tests.unit.vision.cards import photo, reader, some_cards, window
from vision.features import look_at, reddened
from vision.patch import Corner
from vision.reading import Kind
from vision.recognise import Reader
from vision.sources import VisionError, as_pixels, load_image
from vision.synthetic import art
from vision.synthetic.optics import HARSH

Picture = Any


def grey(image: Picture) -> Picture:
    return cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)


def test_cards_without_colour_are_read_red_ones_too() -> None:
    right = {"red": 0, "black": 0}
    for card in CARDS[::2]:
        seen = reader().read(grey(window(art.face("standard", card), card.index)))
        assert seen.card in (card, None)
        right["red" if str(card)[0] in "HD" else "black"] += seen.card == card
    assert right["red"] >= 9
    assert right["black"] >= 12


@pytest.mark.parametrize("which", ["harsh cards", "another design", "jokers and backs"])
def test_without_colour_nothing_is_taken_for_another_card(which: str) -> None:
    for number, card in enumerate(CARDS[::2]):
        if which == "harsh cards":
            assert reader().read(grey(window(art.face("standard", card), number, HARSH))).card in (
                card,
                None,
            )
        elif which == "another design":
            assert reader().read(grey(window(art.face("jumbo", card), number))).card is None
        else:
            face = [art.joker("red"), art.joker("black"), art.back("red"), art.blank()][number % 4]
            assert reader().read(grey(window(face, number))).card is None


@pytest.mark.parametrize(("strain", "believed"), [(0.5, False), (2.0, False), (4.0, True)])
def test_a_grey_index_that_comes_near_a_black_and_a_red_card_is_neither(
    strain: float, believed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both ways of seeing it are held against each other; here the red one is made to fit *strain* well."""
    image = grey(window(art.face("standard", Card.parse("S9")), 1))
    judged, places = Reader._judged, []

    def both_fit(self: Reader, corner: Corner, patch: Any, seen: Any) -> Any:
        look = judged(self, corner, patch, seen)
        if float(seen.tint[:, :, 0].max()) < 0.3:
            places.append((look.strain, corner))
            return look
        order = np.roll(np.arange(52), -Card.parse("H9").index)
        return replace(look, strain=strain, opinion=replace(look.opinion, order=order))

    assert reader().read(image).card is Card.parse("S9")
    monkeypatch.setattr(Reader, "_judged", both_fit)
    reader().read(image)
    _, place = min(places, key=lambda one: one[0])
    look = reader()._look(as_pixels(image), place)
    assert (look.strain <= 1) is believed


def test_reddened_ink_has_a_tint_and_paper_has_none() -> None:
    seen = look_at(np.full((112, 64, 3), 200, np.uint8))
    assert float(np.abs(reddened(seen).tint).max()) == 0
    patch = np.full((112, 64, 3), 200, np.uint8)
    patch[40:60, 20:40] = 60
    assert float(reddened(look_at(patch)).tint[50, 30, 0]) > 0.5


def beside(one: Picture, other: Picture) -> Picture:
    rows = min(one.shape[0], other.shape[0])
    return np.ascontiguousarray(np.hstack([one[:rows], other[:rows]]))


def test_two_cards_in_one_picture_are_refused_and_one_is_read() -> None:
    for number, card in enumerate(some_cards()[::4]):
        mine = photo(art.face("standard", card), 15 + 60 * number, 500, seed=number)
        other = photo(art.face("standard", CARDS[number]), 200, 480, seed=50 + number)
        assert reader().read(mine).card is card
        both = reader().read(beside(mine, other))
        assert (both.kind, both.evidence["reason"]) == (Kind.UNSURE, "two_cards")


def test_a_second_card_that_peeps_out_is_seen() -> None:
    lower = photo(art.face("standard", Card.parse("D4")), 100, 500)
    upper = photo(art.face("standard", Card.parse("SK")), 12, 500)
    bare = photo(np.zeros_like(art.face("standard", Card.parse("SK"))), 12, 500)
    side = min(lower.shape[0], upper.shape[0])
    lower, upper, bare = (image[:side, :side] for image in (lower, upper, bare))
    mask = (bare.max(axis=2) < 40)[:, :, None]
    assert reader().read(upper).card is Card.parse("SK")
    assert reader().read(np.where(mask, upper, lower)).card is None


@pytest.mark.parametrize("what", ["a thumb", "a hard shadow", "a coloured slip"])
def test_other_things_beside_a_card_do_no_harm(what: str) -> None:
    image = photo(art.face("standard", Card.parse("H6")), 20, 600, seed=4)
    rows, cols = image.shape[:2]
    if what == "a thumb":
        cv2.line(image, (0, rows // 2), (int(0.22 * cols), rows // 2), (120, 150, 215), 70)
    elif what == "a hard shadow":
        image[: rows // 2] = (image[: rows // 2] * 0.6).astype(np.uint8)
    else:
        image[10:130, 10:230] = (60, 160, 70)
    assert reader().read(image).card is Card.parse("H6")


ODD: dict[str, Callable[[Any], Any]] = {
    "float": lambda image: image.astype(np.float32) / 255,
    "double": lambda image: image.astype(np.float64),
}


@pytest.mark.parametrize("kind", ODD)
def test_a_file_of_fractions_is_named_and_no_crash(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "SA.tif"
    image = photo(art.face("standard", CARDS[0]), 0, 300)
    assert cv2.imwrite(str(path), ODD[kind](image))
    with pytest.raises(VisionError, match=r"SA\.tif"):
        load_image(path)


@pytest.mark.parametrize("bits", [10, 12, 16])
def test_the_bits_of_a_sensor_fill_the_scale(bits: int, tmp_path: Path) -> None:
    path = tmp_path / "H6.png"
    image = photo(art.face("standard", Card.parse("H6")), 8, 400)
    cv2.imwrite(str(path), image.astype(np.uint16) << (bits - 8))
    assert reader().read(load_image(path)).card is Card.parse("H6")
    assert load_image(path).max() > 127
