"""Strips in a design's file: figures in its head, codes as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deals.cards import CARDS
from vision.strip import FINE, Place, Strip, Strips

_FIGURES = ("narrowest_mm", "limit", "apart")


def packed(strips: Strips) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """What goes into the head as JSON, and the arrays."""
    arrays: dict[str, NDArray[Any]] = {}
    each = []
    for number, strip in enumerate(strips.strips):
        arrays[f"strip{number}_codes"] = strip.codes
        arrays[f"strip{number}_cards"] = strip.cards
        figures = {name: getattr(strip, name) for name in _FIGURES}
        each.append({"place": asdict(strip.place), **figures})
    return {"strips": each, "always": strips.always, "alone": strips.alone}, arrays


def unpacked(head: Mapping[str, Any], held: Mapping[str, Any]) -> Strips:
    """The strips that were packed; ValueError, KeyError or TypeError where they do not fit together."""
    strips = []
    for number, one in enumerate(head["strips"]):
        codes = np.asarray(held[f"strip{number}_codes"])
        cards = np.asarray(held[f"strip{number}_cards"], np.int64)
        figures = {name: float(one[name]) for name in _FIGURES}
        strips.append(_whole(Strip(Place(**one["place"]), codes, cards, **figures)))
    return Strips(tuple(strips), bool(head["always"]), bool(head["alone"]))


def _whole(strip: Strip) -> Strip:
    figures = [getattr(strip, name) for name in _FIGURES]
    count = round(strip.place.length * FINE)
    fits = (
        strip.codes.dtype == np.bool_
        and strip.codes.shape == (len(strip.cards), count)
        and strip.cards.ndim == 1
        and set(strip.cards.tolist()) == set(range(len(CARDS)))
        and bool(np.isfinite(figures).all())
        and min(figures) > 0
        and 0 < strip.limit < strip.apart
    )
    if not fits:
        raise ValueError("strips that do not fit together")
    return strip
