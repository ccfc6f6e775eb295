"""The set code: a short, speakable name for exactly this set of boards, such as "KH7-4MQ-9RT".

The hash is slow on purpose (scrypt, n = 2^15, r = 8: 32 MB, p = 12: about 0.7 s on one x86 core of
2020, several seconds on a Raspberry Pi 4). A code stands on records and screens before the set is
played; a fast hash would let a player who sees dummy try ten million layouts of the rest. For the
same reason there is never a code of a single board.

The alphabet has 23 signs, a prime number, without 0 O 1 I L 2 Z 5 S 8 B G U. Eight signs carry the
hash; the ninth is chosen so that the sum of sign times place (1 .. 9) is 0 modulo 23. Places and
their differences are no multiples of 23, so every single wrong sign and every swap of two
neighbours is noticed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from deals.boards import Board
from deals.errors import DealError, SetCodeError

NO_CODE: Final = "-"
"""Stands where a code would: a single board has none."""
ALPHABET: Final = "34679ACDEFHJKMNPQRTVWXY"
_LENGTH: Final = 9
_SALT: Final = b"predeal set code 1"


@dataclass(frozen=True, slots=True)
class Cost:
    """Parameters of scrypt; memory is 128 * n * r bytes."""

    n: int
    r: int
    p: int


REAL_COST: Final = Cost(2**15, 8, 12)
QUICK_COST: Final = Cost(2, 8, 1)
"""For tests only: its codes are not the set's code."""


def canonical(boards: Iterable[Board]) -> bytes:
    """The set as the hash sees it: a line "number dealer vulnerable deal" a board, by number."""
    lines = [
        f"{b.number} {b.dealer.letter} {b.vulnerable.value} {b.deal.pbn()}\n"
        for b in sorted(boards, key=lambda board: board.number)
    ]
    return "".join(lines).encode("ascii")


def set_code(boards: Iterable[Board], cost: Cost = REAL_COST) -> str:
    """The code of the whole set, whatever the order of *boards*; DealError for an empty set."""
    text = canonical(boards)
    if not text:
        raise DealError("setcode.empty_set")
    digest = hashlib.scrypt(
        text, salt=_SALT, n=cost.n, r=cost.r, p=cost.p, maxmem=64 * 2**20, dklen=16
    )
    value = int.from_bytes(digest, "big")
    signs = []
    for _ in range(_LENGTH - 1):
        value, sign = divmod(value, len(ALPHABET))
        signs.append(sign)
    total = sum(place * sign for place, sign in enumerate(signs, 1))
    # The last place weighs 9, so the check sign is -total / 9 modulo 23.
    signs.append(-total * pow(_LENGTH, -1, len(ALPHABET)) % len(ALPHABET))
    return _grouped("".join(ALPHABET[sign] for sign in signs))


def code_of(boards: Sequence[Board]) -> str:
    """The code of a set, or `NO_CODE` for a single board.

    There is no code of one board: who sees it, and one hand as dummy, could try the ten million
    ways to deal the others (design document, section 6).
    """
    return set_code(boards) if len(boards) > 1 else NO_CODE


def check_set_code(text: str) -> str:
    """*text* as a code is written; SetCodeError if mistyped (blanks, dashes and case aside)."""
    plain = "".join(sign for sign in text.upper() if sign not in " -\t.")
    for sign in plain:
        if sign not in ALPHABET:
            raise SetCodeError("setcode.no_such_sign", sign=sign, alphabet=ALPHABET)
    if len(plain) != _LENGTH:
        raise SetCodeError("setcode.wrong_length", count=len(plain), length=_LENGTH)
    total = sum(place * ALPHABET.index(sign) for place, sign in enumerate(plain, 1))
    if total % len(ALPHABET):
        raise SetCodeError("setcode.mistyped", text=_grouped(plain))
    return _grouped(plain)


def _grouped(plain: str) -> str:
    return "-".join(plain[i : i + 3] for i in range(0, len(plain), 3))
