"""Traces: what passes is written down, in files that a person can read."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from controller.protocol.codec import MessageDecoder
from controller.protocol.messages import Hello, Identity, Route
from controller.twin.trace import TraceDigest, TraceFolder
from tests.unit.twin.rig import Rig


def wire_bytes(folder: Path, way: str) -> bytes:
    found = b""
    for line in (folder / "wire.txt").read_text().splitlines()[1:]:
        _, direction, data = line.split(maxsplit=2)
        if direction == way:
            found += bytes.fromhex(data)
    return found


def test_a_folder_holds_wire_bytes_and_pin_edges(tmp_path: Path) -> None:
    trace = TraceFolder(tmp_path / "trace")
    rig = Rig(trace=trace, faults=["estop@1.3"])
    rig.ready()
    rig.host.deal(rig.pocket_of, cards=5)
    trace.close()
    sent = MessageDecoder().feed(wire_bytes(tmp_path / "trace", ">"))
    assert isinstance(sent[0].message, Hello)
    assert any(isinstance(message, Route) for _, message in sent)
    came = MessageDecoder().feed(wire_bytes(tmp_path / "trace", "<"))
    assert any(isinstance(message, Identity) for _, message in came)
    lines = (tmp_path / "trace" / "pins.txt").read_text().splitlines()
    edges = [tuple(line.split(maxsplit=2)[1:]) for line in lines[1:]]
    assert ("ENABLE", "1") in edges
    assert ("#", "fault estop") in edges
    assert ("#", "hands load_pack") in edges
    assert edges.count(("WINDOW", "1")) >= 3
    assert edges.count(("STROBE", "1")) == edges.count(("STROBE", "0"))
    times = [int(line.split()[0]) for line in lines[1:]]
    assert times == sorted(times)


def test_window_images_are_written_as_they_were_taken(tmp_path: Path) -> None:
    trace = TraceFolder(tmp_path)
    pixels = np.full((400, 640, 3), 7, np.uint8)
    trace.image(12, 34_567, pixels)
    trace.image(13, 34_568, "an identity picture of a test")
    trace.close()
    assert [path.name for path in tmp_path.glob("*.png")] == ["window-000012-000000034567.png"]
    written = cv2.imread(str(tmp_path / "window-000012-000000034567.png"))
    assert np.array_equal(np.asarray(written), pixels)


def test_a_digest_sees_every_difference() -> None:
    def digest(change: str) -> str:
        trace = TraceDigest()
        trace.wire(1 + (change == "time"), "<" if change == "way" else ">", b"a")
        trace.pin(2, "GATE_E" if change == "pin" else "GATE_N", int(change == "level"))
        trace.note(3, change if change == "note" else "hands")
        trace.image(1, 2, np.full(3, int(change == "pixels"), np.uint8))
        return trace.hex()

    changes = ["", "time", "way", "pin", "level", "note", "pixels"]
    assert len({digest(change) for change in changes}) == len(changes)
    assert digest("") == digest("")
