"""A deal file that came with a request: read whole and checked before the control loop hears of it.

The file is read once. What happens to it afterwards, wherever it came from, changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NoReturn

from controller.api.errors import ApiError
from controller.api.models import MAX_FILE_BYTES, DealRequest
from deals.boards import Board
from deals.files import ranges
from deals.files.base import DealFile
from deals.files.reading import read_deals
from deals.setcode import code_of


@dataclass(frozen=True, slots=True)
class MayDeal:
    """The question before a file is read: could a job begin now at all?"""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A job that can be begun: a whole set, the numbers asked for, and for whom."""

    owner: str
    name: str
    code: str
    source: bytes = field(repr=False)
    boards: tuple[Board, ...] = field(repr=False)
    numbers: tuple[int, ...]
    copies: int | None
    teaching: bool = False
    laws: int | None = None
    replay: bool = False
    witness: str = ""
    boxes: tuple[str, ...] = ()
    section: str = ""
    order: str = "board"
    over: bool = False


class FileRefusedError(ApiError):
    """The deal file cannot be dealt; `findings` say why, line by line."""

    status = 422

    def __init__(self, code: str, findings: list[str], **values: object) -> None:
        super().__init__(code, **values)
        self.findings = findings


def require_size(name: str, file: bytes) -> None:
    """FileRefusedError "api.file_too_big" where nobody shall read so much."""
    if len(file) > MAX_FILE_BYTES:
        limit_mb = MAX_FILE_BYTES // 1024 // 1024
        raise FileRefusedError("api.file_too_big", [], file=name, limit_mb=limit_mb)


def refuse_faulty(name: str, found: DealFile) -> NoReturn:
    """FileRefusedError "job.file_refused" with what was found in the file."""
    findings = [f"{finding.where()}: {finding.message()}" for finding in found.problems]
    raise FileRefusedError("job.file_refused", findings, file=name)


def read_request(request: DealRequest) -> Wanted:
    """The boards of the request's file, with the code of the whole set."""
    require_size(request.name, request.file)
    found = read_deals(request.file, request.name, request.first_board)
    if found.problems:
        refuse_faulty(request.name, found)
    if found.teaching and not request.teaching:
        raise FileRefusedError("job.teaching", [], file=request.name)
    if not found.boards:
        raise FileRefusedError("job.nothing_to_deal", [], file=request.name)
    there = [board.number for board in found.boards]
    wanted = sorted(set(request.boards)) if request.boards else there
    missing = [number for number in wanted if number not in there]
    if missing:
        raise FileRefusedError(
            "job.boards_not_there", [], file=request.name, boards=ranges(missing)
        )
    return Wanted(
        owner=request.owner,
        name=request.name,
        code=code_of(found.boards),
        source=request.file,
        boards=found.boards,
        numbers=tuple(wanted),
        copies=request.copies,
        teaching=found.teaching,
        laws=request.laws,
        replay=request.replay,
        witness=request.witness,
        boxes=tuple(request.boxes),
        section=request.section,
        order=request.order,
        over=request.over,
    )
