"""Dealing what the store keeps: a set named by its code, and into which boxes in which order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

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
    from controller.store import Permit, SetInfo, Store
    from deals.boards import Board

Found = TypeVar("Found")


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
    """The kept set that *named* means, if it is no file; None when it is, or when no set has it.
    It is to be dealt, or read back: one that is retired or replaced is refused.
    """

    def take(store: Store) -> DealSet:
        from controller.jobs.kept import stored  # late: needs the database

        permit = _permit(store, store.sets.find(str(named)), options, purpose)
        return stored(store, str(named), options.get("boards"), permit)[1]

    what = _from_store(named, options, take)
    if what is not None and options["first_board"]:
        raise JobError("job.set_options", set_code=what.code)
    return what


@dataclass(frozen=True, slots=True)
class KeptSet:
    """A set that the store keeps, dealt or not, retired or not."""

    info: SetInfo
    boards: tuple[Board, ...]
    permit: Permit | None
    """The director's, where the set is sealed."""

    @property
    def content(self) -> bytes:
        """As a deal file."""
        return _content(self.boards, teaching=self.info.origin == "teaching")


def kept_set(named: Path, options: dict[str, Any], purpose: str) -> KeptSet | None:
    """The kept set that *named* means; None when it is a file. The director is asked for a sealed one."""

    def take(store: Store) -> KeptSet:
        from controller.jobs.kept import boards_of  # late: needs the database

        info = store.sets.find(str(named))
        permit = _permit(store, info, options, purpose)
        return KeptSet(info, boards_of(store.sets.boards(info.id, permit)), permit)

    found = _from_store(named, options, take)
    if found is not None and options["first_board"]:
        raise JobError("job.set_options", set_code=found.info.code)
    return found


def _permit(store: Store, info: SetInfo, options: dict[str, Any], purpose: str) -> Permit | None:
    if not info.sealed:
        return None
    who = options.get("director"), options.get("passphrase_file")
    return permitted(store, *who, purpose, {"set": info.code})


def _from_store(
    named: Path, options: dict[str, Any], take: Callable[[Store], Found]
) -> Found | None:
    """What *take* takes out of the store where *named* is no file; None where no set has that name."""
    if named.exists() or len(named.parts) != 1:
        return None
    if options.get("twin") and options["state"] is None:
        # A twin never looks into the store of a real machine by itself.
        if _is_code(named):
            raise JobError("job.no_such_set_in_twin", name=named)
        return None
    try:
        with open_beside(options["state"]) as store:
            return take(store)
    except SetCodeError:
        raise
    except StoreError as error:
        if error.code not in ("store.not_there", "store.no_set"):
            raise
        if _is_code(named):
            place = state_dir(options["state"])
            raise JobError("job.no_such_set", name=named, place=place) from None
        return None


def kept_or_read(named: Path, options: dict[str, Any], purpose: str) -> bytes:
    """The deals that *named* means, as a deal file: of a kept set, or what the file holds."""
    what = named_set(named, options, purpose)
    return read_bytes(named) if what is None else _content(what.boards, teaching=what.teaching)


def _content(boards: Sequence[Board], *, teaching: bool) -> bytes:
    """Boards as PBN, marked if they were made for a lesson."""
    if teaching:
        from deals.teaching import MARK, Lesson, write_teaching  # late: NumPy

        return write_teaching(boards, "pbn", MARK, Lesson("", {}))
    return write_deals(boards, "pbn").data


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
