"""The project's own source, as the checks see it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[3]
PACKAGES = ("deals", "vision", "controller")


def python_files(*places: str) -> list[Path]:
    """The Python files under these folders of the project."""
    return sorted(path for place in places for path in (ROOT / place).rglob("*.py"))


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def imports(path: Path, *, at_import_only: bool = False) -> Iterator[str]:
    """The modules that a file imports; with *at_import_only* not those inside functions."""
    todo: list[ast.AST] = [tree(path)]
    while todo:
        node = todo.pop()
        match node:
            case ast.Import():
                yield from (alias.name for alias in node.names)
            case ast.ImportFrom(module=str(module)):
                yield module
                yield from (f"{module}.{alias.name}" for alias in node.names)
            case ast.If(test=ast.Name(id="TYPE_CHECKING")) if at_import_only:
                continue
            case ast.FunctionDef() | ast.AsyncFunctionDef() if at_import_only:
                continue
            case _:
                todo.extend(ast.iter_child_nodes(node))


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()
