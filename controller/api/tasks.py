"""Jobs that read cards, as a client asks for them and as a screen shows them. No model names a card of
a live set: counts, feed numbers, pockets and words only.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Annotated, Final, Literal

from pydantic import Base64Bytes, Field, SecretStr

from controller.api.beside import enter
from controller.api.errors import ApiError
from controller.api.files import FileRefusedError, refuse_faulty, require_size
from controller.api.models import Model, PersonName, TaskKind
from controller.errors import DirectorError
from controller.jobs.adopt import kept_set
from controller.store.director import Permit
from controller.store.store import Store
from deals.boards import Board
from deals.files.reading import read_deals
from deals.setcode import code_of

OF_FILE: Final = (TaskKind.CHECK, TaskKind.RESTORE, TaskKind.ADOPT)
OF_BOARDS: Final = (TaskKind.RECORD, TaskKind.SCRAMBLE)
CopyName = Annotated[str, Field(max_length=40, pattern=r"^[^\x00-\x1f\x7f]*$")]
Words = Annotated[str, Field(max_length=400, pattern=r"^[^\x00-\x1f\x7f]*$")]
BoardNumber = Annotated[int, Field(ge=1, le=9999)]


class TaskRequest(Model):
    """Begin a job that reads cards. `check`, `restore` and `adopt` need a file and a board, `record`
    and `scramble` boards; `adopt` also a reason, and the passphrase of a director, named where several direct.
    """

    owner: PersonName
    kind: TaskKind
    name: Annotated[str, Field(max_length=200)] = ""
    file: Base64Bytes = b""
    first_board: BoardNumber | None = None
    board: BoardNumber | None = None
    boards: Annotated[tuple[BoardNumber, ...], Field(max_length=500)] = ()
    copies: Annotated[tuple[CopyName, ...], Field(min_length=1, max_length=99)] = ("",)
    """Names of the copies to check."""
    copy_number: Annotated[int, Field(ge=1, le=99)] = 1
    """Which copy to restore."""
    rounds: Annotated[int, Field(ge=1, le=1000)] = 4
    in_order: bool = True
    """The pack that is taught is sorted, so that places are labels."""
    when: Literal["before", "playing", "after"] = "before"
    laws: Literal[1997, 2007, 2017] = 2017
    director: PersonName | None = None
    passphrase: SecretStr | None = None
    reason: Words = ""


@dataclass(frozen=True, slots=True)
class WantedTask:
    """A job that can be begun: the request, and the boards of its file."""

    request: TaskRequest = field(repr=False)
    boards: tuple[Board, ...] = field(repr=False, default=())
    code: str = ""
    teaching: bool = False
    permit: Permit | None = field(repr=False, default=None)
    """The director's, for what only he decides."""

    @property
    def record(self) -> Board | None:
        """The board of the file that is asked for."""
        return next((b for b in self.boards if b.number == self.request.board), None)


def read_task(request: TaskRequest) -> WantedTask:
    """What is asked for, with the boards of its file; refused where something is missing."""
    if request.kind in OF_BOARDS and not request.boards:
        raise ApiError("api.task_wants_boards", kind=request.kind.value)
    if request.kind not in OF_FILE:
        return WantedTask(request)
    if request.kind is TaskKind.ADOPT and not request.reason.strip():
        raise ApiError("api.task_wants_director")
    if request.board is None:
        raise ApiError("api.task_wants_file", kind=request.kind.value)
    require_size(request.name, request.file)
    found = read_deals(request.file, request.name, request.first_board)
    if found.problems:
        refuse_faulty(request.name, found)
    wanted = WantedTask(request, found.boards, code_of(found.boards), found.teaching)
    if wanted.record is None:
        values = {"file": request.name, "boards": str(request.board)}
        raise FileRefusedError("job.boards_not_there", [], **values)
    if request.kind is TaskKind.ADOPT and found.teaching:
        raise FileRefusedError("adopt.teaching", [], file=request.name)
    return wanted


def permitted(wanted: WantedTask, store: Store) -> WantedTask:
    """The same with the permit that it needs, which is in the logbook then.

    DirectorError without the passphrase of a director; StoreError when the set was replaced.
    """
    request = wanted.request
    if request.kind is not TaskKind.ADOPT:
        return wanted
    if request.passphrase is None:
        raise DirectorError("adopt.wants_passphrase")
    info = kept_set(store, wanted.boards, wanted.code)
    details = {"set": wanted.code if info is None else info.code, "board": request.board}
    permit = enter(store, request.director, request.passphrase, "record adopted", details)
    return replace(wanted, permit=permit)
