"""A window with two cards in it: what is read must lie on the card whose edges are seen."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from deals.cards import CARDS, Card
from tests.unit.vision.cards import LOOK_2_ROW, reader
from vision.geometry import LEAD_ROW
from vision.reading import Kind
from vision.synthetic import art
from vision.synthetic.optics import CLEAN, Piece, render_window


def fanned(design: str, upper: Card, lower: Card, back_mm: float, aside_mm: float, row: int) -> Any:
    """A card that lies on another one, so much behind its leading edge and aside of its end."""
    pieces = [
        Piece(art.face(design, lower), float(row)),
        Piece(art.face(design, upper), row + 10 * back_mm, -aside_mm),
    ]
    return render_window(pieces, CLEAN, 1.0, np.random.default_rng(5))


@pytest.mark.parametrize("design", ["standard", "jumbo"])
@pytest.mark.parametrize(("back_mm", "aside_mm"), [(2.0, 3.0), (3.1, 1.0), (3.2, 2.6), (2.5, 6.0)])
def test_two_cards_are_none(design: str, back_mm: float, aside_mm: float) -> None:
    for k, row in enumerate((LEAD_ROW, LOOK_2_ROW)):
        upper, lower = CARDS[(7 * k + 3) % 52], CARDS[(11 * k + 30) % 52]
        image = fanned(design, upper, lower, back_mm, aside_mm, row)
        assert reader(design).read(image).kind is not Kind.CARD
