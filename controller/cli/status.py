"""`predeal status`, `stop`, `resume`: what the daemon does; and a job watched from outside."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

import click

from controller.cli.live import LiveView
from controller.cli.output import Exit, complain, emit, finish, json_option
from controller.cli.parent import ended_like_ctrl_c
from controller.cli.pictures import Album, PicturePath, write_picture
from controller.cli.stores import socket_option, user_name
from controller.client.client import Client, Told
from controller.client.follow import Follower
from controller.jobs.results import BoardResult
from deals.files import ranges
from deals.words import text

if TYPE_CHECKING:
    from controller.api.models import FiguresView, StateView

_AGAIN_S: Final = 0.3
_POCKETS: Final = ("N", "E", "S", "W", "tray")


def client(socket: Path | None) -> Client:
    """A client in the name of the user who runs the program."""
    return Client(socket or _configured(), user_name())


def _configured() -> Path:
    from controller.cli.daemon import CONFIG_FILE
    from controller.config import Config, load  # late: pydantic

    try:
        config = load(CONFIG_FILE) if os.access(CONFIG_FILE, os.R_OK) else Config()
    except ValueError:
        config = Config()  # the daemon itself will say what is wrong with it
    return config.daemon.socket


@click.command()
@click.option("--follow", is_flag=True, help="Go on until the job ends or waits for a person.")
@click.option(
    "--figures", is_flag=True, help="For a technician: how well host and machine keep up."
)
@click.option(
    "--picture",
    type=PicturePath(),
    metavar="FILE",
    help="Write the picture of a card that has to be named; it is logged that you saw a face.",
)
@click.option(
    "--card", type=click.IntRange(1, 52), default=1, help="Which, where several are to be named."
)
@click.option("--look", type=click.IntRange(1, 2), help="Of this look; else the first there is.")
@socket_option
@json_option
def status(
    as_json: bool,
    follow: bool,
    figures: bool,
    picture: Path | None,
    card: int,
    look: int | None,
    socket: Path | None,
) -> None:
    """Say what the machine does and what it wants next."""
    asked = client(socket)
    if figures:
        _tell_figures(asked.figures(), as_json)
        return
    if picture is not None:
        _write_picture(asked, picture, (card, look), as_json)
        return
    state = asked.state()
    if as_json:
        emit(state.model_dump(mode="json"))
    else:
        tell(state)
        if follow:
            state = _follow(asked, state)
    waits = state.stop is not None or bool(state.interrupted)
    finish(Exit.WAITS_FOR_PERSON if waits else Exit.DONE)


@click.command()
@click.option("--end", is_flag=True, help="Give the whole job up too.")
@socket_option
@json_option
def stop(as_json: bool, end: bool, socket: Path | None) -> None:
    """Stop the machine now, whoever it works for."""
    state = client(socket).stop(end=end)
    if as_json:
        emit(state.model_dump(mode="json"))
    else:
        click.echo(text("client.stopped_ended" if end else "client.stopped"))


@click.command()
@click.argument("cards", nargs=-1)
@click.option("--take-over", is_flag=True, help="Make somebody else's job yours.")
@click.option("--board", type=click.IntRange(1), help="The number on the board in the slot.")
@click.option("--face-seen", metavar="WHO", help="Who saw the face of a card; it is logged.")
@click.option("--plays", is_flag=True, help="That person plays this set: the board ends here.")
@socket_option
@json_option
def resume(
    as_json: bool,
    cards: tuple[str, ...],
    take_over: bool,
    board: int | None,
    face_seen: str | None,
    plays: bool,
    socket: Path | None,
) -> None:
    """Go on: what the screen asked for is done. CARDS are the set-aside cards, if it asks for them.

    With --board only say which board lies in the slot of a machine that cannot read labels.
    """
    if plays and face_seen is None:
        raise click.UsageError(text("client.plays_who"))
    asked = client(socket)
    named = list(cards)
    if board:
        state = asked.confirm(board)
    else:
        state = asked.resume(
            named,
            take_over=take_over,
            seen=asked.state(),
            face_seen_by=face_seen,
            seen_by_player=plays,
        )
    if as_json:
        emit(state.model_dump(mode="json"))
    else:
        click.echo(text("client.resumed"))


def _write_picture(asked: Client, path: Path, which: tuple[int, int | None], as_json: bool) -> None:
    found = asked.picture(*which)
    write_picture(path, found.image)
    if as_json:
        emit({"file": str(path), "feed": found.feed, "card": found.card, "of": found.of})
    else:
        values = {"feed": found.feed, "who": asked.who, "file": path}
        click.echo(text("picture.written", values))


def tell(state: StateView) -> None:
    """The state as a person reads it."""
    if state.wants is not None:
        wanted = ranges(state.wants.boards or [state.wants.board])
        click.secho(f"BOARD {wanted}", bold=True)
    click.echo(state.words)
    if state.machine.problem and state.machine.problem not in state.words:
        click.echo(state.machine.problem)
    if state.machine.notice is not None:
        click.echo(text(state.machine.notice.code, state.machine.notice.values))
    if state.job is not None:
        job = state.job
        proven = sum(result.proven for result in job.results)
        values = {"owner": job.owner, "set_code": job.set_code, "proven": proven}
        code = "client.job_ended" if job.ended else "client.job_goes_on"
        click.echo(text(code, {**values, "left": len(job.left), "reason": job.reason}))
    if state.fed:
        counts = "  ".join(f"{name} {state.pockets[name]}" for name in _POCKETS)
        click.echo(text("client.pockets", {"counts": counts}))


def _tell_figures(found: FiguresView, as_json: bool) -> None:
    if as_json:
        emit(found.model_dump(mode="json"))
        return
    routes = sorted(found.route_us)
    if routes:
        median, late = routes[len(routes) // 2], routes[-1 - len(routes) // 100]
        values = {"count": len(routes), "median_ms": median / 1000, "p99_ms": late / 1000}
        click.echo(text("client.routes", values))
    for name, counts in (("link", found.link), ("eye", found.eye), ("mcu", found.mcu)):
        told = "  ".join(f"{key} {value}" for key, value in counts.items())
        click.echo(text(f"client.figures_{name}", {"counts": told or "-"}))
    for leg, (least, mean, most) in found.transit_mm.items():
        told_mm = {"least": least, "mean": mean, "most": most}
        click.echo(text("client.figures_transit", {"leg": leg, **told_mm}))


def _follow(asked: Client, state: StateView) -> StateView:
    """Lines as things change, until the job has ended or waits for a person."""
    if state.job is None or state.job.ended or state.stop is not None:
        return state
    last, words = state, state.words

    def news(now: StateView) -> None:
        nonlocal last, words
        last = now
        if now.words != words:
            words = now.words
            click.echo(words)

    follower = Follower(state.job.id, on_result=_line, on_state=news)
    try:
        follower.follow(asked.events(state.event, _pause), lambda now: now.stop is not None)
    except KeyboardInterrupt:
        raise click.Abort from None
    return last


def _line(result: BoardResult) -> None:
    if result.proven:
        click.echo(text("client.board_proven", {"board": result.board, "copy": result.copy}))


def _pause() -> None:
    time.sleep(_AGAIN_S)


class RemoteView(LiveView):
    """The live view of a job that runs elsewhere: also shows what the machine wants."""

    _said = ""

    def note(self, words: str) -> None:
        """One line for people."""
        self._console.print(f"▸ {words}", markup=False)

    def state(self, state: StateView) -> None:
        """Says what is asked of people, once each."""
        words = "" if state.stop is not None else state.words
        if words and words != self._said:
            self.note(words)
        self._said = words
        self.tick(0)


class NoView:
    """Nothing is shown."""

    def note(self, words: str) -> None:
        """Nothing is said."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Nothing to end."""

    def progress(self, result: BoardResult) -> None:
        """A board begins, stops or ends."""

    def happened(self, happening: Any) -> None:
        """Something happens."""

    def state(self, state: StateView) -> None:
        """The state changes."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What came of a job in the daemon."""

    results: list[BoardResult]
    firmware: str
    profile: str
    design: str
    waits: bool
    proven: bool
    words: str
    warnings: list[str]

    def firmware_document(self, kind: str) -> dict[str, str]:
        """As a run in the twin tells it."""
        from controller.twin.chips import identity  # late: only the twin has chips

        return identity(kind, self.firmware)


