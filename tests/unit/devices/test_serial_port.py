"""The port: on a pty what a pty can show, and with a fake device lines, rates and odd errors."""

from __future__ import annotations

import errno
import os
import pty
import threading
import tty
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.devices.errors import PortError
from controller.devices.realtime import RealTime
from controller.devices.serial_port import RATES, SerialPort


class Cable:
    """A pty behind a stable name, as udev makes one."""

    def __init__(self, folder: Path) -> None:
        self.name = folder / "usb-machine"
        self.plug()

    def plug(self) -> None:
        self.master, slave = pty.openpty()
        tty.setraw(slave)
        self.name.unlink(missing_ok=True)
        self.name.symlink_to(os.ttyname(slave))
        os.close(slave)

    def pull(self) -> None:
        self.name.unlink()
        os.close(self.master)


@pytest.fixture
def time() -> Iterator[RealTime]:
    found = RealTime()
    yield found
    found.close()


@pytest.fixture
def cable(tmp_path: Path) -> Iterator[Cable]:
    found = Cable(tmp_path)
    yield found
    if found.name.exists():
        found.pull()


@pytest.fixture
def port(cable: Cable, time: RealTime) -> Iterator[SerialPort]:
    found = SerialPort(f"{cable.name.parent}/usb-*", time.wake)
    yield found
    found.close()


def wait_for(time: RealTime, what: Callable[[], Any]) -> Any:
    until_us = time.now_us() + 5_000_000
    while not (found := what()):
        assert time.now_us() < until_us
        time.wait(until_us)
    return found


def hear(port: SerialPort, time: RealTime, count: int) -> bytes:
    """So many bytes, in whatever pieces they come."""
    heard = bytearray()
    wait_for(time, lambda: heard.extend(port.read()) or len(heard) >= count)  # type: ignore[func-returns-value]
    return bytes(heard)


def until_gone(port: SerialPort, time: RealTime) -> PortError:
    until_us = time.now_us() + 5_000_000
    while time.now_us() < until_us:
        try:
            port.read()
        except PortError as error:
            return error
        time.wait(until_us)
    raise AssertionError("still there")


def test_bytes_go_both_ways_and_are_counted(cable: Cable, port: SerialPort, time: RealTime):
    port.open()
    port.write(b"\x00\xffhello\r\n")
    assert os.read(cable.master, 100) == b"\x00\xffhello\r\n"
    os.write(cable.master, b"\x03\x04\x11\x13\r\n")
    assert hear(port, time, 6) == b"\x03\x04\x11\x13\r\n"
    assert port.read() == b""
    counted = port.statistics
    assert (counted.sent, counted.received, counted.opened, counted.lost) == (9, 6, 1, 0)
    assert counted.device == str(cable.name)


def test_a_pulled_cable_is_known_at_once_and_the_device_let_go(
    cable: Cable, port: SerialPort, time: RealTime
):
    port.open()
    cable.pull()
    error = until_gone(port, time)
    assert str(error).startswith("The serial port ")
    assert " is gone (" in str(error)
    assert not port.is_open
    assert port.statistics.lost == 1
    with pytest.raises(OSError, match="is gone"):
        port.write(b"x")
    port.close()
    assert "serial port" not in {thread.name for thread in threading.enumerate()}


def test_what_came_before_the_end_can_still_be_read(cable: Cable, port: SerialPort, time: RealTime):
    port.open()
    os.write(cable.master, b"last words")
    wait_for(time, lambda: port.statistics.received == 10)
    cable.pull()
    wait_for(time, lambda: not port.is_open)
    assert port.read() == b"last words"
    with pytest.raises(PortError):
        port.read()


def test_it_is_opened_again_under_its_name(cable: Cable, port: SerialPort, time: RealTime):
    port.open()
    cable.pull()
    until_gone(port, time)
    with pytest.raises(PortError, match=r"There is no serial port .*usb-\*\. Plug in"):
        port.reopen()
    cable.plug()
    port.reopen()
    os.write(cable.master, b"again")
    assert hear(port, time, 5) == b"again"
    assert (port.statistics.opened, port.statistics.lost) == (2, 1)


def test_a_second_program_is_told_that_it_is_the_second(
    cable: Cable, port: SerialPort, time: RealTime
):
    port.open()
    other = SerialPort(str(cable.name), time.wake)
    with pytest.raises(PortError, match="Another program has the serial port .* open"):
        other.open()
    port.close()
    other.open()
    other.close()


def test_a_pattern_must_fit_one_device(cable: Cable, port: SerialPort):
    (cable.name.parent / "usb-other").symlink_to(cable.name)
    with pytest.raises(PortError, match=r"Several serial ports fit .*: .*usb-machine, .*usb-other"):
        port.open()


def test_a_port_never_opened_says_so(port: SerialPort):
    with pytest.raises(PortError, match="is not open"):
        port.read()
    with pytest.raises(PortError, match="is not open"):
        port.write(b"x")


