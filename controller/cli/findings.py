"""What a deal file has wrong, told alike by every command that reads one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from controller.cli.output import complain
from deals.files import Finding
from deals.words import text


def finding_document(finding: Finding) -> dict[str, Any]:
    """One warning or problem as JSON."""
    return {
        "line": finding.line,
        "offset": finding.offset,
        "board": finding.board,
        "code": finding.code,
        "message": finding.message(),
    }


def tell_findings(file: Path, warnings: Sequence[Finding], problems: Sequence[Finding]) -> None:
    """All of them on stderr, each with its place."""
    for code, findings in (("file.warning_at", warnings), ("file.problem_at", problems)):
        for finding in findings:
            where = finding.where()
            place = f"{file}, {where}" if where else str(file)
            complain(text(code, {"place": place, "message": finding.message()}))
