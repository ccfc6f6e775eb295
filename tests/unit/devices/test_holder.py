"""Who has a device open is found out without opening it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from controller.devices.errors import PortError
from controller.devices.holder import holder_of
from controller.devices.realtime import RealTime
from controller.devices.serial_port import SerialPort

HOLDS = "import os, sys; os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY); print(flush=True); input()"


def test_another_program_is_named_and_the_device_not_opened(tmp_path: Path):
    master, slave = os.openpty()
    (tmp_path / "mcu").symlink_to(os.ttyname(slave))
    name = str(tmp_path / "mcu")
    assert holder_of(name) is None  # we ourselves do not count
    child = subprocess.Popen(
        [sys.executable, "-c", HOLDS, name], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdout.readline()
    time = RealTime()
    opened: list[None] = []
    port = SerialPort(name, time.wake, lambda: opened.append(None))
    with pytest.raises(PortError) as caught:
        port.open()
    assert opened == []
    assert str(caught.value).startswith(
        f"The serial port {name} belongs to another program: {sys.executable} -c"
    )
    assert f"(process {child.pid})" in str(caught.value)
    child.stdin.close()
    child.wait()
    child.stdout.close()
    assert holder_of(name) is None
    time.close()
    os.close(master)
    os.close(slave)


def test_a_port_that_is_not_there_is_held_by_nobody(tmp_path: Path):
    time = RealTime()
    SerialPort(str(tmp_path / "none"), time.wake).refuse_if_held()
    time.close()


def test_what_we_may_not_look_at_is_passed_over(tmp_path: Path):
    (tmp_path / "12").mkdir()  # has ended meanwhile: no fd
    (tmp_path / "13" / "fd").mkdir(parents=True)
    (tmp_path / "13" / "fd" / "0").symlink_to("/dev/null")
    (tmp_path / "self").mkdir()
    assert holder_of("/dev/zero", tmp_path) is None
    found = holder_of("/dev/null", tmp_path)
    assert found is not None
    assert (found.pid, found.program) == (13, "?")
