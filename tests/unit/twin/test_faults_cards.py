"""Faults of cards and packs do what their sentences say, with the real firmware."""

from __future__ import annotations

from controller.protocol.messages import (
    CardFlag,
    Measured,
    StopReason,
)
from controller.twin.world.pins import In
from controller.twin.world.things import Smudge
from tests.unit.twin.dealt import dealt, pack, prepared, stopped
from tests.unit.twin.rig import Rig


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
