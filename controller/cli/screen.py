"""What the terminal shows of a stop: one panel that says all, and a board's number that is read from afar."""

from __future__ import annotations

from typing import Final

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from controller.cli.telling import places_told, steps_told, what_happened
from controller.engine.stops import Fault, Step, Stop
from deals.words import text

WIDTH: Final = 76
_DIGITS: Final = {
    "0": "┏━┓┃ ┃┗━┛",
    "1": " ╻  ┃  ╹ ",
    "2": "╺━┓┏━┛┗━╸",
    "3": "╺━┓ ━┫╺━┛",
    "4": "╻ ╻┗━┫  ╹",
    "5": "┏━╸┗━┓╺━┛",
    "6": "┏━╸┣━┓┗━┛",
    "7": "╺━┓  ┃  ╹",
    "8": "┏━┓┣━┫┗━┛",
    "9": "┏━┓┗━┫╺━┛",
}
"""Three rows of three characters each."""


def large(number: int) -> str:
    """A number in digits three lines high."""
    rows = (range(3), range(3, 6), range(6, 9))
    return "\n".join(
        " ".join("".join(_DIGITS[digit][at] for at in row) for digit in str(number)) for row in rows
    )


def remedy(stop: Stop, board: int, operator: str | None = None) -> Panel:
    """A stop on one screen: what happened, what is where, what to do, and how it goes on.

    `operator` is who acts where the machine is simulated.
    """
    parts: list[RenderableType] = [Text(what_happened(stop), "bold")]
    if stop.places is not None:
        parts += [Text(), Text(f"{text('screen.where')}: {places_told(stop.places)}", "cyan")]
    steps = Table.grid(padding=(0, 1))
    for number, step in enumerate(steps_told(stop), 1):
        steps.add_row(Text(str(number), "bold"), Text(step))
    parts += [Text(), steps, Text(), *_how_it_goes_on(stop, operator)]
    title = Text(text("screen.stopped", {"board": board}), "bold red")
    return Panel(Group(*parts), title=title, title_align="left", border_style="red", width=WIDTH)


def _how_it_goes_on(stop: Stop, operator: str | None) -> list[Text]:
    if stop.fault is Fault.FACE_SEEN:
        return [Text(text("screen.ends"), "green")]
    if operator is not None:
        code = "screen.nobody" if operator == "none" else "screen.simulated"
        return [Text(text(code, {"operator": operator}), "green")]
    named = Step.NAME_SET_ASIDE in stop.steps
    how = text("screen.resume_named" if named else "screen.resume")
    return [Text(how, "green"), Text(text("screen.face"), "dim")]
