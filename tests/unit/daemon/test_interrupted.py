"""Whatever breaks off a board, by death or by fault: the cards are named, a person decides, and no
board is dealt on or again by itself.
"""

from __future__ import annotations

from collections import Counter

import pytest

from controller.api.models import DaemonState, InterruptedView
from controller.errors import StoreError
from controller.protocol.messages import ResetCause
from controller.twin.world.layout import pocket_at
from tests.unit.daemon.club import Club, KilledError


def dead_after(club: Club, cards: int, *numbers: int) -> None:
    """Begins to deal and dies when so many cards have landed."""

    def script():
        yield from club.deal(*numbers or (1,))
        yield from club.bring(1)
        yield club.landed(cards)
        club.die()

    with pytest.raises(KilledError):
        club.run(script())


def true_in_the_world(club: Club, view: InterruptedView) -> bool:
    """Cards told as landed lie in that pocket, or stand at its sensor where the belt lost its current;
    those told in the hopper have not moved.
    """
    found = club.world.contents().as_json()
    track, order = club.world.track, club.world.plan.order
    at_sensor = Counter(
        order[passage.chute]
        for passage in track.cards
        if passage.chute is not None and track.lead(passage) >= pocket_at(passage.chute)
    )
    landed = Counter(card.pocket for card in view.cards if card.where == "landed")
    hopper = sum(card.where == "hopper" for card in view.cards)
    pockets = {seat: len(found[seat].replace(".", "")) for seat in "NESW"}
    return (
        all(pockets[seat] + at_sensor[seat] >= landed[seat] for seat in "NESW")
        and found["hopper"] >= hopper
        and len(view.cards) >= 52
    )


@pytest.mark.parametrize("cards", [1, 20, 45])
def test_after_a_death_every_card_is_named_and_a_person_decides(tmp_path, cards: int):
    first = Club(state_dir=tmp_path)
    dead_after(first, cards, 1, 2)
    club = first.again()

    def script():
        yield club.is_in(DaemonState.INTERRUPTED)
        view = club.state.interrupted[0]
        assert (view.board, view.copy_number, view.attempt, view.set_code) == (1, 1, 1, "TEST")
        assert sum(card.where == "landed" for card in view.cards) >= cards - 2
        yield from club.seconds(30)
        assert club.state.state is DaemonState.INTERRUPTED
        assert true_in_the_world(club, view)
        assert club.state.words.endswith(
            "collect its 52 cards and deal it again. When that is done, resume; or end the job."
        )
        assert club.state.job.left == [(1, 1), (2, 1)]
        yield from club.collect_all()
        club.resume("anna")
        yield club.is_in(DaemonState.WANTS_BOARD)
        yield from club.seconds(10)
        assert club.state.words == "Take the board out of its slot and put board 1 in."
        yield from club.bring(1, pack=False)
        yield from club.bring(2)
        yield club.is_in(DaemonState.IDLE)
        assert club.holds(2)

    club.run(script())
    assert [(b.board, b.proven) for b in club.state.job.results] == [(1, True), (2, True)]


def test_after_a_death_the_job_can_be_ended_instead(tmp_path):
    first = Club(state_dir=tmp_path)
    dead_after(first, 10)
    club = first.again()

    def script():
        yield club.is_in(DaemonState.INTERRUPTED)
        club.stop("bert", end=True)
        yield club.is_in(DaemonState.IDLE)

    club.run(script())
    assert club.state.job.reason == "bert has ended the job."
    third = club.again()
    third.run(iter([third.is_in(DaemonState.IDLE)]))
    assert third.state.job is None


def test_a_recovery_that_dies_too_starts_over(tmp_path):
    first = Club(state_dir=tmp_path)
    dead_after(first, 10)
    second = first.again()

    def dies():
        yield second.is_in(DaemonState.INTERRUPTED)
        second.die()

    with pytest.raises(KilledError):
        second.run(dies())
    third = second.again()

    def script():
        yield third.is_in(DaemonState.INTERRUPTED)
        assert [view.board for view in third.state.interrupted] == [1]

    third.run(script())


def test_a_job_that_waited_for_a_board_is_not_taken_up_by_itself(tmp_path):
    first = Club(state_dir=tmp_path)

    def script():
        yield from first.deal(1, 2)
        yield from first.bring(1)
        yield lambda: first.state.wants is not None and first.state.wants.board == 2
        first.die()

    with pytest.raises(KilledError):
        first.run(script())
    club = first.again()

    def later():
        yield club.is_in(DaemonState.INTERRUPTED)
        assert club.state.interrupted == []
        assert club.state.words == (
            "A job was under way when the program ended; 1 boards are left. "
            "When that is done, resume; or end the job."
        )
        yield from club.change_board(2)
        yield from club.seconds(10)
        assert club.state.state is DaemonState.INTERRUPTED
        club.resume("anna")
        yield club.is_in(DaemonState.IDLE)
        assert club.holds(2)

    club.run(later())
    assert [(b.board, b.proven) for b in club.state.job.results] == [(2, True)]


