"""The mark TEACHING in files: written, found again, and refused where it has no place."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final

from deals.boards import Board
from deals.errors import DealFileError
from deals.files import write_deals
from deals.teaching.blocks import Lesson

MARK: Final = "TEACHING"
FORMATS: Final = ("pbn", "json")
"""Formats that have a place for it; a file that cannot say what it is would be played one day."""
_IN_PBN: Final = re.compile(rb'\[\s*Event\s*"TEACHING\b')
_IN_JSON: Final = re.compile(rb'"teaching"\s*:\s*"')


def write_teaching(
    boards: Sequence[Board], format_name: str, constraint: str, lesson: Lesson | None = None
) -> bytes:
    """A deal file of a TEACHING set, each board marked; DealFileError for other formats."""
    if format_name not in FORMATS:
        raise DealFileError("teaching.no_place", format=format_name, formats=FORMATS)
    lesson = lesson or Lesson("")
    data = write_deals(boards, format_name).data
    return (_pbn if format_name == "pbn" else _json)(data, constraint, lesson)


def is_teaching(data: bytes) -> bool:
    """Whether the content of a deal file carries the mark on any board."""
    return _IN_PBN.search(data) is not None or _IN_JSON.search(data) is not None


def _pbn(data: bytes, constraint: str, lesson: Lesson) -> bytes:
    title = f"{MARK}: {lesson.title}" if lesson.title else MARK
    head, *games = data.decode("ascii").split('[Event ""]')
    marked = [head + f"% {MARK}: {constraint}\r\n\r\n"]
    for game in games:
        found = re.search(r'\[Board "(\d+)"\]', game)
        note = lesson.texts.get(int(found[1]), "") if found else ""
        # A brace would end the comment.
        comment = "{" + note.replace("{", "(").replace("}", ")") + "}\r\n" if note else ""
        text = f'[Event "{_quoted(title)}"]' + game.rstrip("\r\n") + "\r\n" + comment + "\r\n"
        marked.append(text)
    return "".join(marked).encode("latin-1", "replace")


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _json(data: bytes, constraint: str, lesson: Lesson) -> bytes:
    boards = json.loads(data)
    for board in boards:
        board["teaching"] = constraint or MARK
        board["lesson"] = lesson.title
        board["text"] = lesson.texts.get(board["board"], "")
    lines = ",\n".join(json.dumps(board) for board in boards)
    return f"[\n{lines}\n]\n".encode("ascii")
