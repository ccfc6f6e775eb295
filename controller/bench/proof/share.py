"""One share of the proof: every kind of image of one design and some packs, drawn, read and counted."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from controller.bench.proof import kinds
from controller.bench.proof.decks import Pool, deal_packs, slim
from controller.bench.proof.prints import Printed, Where, printed, reader_of
from deals.cards import CARDS, Card
from vision.reading import CardReading, Kind
from vision.recognise import Reader
from vision.synthetic.confusions import CAUSES, confuse, pair_of

_TOLD: Final = 40
"""Odd images that one share names, at most."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much one share is."""

    guided: int
    harsh: int
    each_kind: int
    """Images of each kind of no card, and of cards of other designs."""
    packs: int


@dataclass(frozen=True, slots=True)
class Share:
    """Which share of which design."""

    where: Where
    number: int
    sizes: Sizes
    kept: Path
    """Where taught designs are kept."""
    others: tuple[Where, ...]
    """Designs that jokers, backs and foreign cards are taken from."""
    seed: int = kinds.SEED


@dataclass
class Counted:
    """What came of a share; plain values, so that it goes between processes and into the file."""

    design: str
    number: int
    images: dict[str, Counter[str]] = field(default_factory=dict)
    """By kind: n, and how they were read."""
    packs: Counter[str] = field(default_factory=Counter)
    confused: dict[str, Counter[str]] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    """Every image that was read as what it is not, and every board that was proven and false."""
    cpu_s: float = 0.0

    def plain(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "design": self.design,
            "number": self.number,
            "images": {kind: dict(counts) for kind, counts in self.images.items()},
            "packs": dict(self.packs),
            "confused": {cause: dict(counts) for cause, counts in self.confused.items()},
            "wrong": self.wrong,
            "cpu_s": self.cpu_s,
        }


def count(share: Share) -> Counted:
    """Draws and reads all of a share."""
    start = time.process_time()
    faces, reader = printed(share.where), reader_of(share.where.name, share.kept)
    told = Counted(share.where.name, share.number)
    pools: dict[str, dict[Card, list[CardReading]]] = {}
    for kind, n in (("guided", share.sizes.guided), ("harsh", share.sizes.harsh)):
        pools[kind] = {card: [] for card in CARDS}
        _cards(share, kind, n, faces, reader, told, pools[kind])
    scene = _scene(share, faces, reader)
    for kind in kinds.NO_CARDS:
        _no_cards(share, kind, scene, reader, told)
    _foreign(share, scene, reader, told)
    _packs(share, faces, reader, pools, told)
    told.wrong = told.wrong[:_TOLD]
    told.cpu_s = round(time.process_time() - start, 2)
    return told


def _numbers(share: Share, n: int) -> Iterator[int]:
    """Image numbers, each used by one share only."""
    return iter(range(share.number * n, (share.number + 1) * n))


def _cards(
    share: Share,
    kind: str,
    n: int,
    faces: Printed,
    reader: Reader,
    told: Counted,
    pool: dict[Card, list[CardReading]],
) -> None:
    """Cards as the machine reads them: look 2 only where look 1 was unsure."""
    counts = told.images[kind] = Counter(n=n)
    conditions = kinds.CARD_KINDS[kind]
    for number in _numbers(share, n):
        card = CARDS[number % len(CARDS)]
        for look in (1, 2):
            # From the same chance: the same end of the same worn card, as askew and as badly lit.
            rng = kinds.random_of(share.seed, faces.name, kind, number)
            reading = reader.read(kinds.window(faces.faces[card], conditions, look, rng))
            if reading.kind is not Kind.UNSURE and reading.kind is not Kind.NO_CARD:
                break
        pool[card].append(slim(reading))
        if reading.kind is not Kind.CARD:
            counts["stop card" if reading.kind is Kind.STOP_CARD else "unsure"] += 1
        elif reading.card is card:
            counts[f"right {look}"] += 1
        else:
            counts["wrong"] += 1
            told.wrong.append(
                f"{kind} {faces.name} {number}: {card} as {reading.card}, look {look}"
            )


def _scene(share: Share, faces: Printed, reader: Reader) -> kinds.Scene:
    assert reader.design is not None  # noqa: S101 - a reader that was taught
    near = [share.others[(share.number + k) % len(share.others)] for k in range(2)]
    others = [printed(where) for where in near if where != share.where]
    return kinds.Scene(faces, others, kinds.index_on_card(reader.design))


def _no_cards(share: Share, kind: str, scene: kinds.Scene, reader: Reader, told: Counted) -> None:
    counts = told.images[kind] = Counter(n=share.sizes.each_kind)
    for number in _numbers(share, share.sizes.each_kind):
        rng = kinds.random_of(share.seed, scene.printed.name, kind, number)
        reading = reader.read(kinds.NO_CARDS[kind](scene, 1 + number % 2, rng))
        counts[reading.kind.value] += 1
        if reading.kind is Kind.CARD:
            told.wrong.append(f"{kind} {scene.printed.name} {number}: as {reading.card}")


def _foreign(share: Share, scene: kinds.Scene, reader: Reader, told: Counted) -> None:
    counts = told.images["foreign"] = Counter(n=share.sizes.each_kind)
    for number in _numbers(share, share.sizes.each_kind):
        rng = kinds.random_of(share.seed, scene.printed.name, "foreign", number)
        card, image = kinds.foreign(scene, 1 + number % 2, rng)
        reading = reader.read(image)
        if reading.kind is not Kind.CARD:
            counts[reading.kind.value] += 1
        elif reading.card is card:
            counts["same print"] += 1
        else:
            counts["wrong"] += 1
            told.wrong.append(f"foreign {scene.printed.name} {number}: {card} as {reading.card}")


def _packs(
    share: Share,
    faces: Printed,
    reader: Reader,
    pools: dict[str, dict[Card, list[CardReading]]],
    told: Counted,
) -> None:
    """Half of the packs are clean, half are worn."""
    assert reader.design is not None  # noqa: S101
    worn = share.sizes.packs // 2
    for kind, n in (("guided", share.sizes.packs - worn), ("harsh", worn)):
        confusions = []
        for number in _numbers(share, n):
            rng = kinds.random_of(share.seed, faces.name, f"pack {kind}", number)
            cause = CAUSES[number % len(CAUSES)]
            confusions.append(confuse(faces.faces, pair_of(reader.design, rng), cause, rng))
        pool: Pool = pools[kind]
        if not confusions or not all(pool.values()):
            continue
        seed = share.number * 2 + (kind == "harsh")
        dealt = deal_packs(faces, reader, pool, kinds.CARD_KINDS[kind], confusions, seed)
        told.packs.update(dealt.counts)
        for cause, counts in dealt.images.items():
            told.confused.setdefault(cause, Counter()).update(counts)
        told.wrong += [f"pack {kind} {faces.name} {seed}, {one}" for one in dealt.silent]


Work = Callable[[Share], Counted]
