"""Records of kept sets over the socket: rounds held and released, and hands for whoever may see them.

Hands leave the daemon here alone, after the rules of `controller.jobs.seeing`: rounds that are released
for everybody, all else for the director, whose passphrase comes with the request; the logbook has who
and what for. Each request opens the store beside the control loop, which has no time for passphrases.
"""

from __future__ import annotations

import json
import time
from typing import Annotated, Literal

from fastapi import FastAPI
from pydantic import Base64Bytes, Field, SecretStr

from controller.api.beside import OpensStore, enter
from controller.api.files import require_size
from controller.api.models import Model, PersonName
from controller.errors import DirectorError
from controller.jobs.kept import boards_of
from controller.jobs.seeing import held, held_in_file, release_of
from controller.store.director import OPERATE, Permit
from controller.store.sets import SetInfo
from controller.store.store import Store, Who
from deals.errors import DealFileError
from deals.files import ranges
from deals.files.reading import read_deals
from deals.records.release import Release, Round
from deals.setcode import code_of

BoardNumbers = Annotated[list[Annotated[int, Field(ge=1, le=100_000)]], Field(max_length=10_000)]


class WithDirector(Model):
    """A request that may need the director; the passphrase is never told, logged or kept."""

    by: PersonName
    director: PersonName | None = None
    """Needed only where several direct."""
    passphrase: SecretStr | None = None


class HandsRequest(WithDirector):
    """Hands of a kept set. With `released` only what may be seen now, without the director."""

    purpose: Literal["hands shown", "hands printed", "hands written"] = "hands printed"
    boards: BoardNumbers | None = None
    released: bool = False


class HandView(Model):
    """One board with its deal, North first."""

    board: int
    dealer: str
    vulnerable: str
    deal: str = Field(repr=False)
    redealt: int
    """How often this number was dealt anew (Law 6D)."""


class HandsView(Model):
    """What a record of a set needs."""

    set_code: str
    name: str
    origin: str
    laws: int
    about: dict[str, str]
    logbook_entries: int
    logbook_head: str
    """Number and hash of the logbook's last row, for the foot of the page."""
    boards: list[HandView]


class RoundModel(Model):
    """The boards of one round, and from when they may be seen; None: the director says when."""

    boards: BoardNumbers
    at_us: Annotated[int, Field(ge=0)] | None = None


class HoldRequest(WithDirector):
    """Hold records round by round."""

    rounds: Annotated[list[RoundModel], Field(min_length=1, max_length=200)]


class ReleaseRequest(WithDirector):
    """Let a round be seen from now on, the first is 1; all without a number."""

    round: Annotated[int, Field(ge=1, le=200)] | None = None


class RoundView(Model):
    """One round."""

    boards: list[int]
    at_us: int | None
    by: str
    open: bool


class RoundsView(Model):
    """The rounds of a set; none: held while it is live, open afterwards."""

    set_code: str
    live: bool
    rounds: list[RoundView]


class FileHandsRequest(WithDirector):
    """May the hands of these boards of a file be shown? Asked by a command that will show them."""

    purpose: Literal["hands shown", "hands printed", "hands written"]
    name: Annotated[str, Field(min_length=1, max_length=200)]
    file: Base64Bytes
    first_board: Annotated[int, Field(ge=1, le=9999)] | None = None
    boards: BoardNumbers


class HeldModel(Model):
    """Boards of a live set that are among those of the file."""

    set_code: str
    boards: list[int]


class FileHandsView(Model):
    """`held` is empty where nothing is held; otherwise the director has allowed it."""

    held: list[HeldModel]


def add_records(
    app: FastAPI, beside: OpensStore, answers: dict[int | str, dict[str, object]]
) -> None:
    """Adds the routes; *beside* opens the store."""
    _add_hands(app, beside, answers)
    _add_rounds(app, beside, answers)


def _add_hands(
    app: FastAPI, beside: OpensStore, answers: dict[int | str, dict[str, object]]
) -> None:
    @app.post("/v1/sets/{code}/hands", responses=answers)
    def hands(code: str, request: HandsRequest) -> HandsView:
        """The deals of a set, to be shown or printed."""
        with beside() as store:
            return _hands(store, store.sets.find(code), request)

    @app.post("/v1/hands", responses=answers)
    def file_hands(request: FileHandsRequest) -> FileHandsView:
        """Whether deals of a file are those of a live set; then the director has to allow it."""
        require_size(request.name, request.file)
        found = read_deals(request.file, request.name, request.first_board)
        shown = [one for one in (*found.boards, *found.clashes) if one.number in request.boards]
        with beside() as store:
            kept = held_in_file(store, shown, lambda: code_of(found.boards), _now_us())
            for info, numbers in kept:
                _permit(store, request, request.purpose, info, numbers)
        return FileHandsView(
            held=[HeldModel(set_code=info.code, boards=numbers) for info, numbers in kept]
        )


