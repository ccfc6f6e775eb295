"""Dealing what the store keeps: a set named by its code, and into which boxes in which order."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from controller.cli.directing import director_options, permitted
from controller.cli.stores import open_beside, state_dir
from controller.errors import StoreError
from controller.jobs.deal import DealSet
from controller.jobs.errors import JobError
from deals.errors import SetCodeError
from deals.files import write_deals
from deals.files.reading import read_bytes
from deals.setcode import check_set_code

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


def named_set(named: Path, options: dict[str, Any], purpose: str = "set dealt") -> DealSet | None:
    """The kept set that *named* means, if it is no file; None when it is, or when no set has it."""
    from controller.jobs.kept import stored  # late: needs the database

    if named.exists() or len(named.parts) != 1:
        return None
    if options["twin"] and options["state"] is None:
        # A twin never looks into the store of a real machine by itself.
        if _is_code(named):
            raise JobError("job.no_such_set_in_twin", name=named)
        return None
    try:
        with open_beside(options["state"]) as store:
            info = store.sets.find(str(named))
            permit = None
            if info.sealed:
                who = options.get("director"), options.get("passphrase_file")
                permit = permitted(store, *who, purpose, {"set": info.code})
            info, what = stored(store, str(named), options.get("boards"), permit)
    except SetCodeError:
        raise
    except StoreError as error:
        if error.code not in ("store.not_there", "store.no_set"):
            raise
        if _is_code(named):
            place = state_dir(options["state"])
            raise JobError("job.no_such_set", name=named, place=place) from None
        return None
    if options["first_board"]:
        raise JobError("job.set_options", set_code=info.code)
    return what


def kept_or_read(named: Path, options: dict[str, Any], purpose: str) -> bytes:
    """The deals that *named* means, as a deal file: of a kept set, or what the file holds."""
    what = named_set(named, options, purpose)
    return read_bytes(named) if what is None else write_deals(what.boards, "pbn").data


def _is_code(named: Path) -> bool:
    """Whether it is written as codes are; a file of such a name would have been there."""
    try:
        check_set_code(str(named))
    except SetCodeError:
        return False
    return True


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
