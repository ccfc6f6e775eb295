"""The printed bar codes: as a printer of that fineness lays them down, the reader reads all 52."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2
import pytest
from click.testing import CliRunner

from controller.cli.pack import deck
from controller.cli.packprint import code_pages
from deals.cards import CARDS
from vision import barcode
from vision.geometry import CARD_HEIGHT_MM, CARD_WIDTH_MM
from vision.patch import straight_corner

PER_PAGE = 9


def printed(dpi: int) -> list[Any]:
    """The pages as pixels, BGR, one pixel a dot."""
    data, pages = code_pages(dpi)
    document = pypdfium2.PdfDocument(data)
    assert len(document) == pages
    return [np.asarray(page.render(scale=dpi / 72).to_numpy()) for page in document]


def test_every_code_is_read_from_the_print_at_both_ends_of_its_card() -> None:
    dpi = 300
    px = dpi / 25.4
    sheets = printed(dpi)
    for number, card in enumerate(CARDS):
        sheet = np.ascontiguousarray(sheets[number // PER_PAGE][:, :, :3])
        row, column = divmod(number % PER_PAGE, 3)
        left = sheet.shape[1] / 2 + (column - 1.5) * CARD_WIDTH_MM * px
        top = sheet.shape[0] / 2 + (row - 1.5) * CARD_HEIGHT_MM * px
        far = (left + CARD_WIDTH_MM * px, top + CARD_HEIGHT_MM * px)
        for origin, right in (((left, top), (1.0, 0.0)), (far, (-1.0, 0.0))):
            assert barcode.read_code(sheet, straight_corner(origin, right, px, "sheet")) is card


@pytest.mark.parametrize(("dpi", "dots"), [(300, 4), (600, 8)])
def test_every_bar_is_a_whole_number_of_the_printers_dots(dpi: int, dots: int) -> None:
    sheet, px = printed(dpi)[0][:, :, 0], dpi / 25.4
    column = round(sheet.shape[1] / 2 + (4.3 - 1.5 * CARD_WIDTH_MM) * px)
    top = round(sheet.shape[0] / 2 + (29 - 1.5 * CARD_HEIGHT_MM) * px)
    dark = sheet[top : top + round(30 * px), column] < 128
    edges = np.flatnonzero(np.diff(dark.astype(int)))
    assert len(edges) == 44
    # A renderer may draw a bar a dot wider; where the next one starts does not depend on that.
    assert set(np.diff(edges[::2]) % dots) == {0}


@pytest.mark.parametrize("dpi", [100, 20])
def test_a_fineness_that_makes_no_readable_code_is_refused(dpi: int) -> None:
    with pytest.raises(ValueError, match="modules of"):
        code_pages(dpi)


def test_the_command_writes_the_pages_and_refuses_a_coarse_printer(tmp_path: Path) -> None:
    file = tmp_path / "codes.pdf"
    done = CliRunner().invoke(deck, ["print", "-o", str(file), "--json"])
    assert done.exit_code == 0
    assert json.loads(done.stdout) == {"pages": 6, "cards": 52, "file": str(file)}
    assert file.read_bytes().startswith(b"%PDF")
    refused = CliRunner().invoke(deck, ["print", "-o", str(file), "--dpi", "20"])
    assert refused.exit_code == 2
    assert "modules of 1.27 mm" in refused.output
