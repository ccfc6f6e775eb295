"""For all tests: nothing random differs from run to run, and nothing of the user's leaks in."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from deals import words
from tests import once

os.environ.setdefault(
    "OPENBLAS_NUM_THREADS", "1"
)  # before NumPy is imported: tests run on every core

CLOCK = ("recovery",)
"""Folders whose tests live by the wall clock: processes at 1x. Beside other tests they would measure those.

Clients of a daemon in lock-step only wait for it, however long it takes.
"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if item.path.relative_to(here).as_posix().startswith(CLOCK):
            item.add_marker(pytest.mark.clock)


settings.register_profile(
    "quick",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("long", parent=settings.get_profile("quick"), max_examples=2_000)
settings.load_profile(os.environ.get("PREDEAL_HYPOTHESIS", "quick"))


@pytest.fixture(scope="session", autouse=True)
def _meeting(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The folder above those of the workers is the run's own."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        once.folder = tmp_path_factory.getbasetemp().parent


@pytest.fixture
def listens_to_ctrl_c() -> Iterator[None]:
    """Even where the tests were begun in the background: a shell has Ctrl-C ignored there, also by children."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a user has set for Predeal must not decide a test."""
    for name in list(os.environ):
        if name.startswith(("PREDEAL_", "_PREDEAL_")) and name != "PREDEAL_HYPOTHESIS":
            monkeypatch.delenv(name)
    monkeypatch.setenv("PREDEAL_LANG", "en")
    monkeypatch.setenv("XDG_STATE_HOME", os.devnull)  # a user's own store would be asked
    words.speak("en")
