"""The eye's process: what it says of an old life is void, and when it hangs or dies another begins."""

from __future__ import annotations

import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from controller.devices import eye_process
from controller.devices.cameras.wire import SHOOT, send
from controller.devices.eye_process import EyeProcess
from controller.devices.ports import Image
from controller.devices.realtime import RealTime
from vision.reading import Kind

# A process that says what it is told to, without camera and reader: quick to start.
PUPPET = """
import pickle, socket, sys
host = socket.socket(fileno=int(sys.argv[1]))
say = lambda *message: host.send(pickle.dumps(message))
exec(sys.argv[2])
"""
OBEDIENT = """
from vision.reading import CardReading, Kind
say("ready", 0)
number = 0
while data := host.recv(100_000):
    what, life, *values = pickle.loads(data)
    if what == "restart":
        say("image", life - 1, 99, 0, b"late")
        say("ready", life)
    elif values[0] == 1:
        say("reading", life, 1, *values[1:], CardReading(Kind.UNSURE), b"crop")
        say("image", life, 2, 5_000, b"two")
    if what == "restart" or number == 0:
        number += 1
        say("image", life, 1, 1_000 * number, b"one")
"""


class Held:
    """A clock that a test can put forward."""

    def __init__(self, time: RealTime) -> None:
        self._time = time
        self.ahead_us = 0

    def now_us(self) -> int:
        return self._time.now_us() + self.ahead_us


@pytest.fixture
def time() -> Iterator[RealTime]:
    found = RealTime()
    yield found
    found.close()


@pytest.fixture
def clock(time: RealTime) -> Held:
    return Held(time)


class Stage:
    """Starts eyes that are puppets, and ends them."""

    def __init__(self, time: RealTime, clock: Held) -> None:
        self.time = time
        self.clock = clock
        self.eye: EyeProcess | None = None

    def play(self, script: str) -> EyeProcess:
        command = (sys.executable, "-c", PUPPET)
        self.eye = EyeProcess(script, "design", self.clock, command)
        self.time.watch(self.eye)
        return self.eye

    def until(self, what: Callable[[], Any]) -> Any:
        end_us = self.time.now_us() + 20_000_000
        while not (found := what()):
            assert self.time.now_us() < end_us
            self.time.wait(self.time.now_us() + 50_000)
        return found


@pytest.fixture
def stage(time: RealTime, clock: Held) -> Iterator[Stage]:
    found = Stage(time, clock)
    yield found
    if found.eye is not None:
        found.eye.close()


def test_notes_come_by_themselves_and_readings_when_asked_for(stage: Stage):
    eye = stage.play(OBEDIENT + "\n")
    stage.until(lambda: eye.ready)
    assert eye.images() == []
    eye._say("read", 0)  # wakes the puppet up
    (note,) = stage.until(eye.images)
    assert (note.number, note.captured_us, note.digest) == (1, 1_000, b"one")
    eye.ask(1, 5, 2)
    (answer,) = stage.until(eye.answers)
    assert (answer.number, answer.feed, answer.look) == (1, 5, 2)
    assert (answer.reading.kind, answer.crop) == (Kind.UNSURE, b"crop")
    assert "crop" not in repr(answer)  # whatever is logged of it
    assert [note.number for note in stage.until(eye.images)] == [2]
    eye.ask(77, 1, 1)  # nobody knows it: never answered
    assert (eye.statistics.images, eye.statistics.readings) == (2, 1)


def test_after_a_restart_numbers_go_on_and_late_answers_are_void(stage: Stage):
    eye = stage.play(OBEDIENT)
    stage.until(lambda: eye.ready)
    eye._say("read", 0)
    stage.until(eye.images)
    pid = eye.pid
    eye.restart()
    assert not eye.ready
    (note,) = stage.until(eye.images)
    assert (note.number, note.captured_us, eye.ready) == (2, 2_000, True)
    assert (eye.pid, eye.statistics.void) == (pid, 1)
    eye.ask(1, 1, 1)  # of the old life
    eye.ask(2, 1, 1)
    (answer,) = stage.until(eye.answers)
    assert answer.number == 2


def test_a_dead_process_is_followed_by_another_but_not_at_once(stage: Stage):
    eye = stage.play('say("ready", 0)\nhost.recv(10)')
    stage.until(lambda: eye.ready)
    pid = eye.pid or 0
    os.kill(pid, signal.SIGKILL)
    stage.until(lambda: eye.images() or eye.statistics.deaths)
    assert not eye.ready
    assert eye.images() == []
    stage.clock.ahead_us += eye_process.AGAIN_US
    eye.images()
    stage.until(lambda: eye.ready)
    assert eye.pid not in (None, pid)
    assert (eye.statistics.starts, eye.statistics.hangs) == (2, 0)
    eye.images()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_silent_process_is_killed(stage: Stage):
    eye = stage.play('say("ready", 0)\nhost.recv(10)\nhost.recv(10)')
    stage.until(lambda: eye.ready)
    stage.clock.ahead_us += eye_process.SILENT_US + 100_000
    eye.images()
    assert (eye.statistics.hangs, eye.statistics.starts) == (1, 2)
    stage.until(lambda: eye.ready)