def test_closing_is_no_loss(port: SerialPort):
    port.open()
    port.close()
    port.close()
    with pytest.raises(PortError, match="is not open"):
        port.read()
    assert port.statistics.lost == 0


class FakeSerial:
    """In place of `serial.Serial`: remembers what was done to it, in order."""

    def __init__(self, **trouble: Exception) -> None:
        self.__dict__["done"] = []
        self.__dict__["trouble"] = trouble
        self.__dict__["ended"] = threading.Event()
        self.__dict__["in_waiting"] = 0

    def __setattr__(self, name: str, value: Any) -> None:
        self._do(name, value)

    def open(self) -> None:
        self._do("open")

    def write(self, data: bytes) -> None:
        self._do("write", data)

    def read(self, size: int) -> bytes:
        self.ended.wait(5)
        if "read" in self.trouble:
            raise self.trouble["read"]
        raise OSError(errno.EIO, "ended")

    def cancel_read(self) -> None:
        self.ended.set()

    def set_low_latency_mode(self, on: bool) -> None:
        self._do("low latency", on)

    def close(self) -> None:
        self._do("close")
        self.ended.set()

    def _do(self, what: str, value: object = None) -> None:
        self.done.append((what, value))
        if what in self.trouble:
            raise self.trouble[what]


def on_fake(tmp_path: Path, fake: FakeSerial) -> SerialPort:
    (tmp_path / "device").touch()
    return SerialPort(str(tmp_path / "device"), lambda: None, lambda: fake)


def test_lines_rate_and_lock_are_set_before_the_device_is_opened(tmp_path: Path):
    fake = FakeSerial()
    port = on_fake(tmp_path, fake)
    port.open()
    port.close()
    before = dict(fake.done[: fake.done.index(("open", None))])
    assert before["dtr"] is False
    assert before["rts"] is False
    assert before["exclusive"] is True
    assert before["baudrate"] == 500_000
    assert ("low latency", True) in fake.done
    assert ("close", None) in fake.done


def test_a_device_without_such_lines_is_opened_all_the_same(tmp_path: Path):
    fake = FakeSerial(dtr=OSError(errno.ENOTTY, "no such line"))
    port = on_fake(tmp_path, fake)
    port.open()
    assert port.is_open
    port.close()


@pytest.mark.parametrize(
    ("trouble", "message"),
    [
        (OSError(errno.EAGAIN, "locked"), "Another program has the serial port"),
        (OSError(errno.EBUSY, "busy"), "Another program has the serial port"),
        (OSError(errno.EACCES, "no"), "may not open .* usually dialout"),
        (OSError(errno.EIO, "broken"), r"cannot be opened \(Input/output error\)"),
        (ValueError("Not a valid baudrate"), r"cannot be opened \(Not a valid baudrate\)"),
    ],
)
def test_why_it_cannot_be_opened_is_told(tmp_path: Path, trouble: Exception, message: str):
    port = on_fake(tmp_path, FakeSerial(open=trouble))
    with pytest.raises(PortError, match=message):
        port.open()
    assert not port.is_open


@pytest.mark.parametrize(
    "trouble", [OSError(errno.EIO, "gone"), TypeError("fd is None"), ValueError("closed")]
)
def test_any_trouble_in_writing_closes_the_device(tmp_path: Path, trouble: Exception):
    fake = FakeSerial(write=trouble)
    port = on_fake(tmp_path, fake)
    port.open()
    with pytest.raises(PortError, match="is gone"):
        port.write(b"x")
    assert fake.done[-1] == ("close", None)
    assert not port.is_open
    port.close()
    assert port.statistics.lost == 1


def test_any_trouble_in_reading_closes_the_device(tmp_path: Path):
    woken = threading.Event()
    fake = FakeSerial(read=TypeError("in pyserial"))
    (tmp_path / "device").touch()
    port = SerialPort(str(tmp_path / "device"), woken.set, lambda: fake)
    port.open()
    fake.ended.set()
    assert woken.wait(5)
    with pytest.raises(PortError, match=r"is gone \(in pyserial\)"):
        port.read()
    assert ("close", None) in fake.done


def test_rates_are_tried_from_the_fastest_on(tmp_path: Path):
    fakes: list[FakeSerial] = []

    def make() -> FakeSerial:
        fakes.append(FakeSerial())
        return fakes[-1]

    (tmp_path / "device").touch()
    port = SerialPort(str(tmp_path / "device"), lambda: None, make)
    answers = iter([False, True, True])
    assert port.prove(lambda: next(answers)) == 250_000
    assert [dict(fake.done)["baudrate"] for fake in fakes] == [500_000, 250_000]
    port.reopen()
    assert dict(fakes[-1].done)["baudrate"] == 250_000
    port.close()


def test_a_port_at_which_nothing_answers(tmp_path: Path):
    (tmp_path / "device").touch()
    port = SerialPort(str(tmp_path / "device"), lambda: None, FakeSerial)
    with pytest.raises(PortError, match="Nothing answers at .*500000, 250000, 115200 baud"):
        port.prove(lambda: False)
    assert not port.is_open
    assert port.statistics.rate == RATES[0]
