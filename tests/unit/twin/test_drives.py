"""Gates move in their travel time and from wherever they are; motors turn only with current."""

from __future__ import annotations

from controller.twin.world.drives import Flap, Gate, Motor

TRAVEL = 12_000


def test_it_needs_its_travel_time_each_way() -> None:
    gate = Gate(TRAVEL)
    assert gate.flap(0) is Flap.SHUT
    assert gate.drive(True, 100)
    assert gate.flap(101) is Flap.MOVING
    assert gate.flap(100 + TRAVEL - 1) is Flap.MOVING
    assert gate.flap(100 + TRAVEL) is Flap.OPEN
    assert gate.drive(False, 50_000)
    assert gate.flap(50_000 + TRAVEL - 1) is Flap.MOVING
    assert gate.flap(50_000 + TRAVEL) is Flap.SHUT


def test_the_same_level_again_moves_nothing() -> None:
    gate = Gate(TRAVEL)
    assert not gate.drive(False, 100)
    gate.drive(True, 100)
    assert not gate.drive(True, 200)


def test_driven_back_in_mid_travel_it_has_only_that_far_to_go() -> None:
    gate = Gate(TRAVEL)
    gate.drive(True, 0)
    gate.drive(False, 5_000)
    assert gate.flap(9_999) is Flap.MOVING
    assert gate.flap(10_000) is Flap.SHUT


def test_a_stuck_gate_follows_nothing_until_it_is_mended() -> None:
    gate = Gate(TRAVEL)
    gate.drive(True, 0)
    gate.stick(6_000)
    assert gate.flap(500_000) is Flap.MOVING
    assert not gate.drive(False, 500_000)
    gate.mend()
    assert gate.flap(600_000) is Flap.SHUT
    assert gate.drive(True, 600_000)


def test_a_slow_gate_takes_as_many_times_as_long() -> None:
    gate = Gate(TRAVEL)
    gate.slow_down(3)
    gate.drive(True, 0)
    assert gate.flap(3 * TRAVEL - 1) is Flap.MOVING
    assert gate.flap(3 * TRAVEL) is Flap.OPEN


def test_pulses_without_current_turn_nothing() -> None:
    motor = Motor(100)
    assert 100 - motor.idle == 0
    motor.power(True, 150)
    assert 350 - motor.idle == 200
    motor.power(False, 350)
    motor.power(True, 1_350)
    assert 1_360 - motor.idle == 210


def test_a_coil_that_stays_on_holds_its_gate_open_until_it_is_mended() -> None:
    gate = Gate(TRAVEL)
    gate.drive(True, 0)
    gate.coil_on = True
    assert gate.drive(False, 100_000) is False
    assert gate.flap(500_000) is Flap.OPEN
    gate.mend()
    assert gate.flap(600_000) is Flap.SHUT
    assert gate.drive(True, 600_000)


def test_a_gate_has_its_own_times_and_a_weak_spring_only_slows_the_way_back() -> None:
    gate = Gate(TRAVEL, 2 * TRAVEL)
    gate.weaken(3)
    gate.drive(True, 0)
    assert gate.flap(TRAVEL - 1) is Flap.MOVING
    assert gate.flap(TRAVEL) is Flap.OPEN
    gate.drive(False, TRAVEL)
    assert gate.flap(7 * TRAVEL - 1) is Flap.MOVING
    assert gate.flap(7 * TRAVEL) is Flap.SHUT
    gate.mend()
    gate.drive(True, 10 * TRAVEL)
    gate.drive(False, 12 * TRAVEL)
    assert gate.flap(14 * TRAVEL) is Flap.SHUT


def test_a_motor_moves_as_far_as_its_roller_says() -> None:
    motor = Motor(100, 9_900)
    motor.power(True, 100)
    assert motor.way(200) == 99
    for way in range(1, 300):
        pulses = motor.pulses(way)
        assert motor.way(pulses) >= way > motor.way(pulses - 1)
