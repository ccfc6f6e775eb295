"""Whole boards with the real firmware: what was routed is what the world holds."""

from __future__ import annotations

import itertools

import pytest

from controller import geometry
from controller.protocol.messages import (
    Ack,
    Clear,
    Feed,
    Held,
    Homed,
    Landed,
    Measured,
    RunEnded,
    StopReason,
    Strobed,
)
from controller.twin.trace import TraceDigest
from controller.twin.world.pins import In
from controller.twin.world.things import pbn_hand
from tests.unit.twin.rig import Rig


@pytest.mark.parametrize("profile", ["standard", "fast"])
def test_52_cards_land_where_they_were_routed(profile: str) -> None:
    rig = Rig(seed=5, profile=profile)
    rig.deal()
    contents = rig.world.contents()
    assert rig.pockets() == rig.expected()
    assert [len(held) for held in contents.pockets.values()] == [13] * 4
    assert (contents.board, contents.box) == (1, "A")
    assert (contents.tray, contents.belt, contents.hopper, contents.table) == ((), (), 0, ())
    assert isinstance(rig.host.events[-1], RunEnded)
    assert {(event.card, event.pocket) for event in rig.host.of(Landed)} == {
        (told.number, rig.seat_of[told.name or ""]) for told in rig.host.cards.values()
    }


def test_stress_is_for_the_control_stack_but_deals_as_well() -> None:
    rig = Rig(seed=5, profile="stress")
    rig.deal()
    assert rig.pockets() == rig.expected()


@pytest.mark.parametrize("profile", ["standard", "fast"])
def test_a_board_takes_hardly_longer_than_mechanics_allow(profile: str) -> None:
    rig = Rig(seed=3, profile=profile)
    rig.deal()
    machine_us = rig.world.timing.machine_us
    assert machine_us is not None
    assert machine_us <= 1.02 * geometry.PROFILES[profile].mechanical_limit_us
    assert (rig.world.timing.feeds, rig.world.timing.landed) == (52, 52)


def test_a_card_without_a_route_runs_into_the_tray() -> None:
    rig = Rig()
    rig.ready()
    rig.host.deal(lambda name: 4, cards=5)
    contents = rig.world.contents()
    assert len(contents.tray) == 5
    assert all(held == () for held in contents.pockets.values())
    assert contents.hopper == 47
    assert rig.world.inputs.level(In.PRESENT_TRAY) == 1
    assert (rig.world.timing.landed, rig.world.timing.machine_us) == (0, None)
    rig.wait(rig.hands.take_tray())
    assert rig.world.inputs.level(In.PRESENT_TRAY) == 0


def test_a_card_that_is_never_routed_holds_the_belt_and_then_runs_into_the_tray() -> None:
    rig = Rig()
    rig.ready()
    rig.host.ask(Feed(7, 3))
    held = rig.host.wait(Held)
    rig.host.stay(0.1)
    belt = rig.world.track.belt
    assert isinstance(held, Held)
    assert held.on == 1
    rig.host.stay(0.5)
    assert rig.world.track.belt == belt
    while not rig.host.of(Landed):
        rig.host.pass_time()
    assert rig.host.of(Landed)[0].expired == 1
    rig.host.stay(0.1)
    assert len(rig.world.contents().tray) == 1


def test_the_stop_card_lies_behind_the_pack_and_can_be_seen() -> None:
    rig = Rig()
    rig.deal(packs=2, cards=53)
    contents = rig.world.contents()
    assert contents.tray == ("stop card",)
    assert contents.hopper == 52
    assert rig.pockets() == rig.expected()


def test_lengths_thicknesses_and_slips_differ_a_little() -> None:
    rig = Rig()
    rig.deal()
    measured = rig.host.of(Measured)
    assert {event.length for event in measured} <= {569, 570, 571}
    assert len({event.thickness for event in measured}) > 10
    assert all(290 <= event.thickness <= 310 for event in measured)
    looks = [event.tick for event in rig.host.of(Strobed) if event.look == 1]
    gaps = {later - sooner for sooner, later in itertools.pairwise(looks)}
    assert len(gaps) > 30
    assert all(abs(gap - 96_000) < 4_500 for gap in gaps)


