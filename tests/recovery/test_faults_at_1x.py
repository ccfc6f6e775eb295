"""Every named fault once at 1x, in processes: proven in the end and true, or waiting for a person."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.twin.faults import KINDS
from tests.recovery.host import at_the_machine, demo_boards, hands_of

BOUNDED = {"link_noise_20"}
"""So much noise may end in a stop that stays; never in a wrong board."""


@pytest.mark.long
@pytest.mark.parametrize("fault", KINDS)
def test_a_fault_ends_proven_and_true(tmp_path: Path, fault: str):
    board = demo_boards(1)[0]
    options = ("--profile", "fast", "--haste", "10", "--fault", fault)
    with at_the_machine(tmp_path, *options, operator=True) as (_, host):
        (result,) = host.deal([board])
        stops = [stop.fault.value for stop in result.stops]
        if result.waiting and fault in BOUNDED:
            return
        assert result.proven, stops
        held = host.hands.contents()
        assert {seat: held[seat] for seat in "NESW"} == hands_of(board)
