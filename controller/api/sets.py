"""Sets, boxes and the logbook over HTTP: what the store keeps. No answer holds a hand.

Each request opens the store beside the machine (`Store.beside`), so nothing here ever waits for the
control loop, nor does that for a passphrase's slow hash.
"""

from __future__ import annotations

import os
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter
from pydantic import Base64Bytes, Field, SecretStr

from controller.api.beside import OpensStore, enter
from controller.api.files import refuse_faulty, require_size
from controller.api.models import Line, Model, PersonName, Problem
from controller.jobs.deal import DealSet
from controller.jobs.kept import keep
from controller.jobs.loading import dealt_before
from controller.jobs.newdeal import consider, copies_in, deal_anew, same_hands
from controller.store.boxes import BoxBoard, BoxState
from controller.store.director import OPERATE, Permit
from controller.store.sets import SetInfo
from controller.store.store import Store, Who
from deals.files.reading import read_deals
from deals.laws import Auction, Contest, Edition, Reason
from deals.setcode import code_of
from deals.words import text

_REFUSED: Final[dict[int | str, dict[str, Any]]] = {
    403: {"model": Problem, "description": "A director has to say so."},
    409: {"model": Problem, "description": "It does not fit what is kept."},
    422: {"model": Problem, "description": "The request or the deal file is wrong."},
    503: {"model": Problem, "description": "The disk fails."},
}


class SetView(Model):
    """A set without its deals."""

    set: str
    name: str
    boards: int
    laws: int
    origin: str
    about: dict[str, str]
    live: bool
    sealed: bool
    retired: bool
    replaced: bool
    warnings: Annotated[list[str], Field(default_factory=list)]


class SetRequest(Model):
    """Keep the set in a deal file."""

    by: PersonName
    name: Annotated[str, Field(min_length=1, max_length=200)]
    file: Base64Bytes
    first_board: Annotated[int, Field(ge=1, le=9999)] | None = None
    laws: Literal[1997, 2007, 2017] = 2017
    about: Annotated[dict[str, Line], Field(default_factory=dict)]
    replay: bool = False


class Signed(Model):
    """What only a director may have done: who, and his passphrase."""

    director: PersonName
    passphrase: SecretStr


class RetireRequest(Model):
    """Never deal this set again."""

    by: PersonName
    reason: Line = ""


class NewDealRequest(Model):
    """Deal one board anew (Law 6D). `director` and `passphrase` where the Director must confirm."""

    by: PersonName
    board: Annotated[int, Field(ge=1, le=9999)]
    reason: Line
    why: Reason = Reason.DIRECTOR
    contest: Contest | None = None
    looked: Annotated[list[Literal["NS", "EW"]], Field(default_factory=list)]
    called: bool = False
    passed_out: bool = False
    result_known: bool = False
    director: PersonName | None = None
    passphrase: SecretStr | None = None


class SameHandsRequest(Model):
    """Deal the same hands again with another pack (Law 14)."""

    by: PersonName
    board: Annotated[int, Field(ge=1, le=9999)]
    reason: Line
    copies: Annotated[list[int], Field(default_factory=list)]
    boxes: Annotated[list[Line], Field(default_factory=list)]


class DealtAgainView(Model):
    """What is to be dealt again: copies by number and by name; files that are stale."""

    set: str
    replaces: str | None
    board: int
    copies: list[int]
    names: list[str]
    stale: list[str]
    findings: list[str]


class BoxRequest(Model):
    """Boards of a box (None: all) are out, played or back."""

    by: PersonName
    state: Literal["out", "played", "back"]
    boards: list[int] | None = None


class BoxView(Model):
    """What lies in one board of a box."""

    box: str
    board: int
    set: str
    copy_number: int
    state: str


class LogbookView(Model):
    """The chain of the logbook: its head, and rows that do not follow from the row before."""

    entries: int
    head: str
    broken: list[int]


def sets_router(opened: OpensStore) -> APIRouter:
    """The routes; each request opens the store for itself."""
    router = APIRouter(responses=_REFUSED)
    _keeping(router, opened)
    _changing(router, opened)
    _again(router, opened)
    _boxes(router, opened)
    return router


def _keeping(router: APIRouter, opened: OpensStore) -> None:
    @router.get("/v1/sets")
    def sets() -> list[SetView]:
        """All sets, oldest first."""
        with opened() as store:
            return [_view(info) for info in store.sets.infos()]

    @router.post("/v1/sets", status_code=201)
    def add(request: SetRequest) -> SetView:
        """Keep a set."""
        what = _read(request)
        who, edition = Who(request.by, OPERATE), Edition(request.laws)
        with opened() as store:
            set_id = keep(store, what, who, edition=edition, about=request.about)
            info = store.sets.info(set_id)
            found = dealt_before(store, info, what.chosen, replay=request.replay, who=who)
            details = {"set": info.code, "boards": info.boards}
            store.logbook.append("set imported", details, who)
        return _view(info, [text(*one) for one in found])

    @router.get("/v1/logbook")
    def logbook() -> LogbookView:
        """Whether anybody changed the logbook."""
        with opened() as store:
            number, head = store.logbook.head()
            return LogbookView(entries=number, head=head, broken=store.logbook.broken())


