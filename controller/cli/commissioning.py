"""The commissioning sheet: every section that was measured, with limits, date and name, on paper.

A section is a table of measures as `controller.jobs.calibrate.findings.Measure.as_json` makes them; its
title is "calibrate.section_NAME" in the catalogue.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Final

from controller.jobs.calibrate.findings import words_of
from controller.jobs.calibrate.sections import SECTIONS
from deals.records.pdf import GREY, MM, Align, Face, Paper, Pdf
from deals.words import text

MARGIN: Final = 18 * MM
LINE: Final = 12.0
SIZE: Final = 8.5
COLUMNS: Final = (0.0, 0.55, 0.60, 0.80)
"""Where columns begin, in parts of the width; the value ends where the second says."""


class _Sheet:
    def __init__(self, pdf: Pdf) -> None:
        self.pdf = pdf
        self.y = MARGIN

    def room(self, lines: int) -> None:
        """So many lines stay together."""
        if self.y + lines * LINE > self.pdf.height - MARGIN:
            self.pdf.next_page()
            self.y = MARGIN

    def line(self, cells: tuple[str, str, str, str], face: Face = Face.REGULAR) -> None:
        """One row of the table."""
        width = self.pdf.width - 2 * MARGIN
        self.y += LINE
        for cell, place in zip(cells, COLUMNS, strict=True):
            align = Align.RIGHT if place == COLUMNS[1] else Align.LEFT
            room = width * (0.45 if place == 0 else 0.19)
            self.pdf.text(
                MARGIN + place * width, self.y, cell, SIZE, face=face, align=align, room=room
            )

    def words(self, said: str, size: float, face: Face = Face.REGULAR) -> None:
        """A line over the whole width."""
        self.y += LINE * max(1.0, size / SIZE)
        self.pdf.text(MARGIN, self.y, said, size, face=face, room=self.pdf.width - 2 * MARGIN)


def commissioning_sheet(
    sections: Mapping[str, Mapping[str, Any]], *, simulated: int | None = None
) -> bytes:
    """The PDF. `simulated`: seed of a twin, so that its sheet is taken for nothing else."""
    title = text("calibrate.sheet_title")
    sheet = _Sheet(Pdf(Paper.A4, title=title))
    sheet.words(title, 18, Face.BOLD)
    if simulated is not None:
        sheet.words(f"{text('calibrate.sheet_simulated')} ({simulated})", 10)
    known = [name for name in SECTIONS if name in sections]
    for name in [*known, *sorted(sections.keys() - set(SECTIONS))]:
        _section(sheet, name, sections[name])
    return sheet.pdf.to_bytes()


def _section(sheet: _Sheet, name: str, section: Mapping[str, Any]) -> None:
    date = datetime.datetime.fromtimestamp(section["date_us"] / 1_000_000, datetime.UTC)
    sheet.y += LINE
    sheet.room(4)
    head = {
        "section": text(f"calibrate.section_{name}"),
        "date": date.strftime("%Y-%m-%d %H:%M UTC"),
        "who": section["who"],
    }
    sheet.words(text("calibrate.sheet_section", head), 11, Face.BOLD)
    what, value, limits, verdict = text("calibrate.sheet_columns").split("|")
    sheet.line((what, value, limits, verdict))
    y = sheet.y + 3
    sheet.pdf.line(MARGIN, y, sheet.pdf.width - MARGIN, y, colour=GREY)
    sheet.y = y
    for one in section["measures"]:
        sheet.room(1)
        good = one["within"]
        bounds = {"low": f"{one['low']:g}", "high": f"{one['high']:g}", "unit": one["unit"]}
        sheet.line(
            (
                words_of(one["name"]),
                f"{one['value']:.2f} {one['unit']}",
                text("calibrate.sheet_limits", bounds),
                text("calibrate.sheet_ok" if good else "calibrate.sheet_bad"),
            ),
            Face.REGULAR if good else Face.BOLD,
        )
    if section["failed"]:
        sheet.words(section["failed"], SIZE, Face.BOLD)
