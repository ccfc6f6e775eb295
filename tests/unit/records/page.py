"""What a printed page shows: its texts with their places, and pictures, read by another library."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pypdfium2
import pypdfium2.raw as raw


@dataclass(frozen=True)
class Run:
    """A text as it was written in one go; its ink in points from the top left corner."""

    text: str
    left: float
    top: float
    right: float
    bottom: float

    def inside(self, left: float, top: float, right: float, bottom: float) -> bool:
        return left <= self.left <= self.right <= right and top <= self.top <= self.bottom <= bottom


@dataclass(frozen=True)
class Page:
    width: float
    height: float
    runs: list[Run]

    @property
    def text(self) -> str:
        return "\n".join(run.text for run in self.runs)

    def overlaps(self, tolerance: float = 0.3) -> list[tuple[str, str]]:
        """Texts that are printed over each other by more than *tolerance* points both ways."""
        found = []
        rising = sorted(self.runs, key=lambda run: run.top)
        for place, a in enumerate(rising):
            for b in rising[place + 1 :]:
                if b.top > a.bottom - tolerance:
                    break
                if (
                    min(a.right, b.right) - max(a.left, b.left) > tolerance
                    and min(a.bottom, b.bottom) - b.top > tolerance
                ):
                    found.append((a.text, b.text))
        return found

    def outside(self, margin: float) -> list[str]:
        """Texts that come nearer to the edge than *margin* points."""
        edges = margin, margin, self.width - margin, self.height - margin
        return [run.text for run in self.runs if not run.inside(*edges)]


def pages(data: bytes) -> list[Page]:
    document = pypdfium2.PdfDocument(data)
    try:
        return [_page(document[number]) for number in range(len(document))]
    finally:
        document.close()


def _page(page: pypdfium2.PdfPage) -> Page:
    width, height = page.get_size()
    inside = page.get_textpage()
    runs = []
    for found in page.get_objects([raw.FPDF_PAGEOBJ_TEXT], textpage=inside):
        text = " ".join(found.extract().split())
        left, bottom, right, top = found.get_bounds()
        if text:
            runs.append(Run(text, left, height - top, right, height - bottom))
    inside.close()
    page.close()
    return Page(width, height, runs)


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
