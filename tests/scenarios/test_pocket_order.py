"""A machine that is built the other way round: its pockets lie W S E N along the belt."""

from __future__ import annotations

import pytest

from controller.geometry import POCKET_ORDERS, PROFILES
from controller.machine.settings import settings
from controller.protocol.messages import Key
from tests.scenarios.room import deal

REVERSED = POCKET_ORDERS[1]
# What depends on where a gate is: jams, gates, sensors of a pocket, a board turned round.
FAULTS = (
    "jam_pocket",
    "gate_stuck",
    "gate_slow",
    "wrong_pocket",
    "board_backwards",
    "pocket_not_empty",
    "sensor_stuck",
    "board_removed",
    "estop",
)


@pytest.mark.parametrize("profile", ["standard", "fast", "stress"])
def test_boards_are_proven_true_and_in_time(profile: str) -> None:
    evening = deal(numbers=(1, 2), profile=profile, pocket_order=REVERSED)
    assert evening.session.world.plan.order == "WSEN"
    assert [result.proven for result in evening.results] == [True, True]
    assert evening.true == [True, True]
    assert evening.faults == []
    limit_us = PROFILES[profile].mechanical_limit_us
    assert all(result.machine_us <= 1.02 * limit_us for result in evening.results)


@pytest.mark.parametrize("order", POCKET_ORDERS)
@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_that_knows_a_place_is_mended_in_either_order(fault: str, order: str) -> None:
    evening = deal(f"{fault}@1", pocket_order=order, seed=3)
    assert evening.results[0].proven
    assert evening.true == [True]


def test_gates_are_configured_where_they_are() -> None:
    there, back = (settings(PROFILES["standard"], order) for order in POCKET_ORDERS)
    assert [there[Key[f"GATE_{seat}"]] for seat in "NESW"] == [
        back[Key[f"GATE_{seat}"]] for seat in "WSEN"
    ]
    assert there[Key.GATE_N] < there[Key.GATE_W]
