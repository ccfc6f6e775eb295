"""Two clients and the people at the machine do whatever they like, at the same time or not: one owns
the machine, STOP wins, the loser is told state and owner, and what is proven is true.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from concurrent.futures import Future
from typing import Any

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from controller.api.errors import ApiError
from controller.api.files import MayDeal, read_request
from controller.api.models import DaemonState, DealRequest, ResumeRequest, StateView, StopRequest
from deals import setcode
from deals.errors import PredealError
from tests.unit.daemon.club import SIXTEEN, Club, Condition, wanted

CLIENTS = ("anna", "bert")
WAITING = (DaemonState.WAITS, DaemonState.PAUSED, DaemonState.INTERRUPTED)
STOPS_WITHIN_US = 300_000
"""STOP on the wire, the belt's ramp; a card that the feeder has just let go is no more in the hopper."""
ACTS = ("deal", "stop", "resume", "upload", "bring", "mend", "wait", "both")
LIKELY = {
    DaemonState.IDLE: ("deal", "deal", "both"),
    DaemonState.WANTS_BOARD: ("bring", "bring", "bring"),
    DaemonState.WAITS: ("mend", "resume", "both"),
    DaemonState.INTERRUPTED: ("mend", "resume"),
    DaemonState.PAUSED: ("resume", "both"),
    DaemonState.DEALING: ("wait", "wait", "wait", "stop"),
}
"""Twice each beside everything else, so that evenings get somewhere."""
FILES = (SIXTEEN.read_bytes(), b"", b"\0" * 100, b'[Deal "N:AKQ"]', "Ä♠".encode() * 50)


