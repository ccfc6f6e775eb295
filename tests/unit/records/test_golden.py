"""Each layout looks as it did; to bless a change: `PREDEAL_BLESS=1 pytest tests/unit/records/test_golden.py`."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from deals.records.model import Style
from deals.records.pages import Layout, hand_records
from deals.records.pdf import Paper
from tests.unit.records.page import picture
from tests.unit.records.sets import HEADING, hard

GOLDEN = Path(__file__).parents[2] / "vectors" / "records"
BLESS = "PREDEAL_BLESS" in os.environ
DPI = 50
BLOCK = 10
MOST = 15
"""Grey levels that the mean of a block may differ: a letter moved by half a pixel does less."""


def look(name: str, data: bytes, page: int = 0) -> None:
    """Compares a page with its picture, block by block."""
    found = picture(data, page, DPI)
    path = GOLDEN / f"{name}.png"
    if BLESS:
        GOLDEN.mkdir(exist_ok=True)
        cv2.imwrite(str(path), found, [cv2.IMWRITE_PNG_COMPRESSION, 9])
    golden = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)
    assert golden is not None, f"{path} is missing"
    assert golden.shape == found.shape
    difference = blocks(golden) - blocks(found)
    row, column = np.unravel_index(np.abs(difference).argmax(), difference.shape)
    worst = float(np.abs(difference).max())
    assert worst <= MOST, f"{name}: differs by {worst:.0f} at {column * BLOCK},{row * BLOCK} pixels"


def blocks(image: np.ndarray) -> np.ndarray:
    height, width = (length // BLOCK * BLOCK for length in image.shape)
    shape = (height // BLOCK, BLOCK, width // BLOCK, BLOCK)
    return image[:height, :width].astype(float).reshape(shape).mean(axis=(1, 3))


@pytest.mark.parametrize("layout", Layout)
def test_hand_records(layout):
    entries = hard()[18:] if layout is Layout.FULL else hard()[-4:]
    lang = dict(zip(Layout, ("en", "fi", "nb", "el", "en"), strict=True))[layout]
    look(f"records-{layout.value}", hand_records(entries, HEADING, Style(lang), layout)[0])


def test_hand_records_on_letter_in_four_colours():
    style = Style("en", four_colours=True)
    data, _ = hand_records(hard()[18:], HEADING, style, Layout.FULL, Paper.LETTER)
    look("records-letter", data)


def test_a_missing_table_is_seen():
    entries = hard()[18:]
    page = picture(hand_records(entries, HEADING)[0], 0, DPI)
    entries[4] = replace(entries[4], table=None)
    other = picture(hand_records(entries, HEADING)[0], 0, DPI)
    assert np.abs(blocks(page) - blocks(other)).max() > MOST
