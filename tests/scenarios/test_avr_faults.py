"""The program that is flashed, in a simulated ATmega2560: every fault ends as in the host build."""

from __future__ import annotations

import pytest
from alike import alike
from room import deal, seeds

from controller.twin.faults import KINDS

TOO_NOISY = "link_noise_20"
NOISE = ("link_noise", "link_noise_5", TOO_NOISY, "link_lossy", "link_truncated", "link_spliced")
NOISE += ("link_reordered", "link_doubled")
"""Which frames are hit depends on how bytes fall into frames in time: cards fare differently."""

# The rows that the firmware has a part in, those of the camera and of the cards' faces left out.
ROWS = {"F1", "F1b", "F2", "F3", "F4", "F4c", "F9", "F10", "F11", "F12", "F13", "F14", "F15", "F24"}
QUICK = [name for name, kind in KINDS.items() if kind.row in ROWS and name not in NOISE]
REST = [name for name in KINDS if name not in QUICK and name not in NOISE]


@pytest.mark.parametrize("fault", QUICK)
def test_faults_of_the_machine_end_alike(fault: str) -> None:
    assert alike(fault, numbers=(1,)).results[0].proven


@pytest.mark.parametrize("fault", [name for name in NOISE if name != TOO_NOISY])
def test_noise_loses_no_board(fault: str) -> None:
    assert deal(fault, numbers=(1,), firmware="avr").true == [True]


@pytest.mark.long
@pytest.mark.parametrize("fault", REST)
def test_all_other_faults_end_alike(fault: str) -> None:
    assert alike(fault, numbers=(1, 2)).results[0].proven


@pytest.mark.long
@pytest.mark.parametrize("seed", seeds(20, of=13))
def test_at_any_noise_proven_means_true(seed: int) -> None:
    assert deal(TOO_NOISY, numbers=(1,), seed=seed, firmware="avr").proven_means_true()


@pytest.mark.long
@pytest.mark.parametrize("card", range(1, 53))
@pytest.mark.parametrize("fault", ["mcu_reset", "estop", "link_cut"])
def test_at_every_card_it_ends_alike(fault: str, card: int) -> None:
    assert alike(f"{fault}@1.{card}", numbers=(1,)).results[0].proven
