"""Bare corners of unknown scale, and designs taught from one kind of image that read another."""

from __future__ import annotations

from functools import cache
from typing import Any

import cv2
import numpy as np
import pytest

from deals.cards import CARDS, Card
from tests.unit.vision.cards import photo, reader, some_cards, window
from vision.recognise import Reader
from vision.synthetic import art
from vision.teach import Labelled, teach


def crop(
    card: Card, width_mm: float, height_mm: float, px_per_mm: float, skip_mm: float = 0.0
) -> Any:
    """The index corner of a card of the standard design, from *skip_mm* inside its edges on."""
    first, right, foot = (
        round(10 * mm) for mm in (skip_mm, skip_mm + width_mm, skip_mm + height_mm)
    )
    part = art.face("standard", card)[first:foot, first:right]
    scale = px_per_mm / 10
    small = cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    noise = np.random.default_rng(card.index).normal(0, 3, small.shape)
    return np.clip(small * 0.8 + noise, 0, 255).astype(np.uint8)


@cache
def corner_reader() -> Reader:
    """Taught from bare corners alone: nothing tells their scale."""
    result = teach("corners", [Labelled(card, crop(card, 18, 27, 7)) for card in CARDS])
    assert result.accepted, [reason.text() for reason in result.reasons]
    assert result.design is not None and result.design.frame.loose
    return Reader(result.design)


@pytest.mark.parametrize(
    ("width", "height", "px_per_mm", "skip"),
    [(16, 28, 10, 0), (12, 21, 4, 1.0), (25, 40, 12, 0.5)],
)
def test_a_bare_corner_is_read_at_any_scale(
    width: float, height: float, px_per_mm: float, skip: float
) -> None:
    for card in some_cards()[::7]:
        assert reader().read(crop(card, width, height, px_per_mm, skip)).card is card


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_bare_corner_may_be_turned_by_quarters(quarters: int) -> None:
    for card in some_cards()[1::10]:
        image = np.ascontiguousarray(np.rot90(crop(card, 17, 25, 8), quarters))
        assert reader().read(image).card in (card, None)


def test_a_corner_that_shows_half_of_its_index_is_not_accepted() -> None:
    for card in some_cards()[::7]:
        assert reader().read(crop(card, 5.2, 27, 10)).card is None
        assert reader().read(crop(card, 18, 13.5, 10)).card is None


def test_a_design_taught_from_corners_reads_corners_windows_and_photos() -> None:
    for card in some_cards()[::5]:
        face = art.face("standard", card)
        assert corner_reader().read(crop(card, 18, 27, 7)).card is card
        assert corner_reader().read(window(face, card.index)).card is card
        assert corner_reader().read(photo(face, 33, 800, seed=card.index)).card in (card, None)
    for card in some_cards()[1::5]:
        assert corner_reader().read(window(art.face("jumbo", card), card.index)).card is None
