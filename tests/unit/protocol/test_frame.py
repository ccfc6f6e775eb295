"""Frames: golden bytes, the check value, and bytes of any kind."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.protocol.frame import ENCODED_MAX, Decoder, Frame, crc16, encode
from controller.protocol.messages import PAYLOAD_MAX
from tests.unit.protocol.vectors import Vector, vectors

GOOD = encode(0x07, 5, b"\x01\x00\x02\x00\x03")
FRAMES = st.builds(Frame, st.integers(0, 255), st.integers(0, 255), st.binary(max_size=PAYLOAD_MAX))


def test_the_crc_has_its_published_check_value() -> None:
    assert crc16(b"123456789") == 0x29B1


@pytest.mark.parametrize("vector", vectors("stream"), ids=lambda vector: vector.name)
@pytest.mark.parametrize("size", [1, 7, 1_000])
def test_golden_streams(vector: Vector, size: int) -> None:
    decoder = Decoder()
    frames = []
    for start in range(0, len(vector.data), size):
        frames += decoder.feed(vector.data[start : start + size])
    assert len(frames) == vector.numbers["frames"]
    assert decoder.dropped == vector.numbers["dropped"]


@given(frame=FRAMES)
def test_what_is_encoded_is_decoded(frame: Frame) -> None:
    data = encode(*frame)
    assert data.count(0) == 1
    assert data[-1] == 0
    assert len(data) <= ENCODED_MAX + 1
    assert Decoder().feed(data) == [frame]


def test_a_payload_that_fits_no_frame_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"^payload of 49 bytes; at most 48 fit a frame$"):
        encode(1, 1, bytes(49))


@given(pieces=st.lists(st.binary(max_size=120)))
def test_any_bytes_are_survived_and_a_good_frame_is_found(pieces: list[bytes]) -> None:
    decoder = Decoder()
    for piece in pieces:
        for frame in decoder.feed(piece):
            again = encode(*frame)
            assert again in piece + b"\0" or len(pieces) > 1
    decoder.feed(b"\0")
    assert decoder.feed(GOOD) == [Frame(0x07, 5, b"\x01\x00\x02\x00\x03")]


@given(data=st.binary(max_size=400), cuts=st.lists(st.integers(0, 400), max_size=6))
def test_it_does_not_matter_how_bytes_are_cut(data: bytes, cuts: list[int]) -> None:
    stream = data + b"\0" + GOOD + data
    whole, cut = Decoder(), Decoder()
    edges = [0, *sorted(cuts), len(stream)]
    parts = [stream[a:b] for a, b in pairwise(edges)]
    assert [frame for part in parts for frame in cut.feed(part)] == whole.feed(stream)
    assert cut.dropped == whole.dropped


@given(frame=FRAMES, bit=st.integers(0, 1 << 16))
def test_one_flipped_bit_is_never_taken_for_the_frame(frame: Frame, bit: int) -> None:
    data = bytearray(encode(*frame))
    bit %= 8 * (len(data) - 1)
    data[bit // 8] ^= 1 << bit % 8
    assert Decoder().feed(bytes(data) + b"\0") == []


def test_a_reset_forgets_what_came_before() -> None:
    decoder = Decoder()
    decoder.feed(b"\x11" * 200)
    decoder.reset()
    assert [frame.type for frame in decoder.feed(GOOD)] == [0x07]
    assert decoder.dropped == 0


def test_memory_stays_bounded_without_a_delimiter() -> None:
    decoder = Decoder()
    for _ in range(100):
        decoder.feed(b"\x11" * 1_000)
    assert len(decoder._piece) <= ENCODED_MAX
    assert decoder.dropped == 0  # one piece, and it has not ended
    assert len(decoder.feed(b"\0" + GOOD)) == 1
    assert decoder.dropped == 1
