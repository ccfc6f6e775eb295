"""Names proposed for a pack in no order: of the look that tells most, doubles and doubts marked, never a label."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from controller.cli.main import cli
from deals.cards import CARDS, Card
from vision.proposals import SURE, missing, propose, sheet
from vision.reading import CardReading, Kind
from vision.sources import label_of
from vision.synthetic import art, special


class Says:
    """Reads what is written in the corner of an image."""

    def __init__(self, *answers: CardReading) -> None:
        self._answers = answers

    def read(self, image: Any) -> CardReading:
        return self._answers[int(image[0, 0, 0])]


def maybe(card: str, confidence: float) -> CardReading:
    return CardReading(Kind.UNSURE, None, Card.parse(card), confidence)


def looks(*numbers: int) -> list[tuple[int, Any]]:
    """Two looks of each place: answers 0 and 1 are of place 1."""
    return [
        (1 + k // 2, np.full((40, 64, 3), number, np.uint8)) for k, number in enumerate(numbers)
    ]


def test_the_look_that_tells_most_proposes_and_doubles_are_told():
    reader = Says(
        maybe("SA", 0.6),
        maybe("S4", 0.9),
        maybe("HK", 0.95),
        CardReading(Kind.UNSURE),
        maybe("S4", 0.8),
        maybe("D2", 0.3),
        CardReading(Kind.STOP_CARD, confidence=1.0),
        maybe("C2", 1.0),
    )
    found = propose(reader, looks(*range(8)))
    assert [(one.place, str(one.card), one.doubled, one.stop_card) for one in found] == [
        (1, "S4", True, False),
        (2, "HK", False, False),
        (3, "S4", True, False),
        (4, "None", False, True),
    ]
    assert [one.stem for one in found[:2]] == ["S4-01", "HK-02"]
    assert len(missing(found)) == 50


def test_what_nobody_knows_has_no_label():
    (one,) = propose(Says(CardReading(Kind.UNSURE)), looks(0)[:1])
    assert one.stem == "unknown-01"
    assert label_of(Path(f"{one.stem}-1.png")) is None
    assert label_of(Path("S4-01-2.png")) is Card.parse("S4")


def test_the_sheet_marks_where_to_look_twice():
    reader = Says(maybe("SA", SURE + 0.1), maybe("S4", SURE - 0.1))
    for answer, red in ((0, False), (1, True)):
        images = [(1, np.full((40, 64, 3), answer, np.uint8))]
        picture = sheet(propose(reader, images), images)[:27]
        only_red = (picture[:, :, 2] > 150) & (picture[:, :, 0] < 60)
        assert bool(only_red.any()) is red


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    folder = tmp_path / "pack"
    folder.mkdir()
    for name, face in (
        ("a", art.face("standard", CARDS[3])),
        ("b", art.face("standard", CARDS[20])),
        ("c", special.stop_card()),
    ):
        cv2.imwrite(str(folder / f"{name}.png"), face)
    return folder


def test_pictures_of_a_folder_are_written_under_what_they_may_be(pack: Path, tmp_path: Path):
    out = tmp_path / "out"
    told = CliRunner().invoke(cli, ["design", "propose", str(out), "--from", str(pack), "--json"])
    assert told.exit_code == 0, told.output
    document = json.loads(told.stdout)
    assert [one["proposal"] for one in document["proposals"]] == [str(CARDS[3]), str(CARDS[20])]
    assert document["cards"] == 2
    assert len(document["missing"]) == 50
    names = sorted(path.name for path in out.iterdir())
    assert names == sorted([f"{CARDS[3]}-01-1.png", f"{CARDS[20]}-02-1.png", "sheet.png"])
    assert "A pack has 52 cards, and here are 2" in told.stderr
    again = CliRunner().invoke(cli, ["design", "propose", str(out), "--from", str(pack)])
    assert isinstance(again.exception, Exception)
    assert "is not empty" in str(again.exception)


def test_one_source_is_wanted(tmp_path: Path):
    told = CliRunner().invoke(cli, ["design", "propose", str(tmp_path / "out")])
    assert told.exit_code == 2
