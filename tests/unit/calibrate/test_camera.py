"""The camera is found where the world has it, and what is wrong with it is said in plain words."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.geometry import PROFILES
from controller.jobs.calibrate.camera import calibrate_camera
from controller.jobs.calibrate.errors import CalibrateError
from controller.jobs.calibrate.figures import figures_here
from controller.jobs.calibrate.findings import Findings
from controller.jobs.calibrate.runs import Runs
from controller.jobs.calibrate.sections import Wanted, keep, measure
from controller.machine.calibration import Calibration
from controller.protocol.messages import CalibrationKey
from controller.store.calibrations import CalibrationFile
from controller.twin.operator import Staff
from controller.twin.pictures import DrawnPictures, conditions_of
from controller.twin.world.build import Build, Mount
from deals.words import text
from tests.unit.calibrate.shop import Shop

AS_DRAWN = Calibration({CalibrationKey.BELT_UM: 10_000})


class Studio(Shop):
    """A shop whose camera sees."""

    def __init__(self, mount: Mount, seed: int, profile: str = "standard") -> None:
        pictures = DrawnPictures.of_design("standard", PROFILES[profile], conditions_of(mount))
        super().__init__(Build(camera=mount), seed, profile, pictures)
        self.looking = Runs(self.machine, self.people, self.twin.time, looking=True)

    def found(self) -> Findings:
        """The camera measured."""
        return calibrate_camera(self.looking, AS_DRAWN, self.people, figures_here)


@pytest.fixture
def studios() -> Iterator[list[Studio]]:
    """Filled by the test; freed after it."""
    made: list[Studio] = []
    yield made
    for one in made:
        one.close()


def of(found: Findings, name: str) -> float:
    (value,) = [one.value for one in found.measures if one.name == name]
    return value


def along_at_corner(mount: Mount) -> float:
    """Cards are tilted about a point 25 mm from the index corner, at which they are measured; what is seen
    larger is so about the middle of the window, which is 16 mm behind that corner.
    """
    tilted = mount.along / 10 + 25 * math.sin(math.radians(mount.tilt / 100))
    return tilted - 16 * mount.scale / 1_000


def across_at_corner(mount: Mount) -> float:
    """The corner is 28 mm to the right of the middle of the window."""
    return mount.across / 10 + 28 * mount.scale / 1_000


def remedy(found: Findings, name: str) -> str:
    (words,) = [one.remedy for one in found.measures if one.name == name]
    return words


@pytest.mark.parametrize("seed", [1, 2])
def test_calibration_finds_how_the_camera_is_mounted(seed: int, studios: list[Studio]) -> None:
    mount = Mount.seeded(seed)
    studios.append(Studio(mount, seed))
    found = studios[-1].found()
    assert found.good, [found.failed, *found.remedies]
    assert len(found.measures) == 19
    # Each card lies a little differently under the guides: the spread of eight of them.
    assert of(found, "window_across") == pytest.approx(across_at_corner(mount), abs=0.25)
    assert of(found, "window_along") == pytest.approx(along_at_corner(mount), abs=0.25)
    assert of(found, "window_tilt") == pytest.approx(mount.tilt / 100, abs=0.5)
    assert of(found, "window_scale") == pytest.approx(10 + mount.scale / 100, abs=0.08)
    assert of(found, "light") == pytest.approx(1.42 * mount.light, rel=0.1)
    assert of(found, "look_offset") == pytest.approx(0, abs=0.3)


@pytest.mark.parametrize(
    ("mount", "side", "way", "turn", "light"),
    [
        (Mount(-18, 20, -170, 60), "left", "against the", "anticlockwise", "more light"),
        (Mount(18, -20, 170, 150), "right", "with the", "camera clockwise", "less light"),
    ],
)
def test_a_camera_out_of_its_place_is_told_in_plain_words(
    mount: Mount, side: str, way: str, turn: str, light: str, studios: list[Studio]
) -> None:
    studios.append(Studio(mount, 3))
    found = studios[-1].found()
    assert not found.good
    assert of(found, "window_across") == pytest.approx(mount.across / 10, abs=0.3)
    assert of(found, "window_along") == pytest.approx(along_at_corner(mount), abs=0.3)
    assert of(found, "window_tilt") == pytest.approx(mount.tilt / 100, abs=0.5)
    assert f"towards the {side}" in remedy(found, "window_across")
    assert way in remedy(found, "window_along")
    assert turn in remedy(found, "window_tilt")
    assert light in remedy(found, "light")


def test_a_camera_that_gives_no_pictures_is_told(studios: list[Studio]) -> None:
    studios.append(Studio(Mount(), 4))
    studios[-1].world.camera.silent = True
    found = studios[-1].found()
    assert not found.good
    assert found.measures == []
    assert found.failed == text("calibrate.images_missing", {"seen": 0, "due": 12})


def test_without_the_strobe_the_mark_is_not_seen(studios: list[Studio]) -> None:
    studios.append(Studio(Mount(), 4))
    studios[-1].world.camera.sight.black = True
    found = studios[-1].found()
    assert of(found, "mark_seen") == 0
    assert "strobe" in remedy(found, "mark_seen")


def test_nobody_there_or_no_pictures_to_be_had(studios: list[Studio]) -> None:
    studios.append(Studio(Mount(), 1))
    here = studios[-1]
    nobody = Staff(here.world, here.twin.idle)
    with pytest.raises(CalibrateError, match="waits for a person"):
        calibrate_camera(here.looking, AS_DRAWN, nobody, figures_here)
    assert here.chip.belt == 0


@pytest.mark.parametrize(("focus", "scale"), [(3, -25), (12, 25)])
def test_focus_and_scale_are_those_of_the_camera(
    focus: int, scale: int, studios: list[Studio]
) -> None:
    studios.append(Studio(Mount(focus=focus, scale=scale), 5))
    found = studios[-1].found()
    # Pixels of a tenth of a millimetre, drawn and looked at, blur an edge by some 0.03 mm more.
    assert of(found, "focus") == pytest.approx(focus / 100 + 0.03, abs=0.02)
    assert of(found, "window_scale") == pytest.approx(10 + scale / 100, abs=0.08)


@pytest.mark.parametrize(
    ("mount", "name", "words"),
    [
        (Mount(focus=25), "focus", "turn the focus"),
        (Mount(scale=-45), "window_scale", "nearer to the window"),
        (Mount(scale=45), "window_scale", "away from the window"),
        (Mount(daylight=60), "daylight", "Shade the window"),
    ],
)
def test_what_is_out_of_its_limits_says_what_to_turn(
    mount: Mount, name: str, words: str, studios: list[Studio]
) -> None:
    studios.append(Studio(mount, 6))
    found = studios[-1].found()
    assert not found.good
    assert words in remedy(found, name)


def test_a_camera_that_the_host_cannot_trigger_is_measured_but_for_the_dark(
    studios: list[Studio], monkeypatch: pytest.MonkeyPatch
) -> None:
    studios.append(Studio(Mount(), 1))
    monkeypatch.setattr(studios[-1].twin.eye, "shoot", lambda: None)
    found = studios[-1].found()
    assert found.good
    assert found.notes == [text("calibrate.no_dark")]
    names = [one.name for one in found.measures]
    assert len(names) == 16
    assert not {"dark", "daylight", "bright_pixels"} & set(names)


def test_what_was_found_is_kept_beside_the_values_from_before(
    studios: list[Studio], tmp_path: Path
) -> None:
    studios.append(Studio(Mount.seeded(2), 2))
    here = studios[-1]
    file = CalibrationFile(tmp_path / "calibration.json", {"BELT_UM": 10_000})
    wanted = Wanted("camera", "Ada", design="standard")
    found = measure(wanted, here.machine, here.people, here.twin.time, file, figures_here)
    keep(found, wanted, here.machine, file, 1_800_000_000_000_000)
    kept = CalibrationFile.load(tmp_path)
    section = kept.sections["camera"]
    assert (section["who"], section["good"]) == ("Ada", True)
    assert kept.values["BELT_UM"] == 10_000
    assert {"low", "high", "value", "within"} <= section["measures"][0].keys()
