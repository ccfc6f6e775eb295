"""What deck tests have found, kept beside the design: one JSON list a design, the oldest first."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from vision.design import check_name, designs_dir

SUFFIX: Final = ".tests.json"
KEPT: Final = 100
"""Tests kept of one design; the oldest go."""


def kept_tests(name: str, folder: Path | None = None) -> list[dict[str, Any]]:
    """The tests of a design; none where none was made. A file that is no such list counts as none."""
    path = _path(name, folder)
    try:
        found = json.loads(path.read_text("utf-8"))
    except (FileNotFoundError, ValueError):
        return []
    return found if isinstance(found, list) else []


def note_test(name: str, test: Mapping[str, object], folder: Path | None = None) -> Path:
    """Adds one test, plain JSON values; the file is written whole or not at all."""
    path = _path(name, folder)
    kept = [*kept_tests(name, folder), dict(test)][-KEPT:]
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    fresh.write_text(json.dumps(kept, ensure_ascii=False, indent=1) + "\n", "utf-8")
    fresh.replace(path)
    return path


def _path(name: str, folder: Path | None) -> Path:
    return (folder or designs_dir()) / f"{check_name(name)}{SUFFIX}"
