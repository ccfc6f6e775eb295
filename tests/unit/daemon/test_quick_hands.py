"""Boards that come and go faster than the daemon looks."""

from __future__ import annotations

import pytest

from controller.api.models import DaemonState
from controller.twin.world.deeds import SECONDS
from tests.unit.daemon.club import Club


@pytest.mark.parametrize("out_s", [0.01, 0.03])
def test_a_hand_that_is_quicker_than_the_daemon_s_look_is_seen(
    monkeypatch: pytest.MonkeyPatch, out_s: float
):
    """Else the machine asks for ever for a board that lies in it."""
    monkeypatch.setitem(SECONDS, "put_board", out_s)
    club = Club()

    def script():
        hands = club.world.hands
        yield from club.deal(1, 2)
        yield from club.bring(1)
        yield lambda: club.state.wants is not None and club.state.wants.board == 2
        yield from club.do(hands.lid(False))
        yield from club.do(hands.take_tray())
        yield from club.do(hands.load_pack(stop_card_behind=True))
        yield from club.do(hands.take_board())
        yield from club.do(hands.put_board(2))
        yield from club.do(hands.lid(True))
        yield from club.seconds(5)
        assert club.state.state is DaemonState.DEALING
        yield club.is_in(DaemonState.IDLE)

    club.run(script())
    assert [board.proven for board in club.state.job.results] == [True, True]
    assert club.holds(2)


def test_an_idle_daemon_piles_nothing_up():
    """It may stand for weeks, and somebody plays with the lid: free, or wanting a board."""
    club = Club()
    left = []

    def play():
        for _ in range(10):
            yield from club.do(club.world.hands.lid(False))
            yield from club.do(club.world.hands.lid(True))
        yield from club.seconds(1)
        left.append(len(club.daemon._link._events))

    def script():
        yield club.is_in(DaemonState.IDLE)
        yield from play()
        yield from club.deal(1)
        yield club.is_in(DaemonState.WANTS_BOARD)
        yield from play()

    club.run(script())
    assert club.daemon._link.statistics.events >= 38
    assert left == [0, 0]


def test_a_link_that_was_lost_between_two_looks_is_told_with_the_request():
    """Who carried a board meanwhile sees that it has to be carried again."""
    club = Club()
    asked = []

    def script():
        yield from club.deal(1)
        yield club.is_in(DaemonState.WANTS_BOARD)
        yield from club.seconds(1)
        asked.append(club.state.wants.asked)
        club.port.silent = True
        yield lambda: not club.state.machine.connected
        club.port.silent = False
        yield lambda: club.state.machine.connected
        yield from club.seconds(1)
        asked.append(club.state.wants.asked)

    club.run(script())
    assert asked[1] != asked[0]
