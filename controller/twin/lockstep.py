"""The twin inside the process: one loop owns virtual time.

World, firmware, link, engine and reader take turns; whoever waits lets the world run. There is no
thread and no wall-clock time-out here. The real reading is waited for and then delivered at the
image's arrival plus a seeded read latency, so that the speed of vision is charged honestly.
"""

from __future__ import annotations

import hashlib
import heapq
import random
from collections.abc import Callable
from typing import Protocol

from controller.devices.eye import Answer, ImageNote
from controller.geometry import Profile
from controller.link.errors import LinkError
from controller.link.link import Link
from controller.machine.machine import Machine
from controller.twin.world.world import World
from vision.crop import crop_of, png_of
from vision.reading import CardReading

IMAGES_KEPT = 16
"""An image that nobody asked for by then belongs to a card that is long past."""


class Reads(Protocol):
    """Whatever reads a window image: the real reader, or in tests and benchmarks another."""

    def read(self, image: object) -> CardReading:
        """The reading of one window image."""
        ...


class LockstepTime:
    """The host's clock and its way to wait, both the world's. `pace` slows a demonstration down."""

    def __init__(self, world: World, pace: Callable[[int], None] | None = None) -> None:
        self._world = world
        self._pace = pace
        self._alarms: list[int] = []

    def now_us(self) -> int:
        """The world's time."""
        return self._world.now_us

    def wait(self, until_us: int) -> None:
        """Lets the world run until something is new for the host, or until `until_us`."""
        alarms = self._alarms
        while alarms and alarms[0] <= self._world.now_us:
            heapq.heappop(alarms)
        until_us = min(until_us, alarms[0]) if alarms else until_us
        self._world.run(until_us)
        if self._pace is not None:
            self._pace(self._world.now_us)

    def alarm(self, at_us: int) -> None:
        """Something of the host's own is due at `at_us`: wait no longer than that."""
        heapq.heappush(self._alarms, at_us)


class LockstepEye:
    """The reading process in virtual time. It sees images and nothing else."""

    def __init__(
        self, world: World, reader: Reads, time: LockstepTime, profile: Profile, seed: int
    ) -> None:
        self._camera = world.camera
        self._reader = reader
        self._time = time
        self._latency_us = profile.read_latency_us
        self._random = random.Random(f"{seed} read latency")
        self.crop_of: Callable[[object, CardReading], bytes] = crop_of
        self._images: dict[int, object] = {}
        self._pictures: list[tuple[int, bytes]] = []
        self._ready: list[tuple[int, int, Answer]] = []

    def images(self) -> list[ImageNote]:
        """Notes of the images that have arrived; the pixels stay here until the next card's."""
        notes = []
        for image in self._camera.take():
            self._images[image.number] = image.pixels
            digest = hashlib.blake2b(image.pixels, digest_size=16).digest()
            notes.append(ImageNote(image.number, image.captured_us, digest))
        while len(self._images) > IMAGES_KEPT:
            del self._images[min(self._images)]
        return notes

    def ask(self, number: int, feed: int, look: int) -> None:
        """Reads image `number` now and keeps the answer back until it would be ready."""
        pixels = self._images.pop(number, None)
        if pixels is None:
            return
        reading = self._reader.read(pixels)
        ready_us = self._time.now_us() + self._random.randint(*self._latency_us)
        answer = Answer(number, feed, look, reading, self.crop_of(pixels, reading))
        heapq.heappush(self._ready, (ready_us, number, answer))
        self._time.alarm(ready_us)

    def show(self, number: int) -> None:
        """Makes the whole picture of an image that arrived lately."""
        pixels = self._images.get(number)
        if pixels is not None:
            self._pictures.append((number, png_of(pixels)))

    def pictures(self) -> list[tuple[int, bytes]]:
        """Those that were asked for since the last time."""
        found, self._pictures = self._pictures, []
        return found

    def shoot(self) -> None:
        """A picture without the strobe."""
        self._camera.shoot()

    def answers(self) -> list[Answer]:
        """The answers that are ready by now."""
        found = []
        while self._ready and self._ready[0][0] <= self._time.now_us():
            found.append(heapq.heappop(self._ready)[2])
        return found

    def restart(self) -> None:
        """A new reading process and a new camera: what was under way is void."""
        self._images.clear()
        self._pictures.clear()
        self._ready.clear()
        self._camera.restart()


class _Port:
    """The MCU's port as a host opens it: after a pulled cable the old one is dead for good."""

    def __init__(self, world: World) -> None:
        self._world = world

    def write(self, data: bytes) -> None:
        self._world.transport.write(data)

    def read(self) -> bytes:
        return self._world.transport.read()

    def reopen(self) -> None:
        """Closes the port and opens it anew; OSError while the cable is out."""
        self._world.open_transport()


class LockstepTwin:
    """World, host and reader bound together in virtual time."""

    def __init__(
        self,
        world: World,
        reader: Reads,
        profile: Profile,
        seed: int,
        pace: Callable[[int], None] | None = None,
    ) -> None:
        self.world = world
        self.time = LockstepTime(world, pace)
        self.eye = LockstepEye(world, reader, self.time, profile, seed)
        self.link = Link(_Port(world), self.time, self.time.wait)
        self.machine = Machine(
            self.link,
            self.eye,
            world.label_reader,
            self.time,
            self.time.wait,
            profile,
            world.plan.order,  # configured as it was built
        )

    def idle(self, until_us: int) -> None:
        """Lets time pass while the host only keeps its heartbeat, as a daemon does at a stop."""
        if not self.link.open:
            self.time.wait(until_us)
            return
        self.time.wait(min(until_us, self.link.next_beat_us))
        try:
            self.link.beat()
        except LinkError:
            return  # the job will find out when it next wants something
