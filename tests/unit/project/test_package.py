"""What is installed is complete: every package, and every file that is no Python."""

from __future__ import annotations

import configparser
import fnmatch
import subprocess
import sys
from pathlib import Path

from tests.unit.project.source import PACKAGES, ROOT

SETTINGS = configparser.ConfigParser()
SETTINGS.read(ROOT / "setup.cfg", encoding="utf-8")


def test_every_folder_with_code_is_a_package():
    assert SETTINGS["options.packages.find"]["include"].split() == [f"{name}*" for name in PACKAGES]
    folders = {path.parent for place in PACKAGES for path in (ROOT / place).rglob("*.py")}
    assert [folder for folder in folders if not (folder / "__init__.py").exists()] == []


def test_every_other_file_is_installed_too():
    patterns = SETTINGS["options.package_data"]["*"].split()
    others = [
        path
        for place in PACKAGES
        for path in (ROOT / place).rglob("*")
        if path.is_file() and path.suffix not in (".py", ".pyc")
    ]
    assert others, "the catalogue at least"
    assert [path for path in others if not any(takes(one, path) for one in patterns)] == []


def takes(pattern: str, path: Path) -> bool:
    """As setuptools does it: from the package that a file lies in, and a star ends at a slash."""
    package = path.parent
    while not (package / "__init__.py").exists():
        package = package.parent
    parts, wanted = path.relative_to(package).parts, pattern.split("/")
    return len(parts) == len(wanted) and all(map(fnmatch.fnmatch, parts, wanted))


def test_constraints_pin_every_library_that_is_named():
    pinned = {
        line.split("==")[0].lower().replace("_", "-")
        for line in (ROOT / "requirements/constraints.txt").read_text().splitlines()
        if "==" in line
    }
    named = SETTINGS["options"]["install_requires"].split("\n")
    named += SETTINGS["options.extras_require"]["dev"].split("\n")
    plain = {line.strip().partition(">")[0].lower() for line in named if line.strip()}
    assert plain - pinned == set()


def test_a_store_opens_away_from_the_source_folder(tmp_path: Path):
    script = (
        "import os; from controller.store import *\n"
        "class C:\n"
        "    now_us = wall_us = lambda self: 0\n"
        "Store.open(None, C(), os.urandom).close()\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script], cwd=tmp_path, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
