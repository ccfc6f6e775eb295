"""`predeal records`: hand records to take home, with double dummy results."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click

from controller.cli.files import Numbers
from controller.cli.output import json_option
from controller.cli.printing import Job, print_options
from controller.cli.writing import write_whole
from deals.boards import Board
from deals.files import Finding
from deals.words import text

CACHE_VARIABLE: Final = "PREDEAL_CACHE"
_LAYOUTS: Final = ("18", "4", "2", "1", "large", "curtain", "traveller")
_SLIPS: Final = ("curtain", "traveller")


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
    job = Job(file, output, as_json, options, hands=layout != "traveller")
    warnings = job.warnings
    anew = frozenset(replaces or ()) | job.replaced
    site = site or job.site
    if double_dummy and layout not in _SLIPS:
        entries, more = analysed(job.boards, anew, limit_s, as_json)
        warnings = [*warnings, *more]
    else:
        from deals.records.analysis import plain_entry

        entries = [plain_entry(b, replaces=b.number in anew) for b in job.boards]
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
        job.made(folder / name, Path(name).suffix.lstrip("."))
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


def analysed(
    boards: Sequence[Board], replaces: Collection[int], limit_s: float, as_json: bool
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
    from deals.doubledummy.cache import KEY_BYTES, FileCache

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
