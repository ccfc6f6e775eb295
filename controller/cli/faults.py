"""`predeal faults`: the named faults that the simulated machine can have."""

from __future__ import annotations

import click

from controller.cli.output import console, emit, json_option


@click.command()
@json_option
def faults(as_json: bool) -> None:
    """List the named faults of the simulated machine, for `predeal deal --fault NAME`."""
    from controller.twin.faults import KINDS  # late: only the edge knows that there is a twin

    if as_json:
        emit([{"name": f.name, "row": f.row, "means": f.means} for f in KINDS.values()])
        return
    from rich.table import Table

    table = Table("name", "row", "means", box=None, pad_edge=False)
    for fault in KINDS.values():
        table.add_row(fault.name, fault.row, fault.means)
    console().print(table)
