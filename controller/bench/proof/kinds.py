"""What the proof shows to the eye, image by image; every image can be drawn again from its numbers alone."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from controller.bench.proof.prints import Printed
from controller.geometry import STROBE_1_US, STROBE_2_US
from deals.cards import CARDS, Card
from vision.corner import index_extent
from vision.design import Design
from vision.geometry import (
    LEAD_ROW,
    LEAD_ROW_LOOK_2,
    RIGHT_MARGIN_MM,
    WINDOW_COLS,
    WINDOW_PX_PER_MM,
    WINDOW_ROWS,
)
from vision.patch import PX_PER_MM
from vision.synthetic import art
from vision.synthetic.canvas import Face
from vision.synthetic.optics import CLEAN, HARSH, Conditions, Piece, render_window, second_look

SEED: Final = 77_001
"""Of the proof; no test, no training and no teaching draws from it."""
Random = np.random.Generator


def random_of(seed: int, design: str, what: str, number: int) -> Random:
    """The chance of one image."""
    names = (zlib.crc32(design.encode()), zlib.crc32(what.encode()))
    return np.random.default_rng((seed, *names, number))


def at_look(look: int, conditions: Conditions) -> tuple[float, float, Conditions]:
    """Row of the leading edge, exposure and conditions of a look."""
    if look == 1:
        return float(LEAD_ROW), 1.0, conditions
    return float(LEAD_ROW_LOOK_2), STROBE_2_US / STROBE_1_US, second_look(conditions)


def window(
    face: Face, conditions: Conditions, look: int, rng: Random, turned: bool | None = None
) -> Any:
    """The window image of one card that lies as the machine lays it."""
    row, exposure, seen = at_look(look, conditions)
    half_turn = bool(rng.integers(2)) if turned is None else turned
    return render_window([Piece(face, row, turned=half_turn)], seen, exposure, rng)


CARD_KINDS: Final = {"guided": CLEAN, "harsh": HARSH}
"""Cards of the design, all 52 in turn."""


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """What a picture of no card is made from."""

    printed: Printed
    others: Sequence[Printed]
    """Designs from which jokers, backs and foreign cards are taken."""
    index_mm: tuple[tuple[float, float], tuple[float, float]]
    """Where the index lies: across and down the upright card."""


def index_on_card(design: Design) -> tuple[tuple[float, float], tuple[float, float]]:
    """Left and right, top and foot of a design's index, mm from the upright card's corner."""
    rows, cols = index_extent(design.model)
    scale = design.frame.zoom / PX_PER_MM
    return (cols.start * scale, cols.stop * scale), (rows.start * scale, rows.stop * scale)


def _any_card(scene: Scene, rng: Random) -> Face:
    return scene.printed.faces[CARDS[int(rng.integers(52))]]


def _one_of(own: Sequence[Face], other: Sequence[Face], rng: Random) -> Face:
    """As often one of the design's own as any other."""
    faces = own if own and rng.random() < 0.5 else [*own, *other]
    return faces[int(rng.integers(len(faces)))]


def _joker(scene: Scene, look: int, rng: Random) -> Any:
    other = [art.joker("red"), art.joker("black"), *(j for o in scene.others for j in o.jokers)]
    return window(_one_of(scene.printed.jokers, other, rng), CLEAN, look, rng)


def _back(scene: Scene, look: int, rng: Random) -> Any:
    ours = [art.back(colour) for colour in ("red", "blue", "green", "black")]
    other = [*ours, *(b for o in scene.others for b in o.backs)]
    return window(_one_of(scene.printed.backs, other, rng), CLEAN, look, rng)


def _blank(scene: Scene, look: int, rng: Random) -> Any:
    return window(art.blank(), HARSH if rng.random() < 0.5 else CLEAN, look, rng)


def _noise(scene: Scene, look: int, rng: Random) -> Any:
    grain = int(rng.choice([1, 2, 5, 20]))
    shape = (-(-WINDOW_ROWS // grain), -(-WINDOW_COLS // grain), 3)
    coarse = rng.integers(0, 256, shape, np.uint8)
    fine = coarse.repeat(grain, axis=0).repeat(grain, axis=1)
    return np.ascontiguousarray(fine[:WINDOW_ROWS, :WINDOW_COLS])


def _even(low: int, high: int) -> Callable[[Scene, int, Random], Any]:
    """Light without any picture in it: the level is drawn, sensor noise lies over it."""

    def make(scene: Scene, look: int, rng: Random) -> Any:
        level, noise = int(rng.integers(low, high + 1)), float(rng.uniform(0, 4))
        grain = rng.standard_normal((WINDOW_ROWS, WINDOW_COLS, 1), np.float32) * noise
        return np.clip(np.round(level + grain), 0, 255).astype(np.uint8).repeat(3, axis=2)

    return make


def _two_cards(scene: Scene, look: int, rng: Random) -> Any:
    row, exposure, seen = at_look(look, CLEAN)
    along, across = float(rng.uniform(20, 60)), float(rng.uniform(-12, -6))
    pieces = [
        Piece(_any_card(scene, rng), row),
        Piece(_any_card(scene, rng), row + along, across),
    ]
    return render_window(pieces, seen, exposure, rng)


def _half_out(scene: Scene, look: int, rng: Random) -> Any:
    """A third to two thirds of the index lie outside: of its width at look 1, of its height at look 2."""
    (left, right), (top, foot) = scene.index_mm
    share = float(rng.uniform(0.35, 0.65))
    row, shift = float(LEAD_ROW), 0.0
    if look == 1:
        row = -WINDOW_PX_PER_MM * (left + share * (right - left))
    else:
        shift = RIGHT_MARGIN_MM + top + share * (foot - top)
    piece = Piece(_any_card(scene, rng), row, shift, turned=bool(rng.integers(2)))
    return render_window([piece], CLEAN, 1.0, rng)


def _empty(scene: Scene, look: int, rng: Random) -> Any:
    _, exposure, seen = at_look(look, HARSH if rng.random() < 0.5 else CLEAN)
    return render_window([], seen, exposure, rng)


def _stop_card(scene: Scene, look: int, rng: Random) -> Any:
    return window(art.stop_card(), HARSH if rng.random() < 0.5 else CLEAN, look, rng)


NO_CARDS: Final[dict[str, Callable[[Scene, int, Random], Any]]] = {
    "joker": _joker,
    "back": _back,
    "blank": _blank,
    "noise": _noise,
    "black": _even(0, 6),
    "white": _even(245, 255),
    "grey": _even(7, 244),
    "two cards": _two_cards,
    "index half out": _half_out,
    "empty window": _empty,
    "stop card": _stop_card,
}
"""Pictures that must never be read as a card; every other one is a look 2."""


def foreign(scene: Scene, look: int, rng: Random) -> tuple[Card, Any]:
    """A card of another design, and its window."""
    other = scene.others[int(rng.integers(len(scene.others)))]
    card = CARDS[int(rng.integers(52))]
    return card, window(other.faces[card], CLEAN, look, rng)
