"""Calibration against the world's own truth: found, kept, used; and a bad machine told in plain words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from controller import geometry
from controller.jobs.calibrate.errors import CalibrateError
from controller.jobs.calibrate.feed import calibrate_feed
from controller.jobs.calibrate.figures import figures_here
from controller.jobs.calibrate.findings import Findings
from controller.jobs.calibrate.gates import GateCalibration
from controller.jobs.calibrate.sections import Wanted, calibration_of, keep, measure
from controller.jobs.calibrate.sensors import calibrate_sensors
from controller.machine.calibration import Calibration
from controller.machine.settings import settings
from controller.protocol.messages import CalibrationKey, Leg, Pocket
from controller.store.calibrations import NAME, CalibrationFile
from controller.twin.world.build import Build
from tests.unit.calibrate.shop import Shop

GATES = tuple(Pocket[seat] for seat in geometry.POCKET_ORDER)
ROUTES = [Pocket((7 * card + card // 5) % 5) for card in range(40)]

Open = Callable[..., Shop]


@pytest.fixture
def shop() -> Iterator[Open]:
    """Makes shops, and frees them after the test."""
    shops: list[Shop] = []

    def new(build: Build, **options: object) -> Shop:
        shops.append(Shop(build, **options))  # type: ignore[arg-type]
        return shops[-1]

    yield new
    for one in shops:
        one.close()


def calibrated(shop: Shop) -> tuple[Findings, Findings]:
    """Feed and gates; the machine uses what was found."""
    feed = calibrate_feed(shop.runs)
    shop.machine.calibration = Calibration(feed.values)
    gates = GateCalibration(shop.runs, shop.machine.calibration).run()
    shop.machine.calibration = shop.machine.calibration.with_values(gates.values)
    return feed, gates


def of(found: Findings, name: str) -> float:
    """The value of one measure."""
    (value,) = [one.value for one in found.measures if one.name == name]
    return value


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_calibration_finds_the_truth_of_the_machine(shop: Open, seed: int) -> None:
    build = Build.seeded(seed)
    here = shop(build, seed=seed)
    feed, gates = calibrated(here)
    assert feed.good
    assert gates.good
    assert feed.values[CalibrationKey.BELT_UM] == pytest.approx(build.belt_um, abs=15)
    assert feed.values[CalibrationKey.FEEDER_SLIP] == pytest.approx(build.feeder_slip, abs=12)
    assert of(feed, "tray") == pytest.approx(build.tray_shift / 10, abs=0.5)
    for index, gate in enumerate(GATES):
        assert of(gates, f"gate_place:{gate.name}") == pytest.approx(
            build.gate_shift[index] / 10, abs=0.5
        )
        opens, closes = build.open_us[index], build.close_us[index]
        # Never less than the truth: a card would meet a moving gate.
        assert opens <= gates.values[CalibrationKey[f"GATE_OPEN_{gate.name}"]] <= opens + 2_500
        found = gates.values[CalibrationKey[f"GATE_CLOSE_{gate.name}"]]
        assert closes <= found <= max(closes, *build.open_us) + 6_000


@pytest.mark.parametrize("profile", ["standard", "fast"])
def test_a_calibrated_machine_puts_every_card_where_it_is_sent(shop: Open, profile: str) -> None:
    build = Build.seeded(8)
    here = shop(build, seed=8, profile=profile)
    calibrated(here)
    values = settings(here.machine.profile, here.machine.pocket_order, here.machine.calibration)
    run = here.runs.run(ROUTES, values)
    assert run.stopped is None
    assert run.landed == dict(enumerate(ROUTES, 1))
    assert not any(card.flags for card in run.measured.values())


def test_a_machine_that_is_not_as_drawn_does_not_run_by_the_drawing(shop: Open) -> None:
    build = replace(Build.seeded(8), open_us=(14_800,) * 4)
    here = shop(build)
    run = here.runs.run(ROUTES, settings(here.machine.profile))
    assert run.jammed is not None


def test_sensors_are_found_and_nobody_looks_at_a_face(shop: Open) -> None:
    build = Build.seeded(4)
    here = shop(build, seed=4)
    calibrated(here)
    pressed = []
    press = here.world.press_estop

    def note(on: bool) -> bool:
        pressed.append((on, here.world.now_us, here.chip.now_us))
        return press(on)

    here.world.press_estop = note  # type: ignore[method-assign]
    found = calibrate_sensors(here.runs, here.machine.calibration, here.people, here.twin.time)
    assert found.good, found.remedies
    assert found.values[CalibrationKey.THICKNESS] == pytest.approx(build.thickness_um, abs=5)
    assert found.values[CalibrationKey.BACK] == 1
    assert [on for on, *_ in pressed] == [True, False]
    assert 0 < of(found, "estop") <= 2.0
    assert here.world.hands.faces_seen == 0
    assert here.chip.outputs == 0


BAD = [
    (
        replace(Build.seeded(5), open_us=(9_000, 9_000, 19_000, 9_000)),
        "Gate S needs 2",
        "to open",
        "coil",
    ),
    (
        replace(Build.seeded(5), close_us=(9_000, 24_000, 9_000, 9_000)),
        "Gate E needs up to 2",
        "to shut",
        "spring",
    ),
    (
        replace(Build.seeded(5), gate_shift=(0, 0, 0, 70)),
        "Gate W is 7",
        "off its place",
        "towards the window",
    ),
]


@pytest.mark.parametrize(("build", "what", "where", "remedy"), BAD)
def test_a_gate_out_of_limits_is_told_in_plain_words(
    shop: Open, build: Build, what: str, where: str, remedy: str
) -> None:
    here = shop(build)
    feed, gates = calibrated(here)
    assert feed.good
    assert not gates.good
    (told,) = gates.remedies
    assert what in told
    assert where in told
    assert remedy in told


def test_a_slipping_feeder_is_to_be_cleaned(shop: Open) -> None:
    here = shop(replace(Build.seeded(5), feeder_slip=90))
    found = calibrate_feed(here.runs)
    assert not found.good
    (told,) = found.remedies
    assert "feeder slips" in told
    assert "clean its roller" in told


def test_values_out_of_limits_are_not_used(shop: Open) -> None:
    here = shop(replace(Build.seeded(5), feeder_slip=90))
    file = CalibrationFile(None, {"BELT_UM": 10_050})
    wanted = Wanted("feed", "Ada")
    found = measure(wanted, here.machine, here.people, here.twin.time, file, figures_here)
    new = keep(found, wanted, here.machine, file, 1_800_000_000_000_000)
    assert new.values == file.values
    assert new.sections["feed"]["good"] is False
    assert here.machine.kept_calibration().values == {}


def test_what_was_found_is_in_file_and_machine_and_used_from_now_on(
    shop: Open, tmp_path: Path
) -> None:
    here = shop(Build.seeded(6), seed=6)
    file = CalibrationFile.load(tmp_path)
    for section in ("feed", "gates", "sensors"):
        wanted = Wanted(section, "Ada", design="standard")
        found = measure(wanted, here.machine, here.people, here.twin.time, file, figures_here)
        file = keep(found, wanted, here.machine, file, 1_800_000_000_000_000)
        assert found.good, found.remedies
    assert CalibrationFile.load(tmp_path) == file
    assert {one["who"] for one in file.sections.values()} == {"Ada"}
    values = calibration_of(file)
    assert values.values[CalibrationKey.DATE] == 1_800_000_000 // 86_400
    assert here.machine.kept_calibration().values == values.values
    assert here.machine.calibration.values == values.values
    identity = here.machine.connect()
    assert identity.calibration_crc == values.crc
    run = here.runs.run(ROUTES, settings(here.machine.profile, calibration=values))
    assert run.landed == dict(enumerate(ROUTES, 1))


def test_gates_want_the_feed_first(shop: Open) -> None:
    here = shop(Build.seeded(1))
    with pytest.raises(CalibrateError, match="calibrate feed"):
        wanted, file = Wanted("gates", "Ada"), CalibrationFile()
        measure(wanted, here.machine, here.people, here.twin.time, file, figures_here)
    assert here.chip.belt == 0


def test_a_damaged_file_is_told_and_nothing_guessed(tmp_path: Path) -> None:
    (tmp_path / NAME).write_text('{"values": {"BELT_UM": "x"}}')
    with pytest.raises(Exception, match="damaged"):
        CalibrationFile.load(tmp_path)


def test_transit_of_a_leg_is_that_of_the_world(shop: Open) -> None:
    """As drawn, so that steps are tenths of a millimetre: what the MCU counts is what the world says."""
    here = shop(Build())
    run = here.runs.run([Pocket.W] * 6, settings(here.machine.profile))
    leg = run.transit[Leg.POCKET_W]
    due = geometry.steps(geometry.pocket_mm(3) - geometry.HOPPER_TO_WINDOW_MM)
    assert leg.count == 6
    assert due <= leg.least <= leg.most <= due + 10
