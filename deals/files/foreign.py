"""Files that people take for deal files: what they are by their first bytes, to say so."""

from __future__ import annotations

from typing import Final

_SIGNATURES: Final = (
    (b"PK\x03\x04", "file.is_zip"),
    (b"Rar!", "file.is_zip"),
    (b"7z\xbc\xaf", "file.is_zip"),
    (b"\x1f\x8b", "file.is_zip"),
    (b"%PDF", "file.is_pdf"),
    (b"{\\rtf", "file.is_document"),
    (b"\xd0\xcf\x11\xe0", "file.is_document"),
    (b"\x89PNG", "file.is_picture"),
    (b"\xff\xd8\xff", "file.is_picture"),
    (b"GIF8", "file.is_picture"),
)


def code_for(data: bytes) -> str:
    """The code that says what *data* is, or that nothing is known."""
    if not data.strip(b" \t\r\n\0\x1a\xef\xbb\xbf\xff\xfe"):
        return "file.empty"
    for signature, code in _SIGNATURES:
        if data.startswith(signature):
            return code
    return "file.not_recognised"
