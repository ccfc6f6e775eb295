"""Image files, design files and where they live: every error names the file."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deals.cards import CARDS, Card
from tests.unit.vision.cards import taught
from vision import design as designs
from vision.design import Design, design_files, designs_dir, load, save
from vision.sources import VisionError, as_pixels, label_of, labelled_files, load_image, on_white


def some_design() -> Design:
    """The standard design, taught."""
    design = taught().design
    assert design is not None
    return design


@given(st.sampled_from(CARDS), st.booleans(), st.sampled_from(["", "-2", "_new", " (3)", ".crop"]))
def test_a_file_name_states_its_card(card: Card, long_ten: bool, tail: str) -> None:
    name = str(card).replace("T", "10") if long_ten else str(card)
    for text in (name, name.lower()):
        assert label_of(Path(f"{text}{tail}.png")) is card


@pytest.mark.parametrize("name", ["back.png", "SAB.png", "joker.png", "S.png", "S1.png", "HT2.png"])
def test_other_names_state_none(name: str) -> None:
    assert label_of(Path(name)) is None


def test_image_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    with pytest.raises(
        VisionError, match=r"none\.png cannot be read \(No such file or directory\)"
    ):
        load_image(tmp_path / "none.png")
    whole = cv2.imencode(".jpg", np.random.default_rng(1).integers(0, 256, (90, 90, 3), np.uint8))
    jpeg = whole[1].tobytes()
    for content, what in (
        (b"", "is empty"),
        (b"text", "holds no image"),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 40, "damaged or cut off"),
        (jpeg[: len(jpeg) // 2], "damaged or cut off"),
        (b"\0\0\0\x18ftypheic" + b"\0" * 40, "of kind HEIC"),
        (b"\0\0\0\x18ftypmif1" + b"\0" * 40, "of kind HEIC"),
        (b"%PDF-1.4 ", "of kind PDF"),
    ):
        (tmp_path / "bad.png").write_bytes(content)
        with pytest.raises(VisionError, match=rf"bad\.png .*{what}"):
            load_image(tmp_path / "bad.png")
    with pytest.raises(VisionError, match="There is no folder"):
        list(labelled_files(tmp_path / "nowhere"))


@pytest.mark.parametrize("shape", [(9, 7), (9, 7, 1), (9, 7, 2), (9, 7, 3), (9, 7, 4)])
@pytest.mark.parametrize("kind", [np.uint8, np.uint16])
def test_any_kind_of_pixels_becomes_colour(shape: tuple[int, ...], kind: type) -> None:
    full = np.full(shape, np.iinfo(kind).max, kind)
    pixels = as_pixels(full)
    assert pixels.dtype == np.uint8 and pixels.shape[2] in (3, 4)
    assert on_white(pixels).shape == (9, 7, 3) and on_white(pixels).min() == 255


@pytest.mark.parametrize(
    "bad", [np.zeros((3, 3)), np.zeros(5, np.uint8), np.zeros((0, 3, 3), np.uint8)]
)
def test_what_is_no_image_is_refused(bad: np.ndarray) -> None:
    with pytest.raises(ValueError, match="image"):
        as_pixels(bad)


def test_png_and_jpeg_of_any_depth_are_read(tmp_path: Path) -> None:
    grey = np.arange(48, dtype=np.uint8).reshape(6, 8)
    for name, image in (("a.png", grey), ("b.png", grey.astype(np.uint16) << 8), ("c.jpg", grey)):
        cv2.imwrite(str(tmp_path / name), image)
        assert load_image(tmp_path / name).shape == (6, 8, 3)


def noted(jpeg: bytes, way: int) -> bytes:
    """The file with a camera's note which way up the picture is."""
    entry = b"\x01\x12\x00\x03\x00\x00\x00\x01" + way.to_bytes(2, "big") + b"\0\0"
    exif = b"Exif\0\0MM\0\x2a\0\0\0\x08\0\x01" + entry + b"\0\0\0\0"
    return jpeg[:2] + b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif + jpeg[2:]


