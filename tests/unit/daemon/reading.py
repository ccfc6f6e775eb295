"""A club whose boards come back from the tables, and people who do what the screen says."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

from controller.api.models import DaemonState, TaskView
from controller.api.tasks import TaskRequest, permitted, read_task
from controller.engine.stops import Step
from controller.twin.played import PlayedBoards, parse
from tests.unit.daemon.club import SIXTEEN, Club, Condition, Script, boards


def request(kind: str, **more: Any) -> TaskRequest:
    if kind in ("check", "restore", "adopt"):
        more = {"name": "sixteen.dup", "file": base64.b64encode(SIXTEEN.read_bytes()), **more}
    return TaskRequest.model_validate({"owner": "anna", "kind": kind, **more})


class Room(Club):
    """A club whose boards come back from the tables."""

    def __init__(self, *faults: str, played: tuple[str, ...] = (), **more: Any) -> None:
        super().__init__(*faults, **more)
        happened = [parse(one) for one in played]
        self.dealt = PlayedBoards(self.world.shop, boards(), happened, 1)

    def begin(self, kind: str, **more: Any) -> Iterator[Condition]:
        yield self.is_in(DaemonState.IDLE)
        wanted = permitted(read_task(request(kind, **more)), self.store)
        answer = self.ask(wanted)
        yield answer.done
        answer.result()

    @property
    def task(self) -> TaskView:
        assert self.state.job is not None and self.state.job.task is not None
        return self.state.job.task

    def over(self) -> bool:
        return self.state.job is not None and self.state.job.ended

    def serve(self, until: Condition | None = None) -> Script:
        """People do what the screen says, step by step, and press start, until the job is over."""
        until = until or self.over
        while True:
            yield lambda: until() or self.state.stop is not None
            if until():
                return
            stop = self.state.stop
            assert stop is not None
            for step in stop.steps:
                yield from self._step(Step(step), stop.pocket or "")
            assert self.state.job is not None
            answer = self.resume(self.state.job.owner)
            yield answer.done
            answer.result()
            yield lambda: until() or self.state.state is not DaemonState.WAITS

    def _step(self, step: Step, pocket: str) -> Script:
        hands = self.world.hands
        match step:
            case Step.BRING_DEALT:
                yield from self.change_board(0, pack=False, put=self.dealt.board(self.board()))
            case Step.BRING_EMPTY:
                yield from self.change_board(1, pack=False)
            case Step.FEED_PACK:
                yield from self.do(hands.load_pack(stop_card_behind=True))
            case Step.FEED_HAND | Step.COLLECT_HAND:
                yield from self._feed(pocket)
            case Step.FEED_PILES:
                yield from self._feed(*"NESW", stop_card=True)
            case Step.FREE_JAM:
                yield from self.do(hands.free_feeder())
            case Step.TURN_HAND:
                return
            case _:
                raise AssertionError(step)

    def board(self) -> int:
        return self.task.board or 1

    def change_board(self, number: int, *, pack: bool = True, put: Any = None) -> Script:
        if put is None:
            yield from super().change_board(number, pack=pack)
            return
        hands = self.world.hands
        yield from self.do(hands.lid(False))
        if hands.sees_board() is not None:
            yield from self.do(hands.take_board())
        if hands.sees_cards_in_tray():
            yield from self.do(hands.take_tray())
        yield from self.do(hands.put_back(put))
        yield from self.do(hands.lid(True))

    def _feed(self, *pockets: str, stop_card: bool = False) -> Script:
        hands = self.world.hands
        held: list[Any] = []
        yield from self.do(hands.lid(False))
        for pocket in pockets:
            if hands.sees_cards_at(pocket):
                deed = hands.empty_pocket(pocket)
                yield from self.do(deed)
                held += deed.result
        if hands.sees_cards_on_belt():
            belt = hands.clear_belt()
            yield from self.do(belt)
            held += belt.result
        if hands.sees_cards_in_tray():
            tray = hands.take_tray()
            yield from self.do(tray)
            held += [card for card in tray.result if not hands.sees_stop_card(card)]
        yield from self.do(hands.lid(True))
        yield from self.do(hands.put_in_front(held, stop_card=stop_card))
