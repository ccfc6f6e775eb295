"""The eye as a process of its own: started, listened to, and started again when it hangs or dies."""

from __future__ import annotations

import contextlib
import os
import pickle
import socket
import subprocess
import sys
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from controller.devices.errors import DeviceError
from controller.devices.eye import Answer, ImageNote
from controller.devices.eye_main import PACKET
from controller.devices.ports import Clock
from vision.reading import CardReading

COMMAND: Final = (sys.executable, "-m", "controller.devices.eye_main")
START_US: Final = 30_000_000
SILENT_US: Final = 2_000_000
"""A process that has said nothing for so long hangs: it says that it is alive five times a second."""
RESTART_US: Final = 1_000_000
"""So soon a process must have taken its camera anew, or it is killed."""
PICTURE_MOST: Final = 4_000_000
"""Bytes of a whole picture that are believed."""
CLOSE_S: Final = 2
AGAIN_US: Final = 1_000_000
"""A process that died at its start is not started again at once."""
_ONE_THREAD: Final = ("OPENCV_FOR_THREADS_NUM", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
"""What `cv2.setNumThreads(1)` would do, without OpenCV in this package."""


@dataclass(slots=True)
class EyeStatistics:
    """What the eye has been through since the program began."""

    starts: int = 0
    deaths: int = 0
    hangs: int = 0
    images: int = 0
    readings: int = 0
    void: int = 0
    """Answers of an earlier life that came late."""


class EyeProcess:
    """An `Eye`, and a `Source` for the control loop. Numbers of images go on over all restarts."""

    def __init__(
        self, camera: str, design: str, clock: Clock, command: Sequence[str] = COMMAND
    ) -> None:
        self.statistics = EyeStatistics()
        self.problem: DeviceError | Exception | None = None
        """What ails the camera or keeps the process from starting; None when all is well."""
        self.ready = False
        """Camera and reader are there."""
        self._arguments = (camera, design)
        self._command = tuple(command)
        self._clock = clock
        self._process: subprocess.Popen[bytes] | None = None
        self._killed: list[subprocess.Popen[bytes]] = []
        self._socket: socket.socket | None = None
        self._life = 0
        self._heard_us = 0
        self._ready_by_us = 0
        self._start_us = 0
        self._count = 0
        self._ours: dict[int, int] = {}
        """Number of an image in the process to its number here; of this life only."""
        self._theirs: dict[int, int] = {}
        self._images: list[ImageNote] = []
        self._answers: list[Answer] = []
        self._pictures: list[tuple[int, bytes]] = []
        self._start()

    # -- the eye -----------------------------------------------------------------------------

    def images(self) -> list[ImageNote]:
        """Takes the notes of the images that have arrived by now, oldest first."""
        self.pump()
        self._tend()
        found, self._images = self._images, []
        return found

    def ask(self, number: int, feed: int, look: int) -> None:
        """Has image `number` read, which is that look of a card; the answer comes later, or never."""
        theirs = self._theirs.get(number)
        if theirs is not None:
            self._say("read", theirs, feed, look)

    def answers(self) -> list[Answer]:
        """Takes the answers that are ready."""
        self.pump()
        found, self._answers = self._answers, []
        return found

    def show(self, number: int) -> None:
        """Has image `number` given whole; its picture comes later, or never."""
        theirs = self._theirs.get(number)
        if theirs is not None:
            self._say("show", theirs)

    def pictures(self) -> list[tuple[int, bytes]]:
        """Takes the whole pictures that have come, each with its image number: PNG, 400 x 640."""
        self.pump()
        found, self._pictures = self._pictures, []
        return found

    def shoot(self) -> None:
        """Has a picture taken now, without the strobe, by a camera that can."""
        self._say("shoot")

    def restart(self) -> None:
        """Drops everything under way and starts the camera anew, and the process if it must be.

        One that is still beginning takes its camera anew anyway: a new life now would void the word that it
        is ready.
        """
        if not self.ready:
            return
        now_us = self._clock.now_us()
        self._forget()
        if now_us < self._heard_us + SILENT_US // 2:
            self.ready = False
            self._ready_by_us = now_us + RESTART_US
            self._say("restart")
        else:
            self._kill()

    # -- for the control loop ----------------------------------------------------------------

    def fileno(self) -> int:
        """The process's socket; -1 while there is none."""
        return -1 if self._socket is None else self._socket.fileno()

    def pump(self) -> bool:
        """Takes what the process has said; True when there was anything for the loop."""
        news = False
        while self._socket is not None:
            try:
                data, files = _received(self._socket)
            except BlockingIOError:
                break
            except OSError:
                data, files = b"", []
            if not data:
                self._died()
                return True
            try:
                news |= self._take(pickle.loads(data), files)
            finally:
                for file in files:
                    os.close(file)
        return news

    @property
    def pid(self) -> int | None:
        """Number of the process that runs at present."""
        return None if self._process is None else self._process.pid

    def close(self) -> None:
        """Ends the process, and waits a moment for its end."""
        self._end()
        self._forget()
        for process in self._killed:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(CLOSE_S)

    # -- inside ------------------------------------------------------------------------------

    def _take(self, message: tuple[Any, ...], files: Sequence[int]) -> bool:
        self._heard_us = self._clock.now_us()
        what, *values = message
        if what == "alive":
            self.problem = values[0]
            return False
        if what == "failed":
            self.problem = values[0]
            return True
        life, *values = values
        if life != self._life:
            self.statistics.void += what in ("image", "reading")
            return False
        match what:
            case "ready":
                self.ready = True
            case "image":
                self._note(*values)
            case "reading":
                self._answered(*values)
            case "picture":
                self._shown(values[0], values[1], files)
        return True

    def _note(self, theirs: int, captured_us: int, digest: bytes) -> None:
        self._count += 1
        self.statistics.images += 1
        self._ours[theirs], self._theirs[self._count] = self._count, theirs
        for old in [number for number in self._theirs if number < self._count - 64]:
            self._ours.pop(self._theirs.pop(old), None)
        self._images.append(ImageNote(self._count, captured_us, digest))

    def _answered(
        self, theirs: int, feed: int, look: int, reading: CardReading, crop: bytes
    ) -> None:
        number = self._ours.get(theirs)
        if number is not None:
            self.statistics.readings += 1
            self._answers.append(Answer(number, feed, look, reading, crop))

    def _shown(self, theirs: int, size: int, files: Sequence[int]) -> None:
        number = self._ours.get(theirs)
        if number is not None and files and 0 < size <= PICTURE_MOST:
            self._pictures.append((number, os.pread(files[0], size, 0)))

    def _tend(self) -> None:
        """Starts, and ends what hangs. Nothing here waits: a process that hangs in a driver dies
        when the driver lets it.
        """
        now_us = self._clock.now_us()
        self._killed = [process for process in self._killed if process.poll() is None]
        if self._process is None:
            if now_us >= self._start_us:
                self._start()
        elif now_us >= (self._heard_us + SILENT_US if self.ready else self._ready_by_us):
            self.statistics.hangs += 1
            self._kill()

    def _start(self) -> None:
        here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        for end in (here, there):
            for buffer in (socket.SO_SNDBUF, socket.SO_RCVBUF):
                end.setsockopt(socket.SOL_SOCKET, buffer, PACKET)
        now_us = self._clock.now_us()
        with there:
            self._process = subprocess.Popen(
                [*self._command, str(there.fileno()), *self._arguments],
                pass_fds=[there.fileno()],
                stdin=subprocess.DEVNULL,
                env={**os.environ, **dict.fromkeys(_ONE_THREAD, "1")},
            )
        self._socket = here
        self._forget()
        self._life = 0
        self._heard_us = now_us
        self._ready_by_us = now_us + START_US
        self._start_us = now_us + AGAIN_US
        self.statistics.starts += 1

    def _forget(self) -> None:
        """A new life: whatever the process still says of the old one is void."""
        self._life += 1
        self._ours.clear()
        self._theirs.clear()
        self._images.clear()
        self._answers.clear()
        self._pictures.clear()

    def _died(self) -> None:
        self.statistics.deaths += 1
        self._kill()

    def _kill(self) -> None:
        """Ends the process for good and starts another, though not over and over at once."""
        self._end()
        self._forget()
        if self._clock.now_us() >= self._start_us:
            self._start()

    def _end(self) -> None:
        self.ready = False
        if self._socket is not None:
            self._socket.close()
            self._socket = None
        if self._process is not None:
            self._process.kill()
            self._killed.append(self._process)
            self._process = None

    def _say(self, what: str, *values: object) -> None:
        if self._socket is not None:
            with contextlib.suppress(OSError):  # `pump` will find that it died
                data = pickle.dumps((what, self._life, *values))
                self._socket.send(data, socket.MSG_DONTWAIT)


def _received(connection: socket.socket) -> tuple[bytes, list[int]]:
    """A packet and the file that came with it, if any. BlockingIOError: none is there. `recv_fds` of
    the library would wait: it takes flags and leaves them out.
    """
    room = socket.CMSG_LEN(array("i").itemsize)
    flags = socket.MSG_DONTWAIT | socket.MSG_CMSG_CLOEXEC
    data, told, _, _ = connection.recvmsg(PACKET, room, flags)
    files = array("i")
    for level, kind, content in told:
        if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
            files.frombytes(content[: len(content) - len(content) % files.itemsize])
    return data, list(files)
