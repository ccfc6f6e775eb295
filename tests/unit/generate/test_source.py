"""From secret to deals: an outsider's own way agrees, slices agree, bulk agrees."""

from __future__ import annotations

import hashlib
import hmac
import os
import random
from math import comb

import numpy as np
import pytest

from deals.errors import DealError
from deals.generate import (
    DEALS,
    Source,
    bulk,
    deal_of,
    new_secret,
    number_of,
    parse_secret,
    plain_line,
    source,
)

SECRET = bytes(range(32))
KNOWN_KEY = "2473de57bd6d2322cdf67b96a35d28a97f394fc4c0daf43224ff61a7c4cf08bb"
KNOWN_NUMBER = 10_388_872_779_353_078_016_010_191_181
SOURCE = Source(SECRET, "Club night", "42,001.31")


def by_definition(secret: bytes, name: str, public: str, board: int, redeal: int) -> int:
    """Straight from the definition in the documentation."""
    head = f"predeal deals 1\nset: {name}\npublic: {public}\n".encode()
    key = hmac.new(secret, head, hashlib.sha256).digest()
    for block in range(9):
        place = b"".join(n.to_bytes(4, "big") for n in (board, redeal, block))
        data = hashlib.shake_256(key + place).digest(4096 * 12)
        for at in range(0, len(data), 12):
            number = int.from_bytes(data[at : at + 12], "big")
            if number < DEALS:
                return number
    raise AssertionError


@pytest.mark.parametrize(("board", "redeal"), [(1, 0), (36, 0), (7, 1), (7, 2), (100_000, 0)])
def test_the_definition(board: int, redeal: int) -> None:
    number = by_definition(SECRET, "Club night", "42,001.31", board, redeal)
    assert SOURCE.deal(board, redeal) == deal_of(number)


def test_known_deals() -> None:
    # Published sets must be provable for ever: a change here needs a new "predeal deals 2".
    assert SOURCE.key().hex() == KNOWN_KEY
    assert number_of(SOURCE.deal(1)) == KNOWN_NUMBER


def test_everything_matters() -> None:
    others = [
        Source(bytes(32), "Club night", "42,001.31"),
        Source(SECRET, "Club nights", "42,001.31"),
        Source(SECRET, "Club night", "42,001.32"),
        Source(SECRET, "Club night"),
    ]
    found = {s.deal(1) for s in (SOURCE, *others)} | {SOURCE.deal(2), SOURCE.deal(1, 1)}
    assert len(found) == 7


def test_blanks_and_composition_of_letters_do_not_matter() -> None:
    assert plain_line("  a \t b\n") == "a b"
    assert Source(SECRET, "Ässä  cup ").key() == Source(SECRET, "A\u0308ssa\u0308 cup").key()
    for text in ("x" * 201, "a\x00b", "a\u202eb"):
        with pytest.raises(DealError, match="at most 200 printable signs"):
            plain_line(text)


def test_any_slice_anywhere() -> None:
    whole = np.concatenate(list(bulk.boards(SOURCE.key(), range(1, 9001))))
    for low, high in ((1, 2), (17, 33), (4090, 4110), (8999, 9001)):
        part = np.concatenate(list(bulk.boards(SOURCE.key(), range(low, high))))
        assert (part == whole[low - 1 : high - 1]).all()
    assert [d.owners for d in SOURCE.deals(range(500, 600))] == [
        row.tobytes() for row in whole[499:599]
    ]
    assert len(list(bulk.boards(SOURCE.key(), range(0)))) == 0


def test_bulk_agrees_with_the_slow_way_for_every_kind_of_number() -> None:
    chance = random.Random(8)
    b, c = comb(39, 13), comb(26, 13)
    limits = [0, 1, DEALS - 1, DEALS, DEALS + 1, 2**96 - 1, b * c, b * c - 1, c, c - 1, 2**48]
    limits += [(DEALS >> 48 << 48) - 1, DEALS >> 48 << 48]
    some = limits + [chance.randrange(2**96) for _ in range(3000)]
    owners = bulk.deals_of_pieces(b"".join(n.to_bytes(12, "big") for n in some))
    assert [row.tobytes() for row in owners] == [deal_of(n).owners for n in some if n < DEALS]


def test_when_no_first_piece_is_a_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    """One board in 300,000 needs more than the first pieces; make it a third of them."""
    expected = SOURCE.deals(range(1, 200))
    for module in (bulk, source):
        monkeypatch.setattr(module, "FIRST_PIECES", 1)
    assert SOURCE.deals(range(1, 200)) == expected
    rows = np.concatenate(list(bulk.boards(SOURCE.key(), range(1, 200))))
    assert [row.tobytes() for row in rows] == [deal.owners for deal in expected]


def test_a_block_without_any_deal_leads_to_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    real = source.stream

    def barren(key, board, redeal, block, pieces=source.BLOCK_PIECES):
        return b"\xff" * 12 * pieces if block < 2 else real(key, board, redeal, block, pieces)

    monkeypatch.setattr(source, "stream", barren)
    key = SOURCE.key()
    place = b"".join(n.to_bytes(4, "big") for n in (5, 0, 2))
    data = hashlib.shake_256(key + place).digest(120)
    first = next(
        n for n in (int.from_bytes(data[i : i + 12], "big") for i in range(0, 120, 12)) if n < DEALS
    )
    assert SOURCE.deal(5) == deal_of(first)


def test_candidates_are_the_streams_deals_in_order() -> None:
    block = next(bulk.candidates(SOURCE.key(), 3))
    assert block[0].tobytes() == SOURCE.deal(3).owners
    numbers = source.numbers(SOURCE.key(), 3)
    expected = [n for n in (next(numbers) for _ in range(50)) if n < DEALS]
    assert [row.tobytes() for row in block[: len(expected)]] == [
        deal_of(n).owners for n in expected
    ]


def test_secrets() -> None:
    asked = []

    def system(count: int) -> bytes:
        asked.append(count)
        return os.urandom(count)

    secret = new_secret(system)
    assert asked == [32]
    assert parse_secret(f"{secret.hex()}\n") == secret
    assert parse_secret(secret.hex(" ", 4).upper()) == secret
    assert repr(secret) not in repr(Source(secret, "x"))
    for text, said in (
        ("ab" * 19, "152 bits; .* 160 to 512"),
        ("ab" * 65, "520 bits"),
        ("hearts", "hexadecimal"),
        ("", "0 bits"),
    ):
        with pytest.raises(DealError, match=said) as refused:
            parse_secret(text)
        assert "hearts" not in str(refused.value)
    with pytest.raises(DealError, match="bits"):
        Source(b"short", "x").deal(1)
    with pytest.raises(DealError, match="no stream"):
        SOURCE.deal(2**32)
