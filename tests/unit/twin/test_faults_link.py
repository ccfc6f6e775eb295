"""Faults of cable and MCU do what their sentences say, with the real firmware."""

from __future__ import annotations

import contextlib

import pytest

from controller.protocol.messages import (
    ResetCause,
    State,
    StopReason,
)
from tests.unit.twin.dealt import dealt, prepared
from tests.unit.twin.rig import LinkLostError


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
