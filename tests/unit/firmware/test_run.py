"""Whole runs: every card where it was routed, in time, past gates that are at rest."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise

import pytest

from controller.protocol.messages import (
    Feed,
    Finish,
    Held,
    InputChanged,
    Key,
    Landed,
    Measured,
    NakReason,
    Pocket,
    Route,
    RunEnded,
    Seen,
    State,
    Stopped,
    Strobed,
)
from tests.unit.firmware.library import (
    GATE_N,
    HOPPER,
    LENGTH,
    PRESENT_N,
    STROBE,
    TRAY,
    TRIGGER,
)
from tests.unit.firmware.plant import Card
from tests.unit.firmware.rig import RUN, Rig

Bench = Callable[..., Rig]


def board(seed: int) -> list[int]:
    """52 cards, 13 for each pocket."""
    pockets = [0, 1, 2, 3] * 13
    random.Random(seed).shuffle(pockets)
    return pockets


@pytest.mark.parametrize("profile", ["standard", "fast", "stress"])
@pytest.mark.parametrize("seed", range(3))
def test_a_board_lands_every_card_where_it_was_routed(
    bench: Bench, profile: str, seed: int
) -> None:
    rig = bench(profile=profile)
    routes = board(seed)
    rig.feed(routes)
    rig.land_all()
    assert rig.landed == dict(enumerate(routes, 1))
    assert [card.landed for card in rig.plant.cards] == routes
    assert rig.plant.jams == []
    assert not any(event.expired for event in rig.of(Landed))
    assert rig.of(Held) == []
    told = {HOPPER, *range(PRESENT_N, PRESENT_N + 5)}
    assert {event.pin for event in rig.of(InputChanged)} <= told
    assert [event.fed for event in rig.of(RunEnded)] == [52]
    assert rig.view.outputs == 0


def test_pockets_may_come_in_the_other_order(bench: Bench) -> None:
    rig = bench()
    gates = [rig.config[key] for key in (Key.GATE_W, Key.GATE_S, Key.GATE_E, Key.GATE_N)]
    reversed_order = {Key(Key.GATE_N + i): place for i, place in enumerate(gates)}
    rig.config |= reversed_order
    routes = board(4)
    rig.feed(routes)
    rig.land_all()
    assert [card.landed for card in rig.plant.cards] == routes
    assert rig.plant.jams == []


@pytest.mark.parametrize("profile", ["standard", "fast"])
def test_a_board_takes_no_longer_than_the_mechanics_allow(bench: Bench, profile: str) -> None:
    rig = bench(profile=profile)
    rig.configure()
    rig.home()
    rig.routes = dict(enumerate([*board(1)[:-1], int(Pocket.W)], 1))
    begun = rig.view.now_us
    rig.open_run()
    rig.ok(Feed(RUN, 52))
    rig.run(10_000_000, lambda: len(rig.of(Landed)) == 52)
    assert rig.view.now_us - begun <= 1.02 * rig.profile.mechanical_limit_us


@pytest.mark.parametrize(("profile", "off"), [("standard", 0), ("fast", 0), ("stress", 1)])
def test_cards_follow_each_other_at_the_exact_pitch(bench: Bench, profile: str, off: int) -> None:
    rig = bench(profile=profile)
    rig.feed(board(2))
    rig.land_all()
    places = [card.place for card in rig.plant.cards]
    pitch = rig.config[Key.PITCH]
    assert all(abs(b - a - pitch) <= off for a, b in pairwise(places))
    assert abs((places[-1] - places[0]) / 51 / pitch - 1) < 0.003


def test_both_looks_fire_at_their_exact_belt_step(rig: Rig) -> None:
    rig.feed(board(3)[:8])
    rig.land_all()
    light = [(us, belt, out) for us, belt, out in rig.edges if out >> STROBE & 1]
    looks = rig.of(Strobed)
    assert [(event.card, event.look) for event in looks] == [
        (card, look) for card in range(1, 9) for look in (1, 2)
    ]
    for event, (us, belt, out) in zip(looks, light, strict=True):
        card = rig.plant.cards[event.card - 1]
        key = Key.LOOK_1 if event.look == 1 else Key.LOOK_2
        assert belt == card.place + rig.config[key]
        assert event.tick == us
        assert out >> TRIGGER & 1
    dark = [us for us, _, out in rig.edges if not out >> STROBE & 1]
    for event, (us, _, _) in zip(looks, light, strict=True):
        width = rig.config[Key.STROBE_1 if event.look == 1 else Key.STROBE_2]
        assert us + width in dark


def test_a_card_is_measured(bench: Bench) -> None:
    rig = bench()
    rig.feed(board(5)[:5])
    rig.land_all()
    assert [(e.card, e.length, e.thickness, e.back, e.flags) for e in rig.of(Measured)] == [
        (card, LENGTH, 300, 1, 0) for card in range(1, 6)
    ]
    assert [event.card for event in rig.of(Seen)] == [1, 2, 3, 4, 5]


def test_thickness_and_back_are_the_middle_of_three_samples(rig: Rig) -> None:
    for order in ((300, 310, 290), (310, 290, 300), (290, 300, 310), (300, 290, 310)):
        bench = Rig(rig.lib)
        bench.feed([0])
        for at, value in zip((150, 240, 310), order, strict=True):
            _set_in_card(bench, at, value)
        bench.land_all()
        (event,) = bench.of(Measured)
        assert (event.thickness, event.back) == (300, 300)
        bench.close()


def _set_in_card(bench: Rig, at: int, value: int) -> None:
    """Both analog channels show `value` from `at` steps behind the leading edge on."""
    plain = bench.plant._window

    def window(card: Card, covered: bool) -> None:
        plain(card, covered)
        if covered:
            for channel in (0, 1):
                bench.at_belt(card.place + at, lambda c=channel: bench.analog(c, value))

    bench.plant._window = window


def test_a_card_shorter_than_its_samples_is_measured_as_far_as_it_went(bench: Bench) -> None:
    rig = bench(make=lambda n: Card(n, length={1: 150, 2: 230}.get(n, LENGTH)))
    rig.feed([0, 0, 0])
    rig.run(2_000_000, lambda: len(rig.landed) == 3)
    assert [(e.length, e.thickness) for e in rig.of(Measured)] == [(150, 0), (230, 300), (570, 300)]
    assert rig.landed == {1: TRAY, 2: TRAY, 3: 0}


def test_a_gate_stays_open_between_cards_for_one_pocket(rig: Rig) -> None:
    rig.feed([2] * 8)
    rig.land_all()
    edges = [out >> (GATE_N + 2) & 1 for _, _, out in rig.edges if out >> STROBE & 1 == 0]
    turns = sum(a != b for a, b in pairwise(edges))
    assert turns == 4  # once in HOME, once for all eight cards


def test_a_whole_pack_for_one_pocket_does_not_burn_the_gate(rig: Rig) -> None:
    rig.feed([3] * 52)
    rig.land_all()
    assert set(rig.landed.values()) == {3}
    assert rig.plant.jams == []


OPEN_US = (9_000, 15_000, 11_000, 13_000)
CLOSE_US = (16_000, 8_000, 12_000, 10_000)


@pytest.mark.parametrize("times", [(OPEN_US, CLOSE_US), (CLOSE_US, OPEN_US)])
def test_each_gate_rests_by_the_margin_before_and_after_every_card(
    rig: Rig, times: tuple[tuple[int, ...], tuple[int, ...]]
) -> None:
    """Each gate by its own times: in time for every card, and opened no earlier than it need be."""
    opens, closes = times
    rig.config |= {Key(Key.GATE_OPEN_N + gate): us for gate, us in enumerate(opens)}
    rig.config |= {Key(Key.GATE_CLOSE_N + gate): us for gate, us in enumerate(closes)}
    rig.feed(board(6))
    rig.land_all()
    margin, speed = rig.config[Key.GATE_MARGIN], rig.config[Key.BELT_SPEED]
    before, openings, leads = 0, 0, 0
    for _, belt, out in rig.edges:
        for gate in range(4):
            if not (before ^ out) >> (GATE_N + gate) & 1:
                continue
            at = rig.config[Key(Key.GATE_N + gate)]
            opened = bool(out >> (GATE_N + gate) & 1)
            openings += opened
            rest = belt + (opens if opened else closes)[gate] * speed // 1_000_000
            for card in (card for card in rig.plant.cards if card.place):
                leading = card.place + at
                falls_elsewhere_first = card.landed is not None and card.landed < gate
                if not falls_elsewhere_first:
                    assert rest <= leading - margin or belt >= leading + LENGTH + margin
                if opened and card.landed == gate and belt < leading:
                    leads += 0 <= leading - margin - rest <= speed // 500  # two ticks
        before = out
    assert leads == openings - 4 > 30  # HOME opened each once


def test_without_a_route_every_card_runs_to_the_tray(rig: Rig) -> None:
    rig.start()
    rig.ok(Feed(RUN, 3))
    rig.run(8_000_000, lambda: len(rig.landed) == 3)
    assert rig.landed == {1: TRAY, 2: TRAY, 3: TRAY}
    assert all(event.expired for event in rig.of(Landed))
    assert [card.landed for card in rig.plant.cards[:3]] == [TRAY] * 3
    assert not any(out & 0b11110 for us, _, out in rig.edges if us > rig.of(Seen)[0].tick)


def test_a_route_to_the_tray_is_a_route(rig: Rig) -> None:
    rig.feed([0, TRAY, 3])
    rig.land_all()
    assert [(event.pocket, event.expired) for event in rig.of(Landed)] == [
        (0, 0),
        (TRAY, 0),
        (3, 0),
    ]


def test_an_empty_hopper_waits_and_goes_on(bench: Bench) -> None:
    rig = bench(hopper=3)
    rig.feed([0, 1, 2, 3, 0])
    rig.run(2_000_000)
    assert rig.landed == {1: 0, 2: 1, 3: 2}
    assert rig.status.fed == 3
    assert rig.state == State.RUNNING
    rig.plant.fill(5)
    rig.land_all()
    assert rig.landed == {1: 0, 2: 1, 3: 2, 4: 3, 5: 0}


def test_no_card_is_fed_beyond_the_credit(rig: Rig) -> None:
    rig.feed([0] * 3)
    rig.run(3_000_000)
    assert (rig.status.fed, len(rig.plant.cards)) == (3, 3)
    rig.ok(Feed(RUN, 5))
    rig.run(50_000)
    rig.ok(Feed(RUN, 0))  # lowered: what is fed stays fed
    fed = rig.status.fed
    assert fed == 4
    rig.routes[4] = 2
    rig.run(2_000_000)
    assert (rig.status.fed, len(rig.plant.cards)) == (fed, fed)


def test_finish_ends_the_run_when_the_belt_is_empty(rig: Rig) -> None:
    rig.feed([1, 2, 3, 0])
    rig.run(250_000)
    rig.ok(Finish(RUN))
    assert rig.state == State.FINISHING
    fed = rig.status.fed
    assert rig.run(2_000_000, lambda: rig.state == State.READY)
    assert 0 < fed < 4
    assert rig.landed == {card: rig.routes[card] for card in range(1, fed + 1)}
    assert [event.fed for event in rig.of(RunEnded)] == [fed]
    assert rig.events[-1] == rig.of(RunEnded)[0]
    assert rig.view.outputs == 0
    assert not rig.of(Stopped)


def test_finish_waits_for_a_card_that_is_not_yet_seen(rig: Rig) -> None:
    rig.feed([2, 2])
    assert rig.run(1_000_000, lambda: rig.status.fed == 1)
    rig.ok(Finish(RUN))
    assert rig.run(2_000_000, lambda: rig.state == State.READY)
    assert rig.landed == {1: 2}
    assert [event.fed for event in rig.of(RunEnded)] == [1]


def test_two_runs_follow_each_other(rig: Rig) -> None:
    rig.feed([0, 1])
    rig.land_all()
    first = len(rig.events)
    rig.open_run(run=8)
    rig.ok(Feed(8, 2))
    rig.run(1_500_000, lambda: len(rig.of(Landed)) == 4)
    later = rig.events[first:]
    assert {event.run for event in rig.events[first:] if isinstance(event, Seen | Landed)} == {8}
    assert [event.card for event in later if isinstance(event, Landed)] == [1, 2]


def test_a_late_card_delays_the_next_so_that_gates_can_turn(bench: Bench) -> None:
    rig = bench(make=lambda n: Card(n, late=180 if n == 3 else 0))
    routes = [0, 1, 0, 1, 0, 1]
    rig.feed(routes)
    rig.land_all()
    assert [card.landed for card in rig.plant.cards[:6]] == routes
    assert rig.plant.jams == []


def test_never_more_cards_on_the_belt_than_it_can_keep_apart(bench: Bench) -> None:
    """A very long way to the tray: feeding waits when 16 cards are under way, and none is lost."""
    rig = bench()
    rig.config[Key.TRAY] = 20_000
    rig.feed([TRAY] * 24)
    most = 0

    def done() -> bool:
        nonlocal most
        most = max(most, rig.status.on_belt)
        return len(rig.landed) == 24 or bool(rig.of(Stopped))

    while not rig.run(10_000, done):
        assert rig.view.now_us < 60_000_000
    rig.land_all()
    assert most == 16
    assert rig.landed == rig.routes


def test_a_card_that_has_landed_takes_no_route_while_an_older_one_runs(rig: Rig) -> None:
    rig.feed([TRAY, 0])
    assert rig.run(3_000_000, lambda: 2 in rig.landed)
    assert rig.run(1_000_000, lambda: not rig.status.inputs >> 2 & 1)
    rig.run(5_000)
    assert 1 not in rig.landed
    assert rig.refused(Route(RUN, 2, 0)) == NakReason.LATE
    rig.land_all()
