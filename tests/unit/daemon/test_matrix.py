"""Host and MCU restart in each order at each card (row F22): always the same safe state, every card is
named as it is, and the board is dealt again only because a person says so.

All 52 cards with all four orders in the long run, a sample of each order in the quick one. The same
with real processes and signals: tests/recovery/test_daemon_dies.py.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.api.models import DaemonState, InterruptedView, StateView
from controller.daemon.watch import MOVING
from controller.protocol.messages import ResetCause, State
from tests.unit.daemon.club import Club, KilledError
from tests.unit.daemon.test_interrupted import true_in_the_world

ORDERS = ("host", "mcu", "host, mcu", "mcu, host")
SAMPLE = {"host": 52, "mcu": 1, "host, mcu": 17, "mcu, host": 33}
DEAD_MAN_US = 1_500_000


def matrix(cards: range) -> list[object]:
    """Pairs of a card and an order; those outside the sample are long."""
    return [
        pytest.param(
            card,
            order,
            marks=[] if SAMPLE[order] == card else pytest.mark.long,
            id=f"{order} {card}",
        )
        for order in ORDERS
        for card in cards
    ]


def reset(club: Club) -> None:
    club.world.reset_mcu(ResetCause.BROWN_OUT)


def let_time_pass(club: Club, us: int) -> None:
    until_us = club.world.now_us + us
    while club.world.now_us < until_us:
        club.world.run(until_us)


def killed(first: Club, cards: int, order: str) -> Club:
    """Deals until a card has landed; then the daemon dies and the MCU restarts, in that *order*."""

    def script():
        yield from first.deal(1, 2)
        yield from first.bring(1)
        yield first.landed(cards)
        if order == "mcu, host":
            reset(first)
            let_time_pass(first, 20_000)
        first.die()

    with pytest.raises(KilledError):
        first.run(script())
    if order == "host, mcu":
        let_time_pass(first, 20_000)
        reset(first)
    let_time_pass(first, DEAD_MAN_US)
    return first.again()


def nothing_moves(club: Club):
    """For a script: the machine stands, its motors are off, and nobody goes on by himself."""
    before = club.world.contents()
    state = club.state.state
    yield from club.seconds(5)
    assert club.world.contents() == before
    assert club.state.state is state
    assert State[club.state.machine.state] not in MOVING


def deal_again(club: Club):
    """For a script: a person collects the pack and brings the board anew."""
    yield from club.collect_all()
    club.resume("anna")
    yield from club.bring(1, pack=False)
    yield lambda: any(result.proven for result in club.state.job.results)
    assert club.holds(1)


def assert_named(club: Club, state: StateView) -> InterruptedView:
    assert state.job.left == [(1, 1), (2, 1)]
    view = state.interrupted[0]
    assert (view.board, view.copy_number, len(view.cards) >= 52) == (1, 1, True)
    assert true_in_the_world(club, view)
    return view


@pytest.mark.parametrize(("cards", "order"), matrix(range(1, 53)))
def test_whoever_restarts_at_whichever_card(tmp_path: Path, cards: int, order: str):
    first = Club(state_dir=tmp_path)
    if order == "mcu":
        first.run(mcu_alone(first, cards))
        return
    club = killed(first, cards, order)

    def script():
        yield club.is_in(DaemonState.INTERRUPTED)
        view = assert_named(club, club.state)
        landed = sum(card.where == "landed" for card in view.cards)
        # What landed after the last word of the daemon is not known to have landed.
        assert cards - 3 <= landed <= 52
        yield lambda: club.state.machine.connected
        yield from nothing_moves(club)
        yield from deal_again(club)

    club.run(script())


def mcu_alone(club: Club, cards: int):
    yield from club.deal(1, 2)
    yield from club.bring(1)
    yield club.landed(cards)
    reset(club)
    # At the last card the board may have been proven before the host could notice.
    yield (
        lambda: (
            club.state.state is DaemonState.WAITS
            or any(result.proven for result in club.state.job.results)
        )
    )
    if club.state.state is DaemonState.WAITS:
        assert club.state.stop.fault == "mcu_restarted"
        yield from club.seconds(2)
        yield from nothing_moves(club)
        yield from club.collect_all()
        club.resume("anna")
        yield lambda: any(result.proven for result in club.state.job.results)
    assert club.holds(1)


@pytest.mark.parametrize(
    "waits",
    [
        pytest.param(count, marks=[] if count in (40, 333, 1_100) else pytest.mark.long)
        for count in [*range(4, 400, 12), *range(400, 1_600, 40), 333, 1_100]
    ],
)
def test_a_death_at_any_wait_of_the_loop(tmp_path: Path, waits: int):
    """Also between the intent of a card and its route, while homing, between a board and the next."""
    first = Club(state_dir=tmp_path)
    counted = 0

    def script():
        nonlocal counted
        yield from first.deal(1, 2)
        yield from first.bring(1)

        def die() -> bool:
            nonlocal counted
            counted += 1
            if counted >= waits:
                first.die()
            return any(result.proven for result in first.state.job.results)

        yield die
        first.die()

    with pytest.raises(KilledError):
        first.run(script())
    let_time_pass(first, DEAD_MAN_US)
    club = first.again()

    def after():
        yield club.is_in(DaemonState.INTERRUPTED)
        yield lambda: club.state.machine.connected
        if club.state.interrupted:
            assert_named(club, club.state)
            yield from nothing_moves(club)
            yield from deal_again(club)
        else:  # before its first card, or after its proof: what is left of the job is told
            assert club.state.job.left in ([(1, 1), (2, 1)], [(2, 1)])
            if club.state.job.left == [(2, 1)]:
                assert club.holds(1)
            yield from nothing_moves(club)

    club.run(after())
