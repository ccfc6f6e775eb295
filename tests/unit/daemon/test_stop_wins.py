"""STOP comes from anyone at any time; whoever has not seen it cannot undo it."""

from __future__ import annotations

from controller.api.models import DaemonState, ResumeRequest
from tests.unit.daemon.club import Club


def test_who_has_not_seen_a_stop_cannot_undo_it():
    club = Club()
    asked = []

    def script():
        yield from club.deal(1)
        yield club.is_in(DaemonState.WANTS_BOARD)
        club.stop("bert")
        yield club.is_in(DaemonState.PAUSED)
        seen = club.state.stops_asked
        club.stop("bert")
        asked.append(club.ask(ResumeRequest(by="anna", stops_seen=seen)))
        yield asked[0].done
        yield from club.seconds(2)
        assert club.state.state is DaemonState.PAUSED
        asked.append(club.ask(ResumeRequest(by="anna", stops_seen=club.state.stops_asked)))
        yield club.is_in(DaemonState.WANTS_BOARD)

    club.run(script())
    told = "bert has stopped the machine since. Look at the screen again, then resume."
    assert str(asked[0].exception()) == told
    assert asked[1].exception() is None


def test_nobody_goes_on_before_cards_can_be_read():
    club = Club()
    asked = []

    def script():
        yield from club.deal(1)
        yield from club.bring(1)
        yield club.landed(10)
        club.eye_problem = "The reader starts."
        club.stop("anna")
        yield club.is_in(DaemonState.WAITS)
        yield from club.collect_all()
        yield from club.seconds(1)
        asked.append(club.resume())
        yield asked[0].done
        assert club.state.state is DaemonState.WAITS
        club.eye_problem = ""
        yield from club.seconds(1)
        club.resume()
        yield club.is_in(DaemonState.IDLE)
        assert club.holds(1)

    club.run(script())
    told = "No card can be read yet: The reader starts. Resume when that is over."
    assert str(asked[0].exception()) == told