def test_a_process_that_does_not_take_its_camera_anew_is_killed(stage: Stage):
    eye = stage.play('say("ready", 0)\nwhile host.recv(1000): say("alive", None)')
    stage.until(lambda: eye.ready)
    eye.restart()
    stage.clock.ahead_us += eye_process.RESTART_US + 100_000
    eye.images()
    assert (eye.statistics.hangs, eye.statistics.starts) == (1, 2)
    stage.until(lambda: eye.ready)


def test_a_restart_while_it_begins_does_not_void_that_it_is_ready(stage: Stage):
    """The engine asks for the camera anew while cards pass unseen, which is when an eye has just died."""
    eye = stage.play("host.recv(1)\n" + OBEDIENT)  # begins when it is told to
    eye.restart()
    assert not eye.ready
    eye._say("read", 0)
    stage.until(lambda: eye.ready)
    eye._say("read", 0)
    assert len(stage.until(eye.images)) == 1
    eye.restart()
    eye.restart()
    stage.until(lambda: eye.ready)
    assert (eye.statistics.starts, eye.statistics.hangs) == (1, 0)


def test_why_it_cannot_begin_is_told(stage: Stage, time: RealTime, tmp_path: Path):
    stage.eye = EyeProcess("folder:/", "no such design", stage.clock)
    time.watch(stage.eye)
    problem = stage.until(lambda: stage.eye and stage.eye.problem)
    assert "no such design" in str(problem)


def test_a_process_that_cannot_die_is_not_waited_for(stage: Stage):
    """As one that hangs in a camera's driver: stopped before the kill, it is there a while."""
    eye = stage.play('say("ready", 0)\nhost.recv(10)')
    stage.until(lambda: eye.ready)
    first = eye._process
    assert first is not None
    first.kill = lambda: None  # type: ignore[method-assign]
    stage.clock.ahead_us += eye_process.SILENT_US + 100_000
    eye.images()
    stage.until(lambda: eye.ready)
    assert eye.pid != first.pid
    del first.kill
    first.kill()


def test_the_end_leaves_no_process_behind(stage: Stage):
    eye = stage.play('say("ready", 0)\nhost.recv(10)')
    stage.until(lambda: eye.ready)
    pid = eye.pid or 0
    eye.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert eye.fileno() == -1
    assert eye.pump() is False


def test_the_real_process_reads_what_a_camera_at_a_socket_shows(
    stage: Stage, time: RealTime, tmp_path: Path
):
    server = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    server.bind(str(tmp_path / "camera"))
    server.listen()
    stage.eye = eye = EyeProcess(f"socket:{tmp_path}/camera", "standard", time)
    time.watch(eye)
    camera, _ = server.accept()
    stage.until(lambda: eye.ready)
    dark = np.random.default_rng(1).integers(28, 33, (400, 640, 3), np.uint8)
    send(camera, Image(7, 123_456_789_012, dark))
    (note,) = stage.until(eye.images)
    assert (note.number, note.captured_us, len(note.digest)) == (1, 123_456_789_012, 16)
    eye.show(1)
    eye.show(88)  # nobody knows it: never shown
    ((number, png),) = stage.until(eye.pictures)
    assert number == 1
    assert (cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR) == dark).all()
    eye.ask(1, 5, 2)
    (answer,) = stage.until(eye.answers)
    assert (answer.number, answer.reading.kind, answer.crop) == (1, Kind.NO_CARD, b"")
    eye.shoot()
    camera.settimeout(20)
    assert camera.recv(64) == SHOOT
    threads = Path(f"/proc/{eye.pid}/status").read_text().split("Threads:")[1].split()[0]
    assert int(threads) == 1
    eye.restart()  # takes its camera anew: it calls again
    again, _ = server.accept()
    stage.until(lambda: eye.ready)
    for end in (camera, again, server):
        end.close()
    stage.until(lambda: eye.images() or eye.problem)
    assert "gives no images" in str(eye.problem)


PAINTER = """
import os
say("ready", 0)
number = 0
while data := host.recv(100_000):
    what, life, *values = pickle.loads(data)
    say("image", life, 1, 1_000, b"one")
    memory = os.memfd_create("picture")
    os.write(memory, b"x" * 700_000)
    for told in (("picture", life, 1, 700_000), ("picture", life, 55, 700_000), ("picture", life - 1, 1, 9)):
        socket.send_fds(host, [pickle.dumps(told)], [memory])
    say("picture", life, 1, 9)
    os.close(memory)
    say("image", life, 2, 2_000, b"two")
"""


def test_a_picture_larger_than_a_packet_comes_whole_and_leaves_no_file_open(stage: Stage):
    eye = stage.play(PAINTER)
    stage.until(lambda: eye.ready)
    before = len(list(Path("/proc/self/fd").iterdir()))
    eye._say("show", 1)
    stage.until(lambda: eye.statistics.images == 2)
    assert eye.pictures() == [
        (1, b"x" * 700_000)
    ]  # and none of an unknown image, an old life, without file
    assert len(list(Path("/proc/self/fd").iterdir())) == before
