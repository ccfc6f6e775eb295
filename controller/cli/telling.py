"""A stop in words: what happened, where, what to do now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from controller.engine.stops import REQUESTS, Places, Stop
from deals.words import text


def told(stop: Stop, lang: str | None = None) -> str:
    """One stop as a person hears it. It names a card or a pocket, never both (design.md section 8)."""
    steps = " ".join(steps_told(stop, lang))
    return " ".join(part for part in (what_happened(stop, lang), steps) if part)


def what_happened(stop: Stop, lang: str | None = None) -> str:
    """What, and at which card or pocket."""
    where = ""
    if stop.feed is not None:
        where = text("stop.at_feed", {"feed": stop.feed}, lang)
    elif stop.pocket is not None:
        where = text("stop.at_pocket", {"pocket": stop.pocket.name}, lang)
    code = f"stop.{stop.fault.value}"
    if stop.fault in REQUESTS and stop.board is None:
        code += "_any"
    what = text(code, {"board": stop.board}, lang)
    if stop.copy:
        what += " " + text("stop.of_copy", {"copy": stop.copy}, lang)
    return " ".join(part for part in (what, where) if part)


def steps_told(stop: Stop, lang: str | None = None) -> list[str]:
    """What to do now, one sentence or two a step."""
    return [text(f"step.{step.value}", lang=lang) for step in stop.steps]


def places_told(places: Places, lang: str | None = None) -> str:
    """What is where: numbers of cards, no card."""
    seats = dict(zip("nesw", places.pockets, strict=True))
    words = [text("places.pockets", seats, lang), text("places.tray", {"n": places.tray}, lang)]
    if places.way:
        words.append(text("places.way", {"n": places.way}, lang))
    if places.hopper:
        words.append(text("places.hopper", {"n": places.hopper}, lang))
    return " · ".join(words)


def stop_document(stop: Stop) -> dict[str, Any]:
    """A stop as JSON, without any card."""
    places = stop.places
    return {
        "fault": stop.fault.value,
        "card": stop.feed,
        "pocket": None if stop.shown_pocket is None else stop.shown_pocket.name,
        "remedy": stop.remedy,
        "steps": [step.value for step in stop.steps],
        "message": told(stop),
        "places": None
        if places is None
        else {
            **dict(zip("NESW", places.pockets, strict=True)),
            "tray": places.tray,
            "way": places.way,
            "hopper": places.hopper,
        },
    }


def consequences(board: int | None, void: Sequence[str], stale: Sequence[str]) -> list[str]:
    """What people must do about copies and files of the record that was."""
    told = [text("adopt.void", {"board": board, "copies": list(void)})] if void else []
    return told + [text("newdeal.stale", {"path": path}) for path in stale]
