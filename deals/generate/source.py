"""From a secret to deals: every board of every set has a stream of numbers of its own.

    key    = HMAC-SHA-256(secret, "predeal deals 1\\nset: NAME\\npublic: TEXT\\n")
    stream = SHAKE-256(key, board, redeal, block), the three as 4 bytes each, big end first
    pieces = the stream of a block, 12 bytes each, big end first: 4,096 pieces a block
    deal   = the first piece below D (deals.generate.numbering), in block 0, 1, ...

A piece is below D in 67.7 % of all cases; the others are passed over, so every deal is equally
likely. `redeal` is 0, and 1 more for each new deal of that board (Law 6D). A TEACHING set takes
the first piece whose deal also meets its constraint.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from deals.deal import Deal
from deals.errors import DealError
from deals.generate.numbering import DEALS, deal_of

SECRET_BYTES: Final = 32
LEAST_SECRET_BYTES: Final = 20
"""160 bits; fewer than 96 could not even reach every deal."""
MOST_SECRET_BYTES: Final = 64
PIECE_BYTES: Final = 12
BLOCK_PIECES: Final = 4096
LONGEST_NAME: Final = 200
LONGEST_CONSTRAINT: Final = 2000
FIRST_PIECES: Final = 11
"""As many as one round of SHAKE-256 gives (136 bytes); one is below D in all but 4 of 10^6 cases."""


def new_secret(random: Callable[[int], bytes]) -> bytes:
    """A fresh secret of 256 bits from the system's source, which is passed in."""
    return _long_enough(random(SECRET_BYTES))


def parse_secret(text: str) -> bytes:
    """The secret in a seed file: hexadecimal digits, blanks aside; DealError without the text."""
    try:
        return _long_enough(bytes.fromhex("".join(text.split())))
    except ValueError as error:
        if isinstance(error, DealError):
            raise
        # Nothing of what was written there: it may be a secret with one slip in it.
        raise DealError("generate.secret_no_hex") from None


def plain_line(text: str, most: int = LONGEST_NAME) -> str:
    """*text* as it is hashed: Unicode NFC, blanks joined and trimmed; DealError if too long."""
    line = " ".join(unicodedata.normalize("NFC", text).split())
    if len(line) > most or not line.isprintable():
        raise DealError("generate.bad_line", length=len(line), most=most)
    return line


@dataclass(frozen=True)
class Source:
    """The deals of one set: secret, its name, and the public text that came after the commitment."""

    secret: bytes = field(repr=False)
    name: str
    public: str = ""

    def key(self) -> bytes:
        """32 bytes on which all deals of the set depend."""
        head = f"predeal deals 1\nset: {plain_line(self.name)}\npublic: {plain_line(self.public)}\n"
        return hmac.digest(_long_enough(self.secret), head.encode(), "sha256")

    def deal(self, board: int, redeal: int = 0) -> Deal:
        """The deal of *board* >= 1; *redeal* counts the new deals of this board."""
        key = self.key()
        return deal_of(next(n for n in numbers(key, board, redeal) if n < DEALS))

    def deals(self, boards: Sequence[int]) -> list[Deal]:
        """The deals of many boards; any slice of them is the same by itself."""
        key = self.key()
        return [deal_of(next(n for n in numbers(key, b) if n < DEALS)) for b in boards]


def numbers(key: bytes, board: int, redeal: int = 0) -> Iterator[int]:
    """The pieces of a board's stream, D and above included, without end."""
    block = 0
    start = stream(key, board, redeal, 0, FIRST_PIECES)
    yield from _pieces(start)
    rest = stream(key, board, redeal, 0)[len(start) :]
    while True:
        yield from _pieces(rest)
        block += 1
        rest = stream(key, board, redeal, block)


def stream(key: bytes, board: int, redeal: int, block: int, pieces: int = BLOCK_PIECES) -> bytes:
    """The first *pieces* of a block; DealError for a board or redeal that has no stream."""
    try:
        place = struct.pack(">III", board, redeal, block)
    except struct.error:
        raise DealError("generate.no_stream", number=board, redeal=redeal) from None
    return hashlib.shake_256(key + place).digest(PIECE_BYTES * pieces)


def _pieces(data: bytes) -> Iterator[int]:
    for at in range(0, len(data), PIECE_BYTES):
        yield int.from_bytes(data[at : at + PIECE_BYTES], "big")


def _long_enough(secret: bytes) -> bytes:
    if not LEAST_SECRET_BYTES <= len(secret) <= MOST_SECRET_BYTES:
        raise DealError(
            "generate.secret_length",
            bits=8 * len(secret),
            least=8 * LEAST_SECRET_BYTES,
            most=8 * MOST_SECRET_BYTES,
        )
    return secret
