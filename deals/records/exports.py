"""Files for scoring programs, all in one step, and a note beside them of which set they hold.

PBN with every double dummy dialect (`deals.doubledummy.pbn_tags`), one more in BridgeWebs' words,
DUP, DLM and LIN; clubs upload the PBN to ACBL Live. After a new deal the set has another code, so
the note tells files of the old deals from those of today, and `retire` puts the old ones aside.
"""

from __future__ import annotations

import calendar
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from deals.boards import Vulnerability
from deals.doubledummy.pbn_tags import TABLE_COLUMNS, TABLE_TAG, table_rows, tags
from deals.errors import DealFileError
from deals.files import Finding, ranges, write_deals
from deals.files.marks import MARK
from deals.files.pbn_text import one_line, quote
from deals.records.model import Entry, Heading, Origin

NOTE: Final = "predeal-set.json"
"""Name of the note in a folder of exports."""
RETIRED: Final = ".old"
_PLAIN: Final = ("dup", "dlm", "lin")
_ISO: Final = re.compile(r"(\d{4})[-./](\d{1,2})[-./](\d{1,2})")
_EUROPEAN: Final = re.compile(r"(\d{1,2})[-./](\d{1,2})[-./](\d{4})")


@dataclass(frozen=True, slots=True)
class Exports:
    """New files by name, and what some of them could not hold."""

    files: Mapping[str, bytes]
    warnings: tuple[Finding, ...]


def scoring_pbn(
    entries: Sequence[Entry], heading: Heading, site: str = "", *, both: bool = False
) -> bytes:
    """PBN 2.1 in export form with the double dummy tags; *both* writes "Both" for all vulnerable.

    ISO 8859-1 as the standard wants it; where a name needs more, UTF-8 with a line that says so.
    """
    event = _clean(" · ".join(part for part in (heading.event, heading.title) if part))
    if heading.origin is Origin.TEACHING:
        event = f"{MARK}: {event}" if event else MARK
    games = [_game(entry, event, _clean(site), heading, both) for entry in entries]
    head = ["% PBN 2.1", "% EXPORT", f"%Creator: Predeal, set {heading.set_code}"]
    text = "\n".join(games)
    encoding = "latin-1"
    if any(ord(sign) > 255 for sign in text):
        encoding = "utf-8"
        head.append("%Content-type: text/x-pbn; charset=UTF-8")
    return ("\n".join([*head, "", text])).replace("\n", "\r\n").encode(encoding)


def export_all(entries: Sequence[Entry], heading: Heading, stem: str, site: str = "") -> Exports:
    """Every file a scoring program may ask for; formats that cannot hold the set are warned of."""
    files = {
        f"{stem}.pbn": scoring_pbn(entries, heading, site),
        f"{stem}-bridgewebs.pbn": scoring_pbn(entries, heading, site, both=True),
    }
    warnings: list[Finding] = []
    boards = [entry.board for entry in entries]
    # None of the plain formats has a place for the mark.
    plain = () if heading.origin is Origin.TEACHING else _PLAIN
    if not plain:
        values = {"format": ", ".join(_PLAIN), "formats": ("pbn", "json")}
        warnings.append(Finding("teaching.no_place", values))
    for name in plain:
        try:
            written = write_deals(boards, name)
        except DealFileError as error:
            warnings.append(Finding(error.code, error.values))
            continue
        files[f"{stem}.{name}"] = written.data
        warnings += written.warnings
    note = {
        "set": heading.set_code,
        "boards": ranges([board.number for board in boards]),
        "files": {name: hashlib.sha256(data).hexdigest() for name, data in files.items()},
    }
    files[NOTE] = (json.dumps(note, indent=1) + "\n").encode("ascii")
    return Exports(files, tuple(warnings))


def stale(folder: Path, set_code: str) -> list[str]:
    """Files in *folder* that hold another set than *set_code*; empty if there is no note."""
    try:
        note = json.loads((folder / NOTE).read_bytes())
        if note["set"] == set_code:
            return []
        return [name for name in note["files"] if (folder / Path(name).name).exists()]
    except (OSError, ValueError, KeyError, TypeError):
        return []


def retire(folder: Path, set_code: str) -> list[str]:
    """Rename the stale files to `NAME.old`, so that no program loads them; returns their names."""
    names = stale(folder, set_code)
    for name in names:
        path = folder / Path(name).name
        path.replace(path.with_name(path.name + RETIRED))
    if names:
        (folder / NOTE).unlink()
    return names


def _game(entry: Entry, event: str, site: str, heading: Heading, both: bool) -> str:
    board = entry.board
    vulnerable = board.vulnerable.value
    if both and board.vulnerable is Vulnerability.ALL:
        vulnerable = "Both"
    values = {
        "Event": event,
        "Site": site,
        "Date": _date(heading.date),
        "Board": str(board.number),
        "West": "",
        "North": "",
        "East": "",
        "South": "",
        "Dealer": board.dealer.letter,
        "Vulnerable": vulnerable,
        "Deal": board.deal.pbn(board.dealer),
        "Scoring": "",
        "Declarer": "",
        "Contract": "",
        "Result": "",
    }
    table = entry.table if entry.table is not None and entry.table.complete else None
    values |= tags(table, entry.par)
    lines = [f"[{name} {quote(value)}]" for name, value in values.items()]
    if table is not None:
        lines += [f"[{TABLE_TAG} {quote(TABLE_COLUMNS)}]", *table_rows(table)]
    return "\n".join(lines) + "\n"


def _clean(text: str) -> str:
    # "#" at the start would mean: as in the game before.
    return one_line(text).lstrip("#").strip()


def _date(text: str) -> str:
    """YYYY.MM.DD, with question marks if *text* is no date that there is."""
    if found := _ISO.search(text):
        year, month, day = found[1], found[2], found[3]
    elif found := _EUROPEAN.search(text):
        day, month, year = found[1], found[2], found[3]
    else:
        return "????.??.??" if text else ""
    if not (int(year) > 0 and 0 < int(month) < 13):
        return "????.??.??"
    if not 0 < int(day) <= calendar.monthrange(int(year), int(month))[1]:
        return "????.??.??"
    return f"{year}.{int(month):02}.{int(day):02}"
