"""Each named fault does to the world what its sentence says, seen with the real firmware."""

from __future__ import annotations

import contextlib

import pytest

from controller.protocol.messages import (
    CardFlag,
    Homed,
    InputChanged,
    Landed,
    Measured,
    ResetCause,
    Seen,
    State,
    Stopped,
    StopReason,
    Strobed,
)
from controller.twin.faults import KINDS
from controller.twin.world.pins import In
from controller.twin.world.things import Smudge
from tests.unit.twin.rig import LinkLostError, Rig

PITCH = 96_000
TESTED: set[str] = set()


def dealt(*faults: str, seed: int = 1, packs: int = 1, cards: int = 52) -> Rig:
    """A board dealt as far as it went."""
    TESTED.update(fault.partition("@")[0] for fault in faults)
    rig = Rig(seed=seed, faults=faults)
    rig.ready(packs=packs)
    rig.host.deal(rig.pocket_of, cards, seconds=8)
    return rig


def prepared(*faults: str, seed: int = 1, packs: int = 1) -> Rig:
    """Pack, board and lid, and nothing dealt yet."""
    TESTED.update(fault.partition("@")[0] for fault in faults)
    rig = Rig(seed=seed, faults=faults)
    rig.prepare(packs=packs)
    return rig


def stopped(rig: Rig) -> tuple[StopReason, int]:
    stop = rig.host.stopped
    assert stop is not None
    return StopReason(stop.reason), stop.card


def pack(rig: Rig) -> list[str]:
    return [card.name for card in rig.world.hopper.cards]


# --- the wire ---


def test_link_cut_kills_the_port_and_the_machine_stops_by_itself() -> None:
    with pytest.raises(OSError, match="cable was pulled"):
        dealt("link_cut@1.20")
    rig = prepared("link_cut@1.20")
    rig.host.connect()
    rig.host.home()
    rig.host.start()
    with pytest.raises(OSError):
        rig.host.deal(rig.pocket_of)
    with pytest.raises(OSError, match="not plugged in"):
        rig.world.open_transport()
    old = rig.world.transport
    rig.idle(2.0)
    contents = rig.world.contents()
    assert rig.world._firmware.outputs == 0
    assert 52 - contents.hopper in range(20, 24)
    assert all(held <= rig.expected()[seat] for seat, held in rig.pockets().items())
    rig.wait_without_link(rig.hands.plug_cable())
    with pytest.raises(OSError):
        old.write(b"x")
    rig.world.open_transport()
    rig.host.connect(config=False)
    assert rig.host.identity is not None
    assert rig.host.identity.stop_reason == StopReason.DEAD_MAN
    assert rig.host.identity.boot == 1


def test_link_stall_holds_all_bytes_back_for_half_a_second() -> None:
    rig = prepared("link_stall@1.20")
    rig.host.connect()
    rig.host.home()
    rig.host.start()
    with pytest.raises(LinkLostError):
        rig.host.deal(rig.pocket_of)
    stalled_us = rig.world.now_us
    before = len(rig.host.events)
    rig.idle(0.6)
    rig.host.poll()
    assert rig.world.now_us - stalled_us == 600_000
    assert len(rig.host.events) > before
    rig.host.connect(config=False)


def test_link_noise_breaks_frames_both_ways_and_no_board() -> None:
    rig = dealt("link_noise", seed=4)
    assert rig.pockets() == rig.expected()
    assert 1 <= rig.host.retries <= 30
    assert 1 <= rig.host.decoder.dropped <= 30


@pytest.mark.parametrize(("name", "share"), [("link_noise_5", 0.05), ("link_noise_20", 0.20)])
def test_more_noise_breaks_more_frames_and_misleads_no_card(name: str, share: float) -> None:
    rig = prepared(name)
    with contextlib.suppress(LinkLostError):
        rig.host.connect()
        rig.host.home()
        rig.host.start()
        rig.host.deal(rig.pocket_of)
    assert all(held <= rig.expected()[seat] for seat, held in rig.pockets().items())
    noise = rig.world.wire.manglers[0]
    frames = [b"\x05\x01\x02\x03\x04\x00"] * 4_000
    broken = sum(noise.mangle(frame) != frame for frame in frames)
    assert abs(broken / len(frames) - share) < 0.02


