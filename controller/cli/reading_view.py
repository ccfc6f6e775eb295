"""The terminal's view of a job that reads cards, and what all such commands print at the end.

Counts and hands of the compass, never a card.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

import click

from controller.cli.output import complain
from controller.cli.telling import stop_document, told
from controller.devices.happenings import BeltHeld, CardLanded, CardSeen, Happening
from controller.jobs.around import Finding
from controller.jobs.feeding import Progress
from controller.protocol.messages import Pocket
from deals.cards import Seat
from deals.words import text

if TYPE_CHECKING:
    from rich.panel import Panel

REFRESH_S: Final = 1 / 15


class ReadingView:
    """Shows a running job where there is a terminal; stops are told in any case."""

    def __init__(self, title: str) -> None:
        from rich.live import Live  # late: a JSON answer needs no terminal

        from controller.cli.output import console

        self._title = title
        self._console = console()
        self._live = Live(console=self._console, auto_refresh=False, transient=True)
        self._lying = dict.fromkeys(Pocket, 0)
        self._fed = 0
        self._held = False
        self._told = 0
        self._now = Progress()
        self._drawn_s = 0.0

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._console.is_terminal:
            self._live.stop()

    def progress(self, now: Progress) -> None:
        """The job has come further, or has stopped."""
        if (now.board, now.copy, now.pocket) != (self._now.board, self._now.copy, self._now.pocket):
            self._lying = dict.fromkeys(Pocket, 0)
        for stop in now.stops[self._told :]:
            self._console.print(f"[bold red]■[/] {told(stop)}", highlight=False)
        self._told = len(now.stops)
        self._now = Progress(now.board, now.copy, now.pocket, now.lots)
        self._draw()

    def happened(self, happening: Happening) -> None:
        """Counts what passes."""
        match happening:
            case CardLanded():
                self._lying[happening.pocket] += 1
            case CardSeen():
                self._fed = happening.feed
            case BeltHeld():
                self._held = happening.on

    def tick(self, now_us: int) -> None:
        """Time has passed: draws anew now and then."""
        if time.monotonic() - self._drawn_s >= REFRESH_S:
            self._draw()

    def _draw(self) -> None:
        if self._console.is_terminal:
            self._drawn_s = time.monotonic()
            self._live.update(self._picture(), refresh=True)

    def _picture(self) -> Panel:
        from rich.panel import Panel
        from rich.text import Text

        now = self._now
        parts = [f"BOARD {now.board}"] if now.board else []
        parts += [f"copy {now.copy}"] if now.copy else []
        parts += [f"hand {now.pocket.name}"] if now.pocket is not None else []
        counts = "  ".join(
            f"{'tray' if pocket is Pocket.TRAY else pocket.name} {count}"
            for pocket, count in self._lying.items()
        )
        state = "belt holds" if self._held else f"card {self._fed}"
        body = Text("   ".join(parts) or self._title, "bold").append(f"\n{counts}\n", "not bold")
        return Panel(body.append(state, "dim"), title=f"Predeal · {self._title}", width=64)


def finding_documents(findings: Iterable[Finding]) -> list[dict[str, str]]:
    """As JSON: the code for programs, the words for people."""
    return [{"code": code, "message": text(code, values)} for code, values in findings]


def tell(findings: Iterable[Finding], *, wrong: bool) -> None:
    """As a person reads it: on stderr where something is to be done."""
    for code, values in findings:
        (complain if wrong else click.echo)(text(code, values))


def progress_document(now: Progress) -> dict[str, Any]:
    """What every such job tells beside its result."""
    return {
        "waiting": now.waiting,
        "lots": now.lots,
        "second_looks": now.second_looks,
        "held": now.held,
        "set_aside": now.set_aside,
        "stops": [stop_document(stop) for stop in now.stops],
    }


def counts(pockets: dict[Seat, Any]) -> dict[str, int]:
    """Cards by hand."""
    return {seat.letter: len(pockets.get(seat, ())) for seat in Seat}
