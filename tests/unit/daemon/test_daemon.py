"""The daemon deals: boards come when asked for, start by themselves, stop for people."""

from __future__ import annotations

import json

from controller.api.models import DaemonState
from tests.unit.daemon.club import Club


def test_a_board_starts_by_itself_when_it_was_seen_to_come():
    club = Club()

    def script():
        yield from club.deal(1, 2)
        yield from club.bring(1)
        yield club.is_in(DaemonState.DEALING)
        yield from club.bring(2)
        assert club.state.job.results[0].proven
        yield club.is_in(DaemonState.IDLE)
        assert club.holds(2)

    club.run(script())
    job = club.state.job
    assert (job.ended, job.reason, job.left) == (True, "All boards are dealt.", [])
    assert [(board.board, board.proven, board.cards) for board in job.results] == [
        (1, True, 52),
        (2, True, 52),
    ]
    assert job.results[0].pockets == dict.fromkeys("NESW", 13)
    assert 5_000_000 < job.results[0].machine_us < 6_000_000
    kinds = [event.kind for event in club.events.since("life-0")]
    assert kinds.count("job") == 1
    assert kinds.count("card") > 200
