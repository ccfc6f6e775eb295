"""`calibrate gates`: where each gate is, how long before a card it has to be told, how soon it is shut again.

Nothing senses a gate: a card that comes while it still moves jams. So the time that gates are given is taken back step
by step until a card jams; a person frees it, and that gate is known. What was enough is kept, with a tick
on top: never less than the truth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from controller import geometry
from controller.jobs.calibrate.feed import average, failed, half_tick, wide
from controller.jobs.calibrate.findings import Findings, Measure
from controller.jobs.calibrate.runs import Run, Runs
from controller.machine.calibration import Calibration
from controller.machine.settings import settings
from controller.protocol.messages import CalibrationKey, Key, Leg, Pocket

SLOW_US: Final = 25_000
"""So long any gate that can be used has certainly moved."""
OPEN_MOST_US: Final = 17_000
STEP_US: Final = 1_000
TICK_US: Final = 1_200
"""The firmware tells a gate at most a tick early; and a step or two of belt in the place of the gate."""
UNUSED_US: Final = 500
"""For a gate that no card of a run is sent to, so that it does not hold up the others."""
ROUNDS: Final = 2
"""Runs in a row that must come through. Each gate meets one card in a run, so that all cards before the one
that jams have landed when the machine stops, and it is known for certain.
"""
SPARE_MM: Final = 2.5
"""Between cards, so that none is suspect although the feeder is never quite exact."""
MARGIN_MM: Final = 1.5
PLACE_ERROR_MM: Final = 0.5
"""So well the place of a gate is known."""


@dataclass(frozen=True, slots=True)
class _Trial:
    """One run of a search: settings, where each card goes, and whose movement each card meets."""

    values: dict[Key, int]
    routes: list[Pocket]
    tested: list[Pocket | None]


_Test = Callable[[list[Pocket], int], _Trial]
"""Makes the trial in which the gates that are left have so many microseconds."""


class GateCalibration:
    """Measures the gates of one machine whose feed was calibrated."""

    def __init__(self, runs: Runs, before: Calibration) -> None:
        self._runs = runs
        self._before = before
        machine = runs.machine
        self._order = [Pocket[seat] for seat in machine.pocket_order]
        self._values = wide(settings(machine.profile, machine.pocket_order, before), before)
        self._found = Findings("gates")

    def run(self) -> Findings:
        """All of it; stops at the first thing that cannot be measured."""
        if self._places():
            opens = self._search(self._opened, self._order)
            for gate, us in opens.items():
                self._values[Key[f"GATE_OPEN_{gate.name}"]] = round(us)
            # No gap can be made shorter than the slowest gate needs to open: without it, then.
            quick = [gate for gate in self._order if opens.get(gate, SLOW_US) <= OPEN_MOST_US]
            self._tell(opens, self._search(self._closed, quick))
        return self._found

    # -- places ----------------------------------------------------------------------------

    def _places(self) -> bool:
        """Gate and sensor are one part: where the sensor is tells where the gate is."""
        self._all_times(SLOW_US, SLOW_US)
        run = self._runs.run([*self._order] * 3, self._values)
        if run.stopped is not None:
            self._failed(run)
            return False
        for index, gate in enumerate(self._order):
            leg = run.transit[Leg(Leg.POCKET_N + gate)]
            place = average(leg) - half_tick(self._values) - self._values[Key.DROP]
            drawn = geometry.gate_mm(index) - geometry.HOPPER_TO_WINDOW_MM
            off = self._before.belt_mm(place) - drawn
            self._found.add(Measure(f"gate_place:{gate.name}", off, "mm", -6.0, 6.0))
            self._found.values[CalibrationKey[f"GATE_PLACE_{gate.name}"]] = round(place)
            self._values[Key[f"GATE_{gate.name}"]] = round(place)
        return True

    def _failed(self, run: Run) -> None:
        self._found.failed = failed(run)
        self._runs.free()

    # -- times -----------------------------------------------------------------------------

    def _search(self, test: _Test, gates: list[Pocket]) -> dict[Pocket, float]:
        """Takes time back until each gate has jammed a card, or cannot be given less; gives the
        least time that was enough for each.
        """
        left, level_us = list(gates), SLOW_US
        enough: dict[Pocket, float] = {}
        passed = 0
        while left and level_us > self._least_us(test, left):
            trial = test(left, level_us)
            run = self._runs.run(trial.routes, trial.values)
            for gate, us in self._given(run, trial):
                enough[gate] = min(us, enough.get(gate, us))
            jammed = _jammed(run, trial)
            if jammed is not None:
                left.remove(jammed)
                passed = 0
                self._runs.free()
            elif run.stopped is not None:
                self._failed(run)
                break
            elif (passed := (passed + 1) % ROUNDS) == 0:
                level_us -= STEP_US
        return enough

    def _least_us(self, test: _Test, left: list[Pocket]) -> int:
        """No gap between cards can be made smaller than the gates need to open in it."""
        if test == self._opened:
            return UNUSED_US
        return max(self._values[Key[f"GATE_OPEN_{gate.name}"]] for gate in left) - STEP_US

    def _opened(self, left: list[Pocket], level_us: int) -> _Trial:
        """Cards far apart; each gate is told `level_us` before a card, or a tick earlier."""
        values = {**self._values, Key.GATE_MARGIN: self._before.belt_steps(PLACE_ERROR_MM)}
        for gate in self._order:
            values[Key[f"GATE_OPEN_{gate.name}"]] = level_us
        routes = [*left]
        return _Trial(values, routes, [*routes])

    def _closed(self, left: list[Pocket], level_us: int) -> _Trial:
        """Cards as near as can be: behind each card for a gate comes one that must pass it."""
        belt = self._before.belt_steps
        values = {
            **self._values,
            Key.GATE_MARGIN: belt(MARGIN_MM),
            Key.PITCH: belt(geometry.CARD_LENGTH_MM),
        }
        values[Key.LENGTH_MAX] = belt(geometry.CARD_LENGTH_MM + SPARE_MM)
        for gate in self._order:
            used = gate in left
            values[Key[f"GATE_CLOSE_{gate.name}"]] = level_us if used else UNUSED_US
            if not used:
                values[Key[f"GATE_OPEN_{gate.name}"]] = UNUSED_US
        routes = [*left, Pocket.TRAY]
        # A card that jams met the gate of the card before it.
        tested: list[Pocket | None] = [None]
        tested += [before if before is not Pocket.TRAY else None for before, _ in pairwise(routes)]
        return _Trial(values, routes, tested)

    def _given(self, run: Run, trial: _Trial) -> Iterator[tuple[Pocket, float]]:
        """For each card that came through, the most time that its gate can have had."""
        for card, gate in enumerate(trial.tested, 1):
            if gate is None or not _as_routed(run, trial, card):
                continue
            if gate == trial.routes[card - 1]:
                yield gate, _lead_us(gate, trial.values)
            elif _as_routed(run, trial, card - 1):
                yield gate, _gap_us(run, card, trial.values)

    def _all_times(self, opens_us: int, closes_us: int) -> None:
        for gate in self._order:
            self._values[Key[f"GATE_OPEN_{gate.name}"]] = opens_us
            self._values[Key[f"GATE_CLOSE_{gate.name}"]] = closes_us

    def _tell(self, opens: dict[Pocket, float], closes: dict[Pocket, float]) -> None:
        for gate in self._order:
            for what, times, most in (("open", opens, OPEN_MOST_US), ("close", closes, 21_000)):
                us = times.get(gate)
                if us is None:
                    continue
                name = f"gate_{what}:{gate.name}"
                self._found.add(Measure(name, us / 1_000, "ms", 4.0, most / 1_000))
                self._found.values[CalibrationKey[f"GATE_{what.upper()}_{gate.name}"]] = round(us)


def _jammed(run: Run, trial: _Trial) -> Pocket | None:
    """Whose movement a card met: the first card that has not landed. The one that the firmware misses
    first, or finds over the window, may only stand behind it.
    """
    if run.jammed is None:
        return None
    first = next(card for card in range(1, len(trial.routes) + 1) if card not in run.landed)
    return trial.tested[first - 1]


def _as_routed(run: Run, trial: _Trial, card: int) -> bool:
    """Whether a card fell where it was sent: a suspect one runs to the tray and moves no gate."""
    return run.landed.get(card) is trial.routes[card - 1]


def _lead_us(gate: Pocket, values: dict[Key, int]) -> float:
    """From when a gate may be told, to the card's edge at it."""
    margin_us = values[Key.GATE_MARGIN] * 1_000_000 / values[Key.BELT_SPEED]
    return values[Key[f"GATE_OPEN_{gate.name}"]] + margin_us + TICK_US


def _gap_us(run: Run, card: int, values: dict[Key, int]) -> float:
    """From when the gate of the card before may be told, to this card's edge at it. The looks fire at
    an exact belt step of each card, so they tell how far the two are apart.
    """
    speed = values[Key.BELT_SPEED]
    pitch = (run.looks[card, 1] - run.looks[card - 1, 1]) * speed / 1_000_000
    length = run.measured[card - 1].length_mm * geometry.STEPS_PER_MM
    return (pitch - length - values[Key.GATE_MARGIN]) * 1_000_000 / speed
