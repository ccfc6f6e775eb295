"""The taught reader beside two plain ways, taught by the same 52 pictures, in one run; prints a Markdown table.

    python -m tests.benchmarks.vision_plain [--packs 2] [--seed 5] [--designs N] --kept DIR [--art DIR]

Template matching (whole corner in colour, the best of +-1.5 mm) and nearest neighbour (edge directions and colour) get
the corner that our reader finds by the card's edges. A plain way has no limits of its own: it is given
two, of which the table tells harsh cards taken, cards taken wrongly and no cards taken. KEPT holds taught designs, as
`make proof` leaves them; those that are missing there are taught. The last row is of all designs together.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from controller.bench.proof import kinds
from controller.bench.proof.prints import (
    Printed,
    Where,
    designs_in,
    printed,
    reader_of,
    teach_into,
)
from deals.cards import CARDS, Card
from vision import locate
from vision.features import describe, look_at
from vision.geometry import CARD_HEIGHT_MM
from vision.patch import cut, straight_corner
from vision.reading import Kind
from vision.recognise import Reader
from vision.synthetic.optics import CLEAN, HARSH
from vision.threads import one_thread

Guess = tuple[Card | None, float]
"""The likeliest card, and how like it is; the higher the liker."""
Way = Callable[[Any], Guess]
Told = tuple[str, Card | None, Guess]
"""Kind of image, what it shows, and the answer."""
_REACH = 6
_SHARE = 0.99


def _corner(image: Any) -> Any:
    corners = locate.look(image).corners
    return cut(image, corners[0]) if corners else None


def plain_ways(faces: Printed) -> dict[str, Way]:
    """Both, taught by the faces."""
    place = straight_corner((-0.5, -0.5), (1.0, 0.0), 880 / CARD_HEIGHT_MM, "whole")
    known = [cut(faces.faces[card], place) for card in CARDS]
    vectors = np.stack([describe(look_at(one)) for one in known])

    def matched(image: Any) -> Guess:
        patch = _corner(image)
        if patch is None:
            return None, -1.0
        wide = cv2.copyMakeBorder(patch, *(_REACH,) * 4, cv2.BORDER_REPLICATE)
        scores = [float(cv2.matchTemplate(wide, one, cv2.TM_CCOEFF_NORMED).max()) for one in known]
        best = int(np.argmax(scores))
        return CARDS[best], scores[best]

    def nearest(image: Any) -> Guess:
        patch = _corner(image)
        if patch is None:
            return None, -np.inf
        apart = ((vectors - describe(look_at(patch))) ** 2).sum(axis=1)
        best = int(np.argmin(apart))
        return CARDS[best], -float(apart[best])

    return {"template matching": matched, "nearest neighbour": nearest}


def taught_way(reader: Reader) -> Way:
    """Ours: refused is refused."""

    def read(image: Any) -> Guess:
        reading = reader.read(image)
        card = reading.card if reading.kind is Kind.CARD else None
        return card, 1.0 if card is not None else -1.0

    return read


def _shown(faces: Printed, scene: kinds.Scene, packs: int, seed: int) -> Iterator[tuple[str, Any]]:
    """Kind, card or None, and image."""
    for number in range(52 * packs):
        for kind, conditions in (("clean", CLEAN), ("harsh", HARSH)):
            rng = kinds.random_of(seed, faces.name, kind, number)
            card = CARDS[number % 52]
            yield kind, (card, kinds.window(faces.faces[card], conditions, 1, rng))
    for kind, make in kinds.NO_CARDS.items():
        for number in range(3 * packs):
            rng = kinds.random_of(seed, faces.name, kind, number)
            yield "no card", (None, make(scene, 1 + number % 2, rng))


def _limits(guesses: Sequence[Told], ours: Sequence[Told]) -> tuple[float, float]:
    """Where 99 of 100 clean cards are taken, and where as many harsh ones as our reader takes."""
    clean = [score for kind, _, (_, score) in guesses if kind == "clean"]
    harsh = sorted((score for kind, _, (_, score) in guesses if kind == "harsh"), reverse=True)
    taken = sum(kind == "harsh" and guess is not None for kind, _, (guess, _) in ours)
    return float(np.quantile(clean, 1 - _SHARE)), harsh[max(taken, 1) - 1]


def _counted(guesses: Sequence[Told], limits: Sequence[float]) -> Counter[str]:
    """Right without any limit, and for each limit: harsh cards taken, wrong of all, no cards taken."""
    told: Counter[str] = Counter()
    for kind, card, (guess, _) in guesses:
        told[kind] += 1
        told[f"{kind} right"] += guess is card and card is not None
    for number, limit in enumerate(limits):
        taken = [
            (k, card, g) for k, card, (g, score) in guesses if g is not None and score >= limit
        ]
        told[f"{number} harsh"] = sum(kind == "harsh" for kind, _, _ in taken)
        told[f"{number} wrong"] = sum(card not in (None, guess) for _, card, guess in taken)
        told[f"{number} none"] = sum(card is None for _, card, _ in taken)
    return told


def _row(design: str, way: str, told: Counter[str]) -> None:
    cells = [f"{told[f'{kind} right']} of {told[kind]}" for kind in ("clean", "harsh")]
    for number in range(2):
        cells.append(
            ", ".join(str(told[f"{number} {what}"]) for what in ("harsh", "wrong", "none"))
        )
    print("| " + " | ".join([design, way, *cells]) + " |", flush=True)


def _chosen(designs: Sequence[Where], count: int | None) -> list[Where]:
    """*count* of the designs, from the first on, evenly; all of them where it is not said."""
    if count is None or count >= len(designs):
        return list(designs)
    return [designs[number * len(designs) // count] for number in range(count)]


def main() -> None:
    """Runs all designs and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--packs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--designs", type=int, help="so many of them, evenly chosen")
    parser.add_argument("--kept", type=Path, required=True)
    parser.add_argument("--art", type=Path)
    options = parser.parse_args()
    one_thread()
    print(
        "| design | by | clean: right | harsh: right | at 99 % of clean | at our share of harsh |"
    )
    print("|---|---|--:|--:|---|---|")
    designs = _chosen(designs_in(options.art), options.designs)
    everything: dict[str, Counter[str]] = {}
    for number, where in enumerate(designs):
        result = teach_into(where, options.kept)
        if result is not None and not result.accepted:
            print(f"| {where.name} | refused at teaching | | | | |", flush=True)
            continue
        faces, reader = printed(where), reader_of(where.name, options.kept)
        other = printed(designs[(number + 1) % len(designs)])
        assert reader.design is not None
        scene = kinds.Scene(faces, (other,), kinds.index_on_card(reader.design))
        images = list(_shown(faces, scene, options.packs, options.seed))
        ours: list[Told] = []
        for name, way in {"taught reader": taught_way(reader), **plain_ways(faces)}.items():
            guesses = [(kind, card, way(image)) for kind, (card, image) in images]
            ours = ours or guesses
            told = _counted(guesses, _limits(guesses, ours))
            _row(where.name, name, told)
            everything.setdefault(name, Counter()).update(told)
    for name, told in everything.items():
        _row("**all**", name, told)


if __name__ == "__main__":
    main()