def test_link_doubled_does_nothing_twice() -> None:
    rig = dealt("link_doubled")
    assert rig.pockets() == rig.expected()
    assert rig.world.timing.feeds == 52


def test_mcu_reset_is_a_new_boot_with_all_outputs_low() -> None:
    TESTED.add("mcu_reset")
    rig = prepared("mcu_reset@1.20")
    rig.host.connect()
    rig.host.home()
    rig.host.start()
    rig.host.deal(rig.pocket_of, seconds=2.5)
    assert rig.host.status is not None
    assert (rig.host.status.boot, rig.host.status.state) == (2, State.UNKNOWN)
    assert rig.world._firmware.outputs == 0
    rig.host.connect(config=False)
    assert rig.host.identity is not None
    assert rig.host.identity.reset_cause == ResetCause.BROWN_OUT
    assert rig.world.contents().hopper in (31, 32)


def test_dtr_reset_restarts_the_mcu_whenever_the_port_is_opened() -> None:
    rig = prepared("dtr_reset")
    rig.host.connect()
    rig.world.open_transport()
    rig.host.connect(config=False)
    assert rig.host.identity is not None
    assert rig.host.identity.boot == 2
    assert rig.host.identity.reset_cause == ResetCause.EXTERNAL
    quiet = prepared()
    quiet.host.connect()
    quiet.world.open_transport()
    quiet.host.connect(config=False)
    assert quiet.host.identity is not None
    assert quiet.host.identity.boot == 1


# --- the camera ---


def test_image_lost_takes_one_look_of_that_card() -> None:
    rig = dealt("image_lost@1.20", cards=30)
    missing = _strobes_without_image(rig)
    assert [strobe.card for strobe in missing] == [20]
    looks = {
        _strobes_without_image(dealt("image_lost@1.20", seed=seed, cards=22))[0].look
        for seed in range(8)
    }
    assert looks == {1, 2}


def test_image_extra_is_one_more_than_there_were_strobes() -> None:
    rig = dealt("image_extra@1.20", cards=30)
    assert _strobes_without_image(rig) == []
    assert len(rig.host.stamps) == len(rig.host.strobes) + 1


def test_image_late_one_pitch_stamps_and_delivers_late_until_restart() -> None:
    rig = dealt("image_late_one_pitch@1.20", cards=30)
    first = next(strobe for strobe in rig.host.strobes if strobe.card == 20)
    assert first.tick not in rig.host.stamps
    assert first.tick + PITCH in rig.host.stamps
    at = rig.host.stamps.index(first.tick + PITCH)
    assert rig.host.taken_at[at] - first.tick in range(PITCH + 30_000, PITCH + 32_000)
    rig.world.camera.restart()
    assert not rig.world.camera.late


def test_image_late_two_pitches_is_later_by_one_more() -> None:
    rig = dealt("image_late_two_pitches@1.20", cards=30)
    first = next(strobe for strobe in rig.host.strobes if strobe.card == 20)
    assert first.tick not in rig.host.stamps
    assert first.tick + PITCH not in rig.host.stamps
    assert first.tick + 2 * PITCH in rig.host.stamps


def test_camera_silent_sends_nothing_until_restart() -> None:
    rig = dealt("camera_silent@1.20", cards=30)
    assert {strobe.card for strobe in _strobes_without_image(rig)} >= set(range(20, 25))
    assert min(strobe.card for strobe in _strobes_without_image(rig)) == 20
    rig.world.camera.restart()
    assert not rig.world.camera.silent


def test_image_frozen_repeats_the_last_picture_with_new_stamps() -> None:
    rig = dealt("image_frozen@1.20", cards=30)
    by_stamp = dict(zip(rig.host.stamps, rig.host.pictures, strict=True))
    shown = {(strobe.card, strobe.look): by_stamp[strobe.tick] for strobe in rig.host.strobes}
    assert shown[19, 1] != shown[18, 1]
    assert {shown[card, look] for card in range(20, 25) for look in (1, 2)} == {shown[19, 2]}
    rig.world.camera.restart()
    assert not rig.world.camera.frozen


