"""DLM, Duplimate for Windows (.dlm): text like an INI file; of 99 boards From/To says which count.

Source: Big Deal's output and a real Duplimate file. A board is 26 letters, letter i being
'a' + 4 x owner(card 2i) + owner(card 2i + 1), and a checksum of 3 digits: the board number and the
26 letter codes, all XORed. The file's checksum is copies, first and last board and 1 if "Show",
XORed. A crypto key other than 0 hides the deals in an unpublished way.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import reduce
from typing import Final

from deals.boards import Board
from deals.deal import Deal
from deals.errors import DealError
from deals.files.base import DealFile, Holds
from deals.files.collect import Collector
from deals.files.text import decode, head

NAME: Final = "dlm"
TITLE: Final = "DLM (Duplimate for Windows)"
SUFFIX: Final = ".dlm"
HOLDS: Final = Holds(highest=99, gaps=False)

_BOARDS: Final = 99
_FILLER: Final = "aaaaaabffffffkkkkkklpppppp"
_LINE: Final = re.compile(r"^([^=\n]{1,64})=([^\n]*+)", re.M)
_BOARD: Final = re.compile(r"board\s*(\d{1,4})")
_LETTERS: Final = "abcdefghijklmnop"
_Line = tuple[str, int]


def recognises(data: bytes, /) -> bool:
    """The section [Document] at the head."""
    return head(data, 256)[:10].lower() == "[document]"


def loads(data: bytes, first_board: int | None = None) -> DealFile:
    """Read the boards From .. To; the others of the 99 are filler, whatever they look like."""
    text = decode(data).text
    found = Collector(NAME, numbered=True, first_board=first_board, text=text)
    settings: dict[str, _Line] = {}
    boards: dict[int, _Line] = {}
    for line in found.limited(_LINE.finditer(text)):
        name, value = line[1].strip().lower(), line[2].strip()
        if board := _BOARD.fullmatch(name):
            boards.setdefault(int(board[1]), (value, line.start()))
        else:
            settings.setdefault(name, (value, line.start()))
    found.sealed = settings.get("status", ("", 0))[0].lower() == "sealed"
    key, at = settings.get("crypto key", ("", 0))
    if key.strip("0"):
        found.problem("file.encrypted", at)
        return found.finish()
    for number in _wanted(settings, boards, found):
        _add(number, boards.get(number), found)
    return found.finish()


def _wanted(
    settings: dict[str, _Line], boards: dict[int, _Line], found: Collector
) -> Sequence[int]:
    first, last = _setting(settings, "from board"), _setting(settings, "to board")
    if first is None or last is None or not 1 <= first <= last <= _BOARDS:
        limits = [settings.get(name, ("", -1)) for name in ("from board", "to board")]
        if all(at < 0 for _, at in limits):
            found.warn("file.dlm_no_range")
        else:  # half a range or a damaged one: the rest of the 99 may be deals of another day
            at = max(at for _, at in limits)
            found.problem("file.dlm_range", at, first=limits[0][0], last=limits[1][0])
        return sorted(n for n, line in boards.items() if n and line[0][:26].lower() != _FILLER)
    stated = _setting(settings, "checksum")
    copies = _setting(settings, "duplicates") or 0
    if stated is not None and stated != copies ^ first ^ last ^ (not found.sealed):
        found.warn("file.dlm_checksum", first=first, last=last)
    return range(first, last + 1)


def _setting(settings: dict[str, _Line], name: str) -> int | None:
    value, _ = settings.get(name, ("", 0))
    return int(value) if value.isdecimal() and len(value) < 9 else None


def _add(number: int, line: _Line | None, found: Collector) -> None:
    if line is None:
        found.problem("file.dlm_no_board", 0, number)
        return
    value, at = line
    letters, checksum = value[:26].lower(), value[26:]
    deal = None
    if len(letters) < 26 or letters.strip(_LETTERS):
        found.problem("file.dlm_letters", at, number)
    elif not checksum.isdecimal() or int(checksum) != _checksum(number, letters):
        found.problem("file.dlm_board_checksum", at, number)
    else:
        try:
            deal = _decode(letters)
        except DealError as error:
            found.error(error, at, number)
    found.add(deal, at, number=number)


def _decode(letters: str) -> Deal:
    owners = bytearray()
    for letter in letters:
        owners += bytes(divmod(ord(letter) - ord("a"), 4))
    return Deal(bytes(owners))


def _encode(deal: Deal) -> str:
    owners = deal.owners
    return "".join(_LETTERS[4 * owners[i] + owners[i + 1]] for i in range(0, 52, 2))


def _checksum(number: int, letters: str) -> int:
    return reduce(int.__xor__, letters.encode("ascii"), number) if letters else number


def dumps(boards: Sequence[Board]) -> bytes:
    """Write 99 boards, those not in *boards* as filler (each seat one suit), as Duplimate does."""
    first, last = boards[0].number, boards[-1].number
    lines = [
        "[Document]",
        "Headline=",
        "Status=Show",
        "Duplicates=1",
        f"From board={first}",
        f"To board={last}",
        "Next board to duplimate=0",
        "PrintOuts=0",
        "Crypto key=0",
        f"Checksum={1 ^ first ^ last ^ 1}",
    ]
    letters = {board.number: _encode(board.deal) for board in boards}
    for number in range(1, _BOARDS + 1):
        code = letters.get(number, _FILLER)
        lines.append(f"Duplicates {number:02}=0")
        lines.append(f"Board {number:02}={code}{_checksum(number, code):03}")
    return ("\r\n".join(lines) + "\r\n").encode("ascii")
