"""`predeal records`: hand records to take home, with double dummy results."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click

from controller.cli.files import Numbers
from controller.cli.output import Exit, complain, emit, finish, json_option
from deals.boards import Board
from deals.errors import DealFileError
from deals.files import DealFile, Finding, ranges
from deals.files.reading import read_deals_file
from deals.setcode import NO_CODE, code_of
from deals.words import spoken, text

CACHE_VARIABLE: Final = "PREDEAL_CACHE"
_LAYOUTS: Final = ("18", "4", "2", "1", "large", "curtain", "traveller")
_SLIPS: Final = ("curtain", "traveller")
_RANKS: Final = ("sv", "da", "de", "fr", "nl")


class Letters(click.ParamType[tuple[str, ...]]):
    """Four letters, such as NESW or A,K,Q,J; for ranks also a language that has its own."""

    name = "letters"

    def __init__(self, example: str) -> None:
        self._example = example

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """The letters."""
        if isinstance(value, tuple):
            return value
        if value in _RANKS:
            from deals.records.model import RANK_LETTERS

            return RANK_LETTERS[value]
        parts = tuple(value.split(",") if "," in value else value)
        if len(parts) != 4 or not all(part.strip() for part in parts):
            values = {"text": value, "count": 4, "example": self._example}
            self.fail(text("records.letters", values), param, ctx)
        return tuple(part.strip() for part in parts)


def print_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """What every printing command takes: the file, where to, which boards, words, paper."""
    options = [
        click.argument("file", type=click.Path(path_type=Path)),
        click.option("-o", "--output", required=True, type=click.Path(path_type=Path)),
        click.option("--boards", type=Numbers(), help="Only these, such as 1-24."),
        click.option("--first-board", type=click.IntRange(1), help="For formats without numbers."),
        click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4"),
        click.option("--colours", type=click.Choice(["2", "4"]), default="2", help="Of the suits."),
        click.option(
            "--seats", type=Letters("NESW"), help="Letters on the boards; default: the language's."
        ),
        click.option(
            "--ranks",
            type=Letters("A,K,Q,J"),
            help=f"Letters of the honours: four, or one of {' '.join(_RANKS)}.",
        ),
        click.option("--title", default="", help="On every page, as are these:"),
        click.option("--event", default=""),
        click.option("--date", default=""),
        click.option("--session", default=""),
        click.option("--teaching", is_flag=True, help="Say that the deals were made to a purpose."),
        click.option(
            "--proof",
            nargs=2,
            type=click.Path(path_type=Path),
            metavar="COMMITMENT SECRET",
            help='Prove the set first; only then "computer dealt, uniform" is said.',
        ),
        click.option("--public", metavar="TEXT", help="The public value of the proof."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


@click.command()
@print_options
@click.option(
    "--layout",
    type=click.Choice(_LAYOUTS),
    help="Boards a page, default 18; or curtain cards, or travellers.",
)
@click.option("--large", is_flag=True, help="Large type: --layout large.")
@click.option("--rounds", metavar="1-6/7-12", help="One file a round: OUT-1, OUT-2, ..")
@click.option("--replaces", type=Numbers(), help="Boards dealt anew: their old record is void.")
@click.option("--double-dummy/--no-double-dummy", default=True, show_default=True)
@click.option(
    "--export",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Also write PBN with double dummy, DUP, DLM, LIN for scoring programs there.",
)
@click.option("--site", default="", help="Place of play, for the exports.")
@click.option("--limit-s", type=click.FloatRange(0.1), default=60.0, help="Most time for a board.")
@json_option
def records(
    file: Path,
    output: Path,
    layout: str | None,
    large: bool,
    rounds: str | None,
    replaces: tuple[int, ...] | None,
    double_dummy: bool,
    limit_s: float,
    export: Path | None,
    site: str,
    as_json: bool,
    **options: Any,
) -> None:
    """Print the hand records of FILE as PDF, HTML, text or PBN, by the suffix of the output."""
    if large and layout not in (None, "large"):
        raise click.UsageError("--large and --layout exclude each other")
    kind = output.suffix.lower()
    if kind not in (".pdf", ".html", ".txt", ".pbn"):
        raise click.UsageError(text("records.suffix", {"name": str(output)}))
    if layout in _SLIPS and kind != ".pdf":
        raise click.UsageError(f"--layout {layout} is for a .pdf only")
    job = Job(file, output, as_json, options)
    warnings = job.warnings
    if double_dummy and layout not in _SLIPS:
        entries, more = analysed(job.boards, replaces or (), limit_s, as_json)
        warnings = [*warnings, *more]
    else:
        from deals.records.analysis import plain_entry

        entries = [plain_entry(b, replaces=b.number in (replaces or ())) for b in job.boards]
    form = "large" if large else layout or "18"
    pages = 0
    for part, heading, those in _parts(job, entries, rounds):
        data, count = _rendered(kind, job, heading, those, form, site)
        job.write(data, part)
        pages += count
    done = {"pages": pages, "boards": len(entries), "set": job.heading.set_code}
    if export is not None:
        exported, more = _export(export, job, entries, site)
        warnings = [*warnings, *more]
        done["exported"] = exported
    job.tell(warnings, done)


def _parts(
    job: Job, entries: Sequence[Any], rounds: str | None
) -> Iterator[tuple[str, Any, list[Any]]]:
    """What goes into each file: its suffix to the name, its heading and its entries."""
    from deals.records.release import parse_rounds

    if rounds is None:
        yield "", job.heading, list(entries)
        return
    for number, boards in enumerate(parse_rounds(rounds), 1):
        those = [entry for entry in entries if entry.board.number in boards]
        yield f"-{number}", replace(job.heading, round=str(number)), those


def _export(
    folder: Path, job: Job, entries: Sequence[Any], site: str
) -> tuple[list[str], list[Finding]]:
    """The files for scoring programs; those of an older deal are put aside first."""
    from deals.records.exports import export_all, retire

    folder.mkdir(parents=True, exist_ok=True)
    warnings = []
    if old := retire(folder, job.heading.set_code):
        values = {"files": ", ".join(old), "folder": str(folder)}
        warnings.append(Finding("records.retired", values))
    made = export_all(entries, job.heading, job.stem, site)
    for name, data in made.files.items():
        write_whole(folder / name, data)
    return sorted(made.files), [*warnings, *made.warnings]


def _rendered(
    kind: str, job: Job, heading: Any, entries: Sequence[Any], layout: str, site: str
) -> tuple[bytes, int]:
    if layout in _SLIPS and kind == ".pdf":
        from deals.records.curtain import curtain_cards
        from deals.records.traveller import travellers

        make = curtain_cards if layout == "curtain" else travellers
        return make([entry.board for entry in entries], heading, job.style, job.paper)
    if kind == ".pdf":
        from deals.records.pages import Layout, hand_records

        return hand_records(entries, heading, job.style, Layout(layout), job.paper)
    if kind == ".pbn":
        from deals.records.exports import scoring_pbn

        return scoring_pbn(entries, heading, site), 1
    if kind == ".html":
        from deals.records.web import web_records

        return web_records(entries, heading, job.style).encode(), 1
    from deals.records.plain import plain_records

    return plain_records(entries, heading, job.style).encode(), 1


class Job:
    """One printing: what was read, how it shall look, where it goes."""

    def __init__(self, file: Path, output: Path, as_json: bool, options: dict[str, Any]) -> None:
        from deals.records.model import Heading, Origin, Style
        from deals.records.pdf import Paper

        self._file, self._output, self._as_json = file, output, as_json
        self.stem = output.stem
        found = read_deals_file(file, options["first_board"])
        self.boards, self.warnings = _chosen(found, file, options["boards"])
        self.style = Style(spoken(), options["colours"] == "4", options["ranks"], options["seats"])
        self.paper = Paper[options["paper"].upper()]
        origin = _origin(found, options)
        self.teaching = origin is Origin.TEACHING
        self.heading = Heading(
            code_of(found.boards),  # of the whole set, whatever part is printed
            options["title"],
            options["event"],
            options["date"],
            options["session"],
            origin,
            file.name,
        )

    def write(self, data: bytes, part: str = "") -> None:
        """The new file in one step: nobody ever finds half a record; *part* is added to its name."""
        path = self._output.with_name(self._output.stem + part + self._output.suffix)
        if path.exists() and path.samefile(self._file):
            raise DealFileError("records.same_file", name=str(path))
        write_whole(path, data)

    def tell(self, warnings: Sequence[Finding], done: dict[str, Any]) -> None:
        """The JSON document or a sentence, and the warnings."""
        for warning in warnings:
            where = warning.where()
            place = f"{self._file}, {where}" if where else str(self._file)
            complain(text("file.warning_at", {"place": place, "message": warning.message()}))
        if self._as_json:
            if done["set"] == NO_CODE:
                done = done | {"set": None}
            emit(done | {"warnings": [warning.message() for warning in warnings]})
        else:
            values = done | {"name": str(self._output), "code": done["set"]}
            click.echo(text("records.written", values))
        finish(Exit.DONE)


def _origin(found: DealFile, options: dict[str, Any]) -> Any:
    """What may be said of the deals: uniform only of a set that is proven here and now."""
    from deals.records.model import Origin

    if options["proof"] is None:
        return Origin.TEACHING if options["teaching"] or found.teaching else Origin.FILE
    from deals.commit import parse, prove, random_deal
    from deals.generate import parse_secret

    commitment, secret = (path.read_text("utf-8", "replace") for path in options["proof"])
    committed = parse(commitment)
    if committed.terms.constraint or options["teaching"]:
        return Origin.TEACHING
    proof = prove(committed, parse_secret(secret), found.boards, options["public"], {}, random_deal)
    if not proof.proven:
        raise DealFileError("records.not_proven")
    return Origin.GENERATED


def write_whole(path: Path, data: bytes) -> None:
    """A new file beside the old one, then one step."""
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        fresh.write_bytes(data)
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


def _chosen(
    found: DealFile, file: Path, wanted: tuple[int, ...] | None
) -> tuple[list[Board], list[Finding]]:
    """The boards to print; a set with faults is not printed, unless they are in other boards."""
    boards = [board for board in found.boards if wanted is None or board.number in wanted]
    there = {board.number for board in boards}
    faults = list(found.problems) if wanted is None else []
    if wanted is not None and set(wanted) - there:
        missing = ranges(sorted(set(wanted) - there))
        faults = [Finding("file.boards_not_there", {"boards": missing})]
    for fault in faults:
        where = fault.where()
        place = f"{file}, {where}" if where else str(file)
        complain(text("file.problem_at", {"place": place, "message": fault.message()}))
    if faults or not boards:
        raise DealFileError("records.nothing", name=str(file))
    return boards, list(found.warnings)


def analysed(
    boards: Sequence[Board], replaces: Sequence[int], limit_s: float, as_json: bool
) -> tuple[Sequence[Any], Sequence[Finding]]:
    """Double dummy with a progress display on a terminal; returns entries and warnings."""
    from deals.records.analysis import analyse

    show = sys.stderr.isatty() and not as_json
    length = len(boards)
    with click.progressbar(
        length=length, label="Double dummy", file=sys.stderr, hidden=not show
    ) as bar:
        found = analyse(
            boards,
            replaced=replaces,
            limit_s=limit_s,
            cache=_cache(),
            progress=lambda done: bar.update(1),
        )
    return found.entries, found.warnings


def _cache() -> Any:
    """The tables solved before; its key lies beside it, readable by this user only."""
    from deals.doubledummy import FileCache
    from deals.doubledummy.cache import KEY_BYTES

    named = os.environ.get(CACHE_VARIABLE)
    base = os.environ.get("XDG_CACHE_HOME")
    folder = Path(named) if named else (Path(base) if base else Path.home() / ".cache") / "predeal"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        key = folder / "doubledummy.key"
        if not key.exists():
            fresh = folder / f".key.{secrets.token_hex(4)}"
            fresh.touch(mode=0o600)
            fresh.write_bytes(secrets.token_bytes(KEY_BYTES))
            fresh.replace(key)
        return FileCache(folder / "doubledummy", key.read_bytes()[:KEY_BYTES])
    except OSError:
        return None  # a cache that cannot be kept is no reason not to print
