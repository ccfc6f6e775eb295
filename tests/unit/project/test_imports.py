"""Who may import what, beyond the directions that import-linter checks (setup.cfg)."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.project.source import PACKAGES, ROOT, imports, name, python_files, tree

# One module a library that is not on every machine, or that we may want to change.
HOME_OF = {
    "RPi": "controller/pins/rpi.py",
    "serial": "controller/devices/serial_port.py",
    "picamera2": "controller/devices/picamera.py",
    "pyzbar": "vision/barcode.py",
    "cobs": "controller/protocol/frame.py",
    "polib": "deals/words/__init__.py",
    "cryptography": "controller/store/vault.py",
    "ctypes": "controller/devices/memory.py controller/twin/firmware.py deals/doubledummy/library.py",
    "reportlab": "deals/records/pdf.py",
}
# Where time comes from, and where threads are: the edge, the real clock, the reader of the port.
EDGE = (
    "controller/api/",
    "controller/bench/",
    "controller/cli/",
    "controller/daemon/",
    "controller/devices/realtime.py",
    "controller/devices/serial_port.py",
    "controller/house.py",
)
NOT_ON_EVERY_MACHINE = ("RPi", "serial", "picamera2", "pyzbar")


def importers(library: str) -> set[str]:
    """The files of the packages that import a library, at once or late."""
    return {
        name(path)
        for path in python_files(*PACKAGES)
        if any(found.split(".")[0] == library for found in imports(path))
    }


@pytest.mark.parametrize("library", HOME_OF)
def test_one_module_per_library(library: str):
    assert importers(library) <= set(HOME_OF[library].split())


def test_pictures_are_the_business_of_vision_and_twin():
    assert [
        file for file in importers("cv2") if not file.startswith(("vision/", "controller/twin/"))
    ] == []


def test_the_ports_are_definitions_only():
    found = set(imports(ROOT / "controller/devices/ports.py"))
    assert {module.split(".")[0] for module in found} <= {"__future__", "dataclasses", "typing"}


def test_the_command_line_imports_twin_and_bench_late():
    late = ("controller.twin", "controller.bench")
    assert [
        (name(path), found)
        for path in python_files("controller/cli")
        for found in imports(path, at_import_only=True)
        if found.startswith(late)
    ] == []


def test_time_is_passed_in():
    """Nothing below the edge asks the system for the time, sleeps, or starts threads."""
    asked = {"time", "datetime", "threading", "asyncio", "sched"}
    assert [
        (name(path), found)
        for path in python_files(*PACKAGES)
        if not name(path).startswith(EDGE)
        for found in imports(path)
        if found.split(".")[0] in asked
    ] == []


def hidden_chance(path: Path) -> list[str]:
    """Calls of generators that nobody seeded: those of the modules `random` and `numpy.random`."""
    modules = {
        alias.asname or alias.name
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name == "random"
    } | {"np.random", "numpy.random"}
    found = []
    for node in ast.walk(tree(path)):
        if not isinstance(node, ast.Call):
            continue
        module, _, function = ast.unparse(node.func).rpartition(".")
        seeded = function in ("Random", "default_rng") and node.args
        if module in modules and not seeded and function != "SystemRandom":
            found.append(f"{name(path)}:{node.lineno} {module}.{function}")
    return found


def test_chance_is_passed_in():
    assert [call for path in python_files(*PACKAGES) for call in hidden_chance(path)] == []


BLOCKER = """
import importlib, pkgutil, sys
blocked = set(sys.argv[1:])
class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.split('.')[0] in blocked:
            raise ModuleNotFoundError(f'No module named {name!r}', name=name)
sys.meta_path.insert(0, Blocker())
count = 0
for package in ('deals', 'vision', 'controller'):
    module = importlib.import_module(package)
    for found in pkgutil.walk_packages(module.__path__, package + '.'):
        if found.name.startswith('controller.store.migrations.'):
            continue  # run by Alembic, not imported
        importlib.import_module(found.name)
        count += 1
print(count)
"""


def blocked_import(*libraries: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-c", BLOCKER, *libraries]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT)


def test_all_imports_without_the_libraries_of_the_hardware():
    done = blocked_import(*NOT_ON_EVERY_MACHINE)
    assert (done.returncode, done.stderr) == (0, "")
    assert int(done.stdout) > 50


def test_the_blocker_blocks():
    done = blocked_import("cobs")
    assert done.returncode == 1
    assert "No module named 'cobs'" in done.stderr
