"""A machine that another program has is left alone whole: not only its port."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from controller.config import Config
from controller.daemon.hardware import Hardware
from controller.devices.errors import PortError
from controller.devices.realtime import RealTime

HOLDS = "import os, sys; os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY); print(flush=True); input()"


def test_no_pin_is_touched_while_another_program_has_the_port(tmp_path: Path) -> None:
    """To claim the pins switches the motors' relay off, in the middle of the other's board."""
    master, slave = os.openpty()
    port = os.ttyname(slave)
    pins = socket.socket(socket.AF_UNIX)
    pins.bind(str(tmp_path / "pins"))
    pins.listen()
    pins.setblocking(False)
    config = Config.model_validate(
        {"serial": {"port": port}, "pins": {"source": f"socket:{tmp_path / 'pins'}"}}
    )
    child = subprocess.Popen(
        [sys.executable, "-c", HOLDS, port], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdout.readline()
    time = RealTime()
    with pytest.raises(PortError, match="belongs to another program"):
        Hardware(config, time, print)
    with pytest.raises(BlockingIOError):
        pins.accept()
    child.stdin.close()
    child.wait()
    child.stdout.close()
    time.close()
    pins.close()
    os.close(master)
    os.close(slave)
