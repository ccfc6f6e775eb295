"""How surely each card of a design is read over the boards that this machine has proven: plain JSON, a file of its own.

Figures of whole packs only, and never which board or deal: every card counts once a proven board.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, Final

from controller.store.files import write_whole
from deals.cards import CARDS, Card

NAME: Final = "wear.json"
BOARDS_A_SPAN: Final = 16
"""Boards of which one mean is kept."""
SPANS: Final = 40
"""Spans kept of a design beside its first; older ones go."""
CARDS_A_CLEANING: Final = 4000
"""Rollers and glass are cleaned after so many cards: about 77 boards."""
FADES: Final = 0.12
"""Share of the limits' room that a card must have lost, and more than the others, to be called fading."""
FALLS: Final = 0.12
"""Share of that room which all cards must have lost before glass and light are named."""
FIRST: Final = 4
"""After so many boards of a design the next one can be held against them."""
UNREAD: Final = 7
"""So many cards of one board not read at the first look are no chance: with a clean window it is none."""
QUIET: Final = BOARDS_A_SPAN
"""So many boards the glass is not asked for again."""
_FALLS: Final = "wear.falls"
_SURELY: Final = 4.0
"""Standard errors that a loss must amount to."""

Margins = Mapping[Card, float]


@dataclass(slots=True)
class Span:
    """Sums over some boards: of the margin of each card, and of its square."""

    boards: int = 0
    sums: list[float] = field(default_factory=lambda: [0.0] * len(CARDS))
    squares: list[float] = field(default_factory=lambda: [0.0] * len(CARDS))

    def add(self, margins: Margins) -> None:
        """One board."""
        self.boards += 1
        for card in CARDS:
            self.sums[card.index] += margins[card]
            self.squares[card.index] += margins[card] ** 2

    def mean(self, card: int) -> float:
        """Mean margin of a card: 1 is perfect, 0 at the limit or not read at first."""
        return self.sums[card] / self.boards

    def error(self, card: int) -> float:
        """Standard error of that mean, of one half a percent at least."""
        spread = max(self.squares[card] / self.boards - self.mean(card) ** 2, 0.0)
        return math.sqrt(spread / self.boards) + 0.005


@dataclass(frozen=True, slots=True)
class Trend:
    """What has become of a design since it was first dealt."""

    design: str
    boards: int
    fading: tuple[tuple[Card, float], ...] = ()
    """Cards that have lost more of their margin than the others, and how much; worst first."""
    fallen: float = 0.0
    """What all cards have lost: dirt on the glass, light, focus."""
    telling: bool = False
    """Enough boards were dealt to say anything."""

    @property
    def falls(self) -> bool:
        """Whether all cards are read less surely than at first."""
        return self.fallen >= FALLS


class WearFile:
    """The file; without a directory it is kept nowhere. A damaged file begins anew: it holds nothing but statistics."""

    def __init__(self, state_dir: Path | None) -> None:
        self.path = state_dir / NAME if state_dir is not None else None
        self.cards = 0
        self.designs: dict[str, list[Span]] = {}
        self._quiet: dict[str, int] = {}
        """Boards for which a design's glass is not asked for again."""
        if self.path is not None:
            self._load(self.path)

    def _load(self, path: Path) -> None:
        try:
            found = json.loads(path.read_bytes())
            designs = {
                str(name): [_span(one) for one in spans] for name, spans in found["designs"].items()
            }
            self.cards, self.designs = int(found["cards"]), designs
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return

    def note(self, design: str, margins: Margins) -> list[tuple[str, dict[str, object]]]:
        """One proven board; gives the reminders that are due now, as codes and values.

        Without the margins of all cards (a person named one, or the reader tells none) its cards were fed all the same.
        """
        due = self._held_against(design, margins) if len(margins) == len(CARDS) else []
        before, self.cards = self.cards, self.cards + len(CARDS)
        self._save()
        if before // CARDS_A_CLEANING != self.cards // CARDS_A_CLEANING:
            due.append(("wear.clean", {"cards": self.cards}))
        return due

    def _held_against(self, design: str, margins: Margins) -> list[tuple[str, dict[str, object]]]:
        """What one board tells beside those before it."""
        spans = self.designs.setdefault(design, [])
        full = not spans or spans[-1].boards == BOARDS_A_SPAN
        spoilt = _spoilt(design, spans[0] if spans else Span(), margins)
        if (
            not spoilt or len(spans) + full > 1
        ):  # what later boards are held against is a clean glass
            if full:
                spans.append(Span())
                del spans[1 : len(spans) - SPANS]
            spans[-1].add(margins)
        quiet = self._quiet.get(design, 0)
        due = spoilt if not quiet else []
        self._quiet[design] = QUIET if due else max(0, quiet - 1)
        if spans and spans[-1].boards == BOARDS_A_SPAN:  # once a span, not at every board
            due += [one for one in told(self.trend(design)) if not (quiet and one[0] == _FALLS)]
        return due

    def trend(self, design: str) -> Trend:
        """The last whole span against the first."""
        spans = self.designs.get(design, [])
        boards = sum(span.boards for span in spans)
        whole = [span for span in spans if span.boards == BOARDS_A_SPAN]
        if len(whole) < 2:
            return Trend(design, boards)
        first, last = whole[0], whole[-1]
        lost = [first.mean(card) - last.mean(card) for card in range(len(CARDS))]
        common = median(lost)
        fading = [
            (CARDS[card], round(lost[card], 3))
            for card in range(len(CARDS))
            if lost[card] - max(common, 0.0) >= FADES
            and lost[card] >= _SURELY * (first.error(card) + last.error(card))
        ]
        fading.sort(key=lambda one: -one[1])
        return Trend(design, boards, tuple(fading), round(common, 3), telling=True)

    def _save(self) -> None:
        if self.path is None:
            return
        designs = {
            name: [[span.boards, _rounded(span.sums), _rounded(span.squares)] for span in spans]
            for name, spans in self.designs.items()
        }
        text = json.dumps({"cards": self.cards, "designs": designs}, sort_keys=True)
        write_whole(self.path, text.encode())


def _spoilt(design: str, first: Span, margins: Margins) -> list[tuple[str, dict[str, object]]]:
    """What a single board tells already: something has come upon the glass, or the light is another."""
    unread = sum(margin == 0.0 for margin in margins.values())
    if unread >= UNREAD:
        return [("wear.second_looks", {"unread": unread})]
    if first.boards < FIRST:
        return []
    fallen = median(first.mean(card.index) - margins[card] for card in CARDS)
    return [(_FALLS, {"design": design})] if fallen >= FALLS else []


def told(trend: Trend) -> list[tuple[str, dict[str, object]]]:
    """What a trend asks of people, as codes and values."""
    found: list[tuple[str, dict[str, object]]] = []
    if trend.falls:
        found.append((_FALLS, {"design": trend.design}))
    if trend.fading:
        cards = [card for card, _ in trend.fading[:6]]
        found.append(("wear.fading", {"design": trend.design, "cards": cards}))
    return found


def _rounded(values: Sequence[float]) -> list[float]:
    return [round(value, 4) for value in values]


def _span(found: Any) -> Span:
    boards, sums, squares = found
    span = Span(int(boards), [float(v) for v in sums], [float(v) for v in squares])
    if len(span.sums) != len(CARDS) or len(span.squares) != len(CARDS) or span.boards < 1:
        raise ValueError("no span of 52 cards")
    return span
