"""Draws what the camera sees, with `vision.synthetic`: printed faces, dirt on them, the optics."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from controller import geometry
from controller.twin.world.build import Mount
from controller.twin.world.camera import Shown
from controller.twin.world.things import BACK_OF_PACK, Kind, PhysicalCard, Smudge
from controller.twin.world.view import View
from deals.cards import Card
from vision.reading import CardReading
from vision.synthetic import art, special
from vision.synthetic.canvas import Face
from vision.synthetic.optics import CLEAN, Conditions, Piece, Window, render_window

PX_PER_MM: Final = 10
SMUDGED_MM: Final = (13, 30)
"""Width and height of a smudge in the corner of a card: it hides the index."""
_DIRT: Final = (70, 84, 96)
_RUBBED: Final = (206, 214, 216)


def conditions_of(mount: Mount) -> Conditions:
    """What a camera sees that is mounted so; place, tilt and strobe are the world's own matter."""
    return replace(
        CLEAN,
        defocus_mm=mount.focus / 100,
        zoom=1 + mount.scale / 1_000,
        sun=mount.daylight / 100,
    )


def _seen(conditions: Conditions, view: View) -> Conditions:
    if not (view.flicker or view.daylight or view.grime):
        return conditions
    return replace(
        conditions,
        flicker=max(conditions.flicker, view.flicker),
        sun=max(conditions.sun, view.daylight),
        grime=view.grime,
    )


class NoPictures:
    """For jobs that look at no card: a blank image, and nobody who would read it."""

    def window(self, shown: Sequence[Shown], view: View, rng: random.Random) -> bytes:
        """Nothing at all."""
        return b""

    def read(self, image: object) -> CardReading:
        """Never asked."""
        raise NotImplementedError


class DrawnPictures:
    """The `Pictures` of a machine: a design's faces seen through the window's optics."""

    def __init__(
        self,
        faces: Callable[[Card], Face],
        profile: geometry.Profile,
        conditions: Conditions = CLEAN,
    ) -> None:
        blur_mm = profile.belt_mm_s * geometry.STROBE_1_US / 1_000_000
        self._conditions = replace(conditions, motion_blur_mm=blur_mm)
        self._faces = faces
        self._smudged: dict[tuple[PhysicalCard, Smudge, Smudge], Face] = {}
        """Kept, because the optics cache by the identity of a face."""

    @classmethod
    def of_design(
        cls, design: str, profile: geometry.Profile, conditions: Conditions = CLEAN
    ) -> DrawnPictures:
        """Our own printed designs by name."""
        return cls(lambda card: art.face(design, card), profile, conditions)

    @classmethod
    def of_folder(
        cls, folder: Path, profile: geometry.Profile, conditions: Conditions = CLEAN
    ) -> DrawnPictures:
        """The 52 pictures of a folder (SA.png ..), each printed on the card that its name says."""
        return cls(art.load_art(folder).__getitem__, profile, conditions)

    def window(self, shown: Sequence[Shown], view: View, rng: random.Random) -> Window:
        """The window image; of two cards that overlap the first lies below and is seen."""
        pieces = [
            Piece(
                self._underside(one.card),
                float(one.lead_row),
                one.shift_mm,
                one.tilt_deg,
                one.card.turned,
            )
            for one in reversed(shown)
        ]
        exposure = view.light_us / geometry.STROBE_1_US
        noise = np.random.default_rng(rng.getrandbits(64))
        return render_window(pieces, _seen(self._conditions, view), exposure, noise)

    def _underside(self, card: PhysicalCard) -> Face:
        if card.face_up:
            return special.back("red" if card.back == BACK_OF_PACK else "blue")
        face = self._face(card)
        first, second = card.smudges
        if first is second is Smudge.CLEAN:
            return face
        key = (card, first, second)
        if key not in self._smudged:
            self._smudged[key] = _smudge(face, first, second)
        return self._smudged[key]

    def _face(self, card: PhysicalCard) -> Face:
        if card.card is not None:
            return self._faces(card.card)
        if card.kind is Kind.BLANK:
            return _blank()
        return special.stop_card() if card.kind is Kind.STOP else special.joker()


@cache
def _blank() -> Face:
    return art.blank()


def _smudge(face: Face, first: Smudge, second: Smudge) -> Face:
    """A copy with its first index (top left) and its second covered."""
    copy = face.copy()
    for smudge, corner in ((first, copy), (second, copy[::-1, ::-1])):
        if smudge is not Smudge.CLEAN:
            _cover(corner, _DIRT if smudge is Smudge.DIRT else _RUBBED)
    return copy


def _cover(corner: Face, colour: tuple[int, int, int]) -> None:
    """Covers the top left corner, with a soft border towards the rest of the card."""
    width, height = (mm * PX_PER_MM for mm in SMUDGED_MM)
    mask = np.zeros((height, width), np.float32)
    cv2.rectangle(mask, (0, 0), (width - 15, height - 15), 1.0, cv2.FILLED)
    share = np.asarray(cv2.GaussianBlur(mask, (0, 0), 4.0))[:, :, None]
    part = corner[:height, :width].astype(np.float32)
    corner[:height, :width] = (part * (1 - share) + np.array(colour) * share).astype(np.uint8)