def test_a_proper_end_in_the_middle_of_a_board_leaves_the_job_for_later(tmp_path):
    first = Club(state_dir=tmp_path)

    def script():
        yield from first.deal(1)
        yield from first.bring(1)
        yield first.landed(10)

    first.run(script())
    assert first.world.contents().as_json()["hopper"] > 20
    club = first.again()

    def later():
        yield club.is_in(DaemonState.INTERRUPTED)
        assert (club.state.interrupted, club.state.job.left) == ([], [(1, 1)])

    club.run(later())


def test_a_disk_that_fails_stops_the_board_and_says_why(tmp_path, monkeypatch):
    club = Club(state_dir=tmp_path)

    def full(*_arguments: object, **_names: object) -> None:
        raise StoreError("store.full", path="disk")

    def script():
        yield from club.deal(1)
        yield from club.bring(1)
        yield club.landed(10)
        with monkeypatch.context() as patch:
            patch.setattr(club.store.journal, "intent", full)
            yield club.is_in(DaemonState.INTERRUPTED)
        assert club.state.words.startswith("The disk of disk is full, ")
        assert [view.board for view in club.state.interrupted] == [1]
        yield from club.seconds(3)
        assert true_in_the_world(club, club.state.interrupted[0])
        assert club.state.machine.state == "STOPPED"

    club.run(script())


def test_an_mcu_that_restarts_takes_the_proof_with_it():
    club = Club()

    def script():
        yield from club.deal(1)
        yield from club.bring(1)
        yield club.landed(20)
        club.world.reset_mcu(ResetCause.BROWN_OUT)
        yield club.is_in(DaemonState.WAITS)
        assert club.state.stop.fault == "mcu_restarted"
        yield from club.seconds(5)
        assert (club.state.state, club.state.machine.connected) == (DaemonState.WAITS, True)
        yield from club.collect_all()
        club.resume("anna")
        yield club.is_in(DaemonState.IDLE)
        assert club.holds(1)

    club.run(script())


def test_an_mcu_that_restarts_between_boards_has_the_board_asked_for_again():
    club = Club()

    def script():
        yield from club.deal(1)
        yield club.is_in(DaemonState.WANTS_BOARD)
        yield from club.change_board(1, pack=False)
        yield lambda: "hopper is empty" in club.state.words
        club.world.reset_mcu(ResetCause.BROWN_OUT)
        yield from club.seconds(3)
        assert club.state.words == "Take the board out of its slot and put board 1 in."

    club.run(script())


def test_while_the_cable_is_out_nothing_can_be_resumed():
    club = Club("link_cut@1.20")

    def script():
        yield from club.deal(1)
        yield from club.bring(1)
        yield club.is_in(DaemonState.WAITS)
        assert club.state.stop.fault == "link_lost"
        yield from club.seconds(3)
        answer = club.resume("anna")
        yield answer.done
        assert str(answer.exception()).startswith("The machine cannot be reached (")
        yield from club.do(club.world.hands.plug_cable())
        yield lambda: club.state.machine.connected
        yield from club.collect_all()
        club.resume("anna")
        yield club.is_in(DaemonState.IDLE)
        assert club.holds(1)

    club.run(script())


def test_a_link_that_was_silent_between_boards_has_the_board_asked_for_again():
    club = Club()

    def script():
        yield from club.deal(1)
        yield club.is_in(DaemonState.WANTS_BOARD)
        yield from club.change_board(1, pack=False)
        yield lambda: "hopper is empty" in club.state.words
        club.port.silent = True
        yield lambda: not club.state.machine.connected
        club.port.silent = False
        yield lambda: club.state.machine.connected
        assert club.state.words == "Take the board out of its slot and put board 1 in."

    club.run(script())


def test_a_link_that_was_silent_while_cards_were_fed_again_takes_the_proof():
    """It came back by itself, with the same MCU: still nobody watched the board meanwhile."""
    club = Club("image_lost@1.20")

    def script():
        yield from club.deal(1)
        yield from club.bring(1)
        yield club.is_in(DaemonState.WAITS)
        assert club.state.stop.then == "refeed"
        club.port.silent = True
        yield lambda: not club.state.machine.connected
        club.port.silent = False
        yield from club.seconds(3)
        club.resume("anna")
        yield lambda: club.state.stop is not None and club.state.stop.fault == "link_lost"

    club.run(script())
