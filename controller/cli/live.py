"""The terminal's view of a job: four pockets that fill, the next board in large, the remedy at a
stop.

Hands stay hidden: the view knows counts, never cards.
"""

from __future__ import annotations

import time
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

from rich.console import Console, Group
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from controller.cli.output import console
from controller.cli.screen import WIDTH, large, remedy
from controller.devices.happenings import BeltHeld, CardLanded, CardSeen, Happening
from controller.jobs.deal import PACK, DealSet
from controller.jobs.results import BoardResult, FaultCount, by_fault
from controller.protocol.messages import Pocket
from deals.boards import Board
from deals.files.marks import MARK
from deals.words import catalogue, term, text

if TYPE_CHECKING:
    from controller.twin.session import TwinReport, TwinSetup

REFRESH_S: Final = 1 / 15
BAR: Final = 13


class LiveView:
    """Shows a running job; plain lines where there is no terminal."""

    def __init__(self, what: DealSet, operator: str | None = None) -> None:
        """`operator`: who mends where the machine is simulated."""
        self._operator = operator
        self._boards = {board.number: board for board in what.chosen}
        self._what = what
        self._console: Console = console()
        self._live = Live(console=self._console, auto_refresh=False, transient=True)
        self._on_terminal = self._console.is_terminal
        self._lying = dict.fromkeys(Pocket, 0)
        self._fed = 0
        self._held = False
        self._now: BoardResult | None = None
        self._told = 0
        self._attempt = 0
        self._drawn_s = 0.0

    def __enter__(self) -> Self:
        if self._on_terminal:
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._on_terminal:
            self._live.stop()

    def progress(self, result: BoardResult) -> None:
        """A board begins, stops or ends."""
        if self._now is not result:
            self._now, self._told, self._attempt = result, 0, 0
        self._fed = 0
        for stop in result.stops[self._told :]:
            self._console.print(
                remedy(stop, result.board, self._operator), soft_wrap=False
            )  # a panel wraps its lines itself, also where there is no terminal
        self._told = len(result.stops)
        if result.proven or result.waiting:
            self._console.print(_line(result))
        self._draw()

    def happened(self, happening: Happening) -> None:
        """Counts what lands where."""
        match happening:
            case CardLanded():
                self._lying[happening.pocket] += 1
            case CardSeen():
                self._begin_attempt()
                self._fed = happening.feed
            case BeltHeld():
                self._held = happening.on

    def _begin_attempt(self) -> None:
        """The pockets count from nothing when the first card of an attempt is seen."""
        if self._now is not None and self._attempt != self._now.attempts:
            self._attempt = self._now.attempts
            self._lying = dict.fromkeys(Pocket, 0)

    def tick(self, now_us: int) -> None:
        """Time has passed: draws anew now and then."""
        if self._on_terminal and time.monotonic() - self._drawn_s >= REFRESH_S:
            self._draw()

    def _draw(self) -> None:
        if not self._on_terminal or self._now is None:
            return
        self._drawn_s = time.monotonic()
        self._live.update(self._picture(self._now), refresh=True)

    def _picture(self, result: BoardResult) -> Panel:
        board = self._boards[result.board]
        table = Table.grid(padding=(0, 2))
        for pocket in (Pocket.N, Pocket.E, Pocket.S, Pocket.W):
            table.add_row(Text(pocket.name, "bold"), _bar(self._lying[pocket], BAR))
        aside = text("places.tray", {"n": self._lying[Pocket.TRAY]})
        head = ["Predeal", MARK] if self._what.teaching else ["Predeal"]
        fed = text("screen.card", {"fed": min(self._fed, PACK), "of": PACK})
        state = [text("screen.holds") if self._held else fed, aside, *self._next(result)]
        body = Table.grid(padding=(0, 3))
        body.add_row(Text(large(result.board), "bold"), table)
        return Panel(
            Group(_headline(board, result), Text(), body, Text(" · ".join(state), "dim")),
            title=Text(" · ".join([*head, self._what.name, f"set {self._what.code}"])),
            width=WIDTH,
        )

    def _next(self, result: BoardResult) -> list[str]:
        """Which board to have ready."""
        if result.follows is None:
            return []
        return [text("screen.next", {"board": result.follows})]