def test_cards_fall_on_the_table_when_no_board_is_there() -> None:
    rig = Rig()
    rig.ready()
    rig.host.deal(rig.pocket_of, cards=10)
    rig.world.slot.board = None  # the switch still says there is one: nothing stops
    rig.host.deal(rig.pocket_of, cards=20)
    contents = rig.world.contents()
    assert contents.board is None
    assert len(contents.table) == 10


def test_a_board_turned_round_shows_its_pockets_in_reverse() -> None:
    rig = Rig(faults=["board_backwards"])
    rig.deal()
    expected = rig.expected()
    turned = {seat: expected[other] for seat, other in zip("NESW", "WSEN", strict=True)}
    assert rig.pockets() == turned
    label = rig.world.label_reader.read()
    assert label is not None
    assert label.backwards


def test_the_board_that_was_taken_keeps_what_it_holds() -> None:
    rig = Rig()
    rig.deal()
    board = rig.wait(rig.hands.take_board())
    assert rig.world.finished == [board]
    assert {seat: {card.name for card in held} for seat, held in board.pockets.items()} == (
        rig.expected()
    )
    assert rig.world.contents().board is None
    assert all(held == () for held in rig.world.contents().pockets.values())


def test_contents_are_printed_as_pbn_hands() -> None:
    assert pbn_hand(["HT", "SK", "SA", "C2", "joker", "SA"]) == "AAK.T..2 joker"
    rig = Rig()
    rig.deal()
    printed = rig.world.contents().as_json()
    assert set(printed) == {*"NESW", "tray", "belt", "hopper", "hopper_next", "table"}
    assert sum(len(printed[seat]) for seat in "NESW") == 52 + 4 * 3


def _digest(seed: int, faults: tuple[str, ...] = ()) -> str:
    trace = TraceDigest()
    rig = Rig(seed=seed, trace=trace, faults=faults)
    rig.ready()
    rig.host.deal(rig.pocket_of, seconds=8)
    return trace.hex()


def test_the_same_seed_gives_the_same_trace_and_another_one_another() -> None:
    assert _digest(1) == _digest(1)
    assert _digest(1) != _digest(2)


def test_so_do_runs_with_faults() -> None:
    faults = ("link_noise_5", "image_extra", "jam_pocket@1.40")
    assert _digest(1, faults) == _digest(1, faults)
    assert _digest(1, faults) != _digest(1)


def test_the_emergency_stop_cuts_the_current_whatever_the_mcu_does() -> None:
    rig = Rig()
    rig.ready()
    rig.host.deal(rig.pocket_of, cards=10)
    rig.world.inputs.force(In.ESTOP, 1)  # its wire to the MCU is bridged
    place, pulses = rig.world.track.belt, rig.world._firmware.belt
    rig.world.press_estop(True)
    rig.host.stay(0.05)
    assert rig.world._firmware.belt > pulses + 300
    assert rig.world.track.belt == place
    rig.world.press_estop(False)
    rig.host.stay(0.05)
    assert place < rig.world.track.belt < place + 500


def test_a_card_that_was_taken_from_under_the_feeder_makes_room_for_the_next() -> None:
    rig = Rig(faults=["estop@1.20"], seed=2)
    rig.ready()
    rig.host.deal(rig.pocket_of)
    assert rig.world.hopper._under_feeder == 1
    rig.hands.clear_belt()
    rig.wait(rig.hands.release_estop())
    rig.idle(0.01)  # debounce
    assert isinstance(rig.host.ask(Clear(StopReason.ESTOP)), Ack)
    assert isinstance(rig.host.home(), Homed)
    before = rig.world.contents().hopper
    rig.host.events.clear()
    rig.host.run_number = 8
    rig.host.cards.clear()
    rig.host.strobes.clear()
    rig.host.start()
    rig.host.deal(rig.pocket_of, cards=5)
    assert rig.host.stopped is None
    assert rig.world.contents().hopper == before - 5


def test_a_second_board_on_the_same_machine() -> None:
    rig = Rig()
    rig.deal(packs=2)
    rig.wait(rig.hands.take_board())
    rig.hands.put_board(2, "A")
    rig.wait(rig.hands.lid(True))
    assert isinstance(rig.host.home(), Homed)
    rig.host.run_number = 8
    rig.host.cards.clear()
    rig.host.strobes.clear()
    rig.host.start()
    rig.host.deal(rig.pocket_of, cards=53)
    assert rig.world.contents().tray == ("stop card",)
    assert rig.pockets() == rig.expected()
    assert [board.number for board in rig.world.finished] == [1]
