"""Somebody saw the face of a card: the logbook has it, and so has whoever looks at the board."""

from __future__ import annotations

from controller.api.models import DaemonState, FaceView, ResumeRequest
from controller.client.client import Told
from controller.client.follow import Follower
from controller.jobs.people import FaceSeen
from tests.unit.daemon.club import Club


def test_who_saw_a_face_is_told_with_the_board():
    club = Club("image_lost@1.20")

    def script():
        yield from club.deal(1)
        yield from club.bring(1)
        yield club.is_in(DaemonState.WAITS)
        hands = club.world.hands
        tray = hands.take_tray()
        yield from club.do(tray)
        cards = [card for card in tray.result if not hands.sees_stop_card(card)]
        yield from club.do(hands.put_in_front(cards, stop_card=True))
        club.ask(ResumeRequest(by="anna", face_seen_by="the caddy", seen_by_player=False))
        yield club.is_in(DaemonState.IDLE)

    club.run(script())
    (board,) = club.state.job.results
    assert board.proven
    assert board.faces_seen == [FaceView(who="the caddy", plays=False)]

    afar = Follower(club.state.job.id)
    afar.follow([Told("1", "state", club.state.model_dump_json())], lambda state: False)
    assert afar.results[0].faces == [FaceSeen("the caddy", plays=False)]
