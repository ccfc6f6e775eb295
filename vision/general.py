"""The general reader: rank and suit of index corners of designs that nobody has taught.

A small convolutional net, trained by `tests.training` on drawn indices and run by numpy alone. It only ever
proposes: what it says is offered to a person, or to teaching, and is never dealt on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from deals.cards import CARDS, RANK_LETTERS, Card
from vision import locate, outline
from vision.features import Floats, Seen, look_at
from vision.geometry import CARD_HEIGHT_MM
from vision.patch import Corner, cut, straight_corner
from vision.reading import CardReading, Kind
from vision.sources import as_pixels, on_white
from vision.stopcard import has_stop_mark

GLYPHS: Final = (
    *("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2"),
    *("1", "D", "V", "R", "B", "H", "E", "Kn", "T", "Д", "F"),
)
"""What may stand in an index, in whatever language."""
_RANK_OF: Final = {
    # Ace: French 1, Danish E(s), Russian Т(уз); king: French R(oi), Dutch H(eer); queen: D(ame), Д(ама);
    # jack: French V(alet), German B(ube), Danish Kn(ægt), Italian F(ante). A Dutch V(rouw) is taken for a jack.
    "10": "T",
    "1": "A",
    "E": "A",
    "T": "A",
    "R": "K",
    "H": "K",
    "D": "Q",
    "Д": "Q",
    "V": "J",
    "B": "J",
    "Kn": "J",
    "F": "J",
}
INPUT_ROWS: Final = 56
INPUT_COLS: Final = 32
MODEL_FILE: Final = Path(__file__).with_name("general.npz")
ZOOMS: Final = (0.62, 0.78, 0.98, 1.22, 1.52, 1.9, 2.4)
"""Millimetres of the card in one of the patch: from small indices to the largest."""
_MOST_CARDS: Final = 4
"""Ways in which a card may lie in the picture that are looked at."""
_LEAST: Final = 0.12
"""Less certain guesses are kept to itself."""
_GOOD: Final = 0.85
"""With so much certainty no further way is tried."""
_MOST_PIXELS: Final = 1100
"""A bare corner is searched in a copy whose longer side has at most so many pixels."""


@dataclass(frozen=True, slots=True, eq=False)
class Net:
    """The weights: 3x3 convolutions as (3, 3, from, to), the first two and the last with pooling after them."""

    convolutions: tuple[tuple[Floats, Floats], ...]
    hidden: tuple[Floats, Floats]
    answer: tuple[Floats, Floats]

    def __call__(self, batch: Floats) -> Floats:
        """(n, 56, 32, 3) -> (n, glyphs + suits + 1): logarithms of odds."""
        x = batch
        for number, (weights, bias) in enumerate(self.convolutions):
            x = np.maximum(_convolved(x, weights) + bias, 0)
            if number != len(self.convolutions) - 2:
                x = _pooled(x)
        # torch lays channels before rows and columns
        flat = x.transpose(0, 3, 1, 2).reshape(len(x), -1)
        inner = np.maximum(flat @ self.hidden[0] + self.hidden[1], 0)
        return np.asarray(inner @ self.answer[0] + self.answer[1], np.float32)


def _convolved(x: Floats, weights: Floats) -> Floats:
    padded = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
    views: Any = sliding_window_view(padded, (3, 3), axis=(1, 2))
    # (n, rows, cols, from, 3, 3) against (from, 3, 3, to)
    n, rows, cols, inputs = views.shape[:4]
    flat = views.reshape(n * rows * cols, inputs * 9)
    kernel = weights.transpose(2, 0, 1, 3).reshape(inputs * 9, -1)
    return np.asarray((flat @ kernel).reshape(n, rows, cols, -1), np.float32)


def _pooled(x: Floats) -> Floats:
    n, rows, cols, channels = x.shape
    halves = x.reshape(n, rows // 2, 2, cols // 2, 2, channels)
    return np.asarray(halves.max(axis=(2, 4)), np.float32)


@cache
def net() -> Net:
    """The net that is shipped."""
    with MODEL_FILE.open("rb") as file, np.load(file, allow_pickle=False) as held:
        weights = {
            name: np.asarray(held[name], np.float32) for name in held.files if name != "about"
        }
    count = sum(name.startswith("conv") for name in weights)
    return Net(
        tuple((weights[f"conv{k}"], weights[f"bias{k}"]) for k in range(count)),
        (weights["hidden"], weights["hidden_bias"]),
        (weights["answer"], weights["answer_bias"]),
    )


def net_input(seen: Seen) -> Floats:
    """(56, 32, 3): ink and two tints of a patch at half its resolution."""
    size = (INPUT_COLS, INPUT_ROWS)
    ink = cv2.resize(seen.ink, size, interpolation=cv2.INTER_AREA)
    tint = cv2.resize(seen.tint, size, interpolation=cv2.INTER_AREA)
    return np.asarray(np.dstack([ink, tint]), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Guess:
    """What the net makes of one corner."""

    corner: Corner
    chances: Floats
    """(52,): of each card."""
    there: float
    """That there is a whole index at all, 0..1."""

    @property
    def card(self) -> Card:
        """The likeliest card."""
        return CARDS[int(self.chances.argmax())]

    @property
    def certainty(self) -> float:
        """0..1."""
        return self.there * float(self.chances.max())


def guesses(image: NDArray[np.uint8], corners: Sequence[Corner]) -> list[Guess]:
    """What stands at each of *corners* of a BGR image."""
    if not corners:
        return []
    batch = np.stack([net_input(look_at(cut(image, corner))) for corner in corners])
    answers = net()(batch)
    return [_guess(corner, answer) for corner, answer in zip(corners, answers, strict=True)]


def _guess(corner: Corner, answer: Floats) -> Guess:
    count = len(GLYPHS)
    glyphs, suits = _softmax(answer[:count]), _softmax(answer[count : count + 4])
    ranks = np.zeros(13, np.float32)
    for glyph, chance in zip(GLYPHS, glyphs, strict=True):
        ranks[RANK_LETTERS.index(_RANK_OF.get(glyph, glyph))] += chance
    there = 1 / (1 + np.exp(-float(answer[-1])))
    return Guess(corner, np.outer(suits, ranks).ravel(), float(there))


def _softmax(logits: Floats) -> Floats:
    powers = np.exp(logits - logits.max())
    return np.asarray(powers / powers.sum(), np.float32)


class GeneralReader:
    """Proposes a card for any image of any design; never answers that it is one."""

    def warm_up(self) -> None:
        """Loads the net."""
        net()

    def read(self, image: Any) -> CardReading:
        """A proposal for *image*, of any kind that `vision.recognise.Reader` takes; ValueError if it is none."""
        pixels = as_pixels(image)
        flat = on_white(pixels)
        if locate.is_window(flat):
            view = locate.look(flat)
            if view.corners and len(view.corners) < 3:
                return _proposal([guesses(flat, _zoomed([c])) for c in view.corners[:2]])
        found: list[list[Guess]] = []
        for pair in islice(outline.cards_in(pixels), _MOST_CARDS):
            both = [guesses(flat, _zoomed([corner])) for corner in pair]
            found += both
            if max(one.certainty for each in both for one in each) > _GOOD:
                return _proposal(both)
        found.append(guesses(*_anywhere(flat)))
        if has_stop_mark(flat):
            return CardReading(Kind.STOP_CARD, confidence=1.0)
        return _proposal(found)


def _zoomed(corners: Iterable[Corner]) -> list[Corner]:
    return [corner.scaled(zoom) for corner in corners for zoom in ZOOMS]


def _anywhere(image: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], list[Corner]]:
    """A smaller copy of a picture, and upright corners of several sizes about its top left."""
    factor = max(1.0, max(image.shape[:2]) / _MOST_PIXELS)
    size = (round(image.shape[1] / factor), round(image.shape[0] / factor))
    small = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    return small, list(_upright(size))


def _upright(size: tuple[int, int]) -> Iterator[Corner]:
    """A bare corner holds an index that fills much of it; a whole card may lie there upright too."""
    reach = max(size[0] / 16.0, size[1] / 28.0)
    for share in (1.0, 0.8, 0.64, 0.5, 0.4):
        scale = reach * share
        for x in (-0.08, 0.0, 0.12):
            for y in (-0.06, 0.0, 0.1):
                origin = (x * size[0], y * size[1])
                if scale * CARD_HEIGHT_MM > 60:
                    yield straight_corner(origin, (1.0, 0.0), scale, "upright")


def _proposal(found: Sequence[Sequence[Guess]]) -> CardReading:
    """The surest card over all places; corners that agree strengthen each other."""
    every = [guess for each in found for guess in each]
    if not every:
        return CardReading(Kind.UNSURE, evidence={"reason": "no_corner"})
    chances = np.zeros(52, np.float32)
    for each in found:
        if each:
            weights = np.array([guess.there**2 for guess in each])[:, None]
            chances += (weights * np.stack([guess.chances for guess in each])).max(axis=0)
    order = np.argsort(-chances)
    card = CARDS[int(order[0])]
    best = max((guess for guess in every), key=lambda guess: guess.there * guess.chances[order[0]])
    certainty = min(best.there * float(best.chances[order[0]]), 0.89)
    if certainty < _LEAST:
        return CardReading(Kind.UNSURE, evidence={"reason": "no_corner"})
    scores = {str(CARDS[int(i)]): round(float(chances[i] / len(found)), 4) for i in order[:8]}
    return CardReading(
        Kind.UNSURE,
        None,
        card,
        round(certainty, 4),
        CARDS[int(order[1])],
        "corner",
        {"reason": "not_taught", "scores": scores},
    )
