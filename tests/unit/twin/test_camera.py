"""The camera shows what lay over the window when the strobe fired, a latency later."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from controller import geometry
from controller.protocol.messages import Strobed
from controller.twin.trace import NoTrace
from controller.twin.world.camera import RESTART_US, Lying, Shown, TwinCamera
from controller.twin.world.things import PrintShop
from controller.twin.world.view import View
from deals.cards import CARDS
from tests.unit.twin.rig import Rig


class Pictures:
    def window(self, shown: Sequence[Shown], view: View, rng: random.Random) -> Any:
        return [(one.card.name, one.lead_row) for one in shown], view.light_us, rng.random()


class Timeline:
    """Time that a test moves."""

    def __init__(self) -> None:
        self.now_us = 0
        self.told = 0
        self._due: list[tuple[int, Callable[[], None]]] = []

    def at(self, due_us: int, act: Callable[[], None]) -> None:
        self._due.append((due_us, act))

    def news(self) -> None:
        self.told += 1

    def to(self, us: int) -> None:
        due = sorted((pair for pair in self._due if pair[0] <= us), key=lambda pair: pair[0])
        self._due = [pair for pair in self._due if pair[0] > us]
        for at, act in due:
            self.now_us = at
            act()
        self.now_us = us


def camera() -> tuple[TwinCamera, Timeline]:
    time = Timeline()
    return TwinCamera(Pictures(), time, 1, NoTrace(), 96_000), time


def lying(index: int, lead: int) -> Lying:
    return Lying(PrintShop(random.Random(1)).card(CARDS[index]), lead, 0.0, 0.0)


def shoot(twin: TwinCamera, time: Timeline, at: int, *cards: Lying, light: int = 150) -> None:
    time.to(at)
    twin.trigger(cards)
    twin.light(True)
    time.to(at + light)
    twin.light(False)


def test_an_image_comes_a_latency_after_its_strobe_with_its_stamp() -> None:
    twin, time = camera()
    shoot(twin, time, 1_000, lying(0, 480))
    time.to(1_000 + geometry.CAMERA_LATENCY_US - 1)
    assert twin.take() == []
    time.to(1_000 + geometry.CAMERA_LATENCY_US)
    assert time.told == 1
    image = twin.take()[0]
    assert (image.number, image.captured_us) == (1, 1_000)
    assert image.pixels[:2] == ([("SA", 40)], 150.0)
    assert twin.take() == []


def test_look_2_is_known_by_its_exposure_and_cropped_to_row_225() -> None:
    twin, time = camera()
    shoot(twin, time, 1_000, lying(0, 665), light=250)
    time.to(50_000)
    assert twin.take()[0].pixels[:2] == ([("SA", 225)], 250.0)


def test_a_card_behind_shows_lower_in_the_picture_and_one_too_far_not_at_all() -> None:
    twin, time = camera()
    shoot(twin, time, 1_000, lying(0, 480), lying(1, 280), lying(2, 120))
    time.to(50_000)
    assert twin.take()[0].pixels[0] == [("SA", 40), ("SK", 240)]


def test_pictures_are_of_the_moment_and_not_of_when_they_are_taken() -> None:
    rig = Rig()
    rig.deal()
    rows = {1: set(), 2: set()}
    by_stamp = dict(zip(rig.host.stamps, rig.host.pictures, strict=True))
    for strobe in rig.host.of(Strobed):
        light, first = by_stamp[strobe.tick][:2]
        assert light == {1: 150, 2: 250}[strobe.look]
        assert first[0] == rig.host.cards[strobe.card].name
        rows[strobe.look].add(first[1])
    assert rows[1] <= {39, 40, 41}
    assert rows[2] <= {224, 225, 226}


def test_a_card_passes_a_little_askew_and_alike_in_both_looks() -> None:
    rig = Rig()
    rig.deal()
    shifts: dict[str, set[float]] = {}
    for picture in rig.host.pictures:
        name, _, shift, _ = picture[1]
        shifts.setdefault(name, set()).add(shift)
    assert all(len(values) == 1 for values in shifts.values())
    assert len({min(values) for values in shifts.values()}) > 40
    assert all(abs(shift) <= 0.6 for values in shifts.values() for shift in values)


def test_a_restart_drops_what_is_under_way_and_is_blind_for_a_while() -> None:
    twin, time = camera()
    twin.late = 2
    twin.frozen = twin.sight.black = twin.silent = True
    shoot(twin, time, 1_000, lying(0, 480))
    time.to(5_000)
    twin.restart()
    shoot(twin, time, 5_000 + RESTART_US - 1_000, lying(1, 480))
    shoot(twin, time, 5_000 + RESTART_US, lying(2, 480))
    time.to(1_000_000)
    image = twin.take()[0]
    assert image.captured_us == 5_000 + RESTART_US
    assert image.pixels[:2] == ([("SQ", 40)], 150.0)
    assert twin.take() == []


def test_a_frozen_picture_repeats_to_the_last_pixel_and_fresh_ones_differ() -> None:
    twin, time = camera()
    shoot(twin, time, 1_000, lying(0, 480))
    shoot(twin, time, 100_000, lying(0, 480))
    twin.frozen = True
    shoot(twin, time, 200_000, lying(1, 480))
    time.to(300_000)
    first, second, third = twin.take()
    assert first.pixels != second.pixels  # the noise of the sensor
    assert third.pixels == second.pixels
    assert (third.number, third.captured_us) == (3, 200_000)


def test_a_black_camera_sees_no_light_at_all_and_a_dim_strobe_gives_a_quarter() -> None:
    twin, time = camera()
    twin.sight.black = True
    shoot(twin, time, 1_000, lying(0, 480))
    twin.sight.black, twin.sight.dim = False, True
    shoot(twin, time, 100_000, lying(0, 480))
    time.to(200_000)
    assert [image.pixels[1] for image in twin.take()] == [0.0, 37.5]


def test_an_unplugged_camera_takes_and_delivers_nothing() -> None:
    twin, time = camera()
    shoot(twin, time, 1_000, lying(0, 480))
    twin.unplugged = True
    shoot(twin, time, 40_000, lying(0, 480))
    time.to(80_000)
    twin.unplugged = False
    time.to(200_000)
    assert twin.take() == []
    assert time.told == 0


def test_an_unlit_trigger_gives_a_black_image() -> None:
    twin, time = camera()
    time.to(500)
    twin.trigger((lying(0, 480),))
    time.to(50_000)
    assert twin.take()[0].pixels[1] == 0.0


def test_a_picture_that_is_drawn_ahead_is_the_same_picture() -> None:
    taken = []
    for ahead in (False, True):
        twin, time = camera()
        shoot(twin, time, 1_000, lying(0, 480))
        shoot(twin, time, 21_000, lying(0, 665), light=250)
        for _ in range(3 * ahead):
            twin.prepare()
        time.to(60_000)
        taken.append(twin.take())
    assert taken[0] == taken[1]


def test_drawing_ahead_draws_each_picture_once_and_keeps_none(monkeypatch: Any) -> None:
    twin, time = camera()
    drawn: list[float] = []
    draw = Pictures.window
    monkeypatch.setattr(
        Pictures, "window", lambda self, *all: drawn.append(all[1].light_us) or draw(self, *all)
    )
    for number in range(1, 5):
        if number == 3:
            twin.frozen = True
        shoot(twin, time, 100_000 * number, lying(number, 480), light=100 + number)
        twin.prepare()
        time.to(100_000 * number + 50_000)
        twin.take()
    # A frozen camera shows its last picture, which is drawn anew each time.
    assert drawn == [101.0, 102.0, 103.0, 102.0, 104.0, 102.0]
    assert not twin._drawn and not twin._exposed


def test_nothing_is_drawn_ahead_before_its_light_has_gone_out() -> None:
    twin, time = camera()
    time.to(1_000)
    twin.trigger((lying(0, 480),))
    twin.light(True)
    twin.prepare()
    assert not twin._drawn
    twin.light(False)
    twin.restart()
    twin.prepare()
    assert not twin._drawn
