"""The process of the eye: owns the camera, reads the images that it is asked to, and writes nothing.

Started by `controller.devices.eye_process` as `-m controller.devices.eye_main FD CAMERA DESIGN`.
Messages both ways are pickled tuples, one a packet:

    < ("read", life, number, feed, look)    > ("ready", life)        camera and reader are there
    < ("restart", life)                     > ("image", life, number, captured_us, digest)
    < ("show", life, number)                > ("picture", life, number, size), and a PNG in a memory file
    < ("shoot", life)
                                            > ("reading", life, number, feed, look, CardReading, crop)
                                            > ("alive", problem)     so often, with what ails the camera
                                            > ("failed", error)      cannot begin
"""

from __future__ import annotations

import hashlib
import os
import pickle
import select
import signal
import socket
import sys
from collections import OrderedDict, deque
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Protocol

from controller.devices.cameras import open_camera
from controller.devices.errors import CameraError
from controller.devices.memory import give_back, one_heap
from controller.devices.realtime import RealClock
from deals.errors import PredealError

if TYPE_CHECKING:
    from vision.reading import CardReading
    from vision.recognise import Reader

START_S: Final = 60
HANG_S: Final = 5
"""A turn of the loop that takes longer is ended by the kernel, whatever hangs: SIGALRM."""
ALIVE_US: Final = 200_000
PACKET: Final = 1 << 20
KEPT: Final = 16
"""Images that can still be asked for; they never leave the memory."""
_POLL_MS: Final = 20


class Draws(Protocol):
    """Makes files of pictures: `vision.crop`, which is imported late."""

    def crop_of(self, image: Any, reading: CardReading, /) -> bytes:
        """The small picture that goes with an answer."""
        ...

    def png_of(self, image: Any, /) -> bytes:
        """A whole picture."""
        ...


class EyeLoop:
    """One camera, one reader, one host at the other end of a socket."""

    def __init__(
        self,
        host: socket.socket,
        camera: str,
        reader: Reader,
        vision: Draws,
    ) -> None:
        self._host = host
        self._reader = reader
        self._vision = vision
        self._clock = RealClock()
        self._camera = open_camera(camera, self._clock)
        self._life = 0
        self._images: OrderedDict[int, Any] = OrderedDict()
        self._asked: deque[tuple[int, int, int]] = deque()
        self._alive_us = 0

    def run(self) -> None:
        """Until the host has gone."""
        self._say("ready", self._life)
        while self._hear():
            signal.alarm(HANG_S)
            for image in self._camera.take():
                self._keep(image.number, image.captured_us, image.pixels)
            self._read_one()
            now_us = self._clock.now_us()
            if now_us >= self._alive_us + ALIVE_US:
                self._alive_us = now_us
                self._say("alive", self._camera.problem())

    def _hear(self) -> bool:
        """Waits for the host or an image, and does what the host wants; False when it has gone."""
        poller = select.poll()
        poller.register(self._host, select.POLLIN)
        number = self._camera.fileno()
        if number >= 0:
            poller.register(number, select.POLLIN)
        idle_ms = _POLL_MS if number < 0 else ALIVE_US // 1_000
        heard = {ready for ready, _ in poller.poll(0 if self._asked else idle_ms)}
        return self._host.fileno() not in heard or self._obey()

    def _obey(self) -> bool:
        data = self._host.recv(PACKET)
        if not data:
            return False
        what, life, *values = pickle.loads(data)
        if what == "restart":
            self._life = life
            self._images.clear()
            self._asked.clear()
            self._camera.restart()
            self._say("ready", life)
        elif life == self._life:
            self._do(what, *values)
        return True

    def _do(self, what: str, *values: Any) -> None:
        match what:
            case "read":
                self._asked.append((values[0], values[1], values[2]))
            case "show":
                self._show(values[0])
            case "shoot":
                self._camera.shoot()

    def _show(self, number: int) -> None:
        """Sends one picture whole; it is too large for a packet."""
        pixels = self._images.get(number)
        if pixels is None:
            return
        png = self._vision.png_of(pixels)
        memory = os.memfd_create("picture", os.MFD_CLOEXEC)
        try:
            os.write(memory, png)
            message = pickle.dumps(("picture", self._life, number, len(png)))
            socket.send_fds(self._host, [message], [memory])
        finally:
            os.close(memory)

    def _keep(self, number: int, captured_us: int, pixels: Any) -> None:
        self._images[number] = pixels
        if len(self._images) > KEPT:
            self._images.popitem(last=False)
        digest = hashlib.blake2b(pixels, digest_size=16).digest()
        self._say("image", self._life, number, captured_us, digest)

    def _read_one(self) -> None:
        if self._asked:
            number, feed, look = self._asked.popleft()
            pixels = self._images.pop(number, None)
            if pixels is not None:
                reading = self._reader.read(pixels)
                crop = self._vision.crop_of(pixels, reading)
                self._say("reading", self._life, number, feed, look, told(reading), crop)

    def _say(self, *message: object) -> None:
        self._host.send(pickle.dumps(message, pickle.HIGHEST_PROTOCOL))


def told(reading: CardReading) -> CardReading:
    """A reading as it leaves this process: without pixels, which the host needs no library for."""
    evidence = {
        name: value
        for name, value in reading.evidence.items()
        if isinstance(value, str | int | float | dict)
    }
    return replace(reading, evidence=evidence)


def main() -> None:
    """The process: makes reader and camera, then reads until the host hangs up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the host, who hangs up in the end
    signal.alarm(START_S)
    one_heap()
    host = socket.socket(fileno=int(sys.argv[1]))
    camera, design = sys.argv[2:4]
    try:
        from vision import crop  # late: the host has set how many threads OpenCV starts
        from vision.design import load
        from vision.recognise import Reader

        reader = Reader(load(design))
        reader.warm_up()
        loop = EyeLoop(host, camera, reader, crop)
        give_back()  # the first reading of a reader takes far more than any later one
    except PredealError as error:
        host.send(pickle.dumps(("failed", error)))
        sys.exit(1)
    try:
        loop.run()
    except ConnectionError:
        sys.exit(0)  # the host has gone
    except CameraError as error:
        host.send(pickle.dumps(("failed", error)))
        sys.exit(1)


if __name__ == "__main__":
    main()
