"""Feeding cards to be read, a lot at a time: a hand, a pack. People bring, the machine reads, and a lot
is done when each of its cards was seen and is where it was sent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from controller.devices.happenings import Happening, Input
from controller.devices.ports import Clock
from controller.engine.ledger import FedCard, SetAside
from controller.engine.reading import ReadingPass, Router
from controller.engine.start import refusal
from controller.engine.stops import (
    BY_TECHNICIAN,
    Fault,
    Step,
    Stop,
    Then,
    with_technician,
)
from controller.jobs.attempt import Attempt
from controller.jobs.deal import LINK_FAULTS, STOPS_AT_MOST
from controller.jobs.people import Servers
from controller.jobs.ready import Readiness
from controller.machine.machine import Machine
from controller.protocol.messages import Pocket

TWICE: Final = BY_TECHNICIAN | {Fault.LATE_ROUTE}
ANEW: Final = frozenset(
    {
        Step.COLLECT_ALL,
        Step.COLLECT_HAND,
        Step.FEED_HAND,
        Step.FEED_PACK,
        Step.FEED_PILES,
        Step.FEED_TRAY,
        Step.SORT_TRAY,
    }
)
"""After any of these all of the lot comes again, whatever was read of it."""
HAND_STEPS: Final = frozenset({Step.COLLECT_HAND, Step.FEED_HAND})
BRINGS: Final = (Step.RIGHT_BOARD, Step.TURN_BOARD, Step.EMPTY_POCKETS)
_CLEARED: Final = {Step.EMPTY_TRAY: Step.CLEAR_TRAY}
ONLY_PACKS: Final = (Step.REPLACE_PACK, Step.SHUFFLE_PACK, Step.TURN_PACK)
"""What is done with a pack that is dealt, and never with cards that are to be read."""


@dataclass(slots=True)
class Progress:
    """How far a job is; the job's own result adds what it found."""

    board: int | None = None
    copy: str = ""
    pocket: Pocket | None = None
    """The hand under way."""
    lots: int = 0
    """Lots that were read."""
    second_looks: int = 0
    held: int = 0
    set_aside: int = 0
    stops: list[Stop] = field(default_factory=list)
    waiting: bool = False
    """Stopped, and a person must act before it goes on."""


@dataclass(frozen=True, slots=True)
class Lot:
    """Cards that are fed together."""

    request: Stop
    """What people are asked to bring."""
    router: Callable[[Sequence[FedCard], bool], Router]
    """Makes the router of a pass from the cards that earlier passes have placed, and whether cards
    that could not be read come for the second time.
    """
    expected: int
    held: Mapping[Pocket, bool]
    """Which pockets must hold cards before the first is fed, and which must not."""
    own: Pocket | None = None
    """The pocket of a hand: what is collected of it comes from there alone."""
    stop_card: bool = False
    """A stop card lies behind it, and more may lie behind that."""
    whole: bool = False
    """Its order counts, or it all goes to the tray: if anything is set aside all is fed again."""


class GivenUpError(Exception):
    """Nobody goes on; the job waits for a person or ends."""


class SpoiledError(Exception):
    """A card was seen in a pocket where it was not sent: the board is not as it was brought."""

    def __init__(self, stop: Stop) -> None:
        super().__init__(stop.fault.value)
        self.stop = stop


class NoJournal:
    """Nothing is written of a pass: who could read it would know the hands."""

    def begin_run(self, run: int) -> None:
        """Nothing."""

    def intent(self, *_: object) -> None:
        """Nothing."""

    def record(self, *_: object) -> None:
        """Nothing."""


