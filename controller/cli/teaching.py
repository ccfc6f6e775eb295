"""What `design teach --from-machine` teaches from: a sorted pack that passes the window of a machine or its twin."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from controller.cli.output import Exit, complain, finish
from controller.cli.reading_run import Errand, by_daemon, run_at_1x, run_in_twin, started_on_daemon
from controller.cli.writing import write_whole
from controller.geometry import PROFILES
from controller.jobs.errors import JobError
from controller.jobs.teachpass import Sight, TeachPass
from deals.cards import CARDS
from deals.words import text

if TYPE_CHECKING:
    from controller.api.models import JobView
    from controller.client.client import Client
    from controller.twin.session import TwinSetup
    from vision.teach import Labelled

KIND = "deck teach"


def from_machine(as_json: bool, options: dict[str, Any]) -> list[Labelled]:
    """The pictures of a pack that has just passed, each with the card that its place says."""
    sights = sights_of(as_json, options)
    lesson = labelled(sights)
    if options["keep"] is not None:
        _keep(options["keep"], sights)
    return lesson


def sights_of(as_json: bool, options: dict[str, Any], *, in_order: bool = True) -> list[Sight]:
    """What the window shows of a pack that passes; ends the command where none does."""
    if not options["twin"]:
        return _on_machine(as_json, options, in_order)
    if by_daemon(options):
        return _at_1x(as_json, options, in_order)
    return _in_twin(as_json, options, in_order)


def labelled(sights: Sequence[Sight]) -> list[Labelled]:
    """The same as pictures of cards. JobError where the pack is no pack of 52 and one stop card."""
    from vision.crop import decoded  # late: the other commands need no camera
    from vision.stopcard import has_stop_mark
    from vision.teach import Labelled

    pack = len(CARDS)
    found = []
    for sight in sights:
        image = decoded(sight.png)
        end = sight.look == 1 and has_stop_mark(image)
        if end and sight.place <= pack:
            raise JobError("teach.stop_card_at", place=sight.place, cards=sight.place - 1)
        if sight.place > pack:
            if sight.look == 1 and not end:
                raise JobError("teach.too_many")
            continue
        card = CARDS[sight.place - 1]
        found.append(Labelled(card, image, _name(sight)))
    cards = len({one.card for one in found})
    if cards < pack:
        raise JobError("teach.too_few", cards=cards)
    return found


def _name(sight: Sight) -> str:
    return f"{CARDS[sight.place - 1]}-{sight.look}.png"


def _keep(folder: Path, sights: Sequence[Sight]) -> None:
    """The pictures as `--from` reads them."""
    folder.mkdir(parents=True, exist_ok=True)
    for sight in sights:
        if sight.place <= len(CARDS):
            write_whole(folder / _name(sight), sight.png)


def _in_twin(as_json: bool, options: dict[str, Any], in_order: bool) -> list[Sight]:
    report = run_in_twin(
        lambda a: TeachPass(
            a.machine,
            a.people,
            a.clock,
            in_order=in_order,
            progress=a.progress,
            on_happening=a.on_happening,
        ),
        KIND,
        as_json,
        options,
        setup_of=_setup,
    )
    if report.result.waiting:
        finish(Exit.WAITS_FOR_PERSON)
    return report.result.sights


def _setup(options: dict[str, Any], pace: Any) -> TwinSetup:
    """A simulated machine whose host knows no design yet."""
    from controller.cli.machine_options import art_of
    from controller.twin.pictures import DrawnPictures, NoPictures, conditions_of
    from controller.twin.room import build_of
    from controller.twin.session import TwinSetup

    profile = PROFILES[options["profile"]]
    seen = conditions_of(build_of(options["state"]).camera)
    if options["deck_art"]:
        pictures = DrawnPictures.of_folder(options["deck_art"], profile, seen)
    else:
        pictures = DrawnPictures.of_design(art_of(options["design"]), profile, seen)
    return TwinSetup(
        profile=profile,
        pictures=pictures,
        reader=NoPictures(),
        design="",
        seed=options["seed"],
        faults=tuple(options["faults"]),
        firmware=options["firmware"],
        operator=options["operator"],
        trace=options["trace"],
        state_dir=options["state"],
        wall_us=time.time_ns() // 1000,
        pace=pace,
    )


def _on_machine(as_json: bool, options: dict[str, Any], in_order: bool) -> list[Sight]:
    asked, job = started_on_daemon(Errand(KIND, as_json, options, wanted={"in_order": in_order}))
    if job.task is None or not job.ended:
        stops = job.task.stops if job.task else []
        complain(stops[-1].message if stops else job.reason)
        finish(Exit.WAITS_FOR_PERSON)
    sights = _fetched(asked, job, as_json)
    if not sights:
        complain(job.reason)
        finish(Exit.COULD_NOT)
    return sights


def _at_1x(as_json: bool, options: dict[str, Any], in_order: bool) -> list[Sight]:
    found: list[Sight] = []

    def fetch(asked: Client, job: JobView, _state: Path) -> None:
        found.extend(_fetched(asked, job, as_json))

    wanted = {"in_order": in_order}
    ran = run_at_1x(Errand(KIND, as_json, options, before_end=fetch, wanted=wanted))
    if not found:
        complain(ran.job.reason)
        finish(Exit.WAITS_FOR_PERSON if ran.gave_up else Exit.COULD_NOT)
    return found


def _fetched(asked: Client, job: JobView, as_json: bool) -> list[Sight]:
    """All pictures; the daemon keeps them until the last was fetched."""
    count = job.task.figures["pictures"] if job.task and job.task.right else 0
    if count and not as_json:
        click.echo(text("teach.fetching", {"count": count}))
    found = [asked.sight(number) for number in range(count)]
    return [Sight(one.place, one.look, one.image) for one in found]
