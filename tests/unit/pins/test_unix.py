"""Pins and label at sockets: what is told, what is lost, and who is not there yet."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.devices.label import UnixLabelReader
from controller.devices.ports import Label
from controller.pins.lines import LineSocket
from controller.pins.ports import Edge
from controller.pins.table import OUTPUTS, Pin
from controller.pins.unix import UnixPins


class Clock:
    def now_us(self) -> int:
        return 77


@pytest.fixture
def server(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX) as found:
        found.bind(str(tmp_path / "socket"))
        found.listen()
        yield found


def told(line: socket.socket) -> list[tuple[str, bool]]:
    found = [json.loads(text) for text in line.recv(10_000).splitlines()]
    return [(message["pin"], message["on"]) for message in found]


def test_pins_tell_outputs_and_hear_inputs(server: socket.socket, tmp_path: Path):
    pins = UnixPins(str(tmp_path / "socket"), Clock())
    line, _ = server.accept()
    assert told(line) == [(pin.value, False) for pin in OUTPUTS]
    pins.write(Pin.LAMP_RED, True)
    assert told(line) == [("lamp_red", True)]
    assert pins.read(Pin.LAMP_RED)
    line.send(b'{"pin": "start", "on": true}\n{"pin": "start", "on": true}\n{"pin": "est')
    assert pins.edges() == [Edge(Pin.START, True, 77)]
    line.send(b'op_sense", "on": true}\n{"pin": "lamp_red", "on": false}\n{"pin": "x"}\n3\n')
    assert pins.pump()
    assert pins.edges() == [Edge(Pin.ESTOP_SENSE, True, 77)]
    assert pins.read(Pin.LAMP_RED)  # an output is what it was set to
    pins.close()
    assert told(line) == [(pin.value, False) for pin in OUTPUTS]
    line.close()


def test_pins_fall_when_nobody_is_there_and_are_told_again(server: socket.socket, tmp_path: Path):
    pins = UnixPins(str(tmp_path / "socket"), Clock())
    line, _ = server.accept()
    pins.write(Pin.MOTOR_RELAY, True)
    line.send(b'{"pin": "estop_sense", "on": true}\n')
    assert pins.read(Pin.ESTOP_SENSE)
    line.close()
    assert not pins.read(Pin.ESTOP_SENSE)
    pins.edges()
    again, _ = server.accept()
    assert ("motor_relay", True) in told(again)
    pins.close()
    again.close()


def test_pins_that_nobody_serves_are_off(tmp_path: Path):
    pins = UnixPins(str(tmp_path / "none"), Clock())
    assert (pins.fileno(), pins.edges(), pins.read(Pin.START)) == (-1, [], False)
    pins.write(Pin.LAMP_RED, True)
    assert "Nobody serves pins at" in str(pins.problem())
    pins.close()


def test_a_label_is_what_was_told_last(server: socket.socket, tmp_path: Path):
    reader = UnixLabelReader(str(tmp_path / "socket"))
    line, _ = server.accept()
    assert reader.read() is None
    line.send(b'{"label": {"board": 7, "box": "A", "backwards": false}}\n')
    assert reader.pump()
    assert not reader.pump()
    assert reader.read() == Label(7, "A", False)
    line.send(b'{"label": null}\n')
    assert reader.read() is None
    line.send(b'{"label": {"board": 8, "box": "A", "backwards": true}}\n')
    assert reader.read() == Label(8, "A", True)
    line.close()
    assert reader.read() is None
    assert reader.fileno() == -1
    again_reads = reader.read()
    again, _ = server.accept()
    assert again_reads is None
    again.close()
    reader.close()


def test_a_line_that_is_no_json_ends_the_conversation():
    here, there = socket.socketpair()
    line = LineSocket(here)
    there.send(b'{"a": 1}\nnonsense\n')
    assert line.receive() == []
    assert line.closed
    there.close()


def test_what_does_not_fit_is_sent_later():
    here, there = socket.socketpair()
    line = LineSocket(here)
    text = "x" * 1_000_000
    line.send(text)
    other = LineSocket(there)
    found: list[str] = []
    while not found:
        found = other.receive()
        line.flush()
    assert found == [text]
    line.close()
    other.close()
