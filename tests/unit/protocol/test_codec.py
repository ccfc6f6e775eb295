"""Messages: golden payloads, bounds of every value, and nothing raised out of the decoder."""

from __future__ import annotations

from dataclasses import fields
from struct import pack as struct_pack

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.protocol import messages
from controller.protocol.codec import MessageDecoder, Received, encode_message, pack, unpack
from controller.protocol.frame import encode
from controller.protocol.messages import (
    ANSWERS,
    COMMANDS,
    EVENTS,
    Ack,
    Calibration,
    Clear,
    Config,
    Heartbeat,
    Held,
    Identity,
    InputChanged,
    Landed,
    Measured,
    Message,
    Nak,
    Route,
    Seen,
    Start,
    Status,
    Stopped,
    Strobed,
    Transit,
)
from tests.unit.protocol.vectors import Vector, vectors

ALL = (*COMMANDS, *ANSWERS, *EVENTS)
BAD: list[tuple[type[Message], str, list[int]]] = [
    (Start, "run", [0]),
    (Route, "run", [0]),
    (Route, "card", [0]),
    (Route, "pocket", [5, 255]),
    (Clear, "reason", [0, 17]),
    (Ack, "command", [0, 0x12, 0x80]),
    (Ack, "pocket", [5, 254]),
    (Nak, "reason", [0, 16]),
    (Nak, "state", [7]),
    (Identity, "reset_cause", [4]),
    (Identity, "state", [7]),
    (Identity, "stop_reason", [17]),
    (Identity, "inputs", [0x8000]),
    (Status, "state", [7]),
    (Status, "stop_reason", [17]),
    (Status, "inputs", [0x8000]),
    (Seen, "run", [0]),
    (Seen, "card", [0]),
    (Strobed, "run", [0]),
    (Strobed, "card", [0]),
    (Strobed, "look", [0, 3]),
    (Measured, "run", [0]),
    (Measured, "card", [0]),
    (Measured, "flags", [16]),
    (Held, "run", [0]),
    (Held, "card", [0]),
    (Held, "on", [2]),
    (Landed, "run", [0]),
    (Landed, "card", [0]),
    (Landed, "pocket", [5, 255]),
    (Landed, "expired", [2]),
    (Stopped, "reason", [0, 17]),
    (Stopped, "pocket", [5, 254]),
    (Calibration, "key", [20]),
    (Calibration, "kept", [2]),
    (Transit, "leg", [6]),
    (InputChanged, "pin", [15]),
    (InputChanged, "level", [2]),
]


def golden(cls: type[Message]) -> Vector:
    """The last golden frame of a message."""
    return [vector for vector in vectors("message") if vector.name == cls.__name__][-1]


def values_of(vector: Vector) -> dict[str, int]:
    """Its fields."""
    return {name: value for name, value in vector.numbers.items() if name != "seq"}


def raw(cls: type[Message], values: dict[str, int]) -> bytes:
    """A payload that is not checked."""
    return struct_pack(cls.FORMAT, *(values[field.name] for field in fields(cls)))


@pytest.mark.parametrize("vector", vectors("message"), ids=lambda vector: vector.name)
def test_golden_messages(vector: Vector) -> None:
    message = getattr(messages, vector.name)(**values_of(vector))
    seq = vector.numbers["seq"]
    assert encode_message(message, seq) == vector.data
    assert MessageDecoder().feed(vector.data) == [Received(seq, message)]


def test_every_message_has_a_golden_frame() -> None:
    assert {vector.name for vector in vectors("message")} == {cls.__name__ for cls in ALL}


def test_numbers_and_sizes_of_messages_are_sound() -> None:
    assert len({cls.TYPE for cls in ALL}) == len(ALL)
    head = ["number", "boot", "run", "tick"]
    for cls in ALL:
        assert len(raw(cls, values_of(golden(cls)))) <= messages.PAYLOAD_MAX
        assert cls not in EVENTS or [field.name for field in fields(cls)][:4] == head


@pytest.mark.parametrize(
    ("cls", "name", "value"),
    [(cls, name, value) for cls, name, bad in BAD for value in bad],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_a_value_out_of_bounds_is_refused_both_ways(
    cls: type[Message], name: str, value: int
) -> None:
    values = values_of(golden(cls))
    decoder = MessageDecoder()
    assert len(decoder.feed(encode(cls.TYPE, 9, raw(cls, values)))) == 1
    values[name] = value
    with pytest.raises(ValueError, match=rf"^{cls.__name__}\.{name} cannot be {value}$"):
        pack(cls(**values))
    assert decoder.feed(encode(cls.TYPE, 9, raw(cls, values))) == []
    assert (decoder.dropped, decoder.refused) == (0, 1)


@pytest.mark.parametrize("cls", ALL, ids=lambda cls: cls.__name__)
def test_a_wrong_length_is_refused(cls: type[Message]) -> None:
    payload = raw(cls, values_of(golden(cls)))
    assert unpack(cls.TYPE, payload) is not None
    assert unpack(cls.TYPE, payload + b"\0") is None
    assert not payload or unpack(cls.TYPE, payload[:-1]) is None


def test_an_unknown_type_is_refused() -> None:
    known = {cls.TYPE for cls in ALL}
    assert all(unpack(type_, b"") is None for type_ in range(256) if type_ not in known)


def test_a_key_of_another_firmware_is_left_to_that_firmware() -> None:
    message = Config(200, 1)
    assert unpack(Config.TYPE, pack(message)) == message


@given(data=st.lists(st.binary(max_size=80)))
def test_no_bytes_raise(data: list[bytes]) -> None:
    decoder = MessageDecoder()
    for piece in data:
        decoder.feed(piece)
    decoder.reset()
    assert decoder.feed(encode_message(Heartbeat(3), 8)) == [Received(8, Heartbeat(3))]


@given(type_=st.integers(0, 255), payload=st.binary(max_size=48))
def test_every_good_frame_is_a_message_or_counted(type_: int, payload: bytes) -> None:
    decoder = MessageDecoder()
    received = decoder.feed(encode(type_, 1, payload))
    assert len(received) + decoder.refused == 1
    for _, message in received:
        assert pack(message) == payload
