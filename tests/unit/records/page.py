"""What a printed page shows: words with their places, and pictures, read by another library."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pypdfium2


@dataclass(frozen=True)
class Word:
    """A run of signs without a wide gap; points from the top left corner."""

    text: str
    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True)
class Page:
    width: float
    height: float
    text: str
    words: list[Word]
    signs: list[Word]
    """Single signs with their ink boxes."""


def pages(data: bytes) -> list[Page]:
    document = pypdfium2.PdfDocument(data)
    try:
        return [_page(document[number]) for number in range(len(document))]
    finally:
        document.close()


def _page(page: pypdfium2.PdfPage) -> Page:
    width, height = page.get_size()
    inside = page.get_textpage()
    text = inside.get_text_range()
    signs = []
    for at in range(inside.count_chars()):
        sign = inside.get_text_range(at, 1)
        if sign.strip():
            left, bottom, right, top = inside.get_charbox(at)
            signs.append(Word(sign, left, height - top, right, height - bottom))
    words = []
    for at in range(inside.count_rects()):
        left, bottom, right, top = inside.get_rect(at)
        held = inside.get_text_bounded(left, bottom, right, top)
        words.append(Word(held.strip(), left, height - top, right, height - bottom))
    inside.close()
    page.close()
    return Page(width, height, text.replace("\r\n", "\n"), words, signs)


def picture(data: bytes, number: int = 0, dpi: float = 72) -> np.ndarray:
    """A page as grey pixels."""
    document = pypdfium2.PdfDocument(data)
    try:
        page = document[number]
        bitmap = page.render(scale=dpi / 72, grayscale=True)
        found = np.array(bitmap.to_numpy()).reshape(bitmap.height, -1)
        bitmap.close()
        page.close()
        return found
    finally:
        document.close()