def _changing(router: APIRouter, opened: OpensStore) -> None:
    @router.post("/v1/sets/{code}/retire")
    def retire(code: str, request: RetireRequest) -> SetView:
        """Bar a set."""
        with opened() as store:
            set_id = store.sets.find(code).id
            return _view(store.states.retire(set_id, request.reason, Who(request.by, OPERATE)))

    @router.post("/v1/sets/{code}/seal")
    def seal(code: str, request: Signed) -> SetView:
        """Put its deals under the directors' key."""
        with opened() as store:
            info = store.sets.find(code)
            permit = _permit(store, request, "set sealed", info)
            return _view(store.states.seal(info.id, permit))

    @router.post("/v1/sets/{code}/end")
    def end(code: str, request: Signed) -> SetView:
        """Its play has ended: its hands are no secret any more."""
        with opened() as store:
            info = store.sets.find(code)
            permit = _permit(store, request, "set ended", info)
            return _view(store.states.end(info.id, permit))


def _again(router: APIRouter, opened: OpensStore) -> None:
    @router.post("/v1/sets/{code}/new-deal")
    def new_deal(code: str, request: NewDealRequest) -> DealtAgainView:
        """Void every copy of a board; the set gets another code."""
        auction = Auction(
            frozenset(request.looked), request.called, request.passed_out, request.result_known
        )
        with opened() as store:
            info = store.sets.find(code)
            verdict = consider(store, info, request.board, request.why, request.contest, auction)
            permit, phrase = None, request.passphrase
            if phrase is not None:
                permit = enter(store, request.director, phrase, "new deal", {"set": info.code})
            who = Who(request.by, OPERATE)
            done = deal_anew(store, info, verdict, request.reason, who, os.urandom, permit)
        return DealtAgainView(
            set=done.new.code,
            replaces=done.old.code,
            board=request.board,
            copies=[copy.copy for copy in done.voided],
            names=[copy.name for copy in verdict.copies],
            stale=list(done.stale),
            findings=[text(*finding) for finding in verdict.findings()],
        )

    @router.post("/v1/sets/{code}/same-hands")
    def again(code: str, request: SameHandsRequest) -> DealtAgainView:
        """Void copies of a board, to be dealt again with the same hands."""
        with opened() as store:
            info = store.sets.find(code)
            boxes = copies_in(store, info, request.boxes) if request.boxes else []
            wanted = sorted({*request.copies, *boxes})
            who = Who(request.by, OPERATE)
            found = same_hands(store, info, request.board, wanted, request.reason, who)
            names = store.boxes.names(info.id)
        return DealtAgainView(
            set=info.code,
            replaces=None,
            board=request.board,
            copies=[copy.copy for copy in found],
            names=[names[copy.copy].box for copy in found if copy.copy in names],
            stale=[],
            findings=[],
        )


def _boxes(router: APIRouter, opened: OpensStore) -> None:
    @router.get("/v1/boxes")
    def boxes() -> list[BoxView]:
        """What lies in the boards of each box."""
        with opened() as store:
            return [_box(found) for found in store.boxes.contents()]

    @router.post("/v1/boxes/{name}")
    def move(name: str, request: BoxRequest) -> list[BoxView]:
        """Boards of a box are out, played or back."""
        with opened() as store:
            who = Who(request.by, OPERATE)
            moved = store.boxes.move(name, BoxState(request.state), request.boards, who)
        return [_box(found) for found in moved]


def _read(request: SetRequest) -> DealSet:
    require_size(request.name, request.file)
    found = read_deals(request.file, request.name, request.first_board)
    if found.problems or not found.boards:
        refuse_faulty(request.name, found)
    code = code_of(found.boards)
    return DealSet(request.name, code, request.file, found.boards, found.boards, found.teaching)


def _permit(store: Store, request: Signed, purpose: str, info: SetInfo) -> Permit:
    return enter(store, request.director, request.passphrase, purpose, {"set": info.code})


def _view(info: SetInfo, warnings: list[str] | None = None) -> SetView:
    return SetView(
        set=info.code,
        name=info.name,
        boards=info.boards,
        laws=info.laws,
        origin=info.origin,
        about=dict(info.about),
        live=info.live,
        sealed=info.sealed,
        retired=info.retired_wall_us is not None,
        replaced=info.replaced_by is not None,
        warnings=warnings or [],
    )


def _box(found: BoxBoard) -> BoxView:
    return BoxView(
        box=found.box,
        board=found.board,
        set=found.set_code,
        copy_number=found.copy,
        state=found.state.value,
    )
