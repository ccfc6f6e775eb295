"""Files and functions stay short enough to be read in one go; lists may be as long as they are."""

from __future__ import annotations

import ast

from tests.unit.project.source import PACKAGES, name, python_files, tree

FILE_LINES = 400
FUNCTION_LINES = 50
LISTS = {"controller/protocol/messages.py", "controller/twin/faults.py:_kinds"}


def test_files_stay_short():
    sizes = {
        name(path): len(path.read_text(encoding="utf-8").splitlines())
        for path in python_files(*PACKAGES, "tests")
    }
    assert {
        file: size for file, size in sizes.items() if size > FILE_LINES and file not in LISTS
    } == {}


def test_functions_stay_short():
    too_long = {}
    for path in python_files(*PACKAGES):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                where = f"{name(path)}:{node.name}"
                if lines > FUNCTION_LINES and where not in LISTS:
                    too_long[where] = lines
    assert too_long == {}
