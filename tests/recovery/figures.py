"""Figures at 1x, for `python -m tests.recovery.figures [profile] [boards]`: latency, holds, CPU.

Image to ROUTE counts from the instant at which a real camera would have delivered the image
(exposure + 30 ms), so that the twin's drawing and its socket are within the figure.
"""

from __future__ import annotations

import bisect
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from controller.devices.happenings import Happening, ImageArrived, ReadingArrived, Strobed
from controller.geometry import CAMERA_LATENCY_US, PROFILES
from controller.protocol.messages import Pocket
from tests.recovery.host import Host, at_the_machine, demo_boards, hands_of


class Watch:
    """Looks at what host and machine do to each other, by the clock."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._images: dict[int, int] = {}
        self._read: int | None = None
        self.to_host_us: list[int] = []
        self.to_route_us: list[int] = []
        self.route_us: list[int] = []
        self.exposed_us: list[int] = []
        self.strobed_us: list[int] = []
        self._route = host.machine.route
        host.machine.route = self.route  # type: ignore[method-assign]

    def happened(self, happening: Happening) -> None:
        if isinstance(happening, ImageArrived):
            self._images[happening.number] = happening.captured_us + CAMERA_LATENCY_US
            self.to_host_us.append(happening.at_us - self._images[happening.number])
            self.exposed_us.append(happening.captured_us)
        elif isinstance(happening, Strobed):
            self.strobed_us.append(happening.at_us)
        elif isinstance(happening, ReadingArrived):
            self._read = happening.number

    def route(self, feed: int, pocket: Pocket) -> None:
        sent_us = self._host.time.now_us()
        if self._read is not None and pocket is not Pocket.TRAY:
            self.to_route_us.append(sent_us - self._images[self._read])
        self._read = None
        self._route(feed, pocket)
        self.route_us.append(self._host.time.now_us() - sent_us)

    def apart_us(self) -> list[int]:
        """How far each strobe's time, as the host makes it out, is from that of the nearest image."""
        exposed = sorted(self.exposed_us)
        found = []
        for at_us in self.strobed_us:
            place = bisect.bisect(exposed, at_us)
            near = exposed[max(0, place - 1) : place + 1]
            found.append(min(abs(at_us - image_us) for image_us in near))
        return found


def cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_mb(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def at(values: list[int], share: float) -> float:
    ordered = sorted(values)
    return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))] / 1000, 2)


def measure(profile: str, boards: int) -> dict[str, Any]:
    folder = Path(tempfile.mkdtemp())
    with at_the_machine(folder, "--profile", profile, operator=True) as (twin, host):
        watch = Watch(host)
        dealt = demo_boards(*range(1, boards + 1))
        eye, own, served = host.eye.pid or 0, os.getpid(), twin.process.pid
        seconds: list[float] = []
        right = []
        started = begun = host.time.now_us(), cpu_s(own), cpu_s(eye), cpu_s(served)

        def progress(result: Any) -> None:
            if result.proven:
                timing = host.hands.timing()
                seconds.append(round(timing["machine_us"] / 1e6, 3))
                wanted = hands_of(next(b for b in dealt if b.number == result.board))
                held = host.hands.contents()
                right.append({seat: held[seat] for seat in "NESW"} == wanted)

        results = host.deal(dealt, watch.happened, progress)
        wall = (host.time.now_us() - started[0]) / 1e6
        share = [
            round((cpu_s(pid) - before) / max(sum(seconds), 0.001), 3)
            for pid, before in zip((own, eye, served), begun[1:], strict=True)
        ]
        return {
            "profile": profile,
            "load": round(os.getloadavg()[0], 1),
            "boards": [
                (r.board, r.proven, r.held, r.second_looks, [s.fault.value for s in r.stops])
                for r in results
            ],
            "right": right,
            "limit_s": PROFILES[profile].mechanical_limit_us / 1e6,
            "machine_s": seconds,
            "wall_s": round(wall, 1),
            "image_to_host_ms": [at(watch.to_host_us, s) for s in (0.5, 0.99, 1)],
            "image_to_route_ms": [at(watch.to_route_us, s) for s in (0.5, 0.99, 1)],
            "route_to_ack_ms": [at(watch.route_us, s) for s in (0.5, 0.99, 1)],
            "strobe_to_image_ms": [at(watch.apart_us(), s) for s in (0.5, 0.99, 1)],
            "cpu_of_dealing_host_eye_twin": share,
            "resident_mb_host_eye_twin": [round(resident_mb(p)) for p in (own, eye, served)],
            "retries": host.link.statistics.retries,
            "stood_ms": host.hands.ask("stood_us") / 1000,
        }


if __name__ == "__main__":
    profile, boards = (sys.argv[1:] + ["standard", "2"][len(sys.argv) - 1 :])[:2]
    print(json.dumps(measure(profile, int(boards)), indent=1))
