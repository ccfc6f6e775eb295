"""Art of others is fetched whole or not at all."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from controller.bench.proof.prints import OURS, designs_in, printed
from tests.benchmarks import outside_art


def npm_package(folder: Path, cards: int = 52) -> Path:
    """As svg-cards has them."""
    place = folder / "package/png/2x"
    place.mkdir(parents=True)
    names = [
        f"{suit}_{rank}"
        for suit in ("spade", "heart", "diamond", "club")
        for rank in ("1", *"23456789", "10", "jack", "queen", "king")
    ]
    for name in [*names[:cards], "joker_red", "joker_black", "back-red"]:
        level = len(name) * 7
        cv2.imwrite(str(place / f"{name}.png"), np.full((49, 34, 4), level, np.uint8))
    return folder


def test_art_of_others_is_fetched_once_and_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package, asked = npm_package(tmp_path / "npm"), []

    def unpacked(name: str, folder: Path) -> Path:
        asked.append(name)
        return package

    monkeypatch.setattr(outside_art, "_unpacked", unpacked)
    for _ in range(2):
        place = outside_art.fetch("svg_cards", tmp_path / "art")
    assert asked == ["svg-cards@4.0.2"]
    [found] = [where for where in designs_in(tmp_path / "art") if where.folder == place]
    faces = printed(found)
    assert len(faces.faces) == 52
    assert (len(faces.jokers), len(faces.backs)) == (2, 1)


def test_art_that_cannot_be_fetched_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))  # no npm there
    monkeypatch.setattr("sys.argv", ["outside_art", str(tmp_path / "art"), "svg_cards"])
    assert outside_art.main() == 1
    assert capsys.readouterr().err.startswith("svg_cards: ")
    assert designs_in(tmp_path / "art") == OURS


def test_half_a_package_is_no_design(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = npm_package(tmp_path / "npm", cards=40)
    monkeypatch.setattr(outside_art, "_unpacked", lambda name, folder: package)
    with pytest.raises(outside_art.FetchError, match="spade|heart|diamond|club"):
        outside_art.fetch("svg_cards", tmp_path / "art")
    assert designs_in(tmp_path / "art") == OURS