def test_image_black_gives_no_light_until_restart() -> None:
    rig = dealt("image_black@1.20", cards=30)
    by_stamp = dict(zip(rig.host.stamps, rig.host.pictures, strict=True))
    dark = [strobe.card for strobe in rig.host.strobes if by_stamp[strobe.tick] == ("black",)]
    assert sorted(set(dark)) == [*range(20, rig.host.strobes[-1].card + 1)]
    assert len(dark) > 8
    rig.world.camera.restart()
    assert not rig.world.camera.black


def test_strobe_dim_gives_a_quarter_of_the_light() -> None:
    rig = dealt("strobe_dim@1.20", cards=24)
    by_stamp = dict(zip(rig.host.stamps, rig.host.pictures, strict=True))
    assert rig.world.camera.dim
    for strobe in rig.host.strobes:
        light = by_stamp[strobe.tick][0]
        full = 150 if strobe.look == 1 else 250
        # The identity picture calls anything under 100 us black.
        assert light == (full if strobe.card < 20 else "black")
    rig.wait(rig.hands.mend())
    assert not rig.world.camera.dim


def test_hub_lost_takes_cable_and_camera_together() -> None:
    with pytest.raises(OSError):
        dealt("hub_lost@1.20")
    rig = prepared("hub_lost@1.1")
    rig.host.connect()
    rig.host.home()
    rig.host.start()
    with pytest.raises(OSError):
        rig.host.deal(rig.pocket_of)
    taken = rig.world.camera._taken
    rig.idle(1.0)
    assert rig.world.camera.take() == []
    assert rig.world.camera._taken == taken
    rig.wait_without_link(rig.hands.plug_cable())
    assert not rig.world.camera.unplugged


# --- cards and packs ---


def test_double_feed_is_one_long_card_to_the_sensors() -> None:
    for seed in range(4):
        rig = dealt("double_feed@1.20", seed=seed, cards=30)
        measured = {event.card: event for event in rig.host.of(Measured)}
        assert 570 + 150 <= measured[20].length <= 570 + 450
        assert measured[20].flags & CardFlag.TOO_LONG
        assert measured[19].flags == 0
        assert len(rig.world.contents().tray) >= 2
        assert rig.world.contents().hopper == 52 - 31


def test_double_feed_exact_has_the_right_length_and_double_thickness() -> None:
    rig = dealt("double_feed_exact@1.20", cards=30)
    measured = {event.card: event for event in rig.host.of(Measured)}
    assert measured[20].length in (569, 570, 571)
    assert measured[20].thickness > 550
    assert measured[20].flags & CardFlag.TOO_THICK
    assert len(rig.world.contents().tray) == 2


def test_misfeed_holds_the_card_until_hands_free_it() -> None:
    rig = dealt("misfeed@1.20")
    assert stopped(rig) == (StopReason.MISFEED, 20)
    assert rig.world.contents().hopper == 33
    assert rig.wait(rig.hands.free_feeder())
    assert not rig.world.hopper.stuck
    again = prepared("misfeed@1.1")
    assert again.world.hopper.stuck


def test_jam_window_stands_over_the_window_and_others_behind_it() -> None:
    rig = dealt("jam_window@1.20")
    assert stopped(rig) == (StopReason.JAM_WINDOW, 20)
    assert rig.world.inputs.level(In.WINDOW) == 1
    stands = next(passage for passage in rig.world.track.cards if passage.feed == 20)
    assert stands.stands_at == 400 + 300


def test_card_askew_lies_turned_in_both_looks() -> None:
    rig = dealt("card_askew@1.20", cards=24)
    by_stamp = dict(zip(rig.host.stamps, rig.host.pictures, strict=True))
    tilts = {strobe.card: by_stamp[strobe.tick][1][3] for strobe in rig.host.strobes}
    assert abs(tilts.pop(20)) == 6.0
    assert all(abs(tilt) <= 0.8 for tilt in tilts.values())


