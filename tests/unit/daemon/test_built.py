"""What the configuration says of how the machine was built, against how it is."""

from __future__ import annotations

from controller.api.models import DaemonState
from controller.daemon.parts import Built
from controller.geometry import POCKET_ORDER, POCKET_ORDERS, PROFILES
from tests.unit.daemon.club import Club

REVERSED = POCKET_ORDERS[1]


def test_a_machine_built_the_other_way_round_is_driven_so():
    club = Club(pocket_order=REVERSED)

    def script():
        yield from club.deal(1)
        yield from club.bring(1)
        yield club.is_in(DaemonState.IDLE)

    club.run(script())
    assert club.state.job.results[0].proven
    assert club.holds(1)
    assert (club.state.machine.pocket_order, club.state.machine.id) == ("WSEN", "club")


def test_a_configuration_that_says_otherwise_than_the_machine_proves_nothing():
    club = Club(pocket_order=REVERSED, built=Built(PROFILES["standard"], "identity", POCKET_ORDER))

    def script():
        yield from club.deal(1)
        yield from club.bring(1)
        yield club.is_in(DaemonState.WAITS)

    club.run(script())
    result = club.state.job.results[0]
    assert not result.proven
    # The first card stops it: its gate turned where and when no card was.
    assert [(stop.fault, stop.feed) for stop in result.stops] == [("jam", 1)]


def test_a_board_of_another_box_is_not_dealt():
    club = Club(box="A")
    hands = club.world.hands

    def put(box: str):
        yield from club.do(hands.lid(False))
        if hands.sees_board() is not None:
            yield from club.do(hands.take_board())
        yield from club.do(hands.put_board(1, box))
        yield from club.do(hands.lid(True))

    def script():
        yield from club.deal(1)
        yield from club.do(hands.load_pack(stop_card_behind=True))
        yield from put("B")
        yield from club.seconds(5)
        assert club.state.state is DaemonState.WANTS_BOARD
        assert "The board in the slot is of another box." in club.state.words
        yield from put("")  # a board that names no box may be of any
        yield club.is_in(DaemonState.DEALING)
        yield club.is_in(DaemonState.IDLE)

    club.run(script())
    assert club.state.job.results[0].proven
