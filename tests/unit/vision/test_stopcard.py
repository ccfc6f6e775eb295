"""The stop card is known where its mark's outline is broken, and nothing else is taken for it."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

from tests.unit.vision.cards import LOOK_2_ROW, reader, window
from vision.geometry import STOP_MARK_OFFSET_MM, STOP_MARK_SIZE_MM
from vision.reading import Kind
from vision.synthetic import art
from vision.synthetic.optics import HARSH

START, SIDE = (round(10 * mm) for mm in (STOP_MARK_OFFSET_MM, STOP_MARK_SIZE_MM))


def changed(cells: list[tuple[int, int]] = [], scratch: bool = False) -> Any:  # noqa: B006
    """The stop card with these cells of both marks the other colour, and a scratch across its border."""
    face = art.stop_card().copy()
    for part in (face, face[::-1, ::-1]):
        for row, col in cells:
            y0, x0 = (START + round(SIDE * k / 7) for k in (row, col))
            cell = part[y0 : y0 + SIDE // 7, x0 : x0 + SIDE // 7]
            cell[:] = 255 - cell.mean()
        if scratch:
            mark = part[START - 20 : START + SIDE, START - 20 : START + SIDE].copy()
            cv2.line(mark, (0, 60), (60, 10), (225, 225, 225), 4)
            part[START - 20 : START + SIDE, START - 20 : START + SIDE] = mark
    return face


@pytest.mark.parametrize("turned", [False, True])
def test_a_scratch_across_the_mark_hides_no_stop_card(turned: bool) -> None:
    for seed in range(4):
        image = window(changed(scratch=True), seed, turned=turned)
        assert reader().read(image).kind is Kind.STOP_CARD, seed


@pytest.mark.parametrize("row", [LOOK_2_ROW, LOOK_2_ROW + 12])
def test_a_mark_that_reaches_the_end_of_the_image_is_known(row: float) -> None:
    for seed in range(6):
        image = window(art.stop_card(), seed, HARSH, row, seed % 2 == 0, -2.0)
        assert reader().read(image).kind is Kind.STOP_CARD, seed


def test_another_mark_and_spoilt_cells_are_no_stop_card() -> None:
    for cells in ([(1, 1), (2, 2)], [(3, 3), (5, 5)], [(0, 0), (0, 3), (6, 4), (3, 6)]):
        assert reader().read(window(changed(cells), 1)).kind is Kind.UNSURE, cells
    assert reader().read(window(changed([(3, 3)]), 1)).kind is Kind.STOP_CARD


def test_plain_squares_are_no_stop_card() -> None:
    face = art.blank().copy()
    for part in (face, face[::-1, ::-1]):
        part[START : START + SIDE, START : START + SIDE] = 20
    assert reader().read(window(face, 1)).kind is Kind.UNSURE
    assert np.asarray(face).min() == 20
