"""Cards of which no closed outline is to be had: a thumb, the picture's border, a ground as bright as the paper."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

from deals.cards import Card
from tests.unit.vision.cards import photo, reader
from vision import outline
from vision.sides import quads_of_sides
from vision.synthetic import art

HEIGHT = 600
"""Pixels of the card."""
Picture = Any


def near(image: Picture, angle: float, side: int) -> float:
    """Pixels by which the best pair of an index corner's ends misses the card of a photo *side* pixels wide."""
    wide, turn = HEIGHT * 57 / 88, np.deg2rad(angle)
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    ends = np.array([[0, 0], [wide, 0], [wide, HEIGHT], [0, HEIGHT]]) - [wide / 2, HEIGHT / 2]
    truth = ends @ axes.T + side / 2
    best = np.inf
    for corner in (corner for pair in outline.cards_in(image) for corner in pair):
        for k in (0, 2):
            gaps = np.array([corner.at(0, 0), corner.at(57, 0)]) - truth[[k, k + 1]]
            best = min(best, float(np.linalg.norm(gaps, axis=1).max()))
    return best


def thumbed(card: Card, angle: float, seed: int) -> Picture:
    """A thumb from the picture's border over a long edge of the card, and its nail as bright as paper."""
    image = photo(art.face("standard", card), angle, HEIGHT, seed=seed)
    rows, cols = image.shape[:2]
    turn = np.deg2rad(angle)
    out = np.array([np.cos(turn), -np.sin(turn)])
    middle = np.array([cols / 2, rows / 2])
    tip, far = middle + 110 * out, middle + 800 * out
    for wide, tone in ((125, (150, 175, 225)), (60, (215, 225, 240))):
        cv2.line(image, *(tuple(int(v) for v in end) for end in (tip, far)), tone, wide)
    return image


@pytest.mark.parametrize(("card", "angle"), [("H6", 33.0), ("SQ", 160.0), ("C9", 250.0)])
def test_a_thumb_over_an_edge_moves_no_corner(card: str, angle: float) -> None:
    image = thumbed(Card.parse(card), angle, 1)
    assert near(image, angle, image.shape[0]) < 2


@pytest.mark.parametrize(("card", "angle"), [("H6", 4.0), ("SQ", 160.0), ("C9", 250.0)])
def test_a_card_whose_end_is_cut_off_is_found(card: str, angle: float) -> None:
    """8 mm are beyond the picture's border, and with them one of two indices."""
    image = photo(art.face("standard", Card.parse(card)), angle, HEIGHT, seed=1)
    rows = np.flatnonzero((image.max(axis=2) > 150).mean(axis=1) > 0.1)
    cut = image[: rows[-1] - 55]
    assert near(cut, angle, image.shape[0]) < 2
    assert reader().read(cut, search=False).card is Card.parse(card)


@pytest.mark.parametrize("share", [0.3, 0.5])
def test_sides_are_found_to_a_pixel(share: float) -> None:
    """A part of a side is covered."""
    image = np.full((480, 400, 3), 90, np.uint8)
    image[60:420, 80:313] = 235
    wide = round(233 * (1 - share) / 2)
    image[60:420, 80 + wide : 313 - wide][:70] = 90
    found = next(iter(quads_of_sides(image)))
    wanted = np.array([[79.5, 59.5], [312.5, 59.5], [312.5, 419.5], [79.5, 419.5]])
    gaps = [np.abs(np.roll(found, k, axis=0) - wanted).max() for k in range(4)]
    assert min(gaps) < 1.5


def test_noise_and_small_pictures_show_no_card() -> None:
    rng = np.random.default_rng(3)
    noise = rng.integers(0, 256, (300, 400, 3), np.uint8)
    assert not [one for one, _ in outline.cards_in(noise) if one.source == "sides"]
    for shape in ((1, 900, 3), (900, 1, 4), (20, 16, 3)):
        assert all(
            one.source == "whole" for one, _ in outline.cards_in(np.full(shape, 7, np.uint8))
        )
