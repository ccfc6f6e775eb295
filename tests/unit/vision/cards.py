"""A taught design, once for all tests, and pictures of its cards."""

from __future__ import annotations

from functools import cache
from typing import Any

import cv2
import numpy as np

from deals.cards import CARDS, Card
from tests.once import once
from vision.design import Design
from vision.recognise import Reader
from vision.synthetic import art
from vision.synthetic.optics import CLEAN, Conditions, Piece, render_window
from vision.teach import Labelled, TeachResult, teach

LOOK_2_ROW = 225.0


@cache
def taught(name: str = "standard") -> TeachResult:
    """One of our own designs, taught from its 52 drawn faces."""
    faces = [Labelled(card, art.face(name, card)) for card in CARDS]
    return once(f"taught {name}", lambda: teach(name, faces))


@cache
def reader(name: str = "standard") -> Reader:
    """A reader of that design."""
    design = taught(name).design
    assert isinstance(design, Design)
    return Reader(design)


def window(
    face: Any,
    seed: int,
    conditions: Conditions = CLEAN,
    lead_row: float = 40.0,
    turned: bool = False,
    tilt_deg: float = 0.0,
) -> Any:
    """What the camera sees of one card."""
    piece = Piece(face, lead_row, 0.0, tilt_deg, turned)
    return render_window([piece], conditions, 1.0, np.random.default_rng(seed))


def photo(face: Any, angle_deg: float, height_px: int, ground: int = 90, seed: int = 0) -> Any:
    """A whole card on a plain, unevenly lit ground, turned by any angle."""
    rng = np.random.default_rng(seed)
    scale = height_px / face.shape[0]
    card = cv2.resize(face, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    side = int(1.5 * np.hypot(*card.shape[:2]))
    centre = (card.shape[1] / 2, card.shape[0] / 2)
    turn = cv2.getRotationMatrix2D(centre, angle_deg, 1.0)
    turn[:, 2] += side / 2 - np.array(centre)
    there = np.full(card.shape[:2], 255, np.uint8)
    mask = cv2.warpAffine(there, turn, (side, side))[:, :, None] / 255.0
    laid = cv2.warpAffine(card, turn, (side, side))
    picture = laid * mask + ground * (1 - mask)
    light = np.linspace(0.85, 1.0, side)[None, :, None]
    return np.clip(picture * light + rng.normal(0, 2, picture.shape), 0, 255).astype(np.uint8)


def some_cards() -> tuple[Card, ...]:
    """Courts, tens, aces, and the pairs that look most alike."""
    names = "SA SK SQ SJ ST S9 S6 S3 CJ CQ CK C8 HT HQ H6 H5 DA D7 DJ D3"
    return tuple(Card.parse(name) for name in names.split())
