"""A card that has to be named can be seen, as the camera saw it; no other card, and not for longer."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from paint import Painted, ReadsPaint
from room import boards

from controller.bench.identity import UNREADABLE
from controller.cli.main import cli
from controller.devices.eye import Answer
from controller.geometry import PROFILES
from controller.jobs.deal import DealSet
from controller.machine.crops import MOST, Crops
from controller.twin.faults import parse
from controller.twin.session import TwinSession, TwinSetup
from controller.twin.world.deeds import Held
from deals.cards import CARDS, Card
from vision.crop import MOST_BYTES, SHRUNK, as_png, crop_of
from vision.design import load
from vision.reading import CardReading, Kind
from vision.recognise import Reader
from vision.synthetic import art
from vision.synthetic.optics import CLEAN, Piece, render_window

SIXTEEN = Path(__file__).parents[1] / "vectors" / "files" / "sixteen.dup"


def decoded(data: bytes) -> np.ndarray:
    return cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)


def apart(one: np.ndarray, other: np.ndarray) -> float:
    return float(np.abs(one.astype(float) - other.astype(float)).mean())


def test_each_card_that_is_named_is_seen_before_and_no_other() -> None:
    """Through the job in lock-step: the picture is of the card that the world knows to be worn."""
    shown: list[np.ndarray] = []
    (board,) = [one for one in boards() if one.number == 1]
    setup = TwinSetup(
        profile=PROFILES["standard"],
        pictures=Painted(),
        reader=ReadsPaint(),
        design="identity",
        faults=(parse("unreadable_card@1.20"),),
        operator="auto",
    )
    what = DealSet("sixteen", "TEST", SIXTEEN.read_bytes(), boards(), (board,))
    session = TwinSession(what, setup, on_picture=lambda jpeg: shown.append(decoded(jpeg)))
    worn: list[int] = []
    hands = session.world.hands
    look = hands.look

    def looked(card: Held) -> str:
        name = look(card)
        worn.append(Card.parse(name).index)
        return name

    hands.look = looked  # type: ignore[method-assign]
    report = session.run()
    assert [result.proven for result in report.results] == [True]
    (picture,) = shown
    assert abs(float(picture[20:60].mean()) - UNREADABLE) < 3
    assert [round(float(picture[100:140].mean()) / 4)] == worn[:1]
    assert len(session.twin.machine.crops) == 0


@pytest.mark.long
def test_the_picture_written_is_what_the_camera_saw_of_that_card(tmp_path: Path) -> None:
    picture, trace = tmp_path / "card.png", tmp_path / "trace"
    options = ["--boards", "1", "--fault", "unreadable_card@1.20", "--operator", "auto"]
    options += ["--picture", str(picture), "--trace", str(trace)]
    told = CliRunner().invoke(cli, ["deal", str(SIXTEEN), "--twin", "--json", *options])
    (board,) = json.loads(told.stdout)["boards"]
    assert (board["proven"], board["named"]) == (True, 1)
    assert picture.stat().st_mode & 0o777 == 0o600
    assert not list(tmp_path.glob("card-*"))
    shot = cv2.imread(str(picture))
    # The last pass but one began with the card that nobody could read: its look 1 is that picture.
    windows = sorted(trace.glob("window-*.png"))
    small = [
        cv2.resize(cv2.imread(str(path)), None, fx=1 / SHRUNK, fy=1 / SHRUNK, interpolation=3)
        for path in windows
    ]
    likest = min(range(len(small)), key=lambda k: apart(small[k], shot))
    assert apart(small[likest], shot) < 3
    assert likest == len(small) - 8


def test_of_a_card_that_was_read_the_index_is_kept_and_of_another_the_window() -> None:
    face = art.face("standard", CARDS[10])
    image = render_window([Piece(face)], CLEAN, 1.0, np.random.default_rng(1))
    reading = Reader(load("standard")).read(image)
    assert reading.kind is Kind.CARD
    assert apart(decoded(crop_of(image, reading)), reading.evidence["corner"]) < 4
    unsure = crop_of(image, CardReading(Kind.UNSURE))
    assert decoded(unsure).shape == (200, 320, 3)
    assert (decoded(as_png(unsure)) == decoded(unsure)).all()
    assert crop_of(image, CardReading(Kind.NO_CARD)) == b""
    assert crop_of(np.zeros(9, np.uint8), CardReading(Kind.UNSURE)) == b""


def test_no_crop_is_large_whatever_the_camera_shows() -> None:
    noise = np.random.default_rng(1).integers(0, 255, (400, 640, 3), np.uint8)
    assert 0 < len(crop_of(noise, CardReading(Kind.UNSURE))) <= MOST_BYTES


def test_only_so_many_are_kept_and_look_1_is_shown_first() -> None:
    crops, unsure = Crops(), CardReading(Kind.UNSURE)
    for feed in range(MOST + 5):
        crops.keep(1, Answer(feed, feed, 1, unsure, b"%d" % feed))
    assert (len(crops), crops.of(1, 4), crops.of(1, 5)) == (MOST, b"", b"5")
    crops.keep(1, Answer(9_000, 5, 2, unsure, b"second"))
    crops.keep(1, Answer(9_001, 9, 2, unsure, b""))
    assert (crops.of(1, 9), crops.of(2, 9), crops.of(1, 9, 2)) == (b"9", b"", b"")
    assert crops.of(1, 5) == b"second"  # look 1 was the oldest, and had to go
    crops.forget()
    assert len(crops) == 0
