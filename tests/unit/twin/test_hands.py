"""What a person can do and see, and that it takes its time."""

from __future__ import annotations

import pytest

from controller.protocol.messages import Homed, ResetCause
from controller.twin.world import Board
from controller.twin.world.deeds import SECONDS
from controller.twin.world.pins import In
from tests.unit.twin.rig import Rig


def names(rig: Rig) -> list[str]:
    return [card.name for card in rig.world.hopper.cards]


def test_deeds_are_done_one_after_the_other() -> None:
    rig = Rig()
    pack, board, lid = rig.hands.load_pack(), rig.hands.put_board(7, "B"), rig.hands.lid(True)
    assert (pack.done, board.done, lid.done) == (False, False, False)
    rig.wait(pack)
    assert rig.world.now_us == round(SECONDS["load_pack"] * 1e6)
    assert not board.done
    rig.wait(lid)
    total = SECONDS["load_pack"] + SECONDS["put_board"] + SECONDS["lid"]
    assert rig.world.now_us == round(total * 1e6) == lid.done_us
    assert pack.result == 52
    assert rig.world.inputs.level(In.BOARD) == rig.world.inputs.level(In.LID) == 1
    with pytest.raises(ValueError, match="no result"):
        _ = rig.hands.take_board().result


def test_time_passes_for_the_machine_while_a_person_works() -> None:
    rig = Rig()
    rig.prepare()
    deed = rig.hands.load_pack()
    rig.world.run(rig.world.now_us + 1_000_000)
    assert not deed.done
    assert len(rig.world.hopper.cards) == 52


def test_what_cannot_be_done_is_a_problem_and_no_crash() -> None:
    rig = Rig()
    deed = rig.end(rig.hands.take_board())
    assert deed.problem == "no board in the slot"
    rig.wait(rig.hands.put_board(1))
    second = rig.end(rig.hands.put_board(2))
    assert second.problem == "another board is in the slot"
    assert rig.hands.sees_board() == (1, "")


def test_packs_are_52_cards_each_shuffled_with_stop_cards_between() -> None:
    rig = Rig()
    rig.prepare(packs=2)
    first, stop, second = names(rig)[:52], names(rig)[52], names(rig)[53:]
    assert stop == "stop card"
    assert set(first) == set(second)
    assert len(first) == len(set(first)) == 52
    assert first != second
    assert names(Rig(seed=2)) == []


def test_a_stop_card_that_lies_there_already_is_not_doubled() -> None:
    rig = Rig()
    rig.prepare()
    rig.wait(rig.hands.replace_pack())
    assert names(rig)[52:] == ["stop card"]
    rig.wait(rig.hands.load_pack())
    assert names(rig).count("stop card") == 1


def test_cards_put_in_front_are_fed_first_with_a_stop_card_or_not() -> None:
    rig = Rig()
    rig.deal(packs=2, cards=53)
    rig.wait(rig.hands.take_tray())
    south = rig.wait(rig.hands.empty_pocket("S"))
    faces = [rig.hands.look(card) for card in south]
    assert rig.hands.faces_seen == 13
    rig.wait(rig.hands.put_in_front(south))
    assert names(rig)[:14] == [*faces, "stop card"]
    assert len(names(rig)) == 14 + 52
    north = rig.wait(rig.hands.empty_pocket("N"))
    rig.wait(rig.hands.put_in_front(north, stop_card=False))
    assert len(names(rig)) == 13 + 14 + 52
    assert rig.world.contents().pockets["N"] == rig.world.contents().pockets["S"] == ()


def test_fed_again_they_land_again() -> None:
    rig = Rig()
    rig.deal(packs=2, cards=53)
    rig.wait(rig.hands.take_tray())
    cards = rig.wait(rig.hands.empty_pocket("S"))
    rig.wait(rig.hands.put_in_front(cards))
    assert isinstance(rig.host.home(), Homed)
    rig.host.run_number = 9
    rig.host.cards.clear()
    rig.host.strobes.clear()
    rig.host.start()
    rig.host.deal(rig.pocket_of, cards=14)
    assert rig.pockets() == rig.expected()
    assert rig.world.contents().tray == ("stop card",)


