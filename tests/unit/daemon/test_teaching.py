"""A pack that passes the daemon's machine to be taught: its pictures are fetched once, each of its place."""

from __future__ import annotations

from typing import Any

from controller.api.errors import ApiError
from controller.api.models import SightRequest
from deals.cards import CARDS
from tests.scenarios.paint import Painted, card_in
from tests.unit.daemon.reading import Room


def test_pictures_of_a_sorted_pack_are_fetched_place_by_place():
    club = Room(pictures=Painted())
    found: list[Any] = []
    hands = club.world.hands

    def fetched(number: int):
        answer = club.ask(SightRequest(number=number))
        yield answer.done
        try:
            found.append(answer.result())
        except ApiError as error:
            found.append(error.code)

    def script():
        yield from fetched(0)
        yield from club.begin("deck teach")
        yield from club.serve(
            lambda: club.state.stop is not None and "sorted_pack" in club.state.stop.steps
        )
        yield from club.change_board(1, pack=False)
        yield from club.do(hands.load_pack(stop_card_behind=True, order=CARDS))
        answer = club.resume("anna")
        yield answer.done
        yield club.over
        for number in (5, 0, club.task.figures["pictures"] - 1, 0):
            yield from fetched(number)

    club.run(script())
    assert club.task.right
    assert club.task.figures["cards"] == 53
    early, third, first, last, late = found
    assert (early, late) == ("daemon.no_lesson", "daemon.no_lesson")
    assert (first.place, first.look, card_in(first.image)) == (1, 1, 0)
    assert (third.place, third.look, card_in(third.image)) == (3, 2, 2)
    assert (last.place, card_in(last.image)) == (53, 62)
    assert club.daemon._control.lesson == ()