def test_jam_pocket_leaves_the_card_in_its_chute_across_the_gate() -> None:
    rig = dealt("jam_pocket@1.20")
    assert stopped(rig)[0] in (StopReason.JAM_POCKET, StopReason.JAM_BELT)
    stuck = next(passage for passage in rig.world.track.cards if passage.feed == 20)
    assert stuck.chute is not None
    assert stuck.over == [stuck.chute]
    belt = rig.world.contents().belt
    assert stuck.card.name in belt
    held = rig.wait(rig.hands.clear_belt())
    assert len(held) == len(belt)
    assert rig.world.contents().belt == ()


def test_jam_pocket_waits_for_a_card_that_goes_into_a_pocket() -> None:
    rig = Rig(faults=["jam_pocket@1.2"])
    rig.ready()
    first = pack(rig)[:3]
    rig.host.deal(lambda name: 4 if name in first else rig.pocket_of(name), cards=10)
    assert [passage.chute is None for passage in rig.world.track.cards if passage.sticks] == [False]
    assert stopped(rig)[0] in (StopReason.JAM_POCKET, StopReason.JAM_BELT)


def test_duplicate_card_is_in_the_pack_twice_and_another_is_missing() -> None:
    rig = prepared("duplicate_card@1.20")
    names = pack(rig)
    assert (len(names), len(set(names))) == (52, 51)
    assert names.count(names[19]) == 2


def test_missing_card_leaves_51() -> None:
    names = pack(prepared("missing_card@1.20"))
    assert (len(names), len(set(names))) == (51, 51)
    assert names == pack(prepared())[:19] + pack(prepared())[20:]


def test_extra_card_makes_53() -> None:
    names = pack(prepared("extra_card@1.20"))
    assert (len(names), len(set(names))) == (53, 52)
    assert names.count(names[19]) == 2


def test_joker_lies_before_that_card() -> None:
    names = pack(prepared("joker@1.20"))
    assert len(names) == 53
    assert names.index("joker") == 19
    rig = dealt("joker@1.20", cards=53)
    assert rig.world.contents().tray == ("joker",)


def test_foreign_back_is_seen_by_the_back_sensor() -> None:
    rig = dealt("foreign_back@1.20", cards=24)
    backs = {event.card: event.back for event in rig.host.of(Measured)}
    assert backs[20] == 2
    assert {backs[card] for card in backs if card != 20} == {1}


def test_card_face_up_shows_its_back_to_the_camera() -> None:
    rig = dealt("card_face_up@1.20", cards=24)
    assert rig.host.cards[20].name == "unsure"
    assert {event.card: event.back for event in rig.host.of(Measured)}[20] == 10


def test_pack_in_order_is_a_new_pack() -> None:
    assert pack(prepared("pack_in_order"))[:4] == ["SA", "SK", "SQ", "SJ"]


def test_packs_mixed_have_cards_twice_and_others_not_at_all() -> None:
    for seed in range(3):
        names = pack(prepared("packs_mixed", seed=seed))
        assert len(names) == 52
        assert 47 <= len(set(names)) < 52
    assert len(set(pack(prepared()))) == 52


def test_a_stop_card_may_lie_in_the_pack_or_twice_behind_it() -> None:
    names = pack(prepared("stop_card_in_pack@1.20"))
    assert (len(names), names.index("stop card")) == (53, 19)
    names = pack(prepared("stop_card_doubled", packs=2))
    assert names[52:54] == ["stop card", "stop card"]
    assert len(names) == 52 + 2 + 52


def test_stop_card_missing_joins_two_packs() -> None:
    assert pack(prepared(packs=2))[52] == "stop card"
    both = pack(prepared("stop_card_missing", packs=2))
    assert len(both) == 104
    assert "stop card" not in both
    later = prepared("stop_card_missing")
    later.wait(later.hands.load_pack())
    assert "stop card" not in pack(later)
    later.wait(later.hands.load_pack())
    assert pack(later).count("stop card") == 1


