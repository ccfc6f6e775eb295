"""The HTTP application: routes, refusals in words, the event stream."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from threading import Lock
from typing import Annotated, Any, Final, TypeVar

from fastapi import FastAPI, Header, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response, StreamingResponse
from starlette.exceptions import HTTPException

from controller.api.beside import OpensStore
from controller.api.desk import Desk
from controller.api.errors import ApiError
from controller.api.files import FileRefusedError, MayDeal, read_request
from controller.api.models import (
    CalibrateRequest,
    CalibrationRequest,
    CalibrationView,
    ConfirmRequest,
    DealRequest,
    FiguresRequest,
    FiguresView,
    JobView,
    Model,
    PictureRequest,
    PictureView,
    Problem,
    ResumeRequest,
    SightRequest,
    SightView,
    StateView,
    StopRequest,
)
from controller.api.records import add_records
from controller.api.sets import sets_router
from controller.api.tasks import TaskRequest, permitted, read_task
from controller.errors import DirectorError
from deals.errors import PredealError

KEEPALIVE_S: Final = 15.0
MAX_BODY_BYTES: Final = 8 * 1024 * 1024
DECIDED: Final = ("box.", "store.set_", "store.copy_", "store.board_", "store.no_set")
"""Errors of the store that are no fault of a disk: what was asked for does not fit what is kept."""
NOT_DONE: Final[dict[int | str, dict[str, Any]]] = {
    409: {"model": Problem, "description": "Not now: the state and the owner say why."},
    413: {"model": Problem, "description": "Too big to be a deal file."},
    422: {"model": Problem, "description": "The request or the deal file is wrong."},
    503: {"model": Problem, "description": "The control loop does not answer, or a disk fails."},
}
NOT_ALLOWED: Final = {
    **NOT_DONE,
    403: {"model": Problem, "description": "The director has to allow it."},
}

M = TypeVar("M", bound=Model)


def make_app(desk: Desk, version: str, store: OpensStore | None = None) -> FastAPI:
    """The application; its only way to the machine is `desk`. With *store* it keeps sets too,
    through a connection of its own beside the machine's.
    """
    app = FastAPI(
        title="Predeal",
        version=version,
        description="The daemon that owns a machine that deals duplicate-bridge boards.",
        docs_url=None,
        redoc_url=None,
    )
    _unreadable(app, desk)
    _refusals(app, desk)
    _reading(app, desk)
    # The code of a set takes a second of work: only who may begin has it done, one at a time.
    reading = Lock()
    _asking(app, desk, reading)
    _tasks(app, desk, reading, store)
    if store is not None:
        app.include_router(sets_router(store))
        add_records(app, store, NOT_ALLOWED)
    return app


def _reading(app: FastAPI, desk: Desk) -> None:
    @app.get("/v1/state")
    def state() -> StateView:
        """Everything a screen shows."""
        return desk.state

    @app.get("/v1/figures", responses={503: NOT_DONE[503]})
    def figures() -> FiguresView:
        """How well host and machine keep up: for a technician."""
        return _asked(desk, FiguresRequest(), FiguresView)

    @app.get("/v1/calibration", responses={503: NOT_DONE[503]})
    def calibration() -> CalibrationView:
        """What was measured on this machine, and what is being measured."""
        return _asked(desk, CalibrationRequest(), CalibrationView)

    @app.get(
        "/v1/events",
        response_class=StreamingResponse,
        responses={200: {"content": {"text/event-stream": {}}}},
    )
    async def events(
        last_event_id: Annotated[str | None, Header()] = None,
        after: Annotated[str | None, Query(max_length=64)] = None,
    ) -> StreamingResponse:
        """Live events. Begins with the whole state, or where Last-Event-ID left off; when that is
        too long ago with `reset` and the whole state.
        """
        stream = follow(desk, last_event_id or after)
        return StreamingResponse(stream, media_type="text/event-stream")


def _asking(app: FastAPI, desk: Desk, reading: Lock) -> None:
    @app.post("/v1/jobs", status_code=201, responses=NOT_DONE)
    def deal(request: DealRequest) -> JobView:
        """Begin to deal. The sender owns the machine until the job ends."""
        with reading:
            desk.ask(MayDeal())
            return _asked(desk, read_request(request), JobView)

    @app.get("/v1/lesson/{number}", responses=NOT_DONE)
    def lesson(number: int) -> SightView:
        """A picture of the pack that has passed to be taught; the last that is fetched drops them all."""
        return _asked(desk, SightRequest(number=number), SightView)

    @app.post("/v1/stop", responses=NOT_DONE)
    def stop(request: StopRequest) -> StateView:
        """Stop now, whoever asks; with `end` the job is given up."""
        return _asked(desk, request, StateView)

    @app.post("/v1/resume", responses=NOT_DONE)
    def resume(request: ResumeRequest) -> StateView:
        """Go on: what the screen asked for is done."""
        return _asked(desk, request, StateView)

    @app.post("/v1/calibration", status_code=202, responses=NOT_DONE)
    def calibrate(request: CalibrateRequest) -> StateView:
        """Begin to measure a section; no job may be there. What people must do comes as a stop."""
        return _asked(desk, request, StateView)

    @app.post("/v1/picture", responses=NOT_DONE)
    def picture(request: PictureRequest, response: Response) -> PictureView:
        """See a card that has to be named. It is written down who has seen a face; nothing keeps it."""
        response.headers["Cache-Control"] = "no-store"
        return _asked(desk, request, PictureView)

    @app.post("/v1/confirm", responses=NOT_DONE)
    def confirm(request: ConfirmRequest) -> StateView:
        """Say which board lies in the slot of a machine without label reader."""
        return _asked(desk, request, StateView)


def _tasks(app: FastAPI, desk: Desk, reading: Lock, opened: OpensStore | None) -> None:
    @app.post("/v1/tasks", status_code=201, responses=NOT_ALLOWED)
    def task(request: TaskRequest) -> JobView:
        """Begin a job that reads cards. The sender owns the machine until it ends."""
        with reading:
            desk.ask(MayDeal())
            wanted = read_task(request)
            if opened is not None:
                with opened() as store:  # a passphrase is slow, and the loop never waits for it
                    wanted = permitted(wanted, store)
            return _asked(desk, wanted, JobView)


def _asked(desk: Desk, request: object, kind: type[M]) -> M:
    """The control loop's answer, which is of *kind*: anything else is a mistake of ours."""
    answer = desk.ask(request)
    if not isinstance(answer, kind):
        raise TypeError(type(answer).__name__)
    return answer