@pytest.mark.parametrize(("way", "quarters"), [(1, 0), (3, 2), (6, 3), (8, 1)])
def test_a_picture_stands_as_its_camera_was_held(way: int, quarters: int, tmp_path: Path) -> None:
    image = np.full((40, 60, 3), 200, np.uint8)
    image[:20, :20] = 0
    (tmp_path / "a.jpg").write_bytes(noted(cv2.imencode(".jpg", image)[1].tobytes(), way))
    seen = load_image(tmp_path / "a.jpg")
    wanted = np.rot90(image, quarters)
    assert seen.shape == wanted.shape
    assert np.abs(seen.astype(int) - wanted).mean() < 6


def test_pictures_larger_than_anything_needs_are_made_smaller(tmp_path: Path) -> None:
    image = np.zeros((50, 80, 4), np.uint8)
    image[:, :40] = 255
    cv2.imwrite(str(tmp_path / "a.png"), image)
    seen = load_image(tmp_path / "a.png", most_px=40)
    assert seen.shape == (25, 40, 4)
    assert (seen[:, :20] == 255).all() and not seen[:, 20:].any()
    assert load_image(tmp_path / "a.png").shape == (50, 80, 4)


def test_designs_live_where_the_user_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    assert designs_dir() == tmp_path / "home/.local/share/predeal/designs"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert designs_dir() == tmp_path / "data/predeal/designs"
    monkeypatch.setenv("PREDEAL_DESIGNS", str(tmp_path / "own"))
    assert designs_dir() == tmp_path / "own"


def test_the_users_design_hides_the_installed_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(designs.sys, "prefix", str(tmp_path / "prefix"))
    monkeypatch.setenv("PREDEAL_DESIGNS", str(tmp_path / "own"))
    installed = save(some_design(), tmp_path / "prefix/share/predeal/designs")
    assert design_files() == {some_design().name: installed}
    own = save(some_design())
    assert design_files() == {some_design().name: own}
    assert not list((tmp_path / "own").glob("*.part"))


@pytest.mark.parametrize("name", ["", "../up", "a/b", ".hidden", "x" * 65, "naïve"])
def test_a_name_that_is_no_file_name_is_refused(name: str) -> None:
    with pytest.raises(VisionError, match="cannot name a design"):
        designs.check_name(name)


def test_an_unknown_design_names_those_there_are(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PREDEAL_DESIGNS", str(tmp_path))
    save(some_design())
    with pytest.raises(VisionError, match=f"no design club.*{some_design().name}"):
        load("club")


def test_damaged_and_unknown_design_files_are_named(tmp_path: Path) -> None:
    path = save(some_design(), tmp_path)
    whole = path.read_bytes()
    for broken in (b"", b"text", whole[: len(whole) // 2], whole[:-30]):
        path.write_bytes(broken)
        with pytest.raises(VisionError, match=r"damaged\. Teach the design again"):
            load(path)
    path.write_bytes(whole)
    with np.load(path) as held:
        arrays = dict(held)
    head = json.loads(str(arrays["head"]))
    arrays["head"] = np.array(json.dumps({**head, "version": 99}))
    np.savez(path, **arrays)
    with pytest.raises(VisionError, match="of version 99"):
        load(path)
    arrays["head"] = np.array({"version": 1}, dtype=object)
    np.savez(path, **arrays)
    with pytest.raises(VisionError, match="damaged"):  # nothing is ever unpickled
        load(path)


def test_a_card_of_two_forms_is_kept_and_files_from_before_them_still_load(tmp_path: Path) -> None:
    design = some_design()
    model = design.model
    rows = np.r_[np.arange(52), 7, 3]
    two = replace(
        model,
        means=model.means[rows],
        pictures=model.pictures[rows],
        spreads=model.spreads[rows],
        cards=rows,
    )
    path = save(replace(design, model=two), tmp_path)
    assert load(path).model.cards.tolist() == rows.tolist()
    with np.load(path) as held:
        arrays = dict(held)
    for cards in (np.r_[np.arange(52), 7, 7], np.r_[np.arange(52), 7, 52], np.arange(54)[::-1]):
        np.savez(path, **arrays | {"cards": cards})
        with pytest.raises(VisionError, match="damaged"):
            load(path)
    head = json.loads(str(arrays["head"]))
    old = {
        name: array[:52] if len(array.shape) and len(array) == 54 else array
        for name, array in arrays.items()
    }
    old["head"] = np.array(json.dumps({**head, "version": 1}))
    del old["cards"]
    np.savez(path, **old)
    assert load(path).model.cards.tolist() == list(range(52))
