"""Faults of cable, MCU, gates and sensors that the firmware meets do what their sentences say."""

from __future__ import annotations

import pytest

from controller.protocol.messages import (
    Ack,
    Clear,
    Landed,
    ResetCause,
    Seen,
    State,
    Stopped,
    StopReason,
)
from tests.unit.twin.dealt import dealt, prepared
from tests.unit.twin.rig import Rig


def stopped(rig: Rig) -> StopReason:
    """Why it stopped."""
    assert rig.host.stopped is not None
    return StopReason(rig.host.stopped.reason)


@pytest.mark.parametrize("name", ["link_lossy", "link_truncated", "link_spliced", "link_reordered"])
def test_what_a_bad_cable_does_is_made_good_by_trying_again(name: str) -> None:
    rig = dealt(name)
    assert rig.host.stopped is None
    assert len(rig.host.of(Landed)) == 52
    assert rig.pockets() == rig.expected()
    if name != "link_reordered":
        assert rig.host.retries > 0


@pytest.mark.parametrize(
    ("name", "cause"),
    [("mcu_hang@1.20", ResetCause.WATCHDOG), ("mcu_garbage@1.20", ResetCause.BROWN_OUT)],
)
def test_a_restart_tells_its_cause_and_leaves_all_off(name: str, cause: ResetCause) -> None:
    rig = prepared(name)
    rig.host.connect()
    rig.host.home()
    rig.host.start()
    rig.host.deal(rig.pocket_of, seconds=2.5)
    assert rig.world._firmware.outputs == 0
    rig.host.connect(config=False)
    assert rig.host.identity is not None
    assert ResetCause(rig.host.identity.reset_cause) is cause
    assert rig.host.identity.boot == 2
    assert State(rig.host.identity.state) is State.UNKNOWN


def test_card_slips_comes_nine_millimetres_late_and_lands_all_the_same() -> None:
    rig = dealt("card_slips@1.20")
    seen = {event.card: event.tick for event in rig.host.of(Seen)}
    late_us = seen[20] - seen[19] - (seen[19] - seen[18])
    assert 5_000 < late_us < 15_000
    assert len(rig.host.of(Landed)) == 52


def test_gate_coil_on_sends_a_card_into_the_wrong_pocket() -> None:
    assert stopped(dealt("gate_coil_on@1.10")) in (StopReason.WRONG_POCKET, StopReason.JAM_POCKET)


def test_gate_weak_has_one_gate_shut_three_times_as_slowly() -> None:
    rig = dealt("gate_weak@1.10")
    slow = [gate for gate in rig.world.track.gates if gate.close_us == 3 * gate.travel_us]
    assert len(slow) == 1
    assert rig.pockets() == rig.expected() or rig.host.stopped is not None


def test_sensor_bounce_is_no_glitch_that_counts() -> None:
    rig = dealt("sensor_bounce@1.10")
    assert rig.host.stopped is None
    assert len(rig.host.of(Landed)) == 52


def test_sensor_dead_is_a_card_that_never_arrives() -> None:
    assert stopped(dealt("sensor_dead@1.10")) is StopReason.JAM_POCKET


def test_estop_again_comes_back_while_the_machine_homes() -> None:
    rig = dealt("estop_again@1.20")
    assert stopped(rig) is StopReason.ESTOP
    rig.wait(rig.hands.release_estop())
    rig.wait(rig.hands.clear_belt())
    assert isinstance(rig.host.ask(Clear(StopReason.ESTOP)), Ack)
    assert rig.host.home().reason == StopReason.ESTOP
    assert rig.world._firmware.outputs == 0
    assert len([event for event in rig.host.of(Stopped) if event.reason == StopReason.ESTOP]) == 2