def test_a_fresh_pack_replaces_the_one_at_the_feeder() -> None:
    rig = Rig(faults=["missing_card"])
    rig.prepare(packs=2)
    behind = names(rig)[52:]
    taken = rig.wait(rig.hands.replace_pack())
    assert len(taken) == 51 + 1
    assert rig.hands.sees_stop_card(taken[-1])
    assert not rig.hands.sees_stop_card(taken[0])
    assert len(set(names(rig)[:52])) == 52
    assert names(rig)[52:] == ["stop card", *behind]


def test_a_face_up_card_is_put_back_face_down() -> None:
    rig = Rig(faults=["card_face_up@1.1"])
    rig.prepare()
    assert rig.world.hopper.cards[0].face_up
    taken = rig.wait(rig.hands.take_pack())
    assert names(rig) == []
    rig.wait(rig.hands.put_in_front(taken, stop_card=False))
    assert not rig.world.hopper.cards[0].face_up


def test_a_stop_card_has_no_spare() -> None:
    rig = Rig()
    rig.prepare(packs=2)
    stop = rig.wait(rig.hands.take_pack())[-1]
    deed = rig.end(rig.hands.replace_card(stop))
    assert deed.problem == "no spare card of its kind"


def test_restarting_the_power_is_a_new_boot() -> None:
    rig = Rig()
    rig.prepare()
    rig.host.connect()
    rig.wait(rig.hands.restart_power())
    rig.host.connect(config=False)
    assert rig.host.identity is not None
    assert rig.host.identity.reset_cause == ResetCause.POWER_ON
    assert rig.host.identity.boot == 2


def test_the_emergency_stop_is_pressed_and_released() -> None:
    rig = Rig()
    rig.wait(rig.hands.press_estop())
    assert rig.world.inputs.level(In.ESTOP) == 0
    rig.wait(rig.hands.release_estop())
    assert rig.world.inputs.level(In.ESTOP) == 1


def test_a_person_sees_where_cards_lie_and_the_lamps_but_no_face_down_card() -> None:
    rig = Rig()
    assert not rig.hands.sees_hopper_filled()
    rig.ready()
    assert rig.hands.sees_hopper_filled()
    rig.host.deal(lambda name: 1 if name[0] == "S" else 4, cards=20)
    assert rig.hands.sees_cards_at("E")
    assert not rig.hands.sees_cards_at("N")
    assert rig.hands.sees_cards_in_tray()
    assert not rig.hands.sees_cards_on_table()
    assert not rig.hands.sees_cards_on_belt()
    rig.world.lamps["stack light"] = "green"
    assert rig.hands.sees_lamp("stack light") == "green"
    assert rig.hands.sees_lamp("start button") is None
    held = rig.wait(rig.hands.take_tray())
    assert not any(
        isinstance(getattr(held[0], name), str) for name in dir(held[0]) if name[0] != "_"
    )


def test_cards_on_the_table_are_picked_up() -> None:
    rig = Rig(faults=["board_removed@1.10"])
    rig.ready()
    rig.host.deal(rig.pocket_of)
    count = len(rig.world.contents().table)
    assert len(rig.wait(rig.hands.take_table())) == count
    assert rig.world.contents().table == ()


def test_a_board_may_be_put_back_with_what_it_holds() -> None:
    rig = Rig()
    rig.deal()
    board = rig.wait(rig.hands.take_board())
    assert isinstance(board, Board)
    assert rig.world.inputs.level(In.PRESENT_N) == 0
    rig.wait(rig.hands.put_back(board))
    assert rig.pockets() == rig.expected()
    assert rig.world.inputs.level(In.PRESENT_N) == 1
    assert rig.world.timing.feeds == 52
