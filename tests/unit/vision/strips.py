"""Coded cards of invented tables, and what teaching learns of their strips."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from deals.cards import CARDS, Card
from tests.once import once
from tests.unit.vision.cards import taught
from vision.design import Design
from vision.lineup import Placed
from vision.patch import straight_corner
from vision.recognise import Reader
from vision.strip import Strips
from vision.striplearn import Learned, learn_strips
from vision.synthetic import art
from vision.synthetic.strips import Bars, Print, table, with_strip

AT = Print()
SEED = 11


def coded(card: Card, bars: Bars, where: Print = AT) -> Any:
    """The face of *card* with a strip."""
    return with_strip(art.face("standard", card), bars, where)


def placed(card: Card, face: Any, name: str = "") -> Placed:
    """A picture of a whole card, as teaching has it."""
    corner = straight_corner((-0.5, -0.5), (1.0, 0.0), 10, "whole")
    return Placed(card, name or f"{card}.png", face, (corner,))


def learned_from(
    codes: Mapping[Card, Bars], where: Print = AT, alone: bool = False, **other: Any
) -> Learned:
    """Learns from one picture of each card; a card in *other* has that face."""
    pictures = [
        placed(card, other.get(str(card), coded(card, codes[card], where))) for card in CARDS
    ]
    return learn_strips(pictures, np.random.default_rng(1), alone)


@cache
def learned(kind: str = "modules", where: Print = AT, apart: int = 1) -> Learned:
    """What is learned of a kind of strip."""
    return once(
        f"strips {kind} {where} {apart}",
        lambda: learned_from(table(kind, SEED, apart=apart), where, alone=apart > 1),
    )


def strips_of(kind: str = "modules", where: Print = AT, apart: int = 1) -> Strips:
    """The strips of a kind."""
    strips = learned(kind, where, apart).strips
    assert strips is not None
    return strips


@cache
def reader(apart: int = 1) -> Reader:
    """A reader of the standard design with a strip on every card."""
    design = taught().design
    assert isinstance(design, Design)
    return Reader(replace(design, strips=strips_of(apart=apart)))
