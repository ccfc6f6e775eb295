"""The contact sheet shows every index where its name says."""

from __future__ import annotations

import numpy as np

from deals.cards import CARDS
from vision.contact import contact_sheet
from vision.corner import Model
from vision.limits import weakest_pairs


def test_every_index_is_on_the_sheet_and_the_weakest_pairs_below() -> None:
    rng = np.random.default_rng(1)
    pictures = rng.random((52, 112, 64), np.float32)
    means = rng.normal(0, 3, (52, 6)).astype(np.float32)
    nothing = np.zeros((1, 6), np.float32)
    model = Model(nothing[0], nothing, means, pictures, pictures, pictures[0])
    sheet = contact_sheet(model)
    ink = 255 - 255 * pictures

    def shown(row: int, col: int) -> int:
        part = sheet[row * 150 + 26 + 24 * (row == 4) :, col * 84 + 10 :][:112, :64]
        return int(np.abs(ink - part.astype(float)).mean(axis=(1, 2)).argmin())

    assert [shown(n // 13, n % 13) for n in range(52)] == list(range(52))
    pairs = [card for one, other, _ in weakest_pairs(model, 6) for card in (one, other)]
    assert [CARDS[shown(4, col)] for col in range(12)] == pairs