async def follow(desk: Desk, last_id: str | None) -> AsyncIterator[str]:
    """The events after *last_id*, then each as it comes."""
    ring, loop, news = desk.events, asyncio.get_running_loop(), asyncio.Event()

    def tell() -> None:
        loop.call_soon_threadsafe(news.set)

    ring.listen(tell)
    try:
        kind = "state"
        while True:
            news.clear()
            found = None if last_id is None else ring.since(last_id)
            if found is None:
                state = desk.state
                last_id = state.event
                yield f"id: {last_id}\nevent: {kind}\ndata: {state.model_dump_json()}\n\n"
                found = ring.since(last_id) or []
            kind = "reset"  # from now on a gap is one that the client must hear of
            for event in found:
                yield event.sse()
                last_id = event.id
            try:
                await asyncio.wait_for(news.wait(), KEEPALIVE_S)
            except TimeoutError:
                yield ": still here\n\n"
    finally:
        ring.unlisten(tell)


def _refuser(desk: Desk) -> Callable[[int, str, str, list[str]], JSONResponse]:
    def refuse(status: int, code: str, message: str, findings: list[str]) -> JSONResponse:
        state = desk.state
        owner = state.job.owner if state.job and not state.job.ended else None
        problem = Problem(
            code=code, message=message, state=state.state, owner=owner, findings=findings
        )
        return JSONResponse(problem.model_dump(mode="json"), status)

    return refuse


def _unreadable(app: FastAPI, desk: Desk) -> None:
    """Requests that no route has taken: the daemon never began to look at them."""
    refuse = _refuser(desk)

    @app.exception_handler(HTTPException)
    async def by_the_framework(request: Request, error: HTTPException) -> Response:
        if error.status_code == 400:  # a body that is no text
            told = PredealError("api.wrong_request", problems=str(error.detail))
            return refuse(422, told.code, told.text(), [])
        told = PredealError("api.no_such_route", method=request.method, path=request.url.path)
        return refuse(error.status_code, told.code, told.text(), [])

    @app.exception_handler(RequestValidationError)
    async def wrong(request: Request, error: RequestValidationError) -> Response:
        # Where and why, never the input: it may be a deal.
        found = [
            f"{'.'.join(str(part) for part in detail['loc'])}: {detail['msg']}"
            for detail in error.errors()
        ]
        told = PredealError("api.wrong_request", problems="; ".join(found))
        return refuse(422, told.code, told.text(), found)


def _refusals(app: FastAPI, desk: Desk) -> None:
    refuse = _refuser(desk)

    @app.exception_handler(FileRefusedError)
    async def no_file(request: Request, error: FileRefusedError) -> Response:
        return refuse(422, error.code, error.text(), error.findings)

    @app.exception_handler(ApiError)
    async def not_now(request: Request, error: ApiError) -> Response:
        return refuse(error.status, error.code, error.text(), [])

    @app.exception_handler(PredealError)
    async def other(request: Request, error: PredealError) -> Response:
        # The store's: the disk is full, say.
        status = 403 if isinstance(error, DirectorError) else 422
        if isinstance(error, OSError):
            status = 409 if error.code.startswith(DECIDED) else 503
        return refuse(status, error.code, error.text(), [])

    @app.exception_handler(Exception)
    async def unexpected(request: Request, error: Exception) -> Response:
        # Only the kind: the text of a stray exception may hold a card of a live set.
        told = PredealError("api.unexpected", kind=type(error).__name__)
        return refuse(500, told.code, told.text(), [])

    @app.middleware("http")
    async def bounded(request: Request, call_next: Any) -> Response:
        length = request.headers.get("content-length", "0")
        chunked = "transfer-encoding" in request.headers
        if chunked or not length.isdecimal() or int(length) > MAX_BODY_BYTES:
            told = PredealError("api.too_big", limit_mb=MAX_BODY_BYTES // 1024 // 1024)
            return refuse(413, told.code, told.text(), [])
        answer: Response = await call_next(request)
        return answer
