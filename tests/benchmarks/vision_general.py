"""How often the general reader proposes the right card of packs that nobody taught; prints a Markdown table.

    python tests/benchmarks/vision_general.py [--images 26] [--seed 3] --art DIR...

Each DIR holds 52 pictures (SA.png ..). Beside it, in the same run, two plain ways of proposing: the most similar index
of our own taught designs by template matching, and the nearest neighbour of its feature vector among them.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from deals.cards import CARDS, Card
from vision import locate
from vision.features import describe, look_at
from vision.general import GeneralReader
from vision.geometry import CARD_HEIGHT_MM
from vision.patch import cut, straight_corner
from vision.synthetic import art
from vision.synthetic.optics import CLEAN, Piece, render_window
from vision.synthetic.photo import PHOTO, photograph
from vision.threads import one_thread

Propose = Callable[[Any], Card | None]


def shown(kind: str, face: Any, rng: np.random.Generator) -> Any:
    """A window, a photo or a bare corner of *face*."""
    if kind == "photo":
        return photograph(face, PHOTO, rng)
    if kind == "corner":
        high, wide = (round(mm * 10 * rng.uniform(1.0, 1.5)) for mm in (28, 16))
        part = face[:high, :wide]
        size = (round(wide * rng.uniform(0.4, 1.2)), round(high * rng.uniform(0.4, 1.2)))
        return cv2.resize(part, size, interpolation=cv2.INTER_AREA)
    return render_window([Piece(face, 40.0, turned=bool(rng.integers(2)))], CLEAN, 1.0, rng)


def plain_ways() -> dict[str, Propose]:
    """Template matching and nearest neighbour against the corners of our own designs; windows only."""
    corner = straight_corner((-0.5, -0.5), (1.0, 0.0), 880 / CARD_HEIGHT_MM, "whole")
    seen = [
        (card, look_at(cut(art.face(name, card), corner))) for name in art.DESIGNS for card in CARDS
    ]
    vectors = np.stack([describe(one) for _, one in seen])

    def view(image: Any) -> Any:
        corners = locate.look(image).corners
        return look_at(cut(image, corners[0])) if corners else None

    def matched(image: Any) -> Card | None:
        one = view(image)
        if one is None:
            return None
        wide = cv2.copyMakeBorder(one.ink, 6, 6, 6, 6, cv2.BORDER_REPLICATE)
        scores = [
            float(cv2.matchTemplate(wide, known.ink, cv2.TM_CCOEFF_NORMED).max())
            for _, known in seen
        ]
        return seen[int(np.argmax(scores))][0]

    def nearest(image: Any) -> Card | None:
        one = view(image)
        if one is None:
            return None
        return seen[int(np.argmin(((vectors - describe(one)) ** 2).sum(axis=1)))][0]

    return {"template matching": matched, "nearest neighbour": nearest}


def main() -> None:
    """Runs all folders and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--images", type=int, default=26)
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--art", type=Path, action="append", required=True)
    options = parser.parse_args()
    one_thread()
    reader = GeneralReader()
    ways: dict[str, Propose] = {
        "general": lambda image: reader.read(image).proposal,
        **plain_ways(),
    }
    print("| design | images | by | n | right | CPU ms |\n|---|---|---|---|---|---|")
    for folder in options.art:
        faces = art.load_art(folder)
        for kind in ("window", "photo", "corner"):
            for name, propose in (
                ways.items() if kind == "window" else [("general", ways["general"])]
            ):
                rng = np.random.default_rng([options.seed, len(kind)])
                right, start = 0, time.thread_time()
                for _ in range(options.images):
                    card = CARDS[int(rng.integers(52))]
                    right += propose(shown(kind, faces[card], rng)) is card
                took = (time.thread_time() - start) * 1000 / options.images
                print(
                    f"| {folder.name} | {kind} | {name} | {options.images} | {right} | {took:.0f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