def _headline(board: Board, result: BoardResult) -> Text:
    words = [text("screen.board", {"board": result.board}).upper()]
    if result.copy > 1:
        words.append(text("screen.copy", {"copy": result.copy}))
    if result.attempts > 1:
        words.append(text("screen.attempt", {"attempt": result.attempts}))
    marks = text("screen.marks", {"dealer": board.dealer, "vulnerable": board.vulnerable})
    return Text("   ".join(words), "bold").append(f"   {marks}", "not bold")


def _bar(count: int, full: int) -> Text:
    style = "bold green" if count == full else "cyan"
    return (
        Text("█" * min(count, full), style)
        .append("·" * max(0, full - count), "dim")
        .append(f" {count:>2}", style)
    )


def _line(result: BoardResult) -> Text:
    words = [text("screen.board", {"board": f"{result.board:>2}"})]
    if result.copy > 1:
        words.append(text("screen.copy", {"copy": result.copy}))
    if not result.proven:
        return Text("  ".join(["■", *words, text("screen.board_waits")]), "bold red")
    words.append(text("screen.proven"))
    words.append(" ".join(f"{seat}{count}" for seat, count in result.pockets.items()))
    if result.machine_us is not None:
        words.append(f"{result.machine_us / 1e6:6.2f} s")
    if result.second_looks:
        words.append(text("screen.second_looks", {"looks": result.second_looks}))
    if result.stops:
        words.append(text("screen.mended_after", {"stops": len(result.stops)}))
    return Text("  ".join(["✔", *words]), "green")


def conclusion(report: TwinReport, what: DealSet, setup: TwinSetup) -> None:
    """The proof at the end: what was dealt, and what the simulated world itself says of it."""
    screen = console()
    boards = {board.number: board for board in what.boards}
    table = Table(title=text("screen.proof"), title_justify="left")
    copies = any(result.copy > 1 for result in report.results)
    for name in (
        "screen.in_board",
        *(["screen.in_copy"] if copies else []),
        "screen.in_proven",
        "screen.in_machine",
        "screen.in_limit",
        "screen.in_world",
    ):
        table.add_column(text(name), justify="right")
    limit = f"{setup.profile.mechanical_limit_us / 1e6:.2f}"
    for result, contents in zip(report.results, report.contents, strict=True):
        agrees = _agrees(boards[result.board], contents)
        table.add_row(
            str(result.board),
            *([str(result.copy)] if copies else []),
            text("screen.yes" if result.proven else "screen.no"),
            "-" if result.machine_us is None else f"{result.machine_us / 1e6:.2f}",
            limit,
            text("screen.yes") if agrees else text("screen.no").upper(),
        )
    screen.print(table)
    faults = by_fault(report.results)
    if faults:
        screen.print(_fault_table(faults))
    summary = report.summary
    screen.print(
        text(
            "job.summary",
            {
                "proven": summary.proven,
                "mended": summary.mended,
                "stopped": summary.stopped,
                "set_code": what.code,
                "firmware": f"{report.firmware['kind']} {report.firmware['id']}",
            },
        )
    )


def _fault_table(faults: dict[str, FaultCount]) -> Table:
    """What stopped boards, and how they ended."""
    table = Table(title=text("screen.by_fault"), title_justify="left")
    table.add_column(text("screen.fault"))
    for name in ("screen.mended", "screen.waits"):
        table.add_column(text(name), justify="right")
    for fault, count in faults.items():
        table.add_row(_fault_word(fault), str(count.mended), str(count.stopped))
    return table


def _fault_word(fault: str) -> str:
    """The machine's word for it where the catalogue has one."""
    name = fault.replace("_", " ").replace("mcu", "MCU")
    known = [c for c in ("machine", "fault") if (c, name) in catalogue("en")]
    return term(f"{known[0]}.{name}") if known else name


def _agrees(board: Board, contents: dict[str, Any]) -> bool:
    return all(contents[seat.name] == board.deal.hand_pbn(seat) for seat in type(board.dealer))
