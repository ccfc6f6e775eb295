"""Faults of gates, sensors, board and lid do what their sentences say."""

from __future__ import annotations

import re
from pathlib import Path

from controller.protocol.messages import (
    Homed,
    InputChanged,
    Landed,
    Measured,
    Seen,
    Stopped,
    StopReason,
)
from controller.twin.faults import KINDS
from controller.twin.world.pins import In
from tests.unit.twin.dealt import dealt, pack, prepared, stopped, strobes_without_image
from tests.unit.twin.rig import Rig


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
    assert strobes_without_image(rig) == []
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


def test_every_fault_of_the_list_is_tried_in_these_files() -> None:
    tried = "".join(
        path.read_text("utf-8") for path in Path(__file__).parent.glob("test_faults_*.py")
    )
    assert [name for name in KINDS if not re.search(rf'"{name}[@"]', tried)] == []
