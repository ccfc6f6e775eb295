"""Dealing what the store keeps: a set named by its code, and into which boxes in which order."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from controller.cli.directing import director_options, permitted
from controller.cli.stores import open_beside
from controller.errors import StoreError
from controller.jobs.deal import DealSet
from controller.jobs.errors import JobError
from deals.errors import SetCodeError

if TYPE_CHECKING:
    from controller.jobs.order import Copies


def kept_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds boxes, section, order, `--over`, and who directs."""
    options = (
        click.option(
            "--box",
            "boxes",
            multiple=True,
            metavar="NAME",
            help="The box of a copy; once for each copy, in their order.",
        ),
        click.option("--section", default="", help="Which section plays these copies."),
        click.option(
            "--order",
            type=click.Choice(["board", "set", "label"]),
            default="board",
            show_default=True,
            help="Board by board, set by set, or as the labels come.",
        ),
        click.option("--over", is_flag=True, help="Deal over boxes that nobody called played."),
        director_options,
    )
    for option in reversed(options):
        command = option(command)
    return command


def named_set(named: Path, options: dict[str, Any]) -> DealSet | None:
    """The kept set that *named* means, if it is no file; None when it is, or when no set has it."""
    from controller.jobs.kept import stored  # late: needs the database

    if named.exists() or len(named.parts) != 1:
        return None
    if options["twin"] and options["state"] is None:
        return None  # a twin never looks into the store of a real machine by itself
    try:
        with open_beside(options["state"]) as store:
            info = store.sets.find(str(named))
            permit = None
            if info.sealed:
                details = {"set": info.code}
                permit = permitted(
                    store, options["director"], options["passphrase_file"], "set dealt", details
                )
            info, what = stored(store, str(named), options["boards"], permit)
    except SetCodeError:
        raise
    except StoreError as error:
        if error.code in ("store.not_there", "store.no_set"):
            return None
        raise
    if options["first_board"]:
        raise JobError("job.set_options", set_code=info.code)
    return what


def plan_of(options: dict[str, Any]) -> Copies:
    """Order, boxes and section as the options have them."""
    from controller.jobs.order import Copies, Order

    return Copies(
        order=Order(options["order"]), boxes=tuple(options["boxes"]), section=options["section"]
    )


def copies_asked(options: dict[str, Any]) -> int:
    """How many copies: as said, or one for each box that was named."""
    return max(int(options["copies"]), len(options["boxes"]))


def box_wish(options: dict[str, Any]) -> dict[str, Any]:
    """Boxes and order as the daemon is asked for them."""
    return {
        "boxes": list(options["boxes"]),
        "section": options["section"],
        "order": options["order"],
        "over": options["over"],
    }