def test_unreadable_card_is_damaged_for_good_at_both_ends() -> None:
    rig = dealt("unreadable_card@1.20", cards=24)
    assert [told.number for told in rig.host.cards.values() if told.name == "unsure"] == [20]
    card = rig.wait(rig.hands.take_tray())[0]
    assert rig.hands.sees_dirt(card)
    assert rig.wait(rig.hands.wipe(card)) is False
    new = rig.wait(rig.hands.replace_card(card))
    assert rig.hands.look(new) == rig.hands.look(card)
    assert not rig.hands.sees_dirt(new)


def test_dirty_corner_reads_the_other_way_round_or_wiped() -> None:
    rig = dealt("dirty_corner@1.20", cards=24)
    assert rig.host.cards[20].name == "unsure"
    held = rig.wait(rig.hands.take_tray())
    rig.wait(rig.hands.put_in_front(held, stop_card=False, turned=True))
    card = rig.world.hopper.cards[0]
    assert card.smudges[int(card.turned)] is Smudge.CLEAN
    assert rig.wait(rig.hands.wipe(held[0])) is True
    assert card.smudges == [Smudge.CLEAN, Smudge.CLEAN]


# --- gates and sensors ---


def test_gate_stuck_sends_cards_past_their_pocket() -> None:
    rig = dealt("gate_stuck@1.20")
    reason, _ = stopped(rig)
    assert reason in (StopReason.JAM_POCKET, StopReason.WRONG_POCKET, StopReason.UNEXPECTED_CARD)
    stuck = [gate.stuck for gate in rig.world.track.gates]
    assert sum(stuck) == 1
    rig.wait(rig.hands.mend())
    assert not any(gate.stuck for gate in rig.world.track.gates)


def test_gate_slow_meets_a_card_while_it_moves() -> None:
    rig = dealt("gate_slow@1.20")
    assert stopped(rig)[0] is StopReason.JAM_POCKET
    assert any(passage.stands_at is not None for passage in rig.world.track.cards)
    assert sorted(gate.travel_us for gate in rig.world.track.gates) == [12_000] * 3 + [36_000]


def test_wrong_pocket_exchanges_two_sensors() -> None:
    rig = dealt("wrong_pocket@1.20")
    assert stopped(rig)[0] in (
        StopReason.WRONG_POCKET,
        StopReason.UNEXPECTED_CARD,
        StopReason.JAM_POCKET,
    )
    assert rig.world.inputs._wired != sorted(rig.world.inputs._wired)
    rig.wait(rig.hands.mend())
    assert rig.world.inputs._wired == sorted(rig.world.inputs._wired)


def test_sensor_glitches_are_debounced_away() -> None:
    rig = dealt("sensor_glitch@1.20")
    assert rig.host.stopped is None
    assert rig.pockets() == rig.expected()


def test_sensor_stuck_stops_and_homing_finds_it() -> None:
    rig = dealt("sensor_stuck@1.20")
    stopped(rig)
    level = next(iter(rig.world.inputs._forced.values()))
    assert level == 1
    rig.wait(rig.hands.mend())
    assert rig.world.inputs._forced == {}


# --- board, lid and emergency stop ---


def test_board_removed_stops_and_the_rest_falls_on_the_table() -> None:
    rig = dealt("board_removed@1.20")
    assert stopped(rig)[0] is StopReason.BOARD_OUT
    board = rig.hands.sees_pulled_board()
    assert board is not None
    assert 10 <= sum(map(len, board.pockets.values())) < 20
    assert rig.world.label_reader.read() is None
    rig.wait(rig.hands.put_back(board))
    assert rig.hands.sees_pulled_board() is None
    assert rig.world.slot.board is board
    assert rig.world.timing.feeds >= 20  # still the same board's stop-watch


def test_wrong_board_is_the_next_one_and_only_once() -> None:
    rig = prepared("wrong_board@1")
    assert rig.hands.sees_board() == (2, "A")
    label = rig.world.label_reader.read()
    assert label is not None
    assert label.board == 2
    rig.wait(rig.hands.take_board())
    rig.wait(rig.hands.put_board(1, "A"))
    assert rig.hands.sees_board() == (1, "A")