def deal_on_daemon(
    asked: Client,
    wish: dict[str, Any],
    view: RemoteView | NoView,
    *,
    stay: bool,
    ours: bool = False,
    album: Album | None = None,
) -> Ran:
    """Has a daemon deal, and watches until the job has ended. Unless we *stay*, also until it waits
    for a person; then it goes on waiting without us, if the daemon is not *ours*.
    """
    before = asked.state().event
    job = asked.deal(**wish)

    def enough(state: StateView) -> bool:
        if album is not None:
            album.look(asked, state)
        return not stay and state.stop is not None

    try:
        follower = watch_job(asked, job.id, before, view, enough)
    except KeyboardInterrupt:
        if not ours:
            complain(text("client.left_alone"))
        raise click.Abort from None
    state = asked.state()
    last = follower.job or job
    return Ran(
        results=follower.results,
        firmware=state.machine.firmware,
        profile=last.profile,
        design=last.design,
        waits=not last.ended,
        proven=last.ended and not last.left,
        words=last.reason,
        warnings=job.warnings,
    )


def deal_at_1x(
    wish: dict[str, Any], view: RemoteView | NoView, options: dict[str, Any]
) -> tuple[Ran, list[tuple[dict[str, Any], int | None]]]:
    """Deals in a twin and a daemon of this run alone, and gives what the world then holds."""
    from controller.house import CrewThread, TwinHouse  # late: only at 1x

    house = TwinHouse(
        options["profile"], options["design"], options["state"], twin_options(options)
    )
    view.note(text("client.starts"))
    with ended_like_ctrl_c(), house:
        asked = Client(house.socket, user_name())
        house.wait_for(asked)
        with CrewThread(asked, house.control, options["operator"]) as people:
            album = Album(options["picture"]) if options["picture"] else None
            ran = deal_on_daemon(asked, wish, view, stay=True, ours=True, album=album)
        if people.problem is not None:
            raise people.problem
        return ran, people.witness.seen


def twin_options(options: dict[str, Any]) -> list[str]:
    """What a served twin is started with."""
    found = [f"--fault={fault}" for fault in options["faults"]]
    found.append(f"--seed={options['seed']}")
    if "pocket_order" in options:
        found.append(f"--pocket-order={options['pocket_order']}")
    found.append(f"--firmware={options['firmware']}")
    for name in ("deck_art", "trace"):
        if options[name]:
            found.append(f"--{name.replace('_', '-')}={Path(options[name]).absolute()}")
    return found


def watch_job(
    asked: Client,
    job: str,
    after: str,
    view: RemoteView | NoView,
    until: Callable[[StateView], bool],
) -> Follower:
    """Follows a job in a view, until it has ended or *until* is met. Ctrl-C leaves the job alone."""
    follower = Follower(
        job, on_result=view.progress, on_happening=view.happened, on_state=view.state
    )
    with view:
        follower.follow(_drawn(asked.events(after, _pause), view), until)
    return follower


def _drawn(events: Iterator[Told], view: RemoteView | NoView) -> Iterator[Told]:
    for told in events:
        yield told
        if isinstance(view, LiveView):
            view.tick(0)