class Play:
    """One evening: a script for the club that asks Hypothesis what happens next."""

    def __init__(self, data: st.DataObject) -> None:
        self.club = Club()
        self.data = data
        self.seen: StateView | None = None
        self.owner: str | None = None
        self.proven: list[tuple[int, int]] = []
        self.stopped: tuple[int, int] | None = None
        """When STOP was asked for last, and what lay in the hopper when the machine had to stand."""

    def script(self) -> Iterator[Condition]:
        club = self.club
        yield club.is_in(DaemonState.IDLE)
        for _ in range(self.data.draw(st.integers(4, 14), "steps")):
            likely = LIKELY.get(self.club.state.state, ())
            act = self.data.draw(st.sampled_from((*likely, *likely, *ACTS)), "act")
            note(f"{act} in {club.state.state}")
            yield from getattr(self, act)()
            yield from self.let(self.data.draw(st.sampled_from((0.01, 0.2, 1.5, 7)), "seconds"))
        yield from self.end()

    # -- what clients do -------------------------------------------------------------------

    def deal(self) -> Iterator[Condition]:
        who = self.who()
        numbers = self.data.draw(st.sampled_from(((1,), (2,), (1, 2))), "boards")
        yield from self.begin(who, self.club.ask(wanted(*numbers, owner=who, copies=1)))

    def begin(self, who: str, asked: Future[Any]) -> Iterator[Condition]:
        free, owner = self.club.state.state is DaemonState.IDLE, self.owner
        yield asked.done
        error = asked.exception()
        if error is None:
            assert free
            assert owner is None
            self.owner = who
        else:
            assert_told(error)
            assert not free
            assert owner is None or f"works for {owner}:" in str(error)

    def stop(self) -> Iterator[Condition]:
        yield from self.hear_stop(self.who(), end=self.data.draw(st.booleans(), "end"))

    def hear_stop(self, who: str, *, end: bool) -> Iterator[Condition]:
        asked = self.club.ask(StopRequest(by=who, end=end))
        yield asked.done
        asked.result()  # nobody is ever refused
        yield from self.club.seconds(STOPS_WITHIN_US / 1e6)
        self.stopped = (self.club.world.now_us, len(self.club.world.hopper.cards))
        if end:
            yield (
                lambda: (
                    self.club.state.state in (DaemonState.IDLE, DaemonState.INTERRUPTED)
                    or (self.club.state.job is None or self.club.state.job.ended)
                )
            )

    def resume(self) -> Iterator[Condition]:
        who, take_over = self.who(), self.data.draw(st.booleans(), "take over")
        waits, owner = self.club.state.state in WAITING, self.owner
        asked = self.club.ask(ResumeRequest(by=who, take_over=take_over))
        yield asked.done
        error = asked.exception()
        if error is not None:
            assert_told(error)
            return
        assert waits
        assert take_over or owner in (None, who)
        if owner is not None:
            self.owner = who
        self.stopped = None

    def upload(self) -> Iterator[Condition]:
        """As `POST /v1/jobs` does it, with whatever file."""
        who, source = self.who(), self.data.draw(st.sampled_from(FILES), "file")
        request = DealRequest.model_validate({"owner": who, "name": "x", "file": b64encode(source)})
        free = self.club.state.state is DaemonState.IDLE
        may = self.club.ask(MayDeal())
        yield may.done
        if may.exception() is not None:
            assert_told(may.exception())
            assert not free
            return
        try:
            found = read_request(request)
        except PredealError as error:  # 422 with words; a failed disk alone is 503
            assert not isinstance(error, OSError)
            assert source != FILES[0]
            return
        yield from self.begin(who, self.club.ask(found))

    def both(self) -> Iterator[Condition]:
        """A client stops at the very moment at which another begins or goes on."""
        who, other = self.data.draw(st.permutations(CLIENTS), "who and other")
        begins = self.data.draw(st.booleans(), "begins")
        before = self.club.state
        asks = [
            wanted(1, owner=who, copies=1)
            if begins
            else ResumeRequest(by=who, take_over=True, stops_seen=before.stops_asked),
            StopRequest(by=other, end=False),
        ]
        stop_first = not begins and self.data.draw(st.booleans(), "stop first")
        answers = [self.club.ask(ask) for ask in (reversed(asks) if stop_first else asks)]
        one, stop = reversed(answers) if stop_first else answers
        yield lambda: one.done() and stop.done()
        stop.result()
        if one.exception() is not None:
            assert_told(one.exception())
        elif begins:
            assert before.state is DaemonState.IDLE
            self.owner = who
        elif self.owner is not None:
            self.owner = who
        yield from self.club.seconds(STOPS_WITHIN_US / 1e6)
        self.stopped = (self.club.world.now_us, len(self.club.world.hopper.cards))

    # -- what people do at the machine ----------------------------------------------------

    def bring(self) -> Iterator[Condition]:
        wants = self.club.state.wants
        if wants is not None:
            self.watch()
            self.stopped = None  # from here on people move cards, and the board may start
            if self.club.world.hands.sees_board() is not None:
                yield from self.club.collect_all()  # a pack that was stopped in its middle
                deed = self.club.world.hands.take_pack()
                yield lambda: deed.done
            yield from self.club.change_board(wants.board)

    def mend(self) -> Iterator[Condition]:
        if self.club.state.state in (DaemonState.WAITS, DaemonState.INTERRUPTED):
            self.watch()
            self.stopped = None
            yield from self.club.collect_all()

    def wait(self) -> Iterator[Condition]:
        yield from self.club.seconds(3)

    # -- what must be so -------------------------------------------------------------------

    def let(self, seconds: float) -> Iterator[Condition]:
        until_us = self.club.world.now_us + round(seconds * 1e6)

        def over() -> bool:
            self.watch()
            return self.club.world.now_us >= until_us

        yield over

    def watch(self) -> None:
        state = self.club.state
        if state is self.seen and self.stopped is None:
            return
        self.seen = state
        job = state.job
        if job is not None and not job.ended:
            assert job.owner == self.owner
            for result in job.results:
                key = (result.board, result.copy_number)
                if result.proven and key not in self.proven:
                    self.proven.append(key)
                    assert self.club.holds(result.board)
        elif state.state is DaemonState.IDLE:
            self.owner = None
        if self.stopped is not None:
            assert len(self.club.world.hopper.cards) >= self.stopped[1], "it went on after STOP"

    def who(self) -> str:
        return self.data.draw(st.sampled_from(CLIENTS), "who")

    def end(self) -> Iterator[Condition]:
        """Whatever has happened, anyone can end the job, and then the machine is free."""
        yield from self.hear_stop("anna", end=True)
        yield self.club.is_in(DaemonState.IDLE)


def assert_told(error: BaseException | None) -> None:
    """A refusal in words, with a status that is no failure of the daemon."""
    assert isinstance(error, PredealError), repr(error)
    assert not isinstance(error, ApiError) or error.status == 409
    assert error.text()


@pytest.fixture(autouse=True)
def _quick_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setcode.set_code, "__defaults__", (setcode.QUICK_COST,))


def play(data: st.DataObject) -> None:
    evening = Play(data)
    evening.club.run(evening.script())
    evening.watch()


@settings(max_examples=20)
@given(st.data())
def test_whatever_two_clients_do(data: st.DataObject):
    play(data)


@pytest.mark.long
@settings(max_examples=300)
@given(st.data())
def test_whatever_two_clients_do_at_length(data: st.DataObject):
    play(data)
