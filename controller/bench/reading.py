"""The figure of one reading: a window image in, a CardReading out, on one core."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from typing import Any

from controller.bench.figures import Figure
from controller.geometry import PROFILES, STROBE_1_US
from controller.twin.pictures import DrawnPictures
from controller.twin.world.camera import ROW_OF_EDGE, Shown
from controller.twin.world.things import PrintShop
from controller.twin.world.view import View
from deals.cards import CARDS, Card
from deals.errors import PredealError
from vision.design import load
from vision.recognise import Reader

DESIGN = "standard"


def windows(n: int) -> Iterator[tuple[Card, Any]]:
    """Window images as the twin's camera gives them, of cards in random order and attitude."""
    rng = random.Random(2)
    pictures = DrawnPictures.of_design(DESIGN, PROFILES["standard"])
    shop = PrintShop(rng)
    for _ in range(n):
        card = shop.card(rng.choice(CARDS))
        card.turned = rng.random() < 0.5
        shown = Shown(card, ROW_OF_EDGE[0], rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0))
        if card.card is not None:
            yield card.card, pictures.window([shown], View(STROBE_1_US), rng)


def read_ms(n: int) -> Sequence[float]:
    """Milliseconds of each reading; a card that is read as another one ends the measurement."""
    reader = Reader(load(DESIGN))
    reader.warm_up()
    samples = []
    for card, image in windows(n + 1):
        start = time.perf_counter()
        reading = reader.read(image)
        samples.append((time.perf_counter() - start) * 1e3)
        if reading.card not in (None, card):
            raise PredealError("bench.misread", card=card, read=reading.card)
    return samples[1:]


FIGURES = (
    Figure(
        "read_ms",
        "ms",
        "window image to reading, one core (a Pi 4 core: 5 to 8 times as long)",
        read_ms,
        520,
        20_000,
        5.0,
    ),
)
