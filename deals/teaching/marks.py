"""The mark TEACHING in files: written, taken over from file to file, refused where it has no place."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from deals.boards import Board
from deals.errors import DealFileError
from deals.files import pbn_document, write_deals
from deals.files.marks import MARK, is_teaching
from deals.files.pbn_text import one_line, quote
from deals.files.text import decode
from deals.teaching.blocks import Lesson

__all__ = ["FORMATS", "MARK", "Marked", "is_teaching", "marked", "write_teaching"]

FORMATS: Final = ("pbn", "json")
"""Formats that have a place for it; a file that cannot say what it is would be played one day."""
_EVENT: Final = re.compile(rf"\s*{MARK}(?::\s*)?(.*)", re.S)
_CONSTRAINT: Final = re.compile(rf"^% {MARK}:[ \t]*(.+)$", re.M)
_COMMENT: Final = re.compile(r"\{([^}]*)\}")


@dataclass(frozen=True, slots=True)
class Marked:
    """What a marked file says of itself."""

    constraint: str
    lesson: Lesson


def write_teaching(
    boards: Sequence[Board], format_name: str, constraint: str, lesson: Lesson | None = None
) -> bytes:
    """A deal file of a TEACHING set, each board marked; DealFileError for other formats."""
    if format_name not in FORMATS:
        raise DealFileError("teaching.no_place", format=format_name, formats=FORMATS)
    lesson = lesson or Lesson("")
    lesson = replace(lesson, title=one_line(lesson.title))
    data = write_deals(boards, format_name).data
    return (_pbn if format_name == "pbn" else _json)(data, constraint, lesson)


def marked(data: bytes, format_name: str) -> Marked:
    """The constraint, title and texts of a file that `is_teaching`, to be written again elsewhere."""
    if format_name == "json":
        return _of_json(data)
    document = pbn_document.parse(data)
    found = _CONSTRAINT.search(decode(data).text)
    title = ""
    texts: dict[int, str] = {}
    for game, values in zip(document.games, document.inherited, strict=True):
        if event := _EVENT.fullmatch(values.get("Event", "")):
            title = title or event[1].strip()
        note = _COMMENT.search(game.tags[-1].body) if game.tags else None
        if note and game.number is not None and note[1].strip():
            texts.setdefault(game.number, note[1].strip())
    return Marked(found[1].strip() if found else MARK, Lesson(title, texts))


def _of_json(data: bytes) -> Marked:
    boards = _marked_objects(json.loads(decode(data).text))
    constraint = next((b["teaching"] for b in boards if isinstance(b["teaching"], str)), MARK)
    title = next((str(b["lesson"]) for b in boards if b.get("lesson")), "")
    texts = {
        number: str(b["text"])
        for b in boards
        if isinstance(number := b.get("board"), int) and b.get("text")
    }
    return Marked(constraint, Lesson(title, texts))


def _marked_objects(value: Any) -> list[Mapping[str, Any]]:
    """All objects with the mark, wherever they stand."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    found = [one for part in inner for one in _marked_objects(part)]
    return [value, *found] if isinstance(value, dict) and value.get("teaching") else found


def _pbn(data: bytes, constraint: str, lesson: Lesson) -> bytes:
    title = f"{MARK}: {lesson.title}" if lesson.title else MARK
    head, *games = data.decode("ascii").split('[Event ""]')
    parts = [f"% {MARK}: {one_line(constraint)}\r\n\r\n"]
    for game in games:
        found = re.search(r'\[Board "(\d+)"\]', game)
        note = lesson.texts.get(int(found[1]), "") if found else ""
        # A brace would end the comment.
        comment = "{" + note.replace("{", "(").replace("}", ")") + "}\r\n" if note else ""
        text = f"[Event {quote(title)}]" + game.rstrip("\r\n") + "\r\n" + comment + "\r\n"
        parts.append(text)
    body = "".join(parts)
    # ISO 8859-1 is the standard's; what it cannot hold is told by a line that readers know.
    if all(ord(sign) < 256 for sign in body):
        return (head.rstrip("\r\n") + "\r\n" + body).encode("latin-1")
    charset = "%Content-type: text/x-pbn; charset=UTF-8\r\n"
    return (head.rstrip("\r\n") + "\r\n" + charset + body).encode("utf-8", "replace")


def _json(data: bytes, constraint: str, lesson: Lesson) -> bytes:
    boards = json.loads(data)
    for board in boards:
        board["teaching"] = constraint or MARK
        board["lesson"] = lesson.title
        board["text"] = lesson.texts.get(board["board"], "")
    lines = ",\n".join(json.dumps(board) for board in boards)
    return f"[\n{lines}\n]\n".encode("ascii")