class Feeding:
    """Feeds lots for one job. Whatever stops it is put before `people`, who may give up."""

    def __init__(
        self,
        machine: Machine,
        people: Servers,
        clock: Clock,
        progress: Callable[[Progress], None] | None = None,
        on_happening: Callable[[Happening], None] | None = None,
    ) -> None:
        self._machine = machine
        self._people = people
        self._clock = clock
        self._progress = progress or (lambda told: None)
        self._on_happening = on_happening
        self._ready = Readiness(machine)
        self._engine = ReadingPass(machine.profile.pitch_us, machine.profile.look_gap_us)

    def ask(self, request: Stop, told: Progress) -> None:
        """Has people bring what a job wants next; GivenUpError when nobody does."""
        self._progress(told)
        if not self._people.serve(request, told.board or 0):
            told.waiting = True
            raise GivenUpError

    def bring(self, bring: Stop, held: Mapping[Pocket, bool], told: Progress) -> frozenset[Pocket]:
        """Has a board brought, and looks that it is the right one, the right way round, and holds
        cards where it must. Gives the pockets of which people say that they came empty.
        """
        self.ask(bring, told)
        stops: list[Stop] = []
        empty: set[Pocket] = set()
        while True:
            wanted = {pocket: on for pocket, on in held.items() if pocket not in empty}
            stop = self._ready.stop(partial(self._look, told.board, wanted, hopper=False))
            if stop is None:
                return frozenset(empty)
            if stop.fault is Fault.POCKET_EMPTY and stop.pocket is not None:
                if stops and (stops[-1].fault, stops[-1].pocket) == (stop.fault, stop.pocket):
                    empty.add(stop.pocket)
                    continue
                stop = replace(stop, steps=(*stop.steps, Step.MAY_BE_EMPTY))
            steps: list[Step] = []
            for step in stop.steps:
                steps += bring.steps if step in BRINGS else (step,)
            stop = replace(stop, steps=tuple(_CLEARED.get(step, step) for step in steps))
            self._mend(replace(stop, copy=bring.copy, board=bring.board), stops, told)

    def read(self, lot: Lot, told: Progress) -> list[FedCard]:
        """The cards of a lot, each once, in the order in which they were fed.

        A card that cannot be read even the second time, turned half round, comes without a name.
        """
        self.ask(lot.request, told)
        kept: list[FedCard] = []
        stops: list[Stop] = []
        begun = again = False
        while True:
            stop = self._ready.stop(partial(self._refusal, lot, told.board, begun=begun))
            if stop is None:
                begun = True
                stop = self._pass(lot, told, kept, again=again)
                kept += self._engine.kept
                again = again or self._all_unreadable()
            if stop is None:
                told.lots += 1
                return kept
            if stop.fault is Fault.WRONG_POCKET and lot.own is not None:
                told.stops.append(stop)
                raise SpoiledError(stop)
            stop = _adapted(stop, lot, begun=begun)
            if ANEW.intersection(stop.steps):
                kept, begun = [], False
            self._mend(stop, stops, told)

    # -- inside ----------------------------------------------------------------------------

    def _pass(
        self, lot: Lot, told: Progress, kept: Sequence[FedCard], *, again: bool
    ) -> Stop | None:
        """One pass; None when all that was fed is where it was sent."""
        engine = self._engine
        engine.router = lot.router(kept, again)
        self._progress(told)
        attempt = Attempt(engine, self._machine, NoJournal(), self._clock, self._on_happening)
        attempt.run_pass(max(1, lot.expected - len(kept)))
        told.second_looks, told.held = engine.second_looks, engine.held
        told.set_aside = engine.ledger.set_aside_in_all
        stop = engine.outcome
        if not isinstance(stop, Stop):
            return self._left_over(lot)
        if stop.then is Then.REFEED and not lot.whole:
            return stop
        return replace(stop, steps=_collecting(stop))

    def _refusal(self, lot: Lot, board: int | None, *, begun: bool) -> Stop | None:
        """Once a lot was begun its own pocket, or the pockets it goes to, may hold cards."""
        held = {p: on for p, on in lot.held.items() if not begun or (lot.own and p != lot.own)}
        return self._look(board, held)

    def _look(
        self, board: int | None, held: Mapping[Pocket, bool], *, hopper: bool = True
    ) -> Stop | None:
        is_on = self._machine.inputs.__getitem__
        return refusal(is_on, self._machine.label(), board, held=held, hopper=hopper)

    def _left_over(self, lot: Lot) -> Stop | None:
        """A hand ends with the hopper; cards behind a stop card there belong to no hand."""
        if lot.stop_card or not self._machine.inputs[Input.HOPPER]:
            return None
        return Stop(Fault.SURPLUS_CARD, steps=(Step.COLLECT_ALL,))

    def _mend(self, stop: Stop, stops: list[Stop], told: Progress) -> None:
        if stops and stops[-1].fault is stop.fault and stop.fault in TWICE:
            stop = with_technician(stop)
        stops.append(stop)
        told.stops.append(stop)
        self._progress(told)
        if stop.fault in LINK_FAULTS:
            self._ready.connected = False
        told.waiting = True
        if len(stops) >= STOPS_AT_MOST or self._people.act(stop, told.board or 0) is None:
            self._progress(told)
            raise GivenUpError
        told.waiting = False

    def _all_unreadable(self) -> bool:
        aside = [one.set_aside for one in self._engine.entries if one.set_aside is not None]
        return bool(aside) and all(why is SetAside.UNREADABLE for why in aside)


def _collecting(stop: Stop) -> tuple[Step, ...]:
    """The steps of a stop after which all of the lot is fed again."""
    steps = tuple(step for step in stop.steps if step is not Step.REFEED_SET_ASIDE)
    return steps if Step.COLLECT_ALL in steps else (*steps, Step.COLLECT_ALL)


def _adapted(stop: Stop, lot: Lot, *, begun: bool) -> Stop:
    """The remedy of a board that is dealt, put for cards that are read."""
    feeds = tuple(step for step in lot.request.steps if step in ANEW)
    from_pockets = Step.FEED_HAND in feeds or Step.FEED_PILES in feeds
    steps: list[Step] = []
    if stop.fault is Fault.SURPLUS_CARD:
        steps.append(Step.TAKE_OUT_STOP_CARD)
    for step in stop.steps:
        if step is Step.FILL_HOPPER or (step is Step.EMPTY_POCKETS and from_pockets):
            steps += feeds
        elif step is Step.EMPTY_TRAY and not begun:
            steps.append(Step.FEED_TRAY if Step.FEED_TRAY in feeds else Step.CLEAR_TRAY)
        elif step is Step.COLLECT_ALL and lot.own is not None:
            steps.append(Step.COLLECT_HAND)
        elif step not in ONLY_PACKS:
            steps.append(step)
    pocket = lot.own if HAND_STEPS.intersection(steps) else stop.pocket
    feed = None if pocket is not None else stop.feed
    return replace(stop, steps=tuple(steps), then=Then.START, pocket=pocket, feed=feed)
