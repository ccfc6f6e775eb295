"""Figures of host and machine as processes, at 1x and at the machine's fastest; also while other
programs load processors and disk on purpose.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from controller.bench.dealing import random_boards
from controller.bench.figures import Figure
from controller.bench.reading import DESIGN
from controller.client.client import Client
from controller.devices.realtime import RealTime
from controller.geometry import CAMERA_LATENCY_US
from controller.house import CrewThread, TwinHouse
from deals.errors import PredealError
from deals.files.writing import write_deals

PROFILE: Final = "stress"
"""20 cards/s."""
_HASTE: Final = "--haste=10"
_LOOK_S: Final = 0.1
_WAITS_US: Final = 1_000

_HOG: Final = "while True: pass"
_WRITER: Final = """
import os, sys
with open(sys.argv[1], "wb") as file:
    while True:
        file.write(b"x" * 65536)
        file.flush()
        os.fsync(file.fileno())
        if file.tell() > 1 << 25:
            file.seek(0)
"""


@dataclass(frozen=True, slots=True)
class Evening:
    """Some boards at 1x: what the daemon says of itself, and what the system says of it."""

    route_ms: tuple[float, ...]
    """From the instant at which a camera delivers the image to the sending of the route."""
    holds: tuple[float, ...]
    stops: tuple[float, ...]
    cpu: float
    resident_mb: float
    reading_mb: float
    """Of the reading process alone."""


@contextlib.contextmanager
def load(on: bool = True) -> Iterator[None]:
    """Two programs a core that compute, and two that write to the disk and wait for it."""
    children: list[subprocess.Popen[bytes]] = []
    with tempfile.TemporaryDirectory(prefix="predeal-load-") as folder:
        try:
            if on:
                for _ in range(2 * (os.cpu_count() or 1)):
                    children.append(subprocess.Popen([sys.executable, "-c", _HOG]))
                for number in range(2):
                    name = str(Path(folder) / str(number))
                    children.append(subprocess.Popen([sys.executable, "-c", _WRITER, name]))
            yield
        finally:
            for child in children:
                child.kill()
                child.wait()


@cache
def evening(boards: int, *, loaded: bool) -> Evening:
    """Deals *boards* at 1x; one evening serves all figures that are taken from it."""
    with TwinHouse(PROFILE, DESIGN, None, [_HASTE]) as house:
        client = Client(house.socket, "bench")
        house.wait_for(client)
        with CrewThread(client, house.control, "auto") as people, load(loaded):
            return _deal(house, client, people, boards)


def _deal(house: TwinHouse, client: Client, people: CrewThread, boards: int) -> Evening:
    readers = children_of(house.daemon)
    pids = [house.daemon, *readers]
    client.deal("bench.pbn", write_deals(random_boards(boards), "pbn").data)
    begun_s = sum(map(cpu_s, pids))
    while True:
        time.sleep(_LOOK_S)
        job = client.state().job
        if people.problem is not None:
            raise people.problem
        if job is not None and job.ended:
            break
    machine_s = sum(result.machine_us or 0 for result in job.results) / 1e6
    if job.left or not machine_s:
        proven = sum(result.proven for result in job.results)
        raise PredealError("bench.not_proven", proven=proven, boards=proven + len(job.left))
    route_us = client.figures().route_us
    return Evening(
        tuple((us - CAMERA_LATENCY_US) / 1000 for us in route_us),
        tuple(float(result.held) for result in job.results),
        tuple(float(len(result.stops)) for result in job.results),
        (sum(map(cpu_s, pids)) - begun_s) / machine_s,
        sum(map(resident_mb, pids)),
        max(map(resident_mb, readers)),
    )


def children_of(pid: int) -> list[int]:
    """The processes that another one has started and that are still there."""
    return [
        int(child)
        for thread in Path(f"/proc/{pid}/task").iterdir()
        for child in (thread / "children").read_text().split()
    ]


def cpu_s(pid: int) -> float:
    """Processor seconds that a process has used so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_mb(pid: int) -> float:
    """Resident memory; pages that two processes share count in both."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def waits(n: int, *, loaded: bool) -> list[float]:
    """How late the loop's `wait` for a millisecond ends, in milliseconds."""
    clock = RealTime()
    late = []
    try:
        with load(loaded):
            for _ in range(n):
                until_us = clock.now_us() + _WAITS_US
                clock.wait(until_us)
                late.append((clock.now_us() - until_us) / 1000)
    finally:
        clock.close()
    return late


def _of(
    part: Callable[[Evening], Sequence[float]], *, loaded: bool
) -> Callable[[int], Sequence[float]]:
    return lambda n: part(evening(n, loaded=loaded))


def _figures(loaded: bool) -> tuple[Figure, ...]:
    name, more = ("_loaded", "; processors and disk loaded on purpose") if loaded else ("", "")
    return (
        Figure(
            f"route_1x{name}_ms",
            "ms",
            f"image there to ROUTE sent, 20 cards/s, at 1x{more}",
            _of(lambda found: found.route_ms, loaded=loaded),
            4,
            20,
        ),
        Figure(
            f"holds_1x{name}",
            "holds",
            f"holds of a board at 20 cards/s{more}",
            _of(lambda found: found.holds, loaded=loaded),
            4,
            20,
            None if loaded else 0,
        ),
        Figure(
            f"stops_1x{name}",
            "stops",
            f"stops of a board that people mended{more}",
            _of(lambda found: found.stops, loaded=loaded),
            4,
            20,
            None if loaded else 0,
        ),
        Figure(
            f"wait{name}_ms",
            "ms",
            f"how late the control loop wakes{more}",
            lambda n: waits(n, loaded=loaded),
            2_000,
            20_000,
        ),
    )


FIGURES: Final = (
    *_figures(loaded=False),
    Figure(
        "host_cpu_1x",
        "cores",
        "daemon and reader while they deal 20 cards/s",
        _of(lambda found: [found.cpu], loaded=False),
        4,
        20,
        0.35,
    ),
    Figure(
        "host_mb",
        "MB",
        "resident memory of daemon and reader after dealing",
        _of(lambda found: [found.resident_mb], loaded=False),
        4,
        20,
        220,
    ),
    Figure(
        "reading_mb",
        "MB",
        "resident memory of the reading process after dealing",
        _of(lambda found: [found.reading_mb], loaded=False),
        4,
        20,
        110,
    ),
    *_figures(loaded=True),
)
"""Taken from few boards: each takes its real time."""
