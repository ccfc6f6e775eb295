"""The control loop waits for whatever comes first: time, a descriptor, or a call to wake up."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import pytest

from controller.devices.realtime import RealClock, RealTime

LONG_US = 20_000_000
"""No test waits for so long: it would be seen."""


class Ear:
    """A source that counts what it hears, and has news only of what is no whisper."""

    def __init__(self) -> None:
        self.here, self.there = socket.socketpair()
        self.here.setblocking(False)
        self.heard = b""
        self.pumped = 0

    def fileno(self) -> int:
        return self.here.fileno()

    def pump(self) -> bool:
        self.pumped += 1
        try:
            data = self.here.recv(100)
        except BlockingIOError:
            return False
        self.heard += data
        if not data:
            self.close()
        return data != b"whisper"

    def close(self) -> None:
        self.here.close()
        self.there.close()


@pytest.fixture
def time() -> Iterator[RealTime]:
    found = RealTime()
    yield found
    found.close()


@pytest.fixture
def ear() -> Iterator[Ear]:
    found = Ear()
    yield found
    found.close()


def test_the_clock_is_the_monotonic_one_in_microseconds():
    clock = RealClock()
    first = clock.now_us()
    assert 0 <= clock.now_us() - first < 1_000_000


def test_time_passes(time: RealTime):
    until_us = time.now_us() + 5_000
    time.wait(until_us)
    assert time.now_us() >= until_us


def test_what_is_past_is_not_waited_for_but_looked_at(time: RealTime, ear: Ear):
    time.watch(ear)
    ear.there.send(b"hello")
    time.wait(time.now_us() - 1)
    assert ear.heard == b"hello"


def test_news_ends_the_wait_and_is_taken(time: RealTime, ear: Ear):
    time.watch(ear)
    ear.there.send(b"hello")
    began_us = time.now_us()
    time.wait(began_us + LONG_US)
    assert time.now_us() - began_us < LONG_US / 2
    assert ear.heard == b"hello"


def test_what_is_no_news_does_not_end_the_wait(time: RealTime, ear: Ear):
    time.watch(ear)
    ear.there.send(b"whisper")
    until_us = time.now_us() + 5_000
    time.wait(until_us)
    assert time.now_us() >= until_us
    assert ear.heard == b"whisper"


def test_waking_ends_the_wait_also_when_it_comes_before(time: RealTime):
    time.wake()
    time.wake()
    began_us = time.now_us()
    time.wait(began_us + LONG_US)
    assert time.now_us() - began_us < LONG_US / 2
    until_us = time.now_us() + 3_000
    time.wait(until_us)  # both calls are used up
    assert time.now_us() >= until_us


def test_another_thread_can_wake_it(time: RealTime):
    thread = threading.Timer(0.02, time.wake)
    thread.start()
    began_us = time.now_us()
    time.wait(began_us + LONG_US)
    assert time.now_us() - began_us < LONG_US / 2
    thread.join()


def test_so_many_calls_that_nobody_hears_do_no_harm(time: RealTime):
    for _ in range(10_000):
        time.wake()
    time.wait(time.now_us())


def test_a_source_can_be_looked_at_now_and_then(time: RealTime, ear: Ear):
    time.watch(ear, every_us=2_000)
    time.wait(time.now_us() + 20_000)
    assert 3 <= ear.pumped <= 11


def test_a_source_that_has_gone_is_not_asked_for(time: RealTime, ear: Ear):
    time.watch(ear)
    ear.there.close()
    time.wait(time.now_us() + LONG_US)  # its end is news
    assert ear.fileno() == -1
    until_us = time.now_us() + 3_000
    time.wait(until_us)
    assert time.now_us() >= until_us


def test_a_source_is_forgotten(time: RealTime, ear: Ear):
    time.watch(ear)
    time.unwatch(ear)
    ear.there.send(b"hello")
    time.wait(time.now_us() + 2_000)
    assert ear.heard == b""
