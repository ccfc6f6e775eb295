"""The tokens of PBN 2.1 text (tistis.nl, pbn_v21), cut in one linear pass whatever the input."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

# Every branch begins with a letter of its own, and what it has scanned it either takes or cannot
# scan again from a later start; so the work stays linear on garbage. A bracket that opens no tag is
# a token too, so that a reader can count them. Tag strings may span lines.
_PATTERN: Final = r"""
    \[ \s*+ (?P<name>[A-Za-z0-9_]++) \s*+ "(?P<value>(?:[^"\\]++|\\.)*+)" \s*+ \]
  | \[ [ ]*+ (?P<bare>Deal|Board|Dealer|Vulnerable) [ ]++ (?P<plain>[^"\]\n]++) \]
  | \[ \s*+ (?P<broken>(?:Deal|Board)\b) [^\n]*+
  | \[
  | ; [^\n]*+
  | \n (?: %[^\n]*+ | [ \t\v]*+ (?P<blank>(?=\n)) )
  | " (?:[^"\\\n]++|\\[^\n])*+ "?
"""
_TOKEN: Final = re.compile(_PATTERN + r"| \{ [^}]*+ (?: \} | (?P<unclosed>\Z) )", re.X | re.S)
_OTHERS: Final = r"""
    (?: \n\[(?!(?:Event|Board|Dealer|Vulnerable|Deal)[ ])[A-Z][A-Za-z0-9_]*+[ ]"[^"\\\n]*+"\](?=\n) )
"""
_SKIM: Final = re.compile(
    rf"""
    (?: \n\[Event[ ]"(?P<event>[^"\\\n]*+)"\](?=\n) {_OTHERS}*+ )?
      \n\[Board[ ]"(?P<board>[1-9][0-9]{{0,5}})"\](?=\n) {_OTHERS}*+
      \n\[Dealer[ ]"(?P<dealer>[NESW])"\]
      \n\[Vulnerable[ ]"(?P<vulnerable>[A-Za-z]+)"\]
      \n\[Deal[ ]"(?P<deal>[NESW]:[^"\\\n]+)"\]
  | (?P<others> {_OTHERS}++ )
  | """
    + _TOKEN.pattern,
    re.X | re.S,
)
_TOKEN_NO_BRACES: Final = re.compile(_PATTERN, re.X | re.S)
_ESCAPED: Final = re.compile(r"\\([\"\\])")
_BACKSLASH: Final = re.compile(r"\\(?=[\"\\]|\Z)")
_EMBEDDED: Final = re.compile(r"<PBN>(.*?)(?:</PBN>|\Z)", re.S | re.I)


def tokens(text: str, skim: bool = False) -> Iterator[re.Match[str]]:
    """Tokens of *text*, which begins and ends with an LF of ours; groups name what they are.

    With *skim*, the tags of a deal in the order of export form come as one token `deal`, and lines
    of plain tags that say nothing of the deal as one token `others`.
    A comment that is never closed is given as token `unclosed`, and what follows its brace is cut
    once more without comments, so that it does not swallow the boards that follow.
    """
    for match in (_SKIM if skim else _TOKEN).finditer(text):
        yield match
        if match.lastgroup == "unclosed":
            yield from _TOKEN_NO_BRACES.finditer(text, match.start() + 1)
            return


def unquote(value: str) -> str:
    r"""The text of a tag value: \" and \\ resolved, a line end inside it made a blank."""
    if "\\" in value:
        value = _ESCAPED.sub(r"\1", value)
    if "\n" in value:
        value = value.replace("\n", " ")
    return value


def quote(value: str) -> str:
    r"""A tag value with its quotes; \" and \\ escaped."""
    # Only a backslash that could be read as an escape needs one: column types are written "\\2R".
    escaped = _BACKSLASH.sub(r"\\\\", value).replace('"', '\\"')
    return f'"{escaped}"'


def one_line(value: str, most: int = 200) -> str:
    """*value* as a tag or a `%` line can hold it: no controls, no line ends, not too long."""
    shown = "".join(sign if sign.isprintable() else " " for sign in value)
    return " ".join(shown.split())[:most]


def only_embedded(text: str) -> str:
    """If PBN is embedded (<PBN> .. </PBN>) in text, blank all else; lines keep their place."""
    found = list(_EMBEDDED.finditer(text))
    if not found:
        return text
    parts = []
    at = 0
    for match in found:
        parts.append("\n" * text.count("\n", at, match.start(1)))
        parts.append(match[1])
        at = match.end(1)
    return "".join(parts)