def test_board_backwards_is_seen_by_reader_and_person() -> None:
    rig = prepared("board_backwards")
    label = rig.world.label_reader.read()
    assert label is not None
    assert label.backwards
    assert rig.hands.sees_backwards()


def test_pocket_not_empty_holds_a_stray_card() -> None:
    rig = prepared("pocket_not_empty")
    held = {seat: cards for seat, cards in rig.world.contents().pockets.items() if cards}
    assert len(held) == 1
    seat = next(iter(held))
    assert rig.world.inputs.level(In[f"PRESENT_{seat}"]) == 1
    assert rig.hands.sees_cards_at(seat)
    assert len(rig.wait(rig.hands.empty_pocket(seat))) == 1
    assert rig.world.inputs.level(In[f"PRESENT_{seat}"]) == 0


def test_label_unreadable_until_wiped() -> None:
    rig = prepared("label_unreadable")
    assert rig.world.label_reader.read() is None
    assert rig.hands.sees_board() == (1, "A")
    rig.wait(rig.hands.wipe_label())
    assert rig.world.label_reader.read() is not None


def test_estop_cuts_the_current_and_the_mcu_latches_it() -> None:
    rig = dealt("estop@1.20")
    assert stopped(rig)[0] is StopReason.ESTOP
    belt = rig.world.track.belt
    rig.idle(0.5)
    assert rig.world.track.belt == belt
    assert len(rig.world.contents().belt) > 1
    rig.wait(rig.hands.release_estop())
    assert rig.world.inputs.level(In.ESTOP) == 1


def test_lid_open_is_sensed() -> None:
    rig = dealt("lid_open@1.20")
    assert stopped(rig)[0] is StopReason.LID_OPEN
    assert not rig.world.slot.lid_closed


# --- which board, which card ---


def test_a_fault_waits_for_its_board() -> None:
    rig = prepared("wrong_board@2", "misfeed@2.1", "missing_card@2.5")
    assert rig.hands.sees_board() == (1, "A")
    assert len(pack(rig)) == 52
    rig.wait(rig.hands.take_board())
    rig.wait(rig.hands.put_board(2, "A"))
    assert rig.hands.sees_board() == (3, "A")
    assert len(pack(rig)) == 51
    assert rig.world.hopper.stuck


def test_a_fault_in_the_pack_waits_for_the_pack() -> None:
    rig = Rig(faults=["missing_card"])
    rig.wait(rig.hands.put_board(1))
    rig.wait(rig.hands.load_pack())
    rig.wait(rig.hands.load_pack())
    assert pack(rig).index("stop card") == 51
    assert len(pack(rig)) == 51 + 1 + 52


def test_faults_combine() -> None:
    rig = dealt("missing_card@1.3", "foreign_back@1.7", "image_extra@1.9", cards=20)
    assert {event.card: event.back for event in rig.host.of(Measured)}[7] == 2
    assert len(rig.host.stamps) == len(rig.host.strobes) + 1
    assert rig.world.contents().hopper == 51 - 20


def test_without_faults_nothing_of_all_this_happens() -> None:
    rig = dealt()
    assert rig.host.stopped is None
    assert _strobes_without_image(rig) == []
    assert len(rig.host.stamps) == len(rig.host.strobes) == 104
    assert rig.host.retries == 0
    assert {event.flags for event in rig.host.of(Measured)} == {0}
    assert [event.card for event in rig.host.of(Seen)] == [*range(1, 53)]
    changed = {event.pin for event in rig.host.of(InputChanged)}
    assert changed <= {
        In.HOPPER,
        In.PRESENT_N,
        In.PRESENT_E,
        In.PRESENT_S,
        In.PRESENT_W,
        In.BOARD,
        In.LID,
    }
    assert len(rig.host.of(Homed)) == 1
    assert len(rig.host.of(Landed)) == 52
    assert rig.host.of(Stopped) == []


def test_every_fault_of_the_list_was_tried_here() -> None:
    assert set(KINDS) - TESTED == set()


def _strobes_without_image(rig: Rig) -> list[Strobed]:
    return [strobe for strobe in rig.host.strobes if strobe.tick not in rig.host.stamps]
