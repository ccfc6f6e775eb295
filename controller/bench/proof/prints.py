"""The designs that the proof reads: ours by name, others from folders of pictures; taught once and kept."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from deals.cards import CARDS, Card
from vision.design import SUFFIX, load, save
from vision.recognise import Reader
from vision.sources import labelled_files, load_image
from vision.synthetic import art
from vision.synthetic.canvas import Face
from vision.teach import Labelled, TeachResult, teach

OTHERS: Final = "others"
"""Folder beside the 52 pictures with what else the package has: joker-1.png, back-1.png."""
_AT_HAND: Final = 16
"""Designs whose faces are held in memory: 80 MB each."""


@dataclass(frozen=True, slots=True, eq=False)
class Printed:
    """The faces of one design, and its own jokers and backs."""

    name: str
    faces: Mapping[Card, Face]
    jokers: tuple[Face, ...]
    backs: tuple[Face, ...]

    def digest(self) -> str:
        """Of the 52 faces as they are printed."""
        digest = hashlib.blake2b(digest_size=8)
        for card in CARDS:
            digest.update(self.faces[card].tobytes())
        return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class Where:
    """Where a design comes from; `folder` is None for one of ours."""

    name: str
    folder: Path | None = None


OURS: Final = tuple(Where(name) for name in (*art.DESIGNS, *art.NATIONAL))


def designs_in(folder: Path | None) -> tuple[Where, ...]:
    """Ours, with letters of other languages too, and one for each folder of 52 pictures in *folder*."""
    if folder is None:
        return OURS
    found = [path for path in sorted(folder.iterdir()) if path.is_dir()]
    theirs = [Where(path.name, path) for path in found if len(list(labelled_files(path))) >= 52]
    return (*OURS, *theirs)


@lru_cache(maxsize=_AT_HAND)
def printed(where: Where) -> Printed:
    """The faces of a design; VisionError if a picture is missing."""
    if where.folder is None:
        faces = {card: art.face(where.name, card) for card in CARDS}
        return Printed(where.name, faces, (), ())
    others = sorted((where.folder / OTHERS).glob("*.png"))
    jokers = tuple(art.load_face(path) for path in others if path.stem.startswith("joker"))
    backs = tuple(art.load_face(path) for path in others if path.stem.startswith("back"))
    return Printed(where.name, art.load_art(where.folder), jokers, backs)


def _pictures(where: Where) -> Iterable[Labelled]:
    """What a club would teach from: the pictures as they are."""
    if where.folder is None:
        return [Labelled(card, art.face(where.name, card)) for card in CARDS]
    files = labelled_files(where.folder)
    return [Labelled(card, load_image(path), path.name) for card, path in files]


def teach_into(where: Where, folder: Path) -> TeachResult | None:
    """Teaches a design and keeps it in *folder*; None if it is kept there already."""
    if (folder / (where.name + SUFFIX)).exists():
        return None
    result = teach(where.name, _pictures(where))
    if result.design is not None and result.accepted:
        save(result.design, folder)
    return result


@cache
def reader_of(name: str, folder: Path) -> Reader:
    """The reader of a design that was kept, as the machine loads it."""
    reader = Reader(load(folder / (name + SUFFIX)))
    reader.warm_up()
    return reader
