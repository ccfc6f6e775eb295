"""`predeal by-hand`: the sheet for dealing a set without the machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from controller.cli.output import json_option
from controller.cli.records import Job, print_options


@click.command("by-hand")
@print_options
@click.option(
    "--dealt",
    default="",
    metavar="CARDS",
    help="Cards of one half-dealt board that are in their pockets, such as SA,SK,H10.",
)
@json_option
def by_hand(file: Path, output: Path, dealt: str, as_json: bool, **options: Any) -> None:
    """Print to which pocket each card of a sorted pack goes: the way on when the machine is down."""
    from deals.cards import Card
    from deals.records.byhand import by_hand_sheet

    cards = {Card.parse(text) for text in dealt.split(",") if text.strip()}
    job = Job(file, output, as_json, options)
    if cards and len(job.boards) > 1:
        raise click.UsageError("--dealt is about one board: choose it with --boards")
    data, pages = by_hand_sheet(job.boards, job.heading, job.style, job.paper, cards)
    job.write(data)
    told = {"pages": pages, "boards": len(job.boards), "set": job.heading.set_code}
    job.tell(job.warnings, told)
