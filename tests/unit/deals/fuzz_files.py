"""Coverage-guided fuzzing of the deal-file readers: `python fuzz_files.py SEEDS [libFuzzer options]`.

Needs atheris (extra `check`). A crash is any exception but DealFileError, an illegal deal, or boards
that are not read back from what a writer made of them.
"""

from __future__ import annotations

import sys
from pathlib import Path

import atheris

sys.path.insert(0, str(Path(__file__).parents[3]))
with atheris.instrument_imports(include=["deals.files", "deals.deal"]):
    from deals.errors import DealFileError
    from deals.files import FORMATS, read_deals, write_deals
    from deals.files.pbn_document import parse


def one(data: bytes) -> None:
    """Read *data* in every way there is."""
    try:
        found = read_deals(data, "fuzz")
    except DealFileError:
        pass
    else:
        if found.boards:
            for name in ("pbn", "lin", "csv"):
                again = read_deals(write_deals(found.boards, name).data, "again")
                if again.boards != found.boards or again.problems:
                    raise RuntimeError(f"not read back from {name}")
    for known in FORMATS:
        if known.recognises(data) and known.NAME == "pbn":
            document = parse(data)
            export = document.export()
            # Of a file with problems nothing is written.
            if not document.deals.problems and parse(export).export() != export:
                raise RuntimeError("an export is not its own export")


if __name__ == "__main__":
    atheris.Setup(sys.argv, one)
    atheris.Fuzz()
