"""The firmware, built once for the tests from its own Makefile into a folder of its own."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.unit.firmware.library import load
from tests.unit.firmware.rig import Rig

FIRMWARE = Path(__file__).parents[3] / "firmware"
SANITIZED = "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all"


def make(*words: str) -> subprocess.CompletedProcess[str]:
    """Runs the firmware's make; what it started ends with it, even a test that never ends."""
    command = ["make", "-s", f"-j{os.cpu_count()}", "-C", str(FIRMWARE), *words]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            out, err = process.communicate(timeout=120)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    return subprocess.CompletedProcess(command, process.returncode, out, err)


@pytest.fixture(scope="session")
def lib(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The host library; another build of it, with counters or sanitizers, by the environment."""
    if named := os.environ.get("PREDEAL_TEST_FIRMWARE"):
        return load(Path(named))
    build = tmp_path_factory.mktemp("firmware")
    done = make("host", f"BUILD={build}")
    assert done.returncode == 0, done.stderr
    return load(build / "libpredeal_host.so")


@pytest.fixture
def bench(lib: Any) -> Iterator[Callable[..., Rig]]:
    """Makes rigs, and frees them after the test."""
    rigs: list[Rig] = []

    def new(**settings: Any) -> Rig:
        rigs.append(Rig(lib, **settings))
        return rigs[-1]

    yield new
    for rig in rigs:
        rig.close()
    # Whatever a test did: the firmware has sent nothing that the host cannot read.
    assert [(rig.decoder.dropped, rig.decoder.refused) for rig in rigs] == [(0, 0)] * len(rigs)


@pytest.fixture
def rig(bench: Callable[..., Rig]) -> Rig:
    """A rig of the standard profile."""
    return bench()
