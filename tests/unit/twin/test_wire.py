"""The cable: how long bytes take, in what order, and what becomes of them when it is pulled."""

from __future__ import annotations

import itertools
import random

import pytest

from controller.twin.firmware import HostFirmware
from controller.twin.trace import NoTrace
from controller.twin.world.wire import JITTER_US, LATENCY_US, Doubler, Harm, Noise, Overtaker, Wire
from tests.unit.twin.test_camera import Timeline
from tests.unit.twin.test_track import Recorder

BYTE_US = HostFirmware.byte_us


class Chip(Recorder):
    byte_us = BYTE_US

    def __init__(self, time: Timeline) -> None:
        super().__init__()
        self.time = time
        self.got: list[tuple[int, bytes]] = []

    def rx(self, data: bytes) -> None:
        self.got.append((self.time.now_us, data))


def wire() -> tuple[Wire, Timeline, Chip]:
    time = Timeline()
    chip = Chip(time)
    return Wire(chip, time, random.Random(1), NoTrace()), time, chip


def test_bytes_take_their_time_each_way() -> None:
    cable, time, chip = wire()
    took = []
    for number in range(50):
        start = number * 10_000
        time.to(start)
        cable.port.write(b"0123456789")
        time.to(start + 9_999)
        took.append(chip.got[-1][0] - start)
    base = LATENCY_US + 10 * BYTE_US
    assert min(took) >= base
    assert max(took) <= base + JITTER_US
    assert len(set(took)) > 30


def test_bytes_stay_in_order_and_share_the_line() -> None:
    cable, time, chip = wire()
    for number in range(30):
        cable.port.write(bytes([number]) * 40)
    time.to(1_000_000)
    assert [data[0] for _, data in chip.got] == list(range(30))
    ends = [at for at, _ in chip.got]
    assert all(later - sooner >= 40 * BYTE_US for sooner, later in itertools.pairwise(ends))


def test_the_host_reads_what_has_arrived_and_is_told() -> None:
    cable, time, _ = wire()
    cable.to_host(b"ab")
    cable.to_host(b"cd")
    time.to(LATENCY_US)
    assert cable.port.read() == b""
    time.to(10_000)
    assert time.told == 2
    assert cable.port.read() == b"abcd"
    assert cable.port.read() == b""


def test_a_pulled_cable_kills_the_port_and_all_that_is_under_way() -> None:
    cable, time, chip = wire()
    cable.port.write(b"lost")
    cable.to_host(b"lost")
    old = cable.port
    cable.pull()
    for use in (old.read, lambda: old.write(b"x")):
        with pytest.raises(OSError, match="its cable was pulled"):
            use()
    cable.to_host(b"lost, too")
    cable.plug()
    new = cable.open()
    time.to(100_000)
    assert chip.got == []
    assert new.read() == b""
    with pytest.raises(OSError):
        old.read()
    new.write(b"hello")
    time.to(200_000)
    assert chip.got[0][1] == b"hello"


def test_opening_anew_closes_the_port_before() -> None:
    cable, _, _ = wire()
    old = cable.port
    cable.open()
    with pytest.raises(OSError):
        old.read()


def test_a_stalled_line_gives_all_at_once_and_in_order_when_it_is_over() -> None:
    cable, time, chip = wire()
    cable.stall(True)
    cable.port.write(b"1")
    cable.port.write(b"2")
    time.to(100_000)
    assert chip.got == []
    cable.stall(False)
    assert chip.got == [(100_000, b"1"), (100_000, b"2")]


def test_noise_hits_a_share_of_the_frames_once_each() -> None:
    noise = Noise(random.Random(1), 0.5)
    frames = b"".join(b"\x03ab\x00" for _ in range(1000))
    mangled = noise.mangle(frames)
    assert len(mangled) == len(frames)
    hit = [mangled[at : at + 4] != frames[at : at + 4] for at in range(0, len(frames), 4)]
    assert 420 < sum(hit) < 580
    changed = sum(one != other for one, other in zip(frames, mangled, strict=True))
    assert changed == sum(hit)


def test_a_doubler_repeats_whole_pieces() -> None:
    doubler = Doubler(random.Random(1), 0.5)
    pieces = {doubler.mangle(b"abc") for _ in range(30)}
    assert pieces == {b"abc", b"abcabc"}


@pytest.mark.parametrize("kind", ["lost", "truncated", "spliced"])
def test_harm_befalls_its_share_of_the_frames_and_no_other(kind: str) -> None:
    harm = Harm(random.Random(3), 0.2, kind)
    frame = b"abcdefgh\0"
    fates = [harm.mangle(frame) for _ in range(1_000)]
    harmed = [fate for fate in fates if fate != frame]
    assert 150 < len(harmed) < 250
    if kind == "lost":
        assert set(harmed) == {b""}
    elif kind == "spliced":
        assert set(harmed) == {frame[:-1]}
    else:
        assert all(frame.endswith(fate) and len(fate) < len(frame) for fate in harmed)


def test_an_overtaker_loses_nothing_and_lets_pass_only_the_next() -> None:
    overtaker = Overtaker(random.Random(3), 0.3)
    pieces = [bytes([number]) for number in range(200)]
    out = b"".join(overtaker.mangle(piece) for piece in pieces) + overtaker.mangle(b"")
    assert sorted(out) == list(range(200))
    moved = [at for at, number in enumerate(out) if at != number]
    assert moved
    assert all(abs(at - out[at]) == 1 for at in moved)
