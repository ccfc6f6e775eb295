"""What calibration measures, held against what the optics were told."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from vision.calibrate import CameraFigure, Pictures, measure_camera, see_mark
from vision.synthetic import art
from vision.synthetic.optics import CLEAN, Conditions, Piece, render_window

STILL = replace(
    CLEAN, shift_mm=0.0, tilt_deg=0.0, skew=0.0, scale=0.0, gain_spread=0.0, cast=0.0, gradient=0.05
)
LOOK_2 = 225.0


def shot(
    face: Any, conditions: Conditions = STILL, row: float = 40.0, seed: int = 0, **piece: float
) -> Any:
    rng = np.random.default_rng(seed)
    return render_window([Piece(face, row, **piece)], conditions, 1.0, rng)


def figures(
    conditions: Conditions = STILL, dark: Any = None, **piece: float
) -> dict[str, CameraFigure]:
    stop, blank = art.stop_card(), art.blank()
    nothing = np.random.default_rng(1).integers(0, 5, (400, 640, 3), np.uint8)
    pictures = Pictures(
        [shot(stop, conditions, seed=k, **piece) for k in range(3)],
        [shot(stop, conditions, LOOK_2, seed=k, **piece) for k in range(3)],
        [shot(blank, conditions, seed=k, **piece) for k in range(4)],
        [nothing if dark is None else dark] * 2,
    )
    return {one.name: one for one in measure_camera(pictures)}


def test_a_machine_as_it_should_be_is_within_every_limit() -> None:
    found = figures()
    assert [one for one in found.values() if not one.within] == []
    assert found["window_scale"].value == pytest.approx(10.0, abs=0.05)
    assert found["look_offset"].value == pytest.approx(0.0, abs=0.1)
    assert len(found) == 19


@pytest.mark.parametrize("shift", [-2.0, 1.5])
@pytest.mark.parametrize("tilt", [-2.0, 1.4])
def test_where_the_camera_looks(shift: float, tilt: float) -> None:
    view = see_mark(shot(art.stop_card(), shift_mm=shift, tilt_deg=tilt))
    assert view is not None
    assert abs(view.tilt_deg) == pytest.approx(abs(tilt), abs=0.15)
    assert view.skew_deg == pytest.approx(0.0, abs=0.3)
    straight = see_mark(shot(art.stop_card(), shift_mm=shift))
    assert straight is not None
    assert straight.across_mm == pytest.approx(shift, abs=0.1)
    lower = see_mark(shot(art.stop_card(), row=52.0))
    assert lower is not None and lower.along_mm == pytest.approx(1.2, abs=0.1)


def test_scale_from_the_cards_own_mark() -> None:
    image = shot(art.stop_card())
    larger = cv2.resize(image, None, fx=1.06, fy=1.06, interpolation=cv2.INTER_LINEAR)
    view = see_mark(np.ascontiguousarray(larger[:400, -640:]))
    assert view is not None and view.px_per_mm == pytest.approx(10.6, abs=0.06)


@pytest.mark.parametrize("defocus", [0.08, 0.2, 0.3])
def test_focus_and_smear(defocus: float) -> None:
    still = replace(STILL, defocus_mm=defocus, motion_blur_mm=0.0)
    view = see_mark(shot(art.stop_card(), still))
    assert view is not None and view.blur_mm == pytest.approx(defocus, abs=0.04)
    moving = see_mark(shot(art.stop_card(), replace(still, motion_blur_mm=0.6)))
    assert moving is not None and moving.smear_mm == pytest.approx(0.6, abs=0.2)


@pytest.mark.parametrize(
    ("what", "conditions"),
    [
        ("focus", replace(STILL, defocus_mm=0.25)),
        ("smear", replace(STILL, motion_blur_mm=0.5)),
        ("light", replace(STILL, gain=0.5)),
        ("light_even", replace(STILL, gradient=0.5)),
        ("glare", replace(STILL, glare=0.5)),
        ("noise", replace(STILL, noise=10.0)),
    ],
)
def test_what_is_wrong_is_named(what: str, conditions: Conditions) -> None:
    outside = {name for name, one in figures(conditions).items() if not one.within}
    assert what in outside


def test_daylight_is_seen_without_the_strobe() -> None:
    dark = np.full((400, 640, 3), 4, np.uint8)
    dark[100:220, 300:460] = 70
    assert not figures(dark=dark)["daylight"].within
    spots = np.full((400, 640, 3), 4, np.uint8)
    spots[::20, ::20] = 200
    assert not figures(dark=spots)["bright_pixels"].within


def test_a_camera_that_does_not_see_the_mark_says_just_that() -> None:
    black = np.zeros((400, 640, 3), np.uint8)
    found = list(measure_camera(Pictures([black], [], [], [])))
    assert [(one.name, one.within) for one in found] == [("mark_seen", False)]
