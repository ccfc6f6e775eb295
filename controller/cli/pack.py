"""`predeal deck check`, `deck test`, `deck print`, `sort`, `scramble`: jobs with packs."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from controller.cli.files import Numbers
from controller.cli.machine_options import machine_options
from controller.cli.output import Exit, complain, emit, finish, json_option
from controller.cli.reading_run import (
    Errand,
    by_daemon,
    played_option,
    run_in_twin,
    run_on_daemon,
)
from controller.cli.reading_view import finding_documents, progress_document, tell
from controller.cli.writing import write_whole
from controller.jobs.around import blind
from deals.words import text

if TYPE_CHECKING:
    from controller.jobs.packs import PackResult
    from controller.twin.tasks import TaskReport


@click.group()
def deck() -> None:
    """Check a pack, or test how its design is read."""


@deck.command("check")
@machine_options
@json_option
def deck_check(as_json: bool, **options: Any) -> None:
    """Is it a pack: 52 different cards of one design with one back (Law 1)? Names what is wrong."""
    from controller.jobs.packs import DeckCheck

    report = _run(DeckCheck, "deck check", as_json, options)
    result = report.result
    verdict = result.verdict
    found = verdict.findings() if verdict else []
    if as_json:
        emit(
            {
                "design": options["design"],
                "pack": None if verdict is None else verdict.right,
                "missing": [str(card) for card in verdict.missing] if verdict else [],
                "double": [str(card) for card in verdict.double] if verdict else [],
                "foreign": verdict.foreign if verdict else 0,
                "other_backs": verdict.backs if verdict else 0,
                "readings": result.readings,
                "findings": finding_documents(found),
                **progress_document(result),
                "contents": report.contents,
            }
        )
    elif result.right:
        click.echo(text("deck.right", {"design": options["design"]}))
    tell(found, wrong=True)
    _end(report, right=result.right)


@deck.command("print")
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, metavar="OUT.pdf")
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True)
@click.option(
    "--dpi", type=int, default=300, show_default=True, help="Dots an inch of the printer."
)
@json_option
def deck_print(output: Path, paper: str, dpi: int, as_json: bool) -> None:
    """Print our own bar code for every card, in place on a card-sized field, to be cut out.

    Each bar is a whole number of the printer's dots: print at 100 %, on matt card or film.
    """
    from controller.cli.packprint import code_pages  # late: it needs the library for PDF
    from deals.records.pdf import Paper

    try:
        data, pages = code_pages(dpi, Paper[paper.upper()])
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--dpi") from None
    write_whole(output, data)
    if as_json:
        emit({"pages": pages, "cards": 52, "file": str(output)})
    else:
        click.echo(text("deck.printed", {"file": output, "pages": pages}))


@deck.command("test")
@click.option("--rounds", type=click.IntRange(1, 1000), default=4, show_default=True)
@machine_options
@json_option
def deck_test(rounds: int, as_json: bool, **options: Any) -> None:
    """Read a sorted pack over and over: every misreading is caught, and kept with the design."""
    from controller.jobs.decktest import DeckTest
    from vision.tested import note_test

    def make(a: Any) -> DeckTest:
        return DeckTest(
            rounds, a.machine, a.people, a.clock, progress=a.progress, on_happening=a.on_happening
        )

    if by_daemon(options):
        run_on_daemon(Errand("deck test", as_json, options, wanted={"rounds": rounds}))
    report = run_in_twin(make, "deck test", as_json, options)
    result = report.result
    counted = result.rounds > 0
    if counted:
        about = {"twin": options["twin"], "seed": options["seed"], "profile": options["profile"]}
        note_test(options["design"], {**about, **result.document()})
    if as_json:
        emit(
            {
                "design": options["design"],
                "accepted": result.right,
                "sorted": not result.unsorted,
                **result.document(),
                **progress_document(result),
                "contents": report.contents,
            }
        )
    elif counted:
        values = {"rounds": result.rounds, "readings": result.readings}
        click.echo(text("deck.tested", values | {"misread": result.misread.total()}))
    tell(result.findings(), wrong=True)
    _end(report, right=result.right)


@click.command()
@machine_options
@json_option
def sort(as_json: bool, **options: Any) -> None:
    """Put a pack into suit order in three passes: in the end each pocket holds a suit, ace first."""
    from controller.jobs.packs import Sort

    report = _run(Sort, "sort", as_json, options)
    result = report.result
    found = result.verdict.findings() if result.verdict else []
    ordered = bool(result.done)
    if as_json:
        emit(
            {
                "sorted": ordered,
                "pack": result.verdict.right if result.verdict else None,
                "findings": finding_documents(found),
                **progress_document(result),
                "contents": report.contents,
            }
        )
    elif ordered:
        click.echo(text("sort.done"))
    tell(found, wrong=True)
    _end(report, right=ordered)


@click.command()
@click.option("--boards", type=Numbers(), required=True, help="Which, such as 1-16.")
@played_option
@machine_options
@json_option
def scramble(boards: tuple[int, ...], as_json: bool, **options: Any) -> None:
    """Put the cards of boards to random pockets, 13 each. Nothing of it is written down."""
    from controller.jobs.packs import Scramble
    from controller.twin.played import dealt_at_tables  # late: only the twin has players

    made: list[Scramble] = []

    def make(a: Any) -> Scramble:
        # The system's randomness also in the twin: a scramble that a seed repeats is none.
        job = Scramble(
            boards,
            random.SystemRandom(),
            a.machine,
            a.people,
            a.clock,
            progress=a.progress,
            on_happening=a.on_happening,
        )
        made.append(job)
        return job

    there = dealt_at_tables(boards, options["seed"]) if options["twin"] else []
    if by_daemon(options):
        asked = {"boards": list(boards)}
        run_on_daemon(Errand("scramble", as_json, options, there=there, wanted=asked))
    report = run_in_twin(make, "scramble", as_json, options, there)
    verdicts = made[0].verdicts
    wrong = {number: blind(v.findings()) for number, v in verdicts.items() if not v.right}
    if as_json:
        emit(
            {
                "scrambled": report.result.done,
                "boards": [
                    {
                        "board": number,
                        "pack": verdict.right,
                        "findings": finding_documents(wrong.get(number, [])),
                    }
                    for number, verdict in verdicts.items()
                ],
                **progress_document(report.result),
                "contents": report.contents,
            }
        )
    elif report.result.done:
        click.echo(text("scramble.done", {"count": len(report.result.done)}))
    for number in wrong:
        complain(text("scramble.no_pack", {"board": number}))
    _end(report, right=not wrong and len(report.result.done) == len(boards))


def _run(job: Any, title: str, as_json: bool, options: dict[str, Any]) -> TaskReport[PackResult]:
    if by_daemon(options):
        run_on_daemon(Errand(title, as_json, options))
    return run_in_twin(
        lambda a: job(
            a.machine, a.people, a.clock, progress=a.progress, on_happening=a.on_happening
        ),
        title,
        as_json,
        options,
    )


def _end(report: TaskReport[Any], *, right: bool) -> None:
    if report.result.waiting:
        finish(Exit.WAITS_FOR_PERSON)
    finish(Exit.DONE if right else Exit.COULD_NOT)
