"""`predeal labels`: labels for boards and boxes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from controller.cli.output import json_option
from controller.cli.printing import Job, print_options

_COLOURS = ("red", "blue", "green", "yellow", "orange", "violet", "black", "white")


@click.command()
@print_options
@click.option("--box", required=True, metavar="NAME", help="Of the box: 1 to 8 letters and digits.")
@click.option("--colour", type=click.Choice(_COLOURS), default="white", show_default=True)
@click.option("--for-box", is_flag=True, help="One label for the box instead of one a board.")
@click.option("--permanent", is_flag=True, help="Labels for good, without the code of the set.")
@json_option
def labels(
    file: Path,
    output: Path,
    box: str,
    colour: str,
    for_box: bool,
    permanent: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Print labels for the boards of FILE: number, box, north, and a code of set, box and board."""
    from deals.records.labels import Box, board_labels, box_label

    job = Job(file, output, as_json, options, hands=False)
    its = Box(box, colour)
    code = None if permanent else job.heading.set_code
    if for_box:
        data, pages = box_label(job.boards, its, job.heading, job.style, job.paper)
    else:
        data, pages = board_labels(
            job.boards, its, job.style, job.paper, code, teaching=job.teaching
        )
    job.write(data)
    told = {"pages": pages, "boards": len(job.boards), "set": job.heading.set_code}
    job.tell(job.warnings, told)
