"""The triggered camera over the window: a snapshot at each strobe, delivered a latency later."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol

from controller import geometry
from controller.devices.ports import Image
from controller.geometry import steps
from controller.twin.trace import Trace
from controller.twin.world.build import Mount
from controller.twin.world.layout import CARD, WINDOW
from controller.twin.world.things import PhysicalCard
from controller.twin.world.view import Sight, View
from controller.twin.world.wire import Timeline
from vision.geometry import LEAD_ROW, LEAD_ROW_LOOK_2, WINDOW_ROWS

ROW_OF_EDGE: Final = (LEAD_ROW, LEAD_ROW_LOOK_2)
"""The camera crops its picture so that the leading edge is here at look 1 and look 2."""
RESTART_US: Final = 300_000
"""So long a restarted camera is blind."""
_EDGE_AT: Final = (
    WINDOW + steps(geometry.LOOK_1_AFTER_WINDOW_MM),
    WINDOW + steps(geometry.LOOK_2_AFTER_WINDOW_MM),
)
_LONG_LIGHT_US: Final = (geometry.STROBE_1_US + geometry.STROBE_2_US) // 2


@dataclass(frozen=True, slots=True)
class Shown:
    """One card in a picture: where its leading edge is, and how askew it passes."""

    card: PhysicalCard
    lead_row: int
    """Row of the leading edge; the card lies at this row and higher ones."""
    shift_mm: float
    tilt_deg: float


@dataclass(frozen=True, slots=True)
class Lying:
    """One card near the window when the camera fired, in belt steps."""

    card: PhysicalCard
    lead: int
    shift_mm: float
    tilt_deg: float


class Pictures(Protocol):
    """Makes the pixels of a window image from what is there: by drawing, or in tests otherwise."""

    def window(self, shown: Sequence[Shown], view: View, rng: random.Random) -> Any:
        """The pixels as *view* has them; of two cards that overlap the first is seen."""
        ...


@dataclass(slots=True)
class _Shot:
    number: int
    captured_us: int
    lying: tuple[Lying, ...]
    grain: int
    """Chance of its own: a repeated picture repeats its noise, too."""
    view: View = View(0.0)  # noqa: RUF009 - frozen
    long: bool = False
    """The exposure of look 2, by which the camera crops."""


class TwinCamera:
    """A `Camera` whose pictures are drawn only when they are taken."""

    def __init__(
        self,
        pictures: Pictures,
        timeline: Timeline,
        seed: int,
        trace: Trace,
        pitch_us: int,
        mount: Mount = Mount(),  # noqa: B008 - frozen
    ) -> None:
        self.lose: set[int] = set()
        """Faults: the 1st, 2nd .. shot from now is lost."""
        self.extra: bool = False
        """One more image, a third of a pitch after the next shot."""
        self.late = 0
        """So many pitches late are stamps and images."""
        self.silent = False
        self.frozen = False
        self.unplugged = False
        self.sight = Sight()
        self._pictures = pictures
        self._mount = mount
        self._timeline = timeline
        self._seed = seed
        self._trace = trace
        self._pitch_us = pitch_us
        self._taken = 0
        self._arrived: list[_Shot] = []
        self._exposed: deque[_Shot] = deque()
        """Under way, and not drawn yet."""
        self._drawn: dict[int, Any] = {}
        """Pixels of shots under way, by their grain."""
        self._open: _Shot | None = None
        self._last: _Shot | None = None
        self._lit_us: int | None = None
        self._life = 0
        self._blind_until_us = 0

    def take(self) -> list[Image]:
        """Takes the images that have arrived by now, oldest first."""
        if not self._arrived:
            return []
        shots, self._arrived = self._arrived, []
        return [self._develop(shot) for shot in shots]

    def prepare(self) -> None:
        """Draws one picture that is still under way, if there is one: at 1x nobody shall wait for a brush
        that no camera has.
        """
        if self._exposed:
            shot = self._exposed.popleft()
            self._drawn[shot.grain] = self._draw(shot)

    def restart(self) -> None:
        """Drops everything under way and starts anew: blind for `RESTART_US`, then well again."""
        self._life += 1
        self._arrived.clear()
        self._exposed.clear()
        self._drawn.clear()
        self._open = self._last = None
        self.late = 0
        self.frozen = self.sight.black = self.silent = self.extra = False
        self.lose.clear()
        self._blind_until_us = self._timeline.now_us + RESTART_US

    def trigger(self, lying: tuple[Lying, ...]) -> None:
        """The trigger pin rises: the picture is of now."""
        now = self._timeline.now_us
        if now < self._blind_until_us or self.unplugged or self.silent:
            return
        self.lose = {count - 1 for count in self.lose}
        if 0 in self.lose:
            self.lose.discard(0)
            return
        self._open = self._shoot(now, lying)
        if self.extra:
            self.extra = False
            life = self._life
            self._timeline.at(now + self._pitch_us // 3, lambda: self._spurious(lying, life))

    def light(self, on: bool) -> None:
        """The strobe goes on or off; its light is the exposure."""
        now = self._timeline.now_us
        if on:
            self._lit_us = now
        elif self._lit_us is not None:
            if self._open is not None:
                self._expose(self._open, now - self._lit_us)
                self._open = None
            self._lit_us = None

    def shoot(self) -> None:
        """The host has a picture taken: of whatever shines into the window without the strobe."""
        now = self._timeline.now_us
        if now >= self._blind_until_us and not self.unplugged and not self.silent:
            self._shoot(now, ())

    def _shoot(self, now: int, lying: tuple[Lying, ...]) -> _Shot:
        self._taken += 1
        stamp = now + self.late * self._pitch_us
        shot = _Shot(self._taken, stamp, lying, self._taken)
        if not self.frozen or self._last is None:
            self._last = shot
        shown = self._last
        life = self._life

        def deliver() -> None:
            if life == self._life and not self.unplugged:
                self._arrived.append(replace(shown, number=shot.number, captured_us=stamp))
                self._timeline.news()

        self._timeline.at(stamp + geometry.CAMERA_LATENCY_US, deliver)
        return shot

    def _spurious(self, lying: tuple[Lying, ...], life: int) -> None:
        # A trigger line that rings: the picture is whatever the sensor still held of the last one.
        if life == self._life:
            self._expose(self._shoot(self._timeline.now_us, lying), geometry.STROBE_1_US)

    def _expose(self, shot: _Shot, light_us: int) -> None:
        shot.long = light_us > _LONG_LIGHT_US
        lit_us = light_us * self._mount.light / 100
        shot.view = self.sight.view(lit_us, f"{self._seed} view {shot.grain}")
        self._exposed.append(shot)

    def _develop(self, shot: _Shot) -> Image:
        pixels = self._drawn[shot.grain] if shot.grain in self._drawn else self._draw(shot)
        while self._exposed and self._exposed[0].number <= shot.number:
            self._exposed.popleft()
        self._drawn = {one: drawn for one, drawn in self._drawn.items() if one > shot.number}
        self._trace.image(shot.number, shot.captured_us, pixels)
        return Image(shot.number, shot.captured_us, pixels)

    def _draw(self, shot: _Shot) -> Any:
        look = int(shot.long)
        shown = []
        for card in shot.lying:
            row = ROW_OF_EDGE[look] + _EDGE_AT[look] - card.lead
            if -CARD < row < WINDOW_ROWS:  # a row is 0.1 mm, one belt step
                shift_mm = card.shift_mm + self._mount.across / 10
                tilt_deg = card.tilt_deg + self._mount.tilt / 100
                shown.append(Shown(card.card, row + self._mount.along, shift_mm, tilt_deg))
        rng = random.Random(f"{self._seed} image {shot.grain}")
        return self._pictures.window(shown, shot.view, rng)
