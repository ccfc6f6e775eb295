"""`predeal new-deal` (Law 6D) and `predeal same-hands` (Law 14): a board is to be dealt again."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from controller.cli.directing import director_options, maybe_permitted
from controller.cli.machine_options import Pace, machine_options, twin_setup
from controller.cli.output import Exit, complain, emit, finish, json_option
from controller.cli.stores import open_beside, operator
from deals.laws import Auction, Contest, Reason
from deals.words import text

if TYPE_CHECKING:
    from controller.jobs.newdeal import DealtAnew
    from controller.store import Permit, SetInfo, Store
    from controller.twin.session import TwinReport

_AUCTION: Final = ("ns-looked", "ew-looked", "called", "passed-out")
_WHY: Final = {reason.value.replace(" ", "-"): reason for reason in Reason}


@click.command("new-deal")
@click.argument("code")
@click.argument("board", type=click.IntRange(1))
@click.option("--reason", default="", help="Why, in a person's words; kept in the logbook.")
@click.option(
    "--why",
    type=click.Choice(list(_WHY)),
    default="director",
    show_default=True,
    help="Which of the reasons of Law 6D it is.",
)
@click.option("--contest", type=click.Choice([one.value for one in Contest]))
@click.option(
    "--auction", type=click.Choice(_AUCTION), multiple=True, help="How far it had come; may repeat."
)
@click.option("--result-known", is_flag=True, help="Teams: the result without it could be known.")
@click.option("--dry-run", is_flag=True, help="Say what the Laws say and what is void; do nothing.")
@director_options
@machine_options
@json_option
def new_deal(
    code: str, board: int, reason: str, twin: bool, dry_run: bool, as_json: bool, **options: Any
) -> None:
    """Deal BOARD of the set CODE anew, with fresh random cards.

    The old deal is void with every copy of it; the set has another code from now on. With --twin the
    copies that were void are dealt at once in the simulated machine.
    """
    from controller.jobs.newdeal import consider, deal_anew

    _refuse_stateless_twin(twin, options)
    auction = _auction(options)
    contest = Contest(options["contest"]) if options["contest"] else None
    with open_beside(options["state"]) as store:
        info = store.sets.find(code)
        verdict = consider(store, info, board, _WHY[options["why"]], contest, auction)
        findings = [text(*finding) for finding in verdict.findings()]
        if not verdict.allowed or verdict.confirm or not as_json:
            for finding in findings:
                complain(finding)
        if dry_run:
            if as_json:
                emit(
                    {
                        "allowed": verdict.allowed,
                        "confirm": verdict.confirm,
                        "law": verdict.law,
                        "copies": [copy.name for copy in verdict.copies],
                        "findings": findings,
                    }
                )
            finish(Exit.DONE if verdict.allowed else Exit.COULD_NOT)
        permit = _permit(store, info, options, "new deal")
        done = deal_anew(store, info, verdict, reason, operator(), os.urandom, permit)
        names = [copy.name for copy in verdict.copies]
    report = None
    if twin:
        report = _dealt(done.new, board, [one.copy for one in done.voided] or [1], permit, options)
    if as_json:
        emit(_document(done, names, findings) | _boards(report))
    else:
        values = {"set_code": done.old.code, "after": done.new.code, "board": board}
        click.echo(text("newdeal.done", values))
        for path in done.stale:
            complain(text("newdeal.stale", {"path": path}))
    finish(Exit.WAITS_FOR_PERSON if report and report.waiting else Exit.DONE)


@click.command("same-hands")
@click.argument("code")
@click.argument("board", type=click.IntRange(1))
@click.option("--copy", "copies", type=click.IntRange(1), multiple=True, help="Which copy.")
@click.option("--box", "boxes", multiple=True, metavar="NAME", help="The copy in this box.")
@click.option("--reason", default="", help="Why, in a person's words; kept in the logbook.")
@director_options
@machine_options
@json_option
def same_hands(
    code: str,
    board: int,
    copies: tuple[int, ...],
    boxes: tuple[str, ...],
    reason: str,
    twin: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Deal BOARD of the set CODE once more with the same hands, from another pack (Law 14).

    The copy that was dealt is void. With --twin it is dealt at once in the simulated machine.
    """
    _refuse_stateless_twin(twin, options)
    from controller.jobs.newdeal import copies_in
    from controller.jobs.newdeal import same_hands as again

    with open_beside(options["state"]) as store:
        info = store.sets.find(code)
        permit = _permit(store, info, options, "same hands again")
        wanted = sorted({*copies, *(copies_in(store, info, boxes) if boxes else ())})
        found = again(store, info, board, wanted, reason, permit.who if permit else operator())
    numbers = [one.copy for one in found]
    report = _dealt(info, board, numbers, permit, options) if twin else None
    if as_json:
        emit({"set": info.code, "board": board, "copies": numbers, **_boards(report)})
    else:
        values = {"set_code": info.code, "board": board, "copies": numbers}
        click.echo(text("newdeal.same_hands", values))
    finish(Exit.WAITS_FOR_PERSON if report and report.waiting else Exit.DONE)


def _refuse_stateless_twin(twin: bool, options: Mapping[str, Any]) -> None:
    """A twin's dealing is never written into the store of a real machine by oversight."""
    if twin and options["state"] is None:
        raise click.UsageError(text("job.twin_state"))


def _auction(options: Mapping[str, Any]) -> Auction:
    come = options["auction"]
    looked = frozenset(one[:2].upper() for one in come if one.endswith("looked"))
    return Auction(looked, "called" in come, "passed-out" in come, options["result_known"])


def _permit(store: Store, info: SetInfo, options: Mapping[str, Any], purpose: str) -> Permit | None:
    """The director's, if his passphrase was offered."""
    named, file = options["director"], options["passphrase_file"]
    return maybe_permitted(store, named, file, purpose, {"set": info.code})


def _dealt(
    info: SetInfo,
    board: int,
    copies: Sequence[int],
    permit: Permit | None,
    options: dict[str, Any],
) -> TwinReport:
    """Those copies of that board, dealt in the simulated machine."""
    from controller.jobs.kept import stored
    from controller.jobs.order import Copies
    from controller.twin.session import TwinSession

    with open_beside(options["state"]) as store:
        _, what = stored(store, info.id, [board], permit)
    options["plan"] = Copies(only={board: copies})
    setup = twin_setup(options, Pace(options["speed"]).wait)
    return TwinSession(what, setup).run()


def _boards(report: TwinReport | None) -> dict[str, Any]:
    if report is None:
        return {"boards": []}
    from controller.cli.deal import board_documents

    return {"boards": board_documents(report)}


def _document(done: DealtAnew, names: list[str], findings: list[str]) -> dict[str, Any]:
    return {
        "set": done.new.code,
        "replaces": done.old.code,
        "board": done.verdict.board,
        "law": done.verdict.law,
        "void": [
            {"copy": copy.copy, "name": name, "machine": copy.machine}
            for copy, name in zip(done.voided, names, strict=True)
        ],
        "stale": list(done.stale),
        "findings": findings,
    }
