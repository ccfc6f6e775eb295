"""A stop in words: what happened, where, what to do now."""

from __future__ import annotations

from controller.engine.stops import REQUESTS, Stop
from deals.words import text


def told(stop: Stop, lang: str | None = None) -> str:
    """One stop as a person hears it. It names a card or a pocket, never both (design.md section 8)."""
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
    steps = " ".join(text(f"step.{step.value}", lang=lang) for step in stop.steps)
    return " ".join(part for part in (what, where, steps) if part)
