"""`predeal by-hand`: the sheet for dealing a set without the machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from controller.cli.output import json_option
from controller.cli.printing import Job, print_options
from controller.cli.stores import open_beside
from deals.words import text

if TYPE_CHECKING:
    from deals.cards import Card


@click.command("by-hand")
@print_options
@click.option(
    "--dealt",
    default="",
    metavar="CARDS",
    help="Cards of one half-dealt board that are in their pockets, such as SA,SK,H10.",
)
@click.option(
    "--half-done",
    is_flag=True,
    help="Leave out what the machine has dealt of one board of a kept set, by its journal.",
)
@json_option
def by_hand(
    file: Path, output: Path, dealt: str, half_done: bool, as_json: bool, **options: Any
) -> None:
    """Print to which pocket each card of a sorted pack goes: the way on when the machine is down."""
    from deals.cards import Card
    from deals.records.byhand import by_hand_sheet

    cards = {Card.parse(text) for text in dealt.split(",") if text.strip()}
    job = Job(file, output, as_json, options)
    if (cards or half_done) and len(job.boards) > 1:
        raise click.UsageError(text("byhand.one_board"))
    if half_done:
        cards |= _half_done(job, options["state"])
    data, pages = by_hand_sheet(job.boards, job.heading, job.style, job.paper, cards)
    job.write(data)
    told = {"pages": pages, "boards": len(job.boards), "set": job.heading.set_code}
    job.tell(job.warnings, told)


def _half_done(job: Job, state: Path | None) -> frozenset[Card]:
    from controller.jobs.halfdone import in_their_pockets

    if job.info is None:
        raise click.UsageError(text("byhand.kept_only"))
    with open_beside(state) as store:
        return in_their_pockets(store, job.info, job.boards[0])
