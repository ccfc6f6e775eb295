"""Whether a deal file says of itself that it is a TEACHING set, never for normal play (Law 6E4).

The mark is the Event of a PBN game, or the line `% TEACHING: ..` before it, or the key "teaching" of
a JSON board; one board is enough. `deals.teaching` writes it.
"""

from __future__ import annotations

import re
from typing import Final

MARK: Final = "TEACHING"
_IN_PBN: Final = re.compile(rb'\[\s*Event\s*"\s*TEACHING\b|^% TEACHING\b', re.M)
_IN_JSON: Final = re.compile(rb'"teaching"\s*:\s*(?:"|true\b)')
_MARKED: Final = {"pbn": _IN_PBN, "json": _IN_JSON}


def is_teaching(data: bytes, format_name: str | None = None) -> bool:
    """Whether the content of a deal file carries the mark; *format_name* where it is known."""
    if b"\0" in data[:64]:
        data = data.replace(b"\0", b"")  # of UTF-16 this leaves the letters
    found = _MARKED.items() if format_name is None else [(format_name, _MARKED.get(format_name))]
    return any(pattern is not None and pattern.search(data) for _, pattern in found)
