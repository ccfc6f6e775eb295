"""The loop test of a rate: HELLO is answered, by whatever answer there is, or it is not."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import pytest

from controller.devices.proving import answers_hello
from controller.devices.realtime import RealTime
from controller.link.link import Link
from controller.protocol.codec import MessageDecoder, encode_message
from controller.protocol.messages import (
    Hello,
    Identity,
    Message,
    Nak,
    NakReason,
    State,
    Status,
)

SOON_US = 400_000


class Mcu:
    """Answers HELLO as a test wants it, and every heartbeat."""

    def __init__(self, deaf_to: int = 0, version: bool = True, gone: bool = False) -> None:
        self.deaf_to = deaf_to
        self.version = version
        self.gone = gone
        self.heard = 0
        self._decoder = MessageDecoder()
        self._out = b""

    def write(self, data: bytes) -> None:
        if self.gone:
            raise OSError("gone")
        for received in self._decoder.feed(data):
            self.heard += 1
            if self.heard > self.deaf_to:
                self._out += encode_message(self._answer(received.message), received.seq)

    def read(self) -> bytes:
        data, self._out = self._out, b""
        return data

    def _answer(self, message: Message) -> Message:
        if not isinstance(message, Hello):
            return blank(Status)
        return (
            blank(Identity) if self.version else Nak(message.TYPE, NakReason.VERSION, State.UNKNOWN)
        )


def blank(kind: type[Message]) -> Message:
    """A message with every field zero."""
    return kind(**{field.name: 0 for field in dataclasses.fields(kind)})


@pytest.fixture
def time() -> Iterator[RealTime]:
    found = RealTime()
    yield found
    found.close()


def proven(mcu: Mcu, time: RealTime) -> bool:
    return answers_hello(Link(mcu, time, time.wait), time, SOON_US)()


def test_an_answer_proves_the_rate(time: RealTime):
    assert proven(Mcu(), time)


def test_an_mcu_that_still_starts_is_waited_for(time: RealTime):
    mcu = Mcu(deaf_to=6)
    assert proven(mcu, time)
    assert mcu.heard >= 7


def test_also_a_refusal_is_an_answer(time: RealTime):
    assert proven(Mcu(version=False), time)


def test_silence_is_none(time: RealTime):
    began_us = time.now_us()
    assert not proven(Mcu(deaf_to=10_000), time)
    assert time.now_us() - began_us >= SOON_US


def test_a_port_that_goes_is_not_waited_for(time: RealTime):
    began_us = time.now_us()
    assert not proven(Mcu(gone=True), time)
    assert time.now_us() - began_us < SOON_US
