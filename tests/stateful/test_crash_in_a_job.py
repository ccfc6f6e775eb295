"""The worst story of other machines: the program dies while it deals, and two boards are twins afterwards,
or each holds the hands of the one before.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.api.models import DaemonState
from deals.cards import Seat
from tests.stateful.daemon_evening import DaemonEvening
from tests.stateful.door import open_door
from tests.stateful.told import boards_of

BOARDS = 3
ROUNDS = 60


def play_until(evening: DaemonEvening, proven: int) -> None:
    """People do what the screen says until so many boards are proven."""
    for _ in range(ROUNDS):
        if len(evening.dealt) >= proven:
            return
        if evening.state().state is not DaemonState.DEALING:
            evening.people("well")
        evening.advance(1_000_000)
    raise AssertionError(evening.state().words)


@pytest.mark.parametrize("died_us", [600_000, 2_500_000, 5_200_000])
def test_every_board_holds_its_own_deal_after_a_crash(tmp_path: Path, died_us: int) -> None:
    """Killed as board 2 begins, in its middle, and with its last cards on the belt."""
    boards = boards_of(7, BOARDS)
    with open_door() as door:
        evening = DaemonEvening(door, 7, boards, state_dir=tmp_path)
        try:
            evening.advance(1_000_000)
            evening.deal("anna", [1, 2, 3], None, "board")
            play_until(evening, 1)
            while evening.state().state is not DaemonState.DEALING:
                evening.people("well")
                evening.advance(100_000)
            evening.advance(died_us)
            evening.die(2_000_000)
            assert evening.state().state is not DaemonState.DEALING
            play_until(evening, BOARDS)
            assert evening.told.wrong == []
            world = evening.world
            lies = [*world.finished, world.slot.board]
        finally:
            evening.close()
    for board in boards:
        last = [one for one in lies if one is not None and one.number == board.number][-1]
        for seat in Seat:
            held = sorted(card.name for card in last.pockets[seat.name])
            assert held == sorted(map(str, board.deal.hand(seat)))
