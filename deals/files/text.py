"""Bytes of text formats: encodings, byte-order marks and line ends as they occur in real files."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import Final

_LINE_END: Final = re.compile(r"\r\n?")
_CHARSET: Final = re.compile(rb"^%\s*content-type:[^\r\n]*charset=\"?([\w.:-]+)", re.I | re.M)
_BIG: Final = 4 * 2**20
_NOT_ASTRAL: Final = bytes(range(0xF0))
"""One sign beyond U+FFFF (from byte F0) makes all of a text four bytes a letter in memory."""
_KNOWN: Final = {"utf-8": "utf-8", "iso8859-1": "latin-1", "ascii": "latin-1"}


@dataclass(frozen=True, slots=True)
class Text:
    """Decoded text with LF line ends, and what is needed to write it back as it was."""

    text: str
    encoding: str
    bom: bytes


def decode(data: bytes) -> Text:
    """Decode *data*: byte-order mark, UTF-16 by its zeros, UTF-8 strictly, else one byte a letter.

    A charset that the text declares (`%Content-type:` of PBN) wins over the guess between UTF-8 and
    one byte. Never raises; one byte a letter (ISO 8859-1) keeps every byte on a round trip.
    """
    encoding, bom = _encoding(data)
    text = data[len(bom) :].decode(encoding, "replace")
    if "\r" in text:
        text = _LINE_END.sub("\n", text)
    return Text(text, encoding, bom)


def _encoding(data: bytes) -> tuple[str, bytes]:
    for bom, encoding in (
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
    ):
        if data.startswith(bom):
            return encoding, bom
    head = data[:512]
    if len(head) >= 4:
        if not any(head[1::2]) and all(head[0:8:2]):
            return "utf-16-le", b""
        if not any(head[0::2]) and all(head[1:8:2]):
            return "utf-16-be", b""
    declared = _declared(data)
    if declared == "latin-1":
        return declared, b""
    if len(data) > _BIG and data.translate(None, _NOT_ASTRAL):
        return "latin-1", b""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return "latin-1", b""
    return "utf-8", b""


def _declared(data: bytes) -> str | None:
    match = _CHARSET.search(data[:8192])
    if match is None:
        return None
    try:
        return _KNOWN.get(codecs.lookup(match[1].decode("ascii")).name)
    except (LookupError, UnicodeDecodeError):
        return None


def head(data: bytes, size: int = 4096) -> str:
    """The beginning of *data* as text, for recognising a format."""
    return decode(data[:size]).text.lstrip("\ufeff \t\n")
