"""Input pins: levels, sensors that several cards cover, and broken ones."""

from __future__ import annotations

import random

from controller.twin.trace import NoTrace
from controller.twin.world.hopper import Hopper
from controller.twin.world.inputs import Inputs
from controller.twin.world.layout import GRIP
from controller.twin.world.pins import In
from controller.twin.world.things import PrintShop
from tests.unit.twin.test_track import Recorder


def inputs() -> tuple[Inputs, Recorder]:
    chip = Recorder()
    return Inputs(chip, NoTrace()), chip


def test_a_sensor_shows_a_card_while_any_covers_it() -> None:
    pins, chip = inputs()
    pins.cover(In.WINDOW)
    pins.cover(In.WINDOW)
    pins.uncover(In.WINDOW)
    assert chip.edges == [(0, In.WINDOW, 1)]
    pins.uncover(In.WINDOW)
    assert chip.edges[1:] == [(0, In.WINDOW, 0)]


def test_a_broken_sensor_shows_the_same_until_it_is_mended() -> None:
    pins, chip = inputs()
    pins.force(In.PASS_E, 1)
    pins.cover(In.PASS_E)
    pins.uncover(In.PASS_E)
    assert chip.edges == [(0, In.PASS_E, 1)]
    pins.force(In.PASS_E, None)
    assert chip.edges[1:] == [(0, In.PASS_E, 0)]


def test_exchanged_plugs_show_each_others_sensors() -> None:
    pins, chip = inputs()
    pins.set(In.PASS_N, 1)
    pins.swap(In.PASS_N, In.PASS_W)
    assert chip.edges[-2:] == [(0, In.PASS_W, 1), (0, In.PASS_N, 0)]
    pins.set(In.PASS_W, 1)
    assert chip.edges[-1] == (0, In.PASS_N, 1)
    chip.edges.clear()
    pins.mend()
    assert {(In.PASS_N, 1), (In.PASS_W, 1)} <= {(pin, level) for _, pin, level in chip.edges}


def test_the_next_card_starts_when_both_of_a_double_feed_have_left() -> None:
    pins, _ = inputs()
    hopper = Hopper(pins, random.Random(1))
    hopper.load(PrintShop(random.Random(1)).pack())
    first = hopper.next_step()
    assert first is not None
    assert abs(first - GRIP) <= 15
    hopper.pull()
    hopper.pull()
    assert hopper.next_step() is None
    hopper.left()
    assert hopper.next_step() is None
    hopper.feeder = 1_000
    hopper.left()
    later = hopper.next_step()
    assert later is not None
    assert abs(later - 1_000 - GRIP) <= 15