def _add_rounds(
    app: FastAPI, beside: OpensStore, answers: dict[int | str, dict[str, object]]
) -> None:
    @app.get("/v1/sets/{code}/rounds", responses=answers)
    def rounds(code: str) -> RoundsView:
        """Which records may be seen now, and when the others."""
        with beside() as store:
            return _view(store.sets.find(code))

    @app.post("/v1/sets/{code}/rounds", responses=answers)
    def hold(code: str, request: HoldRequest) -> RoundsView:
        """Hold the records of a set round by round; the director's."""
        release = Release(tuple(Round(tuple(one.boards), one.at_us) for one in request.rounds))
        with beside() as store:
            info = store.sets.find(code)
            release.within(store.sets.redealt(info.id))
            permit = _permit(store, request, "records held", info)
            stored = json.dumps(release.as_dict())
            return _view(store.states.hold(info.id, stored, permit.who))

    @app.post("/v1/sets/{code}/release", responses=answers)
    def release(code: str, request: ReleaseRequest) -> RoundsView:
        """Let a round be seen before its time; the director's."""
        with beside() as store:
            info = store.sets.find(code)
            rounds = release_of(info) or Release((Round(tuple(store.sets.redealt(info.id))),))
            permit = _permit(store, request, "records released", info)
            places = range(len(rounds.rounds)) if request.round is None else [request.round - 1]
            for place in places:
                rounds = rounds.opened(place, permit.name)
            stored = json.dumps(rounds.as_dict())
            return _view(store.states.hold(info.id, stored, permit.who))


def _hands(store: Store, info: SetInfo, request: HandsRequest) -> HandsView:
    if info.replaced_by is not None:
        after = store.sets.info(info.replaced_by).code
        raise DealFileError("records.replaced", set_code=info.code, after=after)
    redealt = store.sets.redealt(info.id)
    wanted = sorted(redealt if request.boards is None else set(request.boards))
    if missing := sorted(set(wanted) - set(redealt)):
        raise DealFileError("file.boards_not_there", boards=ranges(missing))
    closed = held(info, wanted, _now_us())
    if request.released:
        wanted, closed = sorted(set(wanted) - set(closed)), []
        if not wanted:
            raise DealFileError("records.none_released", set_code=info.code)
    permit = None
    if closed or info.sealed:
        permit = _permit(store, request, request.purpose, info, closed)
    else:
        details = {"set": info.code, "boards": ranges(wanted)}
        store.logbook.append(request.purpose, details, Who(request.by, OPERATE))
    number, head = store.logbook.head()
    boards = boards_of(store.sets.boards(info.id, permit, wanted))
    return HandsView(
        set_code=info.code,
        name=info.name,
        origin=info.origin,
        laws=info.laws,
        about=dict(info.about),
        logbook_entries=number,
        logbook_head=head,
        boards=[
            HandView(
                board=board.number,
                dealer=board.dealer.letter,
                vulnerable=board.vulnerable.value,
                deal=board.deal.pbn(),
                redealt=redealt[board.number],
            )
            for board in boards
        ],
    )


def _permit(
    store: Store,
    request: WithDirector,
    purpose: str,
    info: SetInfo,
    closed: list[int] | None = None,
) -> Permit:
    """The director's permit; DirectorError "director.not_there" where nobody gave a passphrase."""
    if request.passphrase is None:
        values = {"set_code": info.code, "boards": ranges(closed or []) or "-"}
        raise DirectorError("director.not_there", **values)
    details = {"set": info.code, "boards": ranges(closed or [])}
    return enter(store, request.director, request.passphrase, purpose, details)


def _view(info: SetInfo) -> RoundsView:
    release = release_of(info)
    now_us = _now_us()
    return RoundsView(
        set_code=info.code,
        live=info.live,
        rounds=[
            RoundView(boards=list(one.boards), at_us=one.at_us, by=one.by, open=one.is_open(now_us))
            for one in (release.rounds if release else ())
        ],
    )


def _now_us() -> int:
    return time.time_ns() // 1000
