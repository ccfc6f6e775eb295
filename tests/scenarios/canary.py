"""Every form in which a hand could show, and a search for them in anything that is left behind."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Iterator
from hashlib import md5, sha1, sha256
from pathlib import Path

from deals.boards import Board
from deals.cards import CARDS, Seat
from deals.files import write_deals

LEAST = 10
"""Shorter forms would be found by chance."""


def forms(board: Board) -> dict[str, bytes]:
    """By name, bytes that give away a hand or more of *board*."""
    found: dict[str, bytes] = {"PBN deal": board.deal.pbn().encode()}
    for seat in Seat:
        hand = board.deal.hand_pbn(seat)
        cards = list(board.deal.hand(seat))
        found[f"PBN hand {seat.name}"] = hand.encode()
        for way, order in (("down", cards), ("up", cards[::-1])):
            numbers = [CARDS.index(card) for card in order]
            found[f"card numbers {way} {seat.name}"] = bytes(numbers)
            found[f"card numbers in text {way} {seat.name}"] = ",".join(map(str, numbers)).encode()
            found[f"card numbers in JSON {way} {seat.name}"] = json.dumps(numbers)[1:-1].encode()
            names = [str(card) for card in order]
            found[f"names {way} {seat.name}"] = " ".join(names).encode()
            found[f"names in JSON {way} {seat.name}"] = json.dumps(names)[1:-1].encode()
    found["seats by card"] = bytes(board.deal.owners)
    found["seats by card in text"] = "".join(map(str, board.deal.owners)).encode()
    found["seats by card as letters"] = "".join(
        Seat(one).name for one in board.deal.owners
    ).encode()
    found["BRI"] = write_deals([board], "bri").data[:78] if board.number == 1 else b""
    found["DLM"] = _dlm(board)
    found = {name: form for name, form in found.items() if len(form) >= LEAST}
    found |= {f"{name} in hex": form.hex().encode() for name, form in found.items()}
    for maker in (md5, sha1, sha256):
        digest = maker(board.deal.pbn().encode())
        found[f"{digest.name} of the deal"] = digest.digest()
        found[f"{digest.name} of the deal in hex"] = digest.hexdigest().encode()
    for name, form in list(found.items()):
        for shift in range(3):  # wherever in a longer text it begins
            text = base64.b64encode(bytes(shift) + form)
            found[f"{name} in base64, {shift}"] = text[4 if shift else 0 : -4]
    return {name: form for name, form in found.items() if len(form) >= LEAST}


def _dlm(board: Board) -> bytes:
    lines = write_deals([board], "dlm").data.split(b"\r\n")
    key = b"Board %02d=" % board.number
    (line,) = [line for line in lines if line.startswith(key)]
    return line.removeprefix(key)[:26]


def shown(contents: Iterable[bytes], boards: Iterable[Board]) -> set[str]:
    """Names of forms that are in *contents*, also where these are compressed."""
    wanted = {f"board {b.number}: {name}": form for b in boards for name, form in forms(b).items()}
    found: set[str] = set()
    for content in contents:
        for layer in (content, *_unpacked(content)):
            found |= {name for name, form in wanted.items() if form in layer}
    return found


def _unpacked(content: bytes) -> Iterator[bytes]:
    """Whatever begins like a zlib or gzip stream, unpacked."""
    for mark, bits in (
        (b"\x1f\x8b\x08", 31),
        (b"\x78\x01", 15),
        (b"\x78\x9c", 15),
        (b"\x78\xda", 15),
    ):
        place = content.find(mark)
        while place >= 0:
            try:
                data = zlib.decompressobj(bits).decompress(content[place:], 1 << 24)
            except zlib.error:
                data = b""
            if data:
                yield data
            place = content.find(mark, place + 1)


def files(*roots: Path) -> list[bytes]:
    """Everything under *roots*: names and contents."""
    paths = [path for root in roots for path in sorted(root.rglob("*"))]
    names = "\n".join(str(path) for path in paths).encode()
    return [names, *(path.read_bytes() for path in paths if path.is_file())]
